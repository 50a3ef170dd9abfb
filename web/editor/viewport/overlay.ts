/** The skeleton, drawn over the meshes on a canvas of its own: bones as slender kites from a joint to
 * its children, joints as dots. */
import { Vector3 } from "three";
import type { Editor } from "../editor.ts";
import type { Palette } from "./palette.ts";
import type { Candidate } from "./picking.ts";
import type { Pose } from "./pose.ts";
import type { Screen } from "./screen.ts";

interface Joint extends Candidate {
  /** Nearest ancestor that is drawn too. */
  parent: Joint | null;
}

export class Overlay {
  private joints: Joint[] = [];
  private byNode = new Map<number, Joint>();
  private readonly at = new Vector3();

  constructor(private readonly editor: Editor) {
    editor.on(["file"], () => (this.collected = null));
    editor.on(["file", "document"], () => this.collect());
  }

  private collected: readonly number[] | null = null;

  private collect(): void {
    const { editor } = this;
    const wanted = editor.session ? editor.jointNodes : [];
    const { collected } = this;
    if (
      collected &&
      wanted.length === collected.length &&
      wanted.every((node, i) => node === collected[i])
    )
      return;
    this.collected = wanted;
    this.byNode = new Map(
      wanted.map((node) => [node, { node, x: 0, y: 0, depth: 0, parent: null }]),
    );
    for (const joint of this.byNode.values()) {
      let above = editor.nodes[joint.node]?.parent ?? null;
      while (above !== null && !this.byNode.has(above)) above = editor.nodes[above]?.parent ?? null;
      joint.parent = above === null ? null : this.byNode.get(above)!;
    }
    this.joints = [...this.byNode.values()];
  }

  /** Where the joints are on the screen now. */
  project(pose: Pose, screen: Screen): void {
    for (const joint of this.joints) screen.project(pose.position(joint.node, this.at), joint);
  }

  get candidates(): readonly Candidate[] {
    return this.joints;
  }

  joint(node: number | null): Candidate | null {
    return node === null ? null : (this.byNode.get(node) ?? null);
  }

  draw(context: CanvasRenderingContext2D, palette: Palette): void {
    const { node: selected, hover } = this.editor;
    const order = this.joints.filter((joint) => joint.depth > 0).sort((a, b) => b.depth - a.depth);
    const near = order.at(-1)?.depth ?? 0;
    const span = Math.max((order[0]?.depth ?? 0) - near, 1e-6);
    const color = (node: number, rest: string): string =>
      node === selected
        ? this.editor.posing.isPending(node)
          ? palette.pending
          : palette.accent
        : node === hover
          ? palette.text
          : rest;

    context.lineJoin = "round";
    for (const joint of order) {
      const { parent } = joint;
      if (!parent || parent.depth <= 0) continue;
      const marked = parent.node === selected || parent.node === hover;
      context.globalAlpha = marked ? 1 : 0.9 - 0.55 * ((parent.depth - near) / span);
      this.kite(
        context,
        parent,
        joint,
        color(parent.node, palette.bone),
        color(parent.node, palette["bone-line"]),
        palette["bone-edge"],
        marked,
      );
    }
    for (const joint of order) {
      const marked = joint.node === selected || joint.node === hover;
      context.globalAlpha = marked ? 1 : 0.95 - 0.5 * ((joint.depth - near) / span);
      context.beginPath();
      context.arc(
        joint.x,
        joint.y,
        joint.node === selected ? 5 : joint.node === hover ? 4.5 : 2.6,
        0,
        2 * Math.PI,
      );
      context.fillStyle = color(joint.node, palette["bone-line"]);
      context.lineWidth = marked ? 3 : 2.4;
      context.strokeStyle = palette["bone-edge"];
      context.stroke();
      context.fill();
    }
    context.globalAlpha = 1;
  }

  private kite(
    context: CanvasRenderingContext2D,
    from: Candidate,
    to: Candidate,
    fill: string,
    line: string,
    edge: string,
    marked: boolean,
  ): void {
    const dx = to.x - from.x;
    const dy = to.y - from.y;
    const length = Math.hypot(dx, dy);
    if (length < 1.5) return;
    const width = Math.min(Math.max(length * 0.085, 1.2), 7);
    const shoulder = Math.min(0.2 * length, 18) / length;
    const [nx, ny] = [(-dy / length) * width, (dx / length) * width];
    const [sx, sy] = [from.x + dx * shoulder, from.y + dy * shoulder];
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(sx + nx, sy + ny);
    context.lineTo(to.x, to.y);
    context.lineTo(sx - nx, sy - ny);
    context.closePath();
    const alpha = context.globalAlpha;
    // A dark edge under the light one: seen on white meshes and on black ones.
    context.globalAlpha = alpha * 0.5;
    context.lineWidth = marked ? 3.6 : 3;
    context.strokeStyle = edge;
    context.stroke();
    context.globalAlpha = alpha * (marked ? 0.55 : 0.35);
    context.fillStyle = fill;
    context.fill();
    context.globalAlpha = alpha;
    context.lineWidth = marked ? 1.5 : 1.1;
    context.strokeStyle = line;
    context.stroke();
  }
}

/** Numbers of the selected joint at the playhead, with a key button a path. */
import type { Path, Transform } from "../../core/types.ts";
import { button, h, oncePerFrame, relabel, replaceChildren } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { fromDegrees, toDegrees, type Triple } from "../euler.ts";
import { nodeName, number } from "../format.ts";
import { icon } from "../../ui/icons.ts";
import { findTrack, keyAt } from "../keys.ts";
import { NumberField } from "../number-field.ts";
import { posePaths } from "../posing.ts";
import { removeKeys } from "../commands.ts";
import { KeyInspector } from "./key-inspector.ts";

const titles: Record<Path, string> = {
  translation: "Position",
  rotation: "Rotation",
  scale: "Scale",
  weights: "Morph weights",
};
const units: Record<Path, string> = { translation: "m", rotation: "°", scale: "×", weights: "" };
const steps: Record<Path, number> = {
  translation: 0.005,
  rotation: 0.5,
  scale: 0.01,
  weights: 0.01,
};
const axes = ["x", "y", "z"] as const;

interface PathRow {
  path: Path;
  element: HTMLElement;
  fields: NumberField[];
  key: HTMLButtonElement;
}

export class Inspector {
  readonly element: HTMLElement;
  private readonly title = h("div", { class: "inspector-title" });
  private readonly message = h("p", { class: "inspector-message" });
  private readonly body = h("div", { class: "inspector-body" });
  private readonly rest = h("dl", { class: "rest" });
  private readonly rows: PathRow[];
  private readonly pose: HTMLElement;
  /** The row of the morph weights, made for as many as the shown node has. */
  private weights: PathRow | null = null;
  private readonly keyInspector: KeyInspector;
  /** The angles as last shown, so that they run on past 180 degrees. */
  private angles: { node: number; degrees: Triple } | null = null;
  private readonly schedule = oncePerFrame(() => this.update());

  constructor(private readonly editor: Editor) {
    this.rows = posePaths.map((path) => this.row(path));
    this.pose = h("section", { class: "inspector-section", "aria-label": "Pose at the playhead" });
    this.keyInspector = new KeyInspector(editor);
    this.body.append(
      this.pose,
      h(
        "details",
        { class: "inspector-section rest-section" },
        h("summary", {}, icon("lock"), "Rest pose", h("span", { class: "rest-note" }, "read only")),
        this.rest,
      ),
    );
    this.element = h(
      "section",
      { class: "panel panel-inspector", "aria-label": "Inspector" },
      h("header", { class: "panel-header" }, h("h2", {}, "Inspector")),
      h(
        "div",
        { class: "inspector" },
        this.title,
        this.message,
        this.body,
        this.keyInspector.element,
      ),
    );
    editor.on(["file", "document", "clip", "time", "node", "pending"], this.schedule);
    this.update();
  }

  private row(path: Path, labels: readonly string[] = ["X", "Y", "Z"]): PathRow {
    const fields = labels.map((label, i) => {
      const axis = path === "weights" ? undefined : axes[i];
      return new NumberField({
        label,
        name: `${titles[path]} ${label}${path === "rotation" ? ", degrees" : path === "translation" ? ", metres" : ""}`,
        ...(axis && { axis }),
        digits: path === "rotation" ? 2 : 4,
        step: steps[path],
        start: () => this.start(path),
        change: (value) => this.change(path, i, value),
        finish: () => this.editor.posing.finish(),
        abort: () => this.editor.posing.abort(),
      });
    });
    const key = button({
      icon: "key",
      label: `Key ${titles[path].toLowerCase()}`,
      class: "path-key",
      press: () => this.toggleKey(path),
    });
    const element = h(
      "div",
      { class: "path-row", role: "group", "aria-label": titles[path] },
      h(
        "div",
        { class: "path-head" },
        h("span", { class: "path-name" }, titles[path]),
        h("span", { class: "path-unit" }, units[path]),
        key,
      ),
      h("div", { class: "path-fields" }, ...fields.map((field) => field.element)),
    );
    return { path, element, fields, key };
  }

  // ---- editing ----

  private base: number[] = [];

  private start(path: Path): boolean {
    const { editor } = this;
    if (editor.node === null || !editor.posing.start(editor.node)) return false;
    const value = editor.valueAt({ node: editor.node, path }, editor.time);
    this.base = path === "rotation" ? this.degrees(editor.node, value) : value;
    return true;
  }

  private change(path: Path, component: number, value: number): void {
    const { editor } = this;
    if (editor.node === null) return;
    const values = this.base.map((old, i) => (i === component ? value : old));
    if (path === "rotation") this.angles = { node: editor.node, degrees: values as Triple };
    editor.posing.update(editor.node, path, path === "rotation" ? fromDegrees(values) : values);
  }

  private toggleKey(path: Path): void {
    const { editor } = this;
    if (editor.node === null || editor.clip === null) return;
    const track = findTrack(editor.clipInfo, { node: editor.node, path });
    const index = track ? keyAt(track.times, editor.time) : -1;
    if (track && index >= 0 && !editor.posing.isPending(editor.node, path))
      editor.apply(
        removeKeys(editor.clip, [{ node: editor.node, path, time: track.times[index]! }]),
      );
    else if (!editor.posing.commit()) editor.posing.setKey([path]);
  }

  // ---- showing ----

  private degrees(node: number, rotation: readonly number[]): Triple {
    const near = this.angles?.node === node ? this.angles.degrees : undefined;
    this.angles = { node, degrees: toDegrees(rotation, near) };
    return this.angles.degrees;
  }

  private showRows(weightCount: number): PathRow[] {
    if ((this.weights?.fields.length ?? 0) !== weightCount) {
      const labels = Array.from({ length: weightCount }, (_, i) => String(i + 1));
      this.weights = weightCount ? this.row("weights", labels) : null;
    }
    const rows = this.weights ? [...this.rows, this.weights] : this.rows;
    if (
      this.pose.childElementCount !== rows.length ||
      this.pose.lastElementChild !== rows.at(-1)!.element
    )
      this.pose.replaceChildren(...rows.map((row) => row.element));
    return rows;
  }

  private update(): void {
    const { editor } = this;
    const { nodeInfo: info } = editor;
    this.body.hidden = !info;
    if (!info || !editor.session) {
      this.title.replaceChildren();
      this.say(
        editor.session ? "Select a joint in the tree or by clicking near it in the view." : "",
      );
      return;
    }
    const kind =
      info.mesh !== null
        ? "Mesh"
        : info.isJoint
          ? "Joint"
          : info.camera !== null
            ? "Camera"
            : "Node";
    replaceChildren(
      this.title,
      h("h3", {}, nodeName(info)),
      h("span", {}, `${kind} · node ${info.index}`),
    );
    const obstacle = editor.posing.obstacle(info.index);
    this.say(obstacle);

    for (const { path, fields, key, element } of this.showRows(info.weightCount)) {
      const value = editor.valueAt({ node: info.index, path }, editor.time);
      const values = path === "rotation" ? this.degrees(info.index, value) : value;
      fields.forEach((field, i) => {
        field.readOnly = obstacle !== "";
        field.set(values[i] ?? 0);
      });
      const pending = editor.posing.isPending(info.index, path);
      const track = findTrack(editor.clipInfo, { node: info.index, path });
      const here = track !== undefined && keyAt(track.times, editor.time) >= 0;
      key.disabled = obstacle !== "";
      key.replaceChildren(icon(here ? "key-set" : "key"));
      key.dataset["state"] = pending ? "pending" : here ? "here" : track ? "track" : "none";
      const name = titles[path].toLowerCase();
      relabel(
        key,
        here && !pending
          ? `Remove the ${name} key at the playhead`
          : `Set a ${name} key at the playhead`,
      );
      element.classList.toggle("path-animated", track !== undefined);
    }
    this.showRest(info.rest);
  }

  private say(text: string): void {
    this.message.textContent = text;
    this.message.hidden = text === "";
  }

  private showRest(rest: Transform): void {
    const line = (
      name: string,
      values: readonly number[],
      digits: number,
      unit: string,
    ): HTMLElement[] => [
      h("dt", {}, name),
      h("dd", {}, `${values.map((value) => number(value, digits)).join("  ")} ${unit}`),
    ];
    replaceChildren(
      this.rest,
      ...line(titles.translation, rest.translation, 4, "m"),
      ...line(titles.rotation, toDegrees(rest.rotation), 2, "°"),
      ...line(titles.scale, rest.scale, 4, "×"),
    );
  }
}

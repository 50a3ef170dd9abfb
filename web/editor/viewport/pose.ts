/** The pose that is shown: the core's world matrices, copied out of WebAssembly memory once per
 * change, for everything that draws or picks. */
import { Matrix4, Vector3 } from "three";
import type { Editor } from "../editor.ts";

export class Pose {
  worlds = new Float32Array(0);
  private stale = true;

  constructor(private readonly editor: Editor) {
    editor.on(["file", "document", "clip", "time"], () => (this.stale = true));
  }

  /** Brings the pose up to date; false when it was. */
  refresh(): boolean {
    const { session, clip, time } = this.editor;
    if (!this.stale || !session) return false;
    session.evaluate(clip, time);
    const worlds = session.world();
    if (this.worlds.length !== worlds.length) this.worlds = new Float32Array(worlds.length);
    this.worlds.set(worlds);
    this.stale = false;
    this.editor.poseEvaluated();
    return true;
  }

  /** Call after refresh(), before another evaluation. */
  weights(node: number): ArrayLike<number> {
    return this.editor.session!.weights(node);
  }

  position(node: number, out: Vector3): Vector3 {
    const at = node * 16 + 12;
    return out.set(this.worlds[at]!, this.worlds[at + 1]!, this.worlds[at + 2]!);
  }

  matrix(node: number | null, out: Matrix4): Matrix4 {
    return node === null ? out.identity() : out.fromArray(this.worlds, node * 16);
  }
}

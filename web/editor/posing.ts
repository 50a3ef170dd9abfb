/** Posing the selected node: by gizmo or by numbers. With auto-key a change is written as a key at
 * the playhead when the drag ends. Without, it stays pending: a gesture of the session that is
 * shown and can be keyed or given up, and that is not part of the history. */
import type { Path } from "../core/types.ts";
import { batch, keyPose, setKey, type NewKey, type TrackRef } from "./commands.ts";
import type { Editor } from "./editor.ts";
import { findTrack, keyAt, trackId } from "./keys.ts";

export type PosePath = Exclude<Path, "weights">;
export const posePaths: readonly PosePath[] = ["translation", "rotation", "scale"];

export class Posing {
  private readonly changes = new Map<string, NewKey>();
  private dragging = false;
  /** What was pending when the running drag began, to go back to when it is cancelled. */
  private before: Map<string, NewKey> | null = null;

  constructor(private readonly editor: Editor) {}

  /** Whether a pose is shown that has no key yet. */
  get pending(): boolean {
    return this.changes.size > 0 && !this.dragging;
  }

  isPending(node: number, path?: Path): boolean {
    if (this.editor.settings.autoKey) return false;
    return [...this.changes.values()].some(
      (key) => key.node === node && (path === undefined || key.path === path),
    );
  }

  /** Why this node cannot be posed now; "" when it can. */
  obstacle(node: number | null): string {
    const info = node === null ? null : this.editor.nodes[node];
    if (!info) return "No joint is selected.";
    if (!this.editor.clipInfo)
      return "The rest pose is part of the model and cannot be edited. Choose or add a clip to pose.";
    if (info.hasMatrix)
      return "The file places this node by a matrix, and glTF does not animate such nodes.";
    return "";
  }

  start(node: number): boolean {
    const obstacle = this.obstacle(node);
    if (obstacle) {
      this.editor.tell(obstacle);
      return false;
    }
    this.editor.setPlaying(false);
    this.before = new Map(this.changes);
    this.dragging = true;
    this.editor.beginGesture();
    return true;
  }

  update(node: number, path: Path, value: readonly number[]): void {
    const { clip, time } = this.editor;
    if (clip === null || !this.dragging) return;
    this.changes.set(trackId({ node, path }), {
      node,
      path,
      time: this.timeOn({ node, path }, time),
      value,
    });
    this.send(clip);
  }

  finish(): void {
    if (!this.dragging) return;
    this.dragging = false;
    this.before = null;
    if (this.changes.size === 0) this.editor.cancel();
    else if (this.editor.settings.autoKey) this.commit();
    else this.editor.pendingChanged();
  }

  /** Ends a drag as if it had not been; what was pending before stays so. */
  abort(): void {
    if (!this.dragging) return;
    this.dragging = false;
    const { before } = this;
    this.before = null;
    this.changes.clear();
    this.editor.cancel();
    if (!before?.size || this.editor.clip === null) return this.editor.pendingChanged();
    for (const [id, key] of before) this.changes.set(id, key);
    this.editor.beginGesture();
    this.send(this.editor.clip);
    this.editor.pendingChanged();
  }

  /** Writes what is pending: one history entry. */
  commit(): boolean {
    if (this.dragging || !this.changes.size) return false;
    const keys = [...this.changes.values()];
    this.changes.clear();
    this.editor.end();
    this.editor.changeKeys((selection) => selection.replace(keys));
    this.editor.pendingChanged();
    return true;
  }

  discard(): boolean {
    if (!this.changes.size) return false;
    this.dragging = false;
    this.before = null;
    this.changes.clear();
    this.editor.cancel();
    this.editor.pendingChanged();
    return true;
  }

  forget(): void {
    this.changes.clear();
    this.dragging = false;
    this.before = null;
  }

  /** "Set key": writes what is pending, or else the pose as evaluated, on the paths that this node is
   * animated by; on a node without tracks, the path of the tool at hand. */
  setKey(paths?: readonly Path[]): void {
    const { editor } = this;
    if (!paths && this.commit()) return;
    const obstacle = this.obstacle(editor.node);
    if (obstacle) return editor.tell(obstacle);
    const node = editor.node!;
    const clip = editor.clip!;
    const own = ([...posePaths, "weights"] as Path[]).filter((path) =>
      findTrack(editor.clipInfo, { node, path }),
    );
    const toolPath: Path =
      editor.settings.tool === "move"
        ? "translation"
        : editor.settings.tool === "scale"
          ? "scale"
          : "rotation";
    const chosen = paths ?? (own.length ? own : [toolPath]);
    const keys = chosen.map((path) => {
      const track = { node, path };
      return {
        ...track,
        time: this.timeOn(track, editor.time),
        value: editor.valueAt(track, editor.time),
      };
    });
    this.discard();
    if (editor.apply(batch(keys.map((key) => setKey(clip, key)))))
      editor.changeKeys((selection) => selection.replace(keys));
  }

  keyWholePose(): void {
    const { editor } = this;
    if (this.pending) this.commit();
    if (editor.clip === null) return editor.tell(this.obstacle(0) || "Choose or add a clip first.");
    editor.apply(keyPose(editor.clip, editor.time));
  }

  /** The time of the key that stands at `time` already, exactly as stored, else `time` as a file holds it. */
  private timeOn(track: TrackRef, time: number): number {
    const times = findTrack(this.editor.clipInfo, track)?.times;
    const index = times ? keyAt(times, time) : -1;
    return index >= 0 ? times![index]! : Math.fround(time);
  }

  private send(clip: number): void {
    this.editor.update(batch([...this.changes.values()].map((key) => setKey(clip, key))));
  }
}

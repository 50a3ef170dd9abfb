/** The state of the editor: the open file, what is selected, where the playhead stands. The document
 * itself is the session's; every change of it goes through apply() or a gesture here, as a command. */
import {
  SinewError,
  type ClipInfo,
  type Command,
  type Core,
  type NodeInfo,
  type Session,
  type Transform,
} from "../core/types.ts";
import { title, type TrackRef } from "./commands.ts";
import { Events } from "./events.ts";
import { clipName } from "./format.ts";
import { allTimes, guessFps, KeySelection } from "./keys.ts";
import { Posing } from "./posing.ts";
import { readSettings, writeSettings, type Settings } from "./settings.ts";

export interface OpenedFile {
  name: string;
  bytes: Uint8Array;
  resources: Map<string, Uint8Array>;
}

export type Change =
  | "file" // another file is open, or none
  | "document" // the session's clips changed
  | "clip" // another clip is shown
  | "time"
  | "evaluated" // the pose at the playhead is up to date, and so is what modifiers report
  | "playing"
  | "node"
  | "hover"
  | "keys"
  | "pending"
  | "settings"
  | "saved"
  | "notice";

export interface Notice {
  kind: "info" | "error";
  text: string;
  action?: { label: string; run: () => void };
}

export class Editor extends Events<Change> {
  file: OpenedFile | null = null;
  session: Session | null = null;
  /** Index of the shown clip; null is the rest pose. */
  clip: number | null = null;
  /** Playhead, seconds. */
  time = 0;
  playing = false;
  /** Frames a second of the ruler; only shown. */
  fps = 30;
  node: number | null = null;
  hover: number | null = null;
  readonly keys = new KeySelection();
  readonly settings: Settings = readSettings();
  readonly posing = new Posing(this);
  notice: Notice | null = null;

  private gesture = false;
  /** The clip shown before this one. */
  private before: number | null = null;
  private savedCommands = "[]";
  /** Titles of what redo would bring back, newest last: the session lists only what is done. */
  private undone: string[] = [];
  private joints: number[] | null = null;

  constructor(readonly core: Core) {
    super();
  }

  // ---- the file ----

  /** Shows a session; `saved` says that its commands so far are in a file of their own. */
  show(session: Session, file: OpenedFile): void {
    this.session?.dispose();
    this.session = session;
    this.file = file;
    this.clip = session.clips().length ? 0 : null;
    this.time = 0;
    this.playing = false;
    this.node = this.hover = null;
    this.keys.clear();
    this.gesture = false;
    this.before = null;
    this.undone = [];
    this.joints = null;
    this.savedCommands = "[]";
    this.compareWithSaved();
    this.posing.forget();
    this.fps = this.clipInfo ? guessFps(this.clipInfo) : 30;
    this.emit(
      "file",
      "document",
      "clip",
      "time",
      "playing",
      "node",
      "hover",
      "keys",
      "pending",
      "saved",
    );
  }

  close(): void {
    this.session?.dispose();
    this.session = null;
    this.file = null;
    this.clip = this.node = this.hover = null;
    this.hasUnsaved = this.gesture = false;
    this.keys.clear();
    this.posing.forget();
    this.emit("file", "document", "clip", "node", "hover", "keys", "pending", "saved");
  }

  get clips(): readonly ClipInfo[] {
    return this.session?.clips() ?? [];
  }

  get clipInfo(): ClipInfo | null {
    return this.clip === null ? null : (this.clips[this.clip] ?? null);
  }

  get nodes(): readonly NodeInfo[] {
    return this.session?.model.nodes ?? [];
  }

  get nodeInfo(): NodeInfo | null {
    return this.node === null ? null : (this.nodes[this.node] ?? null);
  }

  get duration(): number {
    return this.clipInfo?.duration ?? 0;
  }

  /** The nodes that are drawn and picked as joints: joints of skins and animated nodes; in a file
   * without either, every node. */
  get jointNodes(): readonly number[] {
    if (this.joints) return this.joints;
    const wanted = new Set<number>();
    for (const node of this.nodes) if (node.isJoint) wanted.add(node.index);
    for (const clip of this.clips)
      for (const track of clip.tracks) if (track.path !== "weights") wanted.add(track.node);
    if (!wanted.size) for (const node of this.nodes) wanted.add(node.index);
    return (this.joints = [...wanted].sort((a, b) => a - b));
  }

  // ---- edits ----

  /** Sends a command as a step of its own. A pose that has no key yet is given up; while something is
   * dragged there are no other edits. */
  apply(command: Command): boolean {
    this.posing.discard();
    return !this.gesture && this.update(command);
  }

  /** A drag: begin, any number of update(), end or cancel; one history entry or none. */
  begin(): void {
    this.posing.discard();
    this.beginGesture();
  }

  /** As begin, for Posing, whose gesture may stay open between two drags. */
  beginGesture(): void {
    if (!this.session || this.gesture) return;
    this.session.begin();
    this.gesture = true;
  }

  /** Sends a command into the running gesture. A refusal is shown in words and changes nothing. */
  update(command: Command): boolean {
    if (!this.session) return false;
    try {
      this.session.apply(command);
    } catch (error) {
      this.fail(error, title(command));
      return false;
    }
    if (!this.gesture) this.undone = [];
    this.documentChanged();
    return true;
  }

  end(): void {
    if (!this.session || !this.gesture) return;
    const before = this.session.undoCount;
    this.session.end();
    this.gesture = false;
    if (this.session.undoCount !== before) this.undone = [];
    this.documentChanged();
  }

  cancel(): void {
    if (!this.session || !this.gesture) return;
    this.session.cancel();
    this.gesture = false;
    this.documentChanged();
  }

  get inGesture(): boolean {
    return this.gesture;
  }

  undo(): void {
    if (this.posing.discard() || this.gesture || !this.session) return;
    const name = this.undoTitle;
    if (!this.session.undo()) return;
    this.undone.push(name);
    this.documentChanged();
  }

  redo(): void {
    this.posing.discard();
    if (this.gesture || !this.session?.redo()) return;
    this.undone.pop();
    this.documentChanged();
  }

  get undoTitle(): string {
    return this.session?.undoCount ? title(this.session.commands().at(-1)) : "";
  }

  get redoTitle(): string {
    return this.undone.at(-1) ?? "";
  }

  private documentChanged(): void {
    const changes: Change[] = ["document"];
    const clips = this.clips;
    if (this.clip !== null && this.clip >= clips.length) {
      // The shown clip is gone, by undo most likely: back to the one before it.
      const { before } = this;
      this.clip =
        before !== null && before < clips.length ? before : clips.length ? clips.length - 1 : null;
      changes.push("clip");
    }
    if (!this.gesture) {
      // While a gesture runs it drags its keys along by itself, and is not yet in the list of commands.
      this.compareWithSaved();
      if (this.keys.keepThoseIn(this.clipInfo)) changes.push("keys");
    }
    this.joints = null;
    this.emit(...changes);
  }

  // ---- saved or not ----

  /** Whether there are edits that no file holds. */
  hasUnsaved = false;

  markSaved(): void {
    this.savedCommands = JSON.stringify(this.session?.commands() ?? []);
    this.hasUnsaved = false;
    this.emit("saved");
  }

  private compareWithSaved(): void {
    this.hasUnsaved =
      this.session !== null && JSON.stringify(this.session.commands()) !== this.savedCommands;
  }

  // ---- view state ----

  selectClip(index: number | null): void {
    if (index === this.clip) return;
    this.posing.discard();
    this.before = this.clip;
    this.clip = index;
    this.time = Math.min(this.time, this.duration);
    this.keys.clear();
    if (this.clipInfo) this.fps = guessFps(this.clipInfo);
    if (index === null) this.setPlaying(false);
    this.emit("clip", "time", "keys");
  }

  /** Moves the playhead. A pose that has no key yet is given up. */
  seek(time: number): void {
    const next = Math.max(0, Number.isFinite(time) ? time : 0);
    if (next === this.time) return;
    this.posing.discard();
    this.time = next;
    this.emit("time");
  }

  setPlaying(playing: boolean): void {
    const next = playing && this.clipInfo !== null && this.duration > 0;
    if (next === this.playing) return;
    if (next) this.posing.discard();
    this.playing = next;
    this.emit("playing");
  }

  setFps(fps: number): void {
    this.fps = fps;
    this.emit("settings");
  }

  selectNode(node: number | null): void {
    if (node === this.node) return;
    this.node = node;
    this.emit("node");
  }

  setHover(node: number | null): void {
    if (node === this.hover) return;
    this.hover = node;
    this.emit("hover");
  }

  changeKeys(change: (keys: KeySelection) => void): void {
    change(this.keys);
    const [only] = this.keys.list();
    this.emit("keys");
    if (this.keys.size === 1 && only) this.selectNode(only.node);
  }

  poseEvaluated(): void {
    this.emit("evaluated");
  }

  pendingChanged(): void {
    this.emit("pending");
  }

  set<K extends keyof Settings>(name: K, value: Settings[K]): void {
    if (this.settings[name] === value) return;
    this.settings[name] = value;
    writeSettings(this.settings);
    if (name === "autoKey" && value) this.posing.commit();
    this.emit("settings");
  }

  /** The local transform of a node at the playhead, as the clip has it: modifiers come after keys. */
  localNow(node: number): Transform {
    this.session!.sample(this.clip, this.time);
    return this.session!.local(node);
  }

  /** What a track's clip says at a time; the pose at the playhead is evaluated again afterwards. */
  valueAt(track: TrackRef, time: number): number[] {
    const session = this.session!;
    session.sample(this.clip, time);
    const value =
      track.path === "weights"
        ? [...session.weights(track.node)]
        : [...session.local(track.node)[track.path]];
    if (time !== this.time) session.evaluate(this.clip, this.time);
    return value;
  }

  /** To the next key of the selected node (or of any track) before or after the playhead. */
  stepToKey(direction: 1 | -1): void {
    const clip = this.clipInfo;
    if (!clip) return;
    const own = clip.tracks.filter((track) => track.node === this.node);
    const times = allTimes(own.length ? own : clip.tracks);
    const margin = 1e-5;
    const next =
      direction > 0
        ? times.find((time) => time > this.time + margin)
        : [...times].reverse().find((time) => time < this.time - margin);
    if (next === undefined) return;
    this.setPlaying(false);
    this.seek(next);
    if (own.length)
      this.changeKeys((keys) =>
        keys.replace(
          own
            .filter((track) => track.times.includes(next))
            .map((track) => ({ ...track, time: next })),
        ),
      );
  }

  stepFrame(direction: 1 | -1): void {
    this.setPlaying(false);
    const frame = this.time * this.fps;
    const next = direction > 0 ? Math.floor(frame + 1e-4) + 1 : Math.ceil(frame - 1e-4) - 1;
    this.seek(next / this.fps);
  }

  // ---- messages ----

  tell(text: string, action?: Notice["action"]): void {
    this.notice = { kind: "info", text, ...(action && { action }) };
    this.emit("notice");
  }

  fail(error: unknown, what = ""): void {
    this.notice = { kind: "error", text: `${what ? `${what}: ` : ""}${inWords(error)}` };
    this.emit("notice");
  }

  describeClip(): string {
    return this.clipInfo ? clipName(this.clipInfo) : "Rest pose";
  }
}

/** A failure as a sentence with its place. */
export function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = error instanceof SinewError ? placeOf(error) : "";
  return place ? `${error.message} (${place})` : error.message;
}

export function placeOf(error: SinewError): string {
  const parts = [];
  if (error.pointer) parts.push(`at ${error.pointer}`);
  if (error.line) parts.push(`line ${error.line}${error.column ? `, column ${error.column}` : ""}`);
  return parts.join(", ");
}

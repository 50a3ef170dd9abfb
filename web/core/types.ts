/** The shapes that the core gives and takes. Seconds, metres, unit quaternions x y z w; node, clip
 * and skin indices are the file's. No DOM here. */

export { SinewError } from "./error.ts";

export type Path = "translation" | "rotation" | "scale" | "weights";
export type Interpolation = "STEP" | "LINEAR" | "CUBICSPLINE";

export interface NodeInfo {
  index: number;
  name: string;
  parent: number | null;
  children: number[];
  mesh: number | null;
  skin: number | null;
  camera: number | null;
  /** The file gives a matrix, so the node cannot be animated. */
  hasMatrix: boolean;
  /** A joint of some skin. */
  isJoint: boolean;
  rest: Transform;
  /** Morph target count of the node's mesh. */
  weightCount: number;
}

export interface Transform {
  translation: [number, number, number];
  rotation: [number, number, number, number];
  scale: [number, number, number];
}

export interface SkinInfo { index: number; name: string; joints: number[]; }
export interface MeshInfo { index: number; name: string; primitives: number; targets: number; }

export interface ModelInfo {
  generator: string;
  nodes: NodeInfo[];
  skins: SkinInfo[];
  meshes: MeshInfo[];
  /** Radius about the rest pose, metres. */
  size: number;
  warnings: Finding[];
}

export interface TrackInfo {
  /** Position in the clip. */
  index: number;
  node: number;
  path: Path;
  interpolation: Interpolation;
  /** Floats a value: 3, 4, or the number of morph targets. */
  width: number;
  keyCount: number;
  /** Key times, a copy. */
  times: Float32Array;
}

export interface ClipInfo {
  index: number;
  name: string;
  duration: number;
  tracks: TrackInfo[];
  markers: { time: number; name: string }[];
}

export interface KeyValue {
  time: number;
  value: number[];
  inTangent?: number[];
  outTangent?: number[];
}

export type Severity = "error" | "warning" | "info";
export interface Finding {
  id: string;
  severity: Severity;
  pointer: string;
  message: string;
  fix: string | null;
}

/** A modifier of the document; see docs/modifiers.md. */
export interface ModifierInfo {
  source: { type: string; name?: string; weight?: number; enabled?: boolean; [field: string]: unknown };
  /** Of the last evaluation; missing before the first one after a change of the modifiers. */
  report?: {
    /** At this time; 0: it was off. */
    weight: number;
    reached: boolean;
    /** Why not, such as "too_far". */
    flags: string[];
    /** How much is missing. */
    residual: number;
    unit: "m" | "rad";
  };
}

export interface Modifiers {
  /** Why the file's modifiers cannot be used, or why the last evaluation is without them. */
  error: { id: string; pointer: string; message: string } | null;
  modifiers: ModifierInfo[];
}

/** One edit; see docs/commands.md. Unknown fields are an error. */
export interface Command { op: string; [field: string]: unknown; }

export interface OutputFile { /** "" for the main file. */ path: string; bytes: Uint8Array; }

export interface OpenOptions {
  /** Files beside a .gltf, by decoded relative path. */
  resources?: ReadonlyMap<string, Uint8Array>;
  /** Bytes that the session may use at once; default: what the memory has. */
  memoryLimit?: number;
}

/** How a running time becomes clip time. */
export type Loop = "once" | "repeat" | "ping-pong";

/** The compiled core; any number of sessions, each on its own. */
export interface Core {
  /** The instruction set of the kernels, such as "wasm-simd128". */
  readonly kernel: string;
  readonly version: string;
  /** Clip time in 0 … duration of a running time; a negative speed plays backward from the end. */
  clipTime(duration: number, time: number, speed: number, loop: Loop): number;
  /** External URIs a .gltf names, decoded. Throws SinewError. */
  listResources(bytes: Uint8Array): string[];
  /** Reads a file. Throws SinewError. */
  open(bytes: Uint8Array, options?: OpenOptions): Session;
}

/** One open file: model, document with history, and one instance to evaluate it. */
export interface Session {
  readonly model: ModelInfo;
  readonly isBinary: boolean;

  /** The document now; cached, and the same object until an edit changes it. */
  clips(): readonly ClipInfo[];
  key(clip: number, track: number, key: number): KeyValue;
  /** All values of a track, a copy: `width` floats a key; with CUBICSPLINE three times that: in
   * tangent, value, out tangent. */
  values(clip: number, track: number): Float32Array;
  /** The modifiers of the document now, in their order, and what they reported. */
  modifiers(): Modifiers;
  /** Preflight of the file as it was opened. */
  check(): Finding[];

  /** The local pose and morph weights as the clip (null: rest pose) has them, before any modifier:
   * what keys are about. World and joint matrices stay those of the last evaluate. */
  sample(clip: number | null, time: number): void;
  /** Evaluates clip (null: rest pose) at a time: local pose, modifiers, hierarchy and joint matrices.
   * One call into WebAssembly. Reads the document as it is, a running gesture included. While
   * playing, `seconds` since the last evaluation lets modifiers be smooth over time; without it the
   * result is a function of clip and time alone, as scrubbing wants it. */
  evaluate(clip: number | null, time: number, seconds?: number): void;
  /** After evaluate: world matrices, 16 floats a node in file order, column-major. A view of
   * WebAssembly memory: read it at once, do not keep it. */
  world(): Float32Array;
  /** After evaluate: joint matrices of a skin, 16 floats a joint, column-major; a view. */
  jointMatrices(skin: number): Float32Array;
  /** After evaluate or sample: the local transform of a node. */
  local(node: number): Transform;
  /** After evaluate or sample: morph weights of a mesh node; a view. */
  weights(node: number): Float32Array;
  /** After evaluate: skinned world positions of a primitive of a mesh node; a copy. Into `out`, three
   * floats a vertex, when it is given: a new array for each frame costs more than the skinning. */
  skin(node: number, primitive: number, out?: Float32Array): Float32Array;

  /** One command, one history entry (or an update of the running gesture, always relative to the
   * document as it was at begin). Throws SinewError and changes nothing. */
  apply(command: Command): void;
  /** Begin during a gesture ends that one first; end and cancel without one do nothing. */
  begin(): void;
  end(): void;
  cancel(): void;
  /** False: nothing to undo. During a gesture, undo cancels the gesture and redo does nothing. */
  undo(): boolean;
  redo(): boolean;
  readonly undoCount: number;
  readonly redoCount: number;
  /** Commands from the opened file to now, without a running gesture: for drafts and scripts. */
  commands(): Command[];

  save(container: "glb" | "gltf"): OutputFile[];

  /** Characters of this model that play the document's clips; disposed with the session. */
  crowd(count: number): Crowd;

  /** Bytes in use by this session, and bytes that its module holds (memory grows only). */
  memory(): { used: number; reserved: number };

  /** Gives the memory back. Every later call throws SinewError "session.disposed". A session that is
   * dropped without it is collected like any object, only later. */
  dispose(): void;
}

/** For `Crowd.clips`: the rest pose. */
export const REST_POSE = 0xffffffff;

/** Many characters in one call a frame. All arrays are views of WebAssembly memory: use them at once,
 * do not keep them. */
export interface Crowd {
  readonly count: number;
  /** Joint matrices a character: those of all skins, in order. */
  readonly matrixCount: number;
  /** To write: the clip of each character, or REST_POSE, as at the beginning. */
  clips(): Uint32Array;
  /** To write: the clip time of each character. */
  times(): Float32Array;
  /** To write: where each character stands, a 3x4 matrix of rows each; at the beginning identity. */
  roots(): Float32Array;
  evaluate(): void;
  /** After evaluate: `matrixCount` 3x4 matrices of rows for each character. */
  jointMatrices(): Float32Array;
  dispose(): void;
}

/** The shapes that the core gives and takes. Seconds, metres, unit quaternions x y z w; node, clip
 * and skin indices are the file's. No DOM here. */

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

/** One edit; see docs/commands.md. Unknown fields are an error. */
export interface Command { op: string; [field: string]: unknown; }

export interface OutputFile { /** "" for the main file. */ path: string; bytes: Uint8Array; }

export interface OpenOptions {
  /** Files beside a .gltf, by decoded relative path. */
  resources?: Map<string, Uint8Array>;
}

/** A failure in words, with its stable id and its place in the file or command. */
export class SinewError extends Error {
  constructor(
    readonly id: string,
    message: string,
    readonly pointer = "",
    readonly line = 0,
    readonly column = 0,
  ) {
    super(message);
    this.name = "SinewError";
  }
}

/** The compiled core. One module can hold any number of sessions. */
export interface Core {
  readonly kernel: string;
  readonly version: string;
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
  check(): Finding[];

  /** Evaluates clip (null: rest pose) at a time: local pose, hierarchy and joint matrices. One
   * call into WebAssembly. Reads the document as it is, a running gesture included. */
  evaluate(clip: number | null, time: number): void;
  /** After evaluate: world matrices, 16 floats a node in file order, column-major. A view of
   * WebAssembly memory: read it at once, do not keep it. */
  world(): Float32Array;
  /** After evaluate: joint matrices of a skin, 16 floats a joint, column-major; a view. */
  jointMatrices(skin: number): Float32Array;
  /** After evaluate: the local transform of a node. */
  local(node: number): Transform;
  /** After evaluate: morph weights of a mesh node; a view. */
  weights(node: number): Float32Array;
  /** After evaluate: skinned world positions of a primitive of a mesh node; a copy. */
  skin(node: number, primitive: number): Float32Array;

  /** One command, one history entry (or an update of the running gesture, always relative to the
   * document as it was at begin). Throws SinewError and changes nothing. */
  apply(command: Command): void;
  begin(): void;
  end(): void;
  cancel(): void;
  undo(): boolean;
  redo(): boolean;
  readonly undoCount: number;
  readonly redoCount: number;
  /** Commands from the opened file to now, for drafts and scripts. */
  commands(): Command[];

  save(container: "glb" | "gltf"): OutputFile[];
  dispose(): void;
}

import { Object3D, Vector2, Vector3, type Camera } from "three";
import { SinewError } from "../core/error.ts";
import { allocateHumanoid, type HumanBones } from "./humanoid.ts";
import { Joints, updateWorldMatrix } from "./joints.ts";
import { allocateBlock, type Address, type Block, type Rig } from "./rig.ts";

/** Radians: yaw positive to the character's left, pitch upwards. */
export interface Gaze {
  yaw: number;
  pitch: number;
}

/** Radians, from 0 to π. */
export interface GazeLimits {
  yaw: number;
  up: number;
  down: number;
}

/** A One Euro filter of the pointer, whose unit is half the view's width or height. */
export interface PointerFilter {
  /** Hz, for a quiet pointer; lower is smoother. */
  minCutoff: number;
  /** Hz more for each unit a second. */
  beta: number;
  /** Hz, of the speed's own filter. */
  derivativeCutoff: number;
}

/** A gaze of `input` radians and more turns an eye bone by `output`, smaller ones evenly less. */
export interface GazeMap {
  input: number;
  output: number;
}

/** inner: towards the nose; outer: away from it. */
export type GazeMaps = Record<"inner" | "outer" | "up" | "down", GazeMap>;

const ACTIVITIES = ["still", "idle", "drag", "action"] as const;

/** What moves the character besides: nothing, an idle clip, the user who drags it, any other clip. */
export type Activity = (typeof ACTIVITIES)[number];

export interface CursorFollowModel {
  /** The character. Its axes are those in which the character looks to the front. */
  root: Object3D;
  /** The head, and those there are of neck, leftEye and rightEye; others are ignored. Leave the eyes
   * out where something else turns them towards `eyesTarget`. */
  bones: HumanBones;
  /** 1 for a model that faces +z at rest (glTF, VRM 1.0), -1 for one that faces -z (VRM 0.x). */
  facing?: 1 | -1;
  /** Between the eyes, in the head's own space; 6 cm above the joint. */
  eyeOffset?: Vector3;
  /** Default: eye bones turn as far as the gaze. */
  eyeMaps?: Partial<GazeMaps>;
}

export interface CursorFollowSettings {
  /** What moves the character besides. */
  activity: Activity;
  /** false fades out, true in again. */
  enabled: boolean;
  /** From the head to the plane that the pointer moves on; at most half way to the camera. */
  distance: number;
  eyesFilter: PointerFilter;
  headFilter: PointerFilter;
  /** Of the damping, 1 / seconds: what is left to go shrinks by e in so much time. */
  eyesRate: number;
  headRate: number;
  /** Of the eyes from the face. */
  eyesLimits: GazeLimits;
  /** Of what head and neck turn. */
  headLimits: GazeLimits;
  /** The neck's part of that, 0 to 1. */
  neckShare: number;
  /** Of the head's turn, 0 to 1, by activity. */
  weights: Record<Activity, number>;
  /** Of the eyes' turn, 0 to 1. */
  eyesWeight: number;
  /** Time constant with which weights change. */
  fadeSeconds: number;
}

/** The struct of wasm/rig/cursor_follow.c. */
const FIELDS = {
  eyeOffset: 3,
  inner: 2,
  outer: 2,
  up: 2,
  down: 2,
  seconds: 1,
  hasPointer: 1,
  pointer: 2,
  cameraWorld: 16,
  cameraProjectionInverse: 16,
  activity: 1,
  isDisabled: 1,
  distance: 1,
  eyesFilter: 3,
  headFilter: 3,
  eyesRate: 1,
  headRate: 1,
  eyesLimits: 3,
  headLimits: 3,
  neckShare: 1,
  weights: 4,
  eyesWeightWanted: 1,
  fadeSeconds: 1,
  headYaw: 1,
  headPitch: 1,
  weight: 1,
  eyesYaw: 1,
  eyesPitch: 1,
  eyesWeight: 1,
  eyesTarget: 3,
};

/** Head, neck and eyes follow the pointer. */
export class CursorFollow implements CursorFollowSettings {
  camera: Camera;
  activity: Activity = "still";
  enabled = true;
  distance: number;
  readonly eyesFilter: PointerFilter;
  readonly headFilter: PointerFilter;
  eyesRate: number;
  headRate: number;
  readonly eyesLimits: GazeLimits;
  readonly headLimits: GazeLimits;
  neckShare: number;
  readonly weights: Record<Activity, number>;
  eyesWeight: number;
  fadeSeconds: number;

  /** How far head and neck have turned, before the weight. As of the last update, as all below. */
  readonly head: Readonly<Gaze> = { yaw: 0, pitch: 0 };
  /** Of the head's turn as it is: it fades from one activity's to the next. */
  get currentWeight(): number {
    return this.#currentWeight;
  }
  /** Where the eyes look, seen from the face, before their weight. */
  readonly eyes: Readonly<Gaze> = { yaw: 0, pitch: 0 };
  /** The eyes' weight as it is, faded. */
  get currentEyesWeight(): number {
    return this.#currentEyesWeight;
  }
  /** Where the eyes look, weighted: for eyes that something else turns, such as `lookAt` of
   * three-vrm. It needs no parent; its position is that of the world. */
  readonly eyesTarget = new Object3D();

  readonly #rig: Rig;
  readonly #joints: Joints;
  readonly #block: Block<keyof typeof FIELDS>;
  readonly #state: Address;
  readonly #pointer = new Vector2();
  readonly #position = new Vector3();
  #currentWeight = 0;
  #currentEyesWeight = 0;
  #hasPointer = false;
  #element: HTMLElement | null = null;
  #client: { x: number; y: number } | null = null;
  #isDisposed = false;

  /** The pose that the bones stand in is their rest. Throws SinewError "chain.joints" when there is
   * no head, or the bones are not below `root` in the order of a body. */
  constructor(
    rig: Rig,
    model: CursorFollowModel,
    camera: Camera,
    settings: Partial<CursorFollowSettings> = {},
  ) {
    const { head, neck, leftEye, rightEye } = model.bones;
    if (!head) throw new SinewError("chain.joints", "the model has no head to turn");
    const bones: HumanBones = {
      head,
      ...(neck && { neck }),
      ...(leftEye && { leftEye }),
      ...(rightEye && { rightEye }),
    };
    const objects = Object.values(bones);
    this.#rig = rig;
    this.camera = camera;
    this.#joints = new Joints(rig, objects, { rotations: objects }, model.root);
    this.#block = allocateBlock(rig, FIELDS, rig.exports.cursor_follow_size());
    this.#state = rig.allocate(rig.exports.cursor_follow_state_size());
    rig.exports.cursor_follow_defaults(this.#block.address);
    this.#setUp(model, bones);

    const { floats } = rig;
    const block = this.#block;
    this.distance = floats[block.distance]!;
    this.eyesFilter = filterAt(floats, block.eyesFilter);
    this.headFilter = filterAt(floats, block.headFilter);
    this.eyesRate = floats[block.eyesRate]!;
    this.headRate = floats[block.headRate]!;
    this.eyesLimits = limitsAt(floats, block.eyesLimits);
    this.headLimits = limitsAt(floats, block.headLimits);
    this.neckShare = floats[block.neckShare]!;
    const [still, idle, drag, action] = floats.subarray(block.weights, block.weights + 4);
    this.weights = { still: still!, idle: idle!, drag: drag!, action: action! };
    this.eyesWeight = floats[block.eyesWeightWanted]!;
    this.fadeSeconds = floats[block.fadeSeconds]!;
    const { eyesFilter, headFilter, eyesLimits, headLimits, weights, ...plain } = settings;
    Object.assign(this, plain);
    Object.assign(this.eyesFilter, eyesFilter);
    Object.assign(this.headFilter, headFilter);
    Object.assign(this.eyesLimits, eyesLimits);
    Object.assign(this.headLimits, headLimits);
    Object.assign(this.weights, weights);
  }

  #setUp(model: CursorFollowModel, bones: HumanBones): void {
    const rig = this.#rig;
    const block = this.#block;
    const { floats, exports } = rig;
    model.eyeOffset?.toArray(floats, block.eyeOffset);
    for (const side of ["inner", "outer", "up", "down"] as const) {
      const map = model.eyeMaps?.[side];
      if (map) floats.set([map.input, map.output], block[side]);
    }
    const humanoid = allocateHumanoid(rig, this.#joints, bones, model.facing);
    try {
      rig.check(
        exports.cursor_follow_set_up(
          block.address,
          this.#state,
          this.#joints.address,
          humanoid,
          rig.error,
        ),
      );
    } catch (error) {
      this.dispose();
      throw error;
    } finally {
      exports.release(humanoid);
    }
  }

  /** Follows the mouse, pen or finger wherever it goes, as seen from the element that the camera's
   * picture fills. */
  connect(element: HTMLElement): void {
    this.disconnect();
    this.#element = element;
    for (const type of ["pointermove", "pointerdown"] as const)
      element.ownerDocument.addEventListener(type, this.#onPointer, { passive: true });
  }

  /** No longer; the character goes on looking where it looks. */
  disconnect(): void {
    for (const type of ["pointermove", "pointerdown"] as const)
      this.#element?.ownerDocument.removeEventListener(type, this.#onPointer);
    this.#element = null;
    this.#client = null;
  }

  readonly #onPointer = ({ clientX, clientY }: PointerEvent): void => {
    this.#client = { x: clientX, y: clientY };
  };

  /** Where the pointer is, without an element: normalised device coordinates, from -1 to 1 over the
   * view, to the right and upwards. */
  setPointer(x: number, y: number): void {
    this.#pointer.set(x, y);
    this.#hasPointer = true;
    this.#client = null;
  }

  /** Events come faster than frames, and where the element is costs a layout: once a frame. */
  #readPointer(): void {
    if (!this.#client || !this.#element) return;
    const { left, top, width, height } = this.#element.getBoundingClientRect();
    if (!(width > 0 && height > 0)) return;
    const { x, y } = this.#client;
    this.setPointer(((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2);
  }

  /** Once a frame, after the animation and before what depends on the head: three-vrm's update, hair.
   * Until the pointer has been seen, nothing moves.
   *
   * Throws SinewError "chain.value" or "chain.length" for numbers that cannot be used; pose and
   * state are then left as they are. */
  update(seconds: number): void {
    const rig = this.#rig;
    const joints = this.#joints;
    const block = this.#block;
    joints.restoreUnder(this.camera);
    joints.read();
    this.#readPointer();
    this.#writeInputs(seconds);
    rig.check(
      rig.exports.cursor_follow_solve(block.address, this.#state, joints.address, rig.error),
    );
    joints.write();
    this.#readGaze();
    this.eyesTarget.position.fromArray(rig.floats, block.eyesTarget).add(joints.origin);
  }

  #readGaze(): void {
    const { floats } = this.#rig;
    const block = this.#block;
    setGaze(this.head, floats, block.headYaw);
    setGaze(this.eyes, floats, block.eyesYaw);
    this.#currentWeight = floats[block.weight]!;
    this.#currentEyesWeight = floats[block.eyesWeight]!;
  }

  #writeInputs(seconds: number): void {
    const { floats, words } = this.#rig;
    const block = this.#block;
    const { camera, weights } = this;
    floats[block.seconds] = seconds;
    words[block.hasPointer] = this.#hasPointer ? 1 : 0;
    this.#pointer.toArray(floats, block.pointer);
    updateWorldMatrix(camera);
    floats.set(camera.matrixWorld.elements, block.cameraWorld);
    this.#joints.setPoint(
      block.cameraWorld + 12,
      this.#position.setFromMatrixPosition(camera.matrixWorld),
    );
    floats.set(camera.projectionMatrixInverse.elements, block.cameraProjectionInverse);
    words[block.activity] = ACTIVITIES.indexOf(this.activity);
    words[block.isDisabled] = this.enabled ? 0 : 1;
    floats[block.distance] = this.distance;
    setFilter(floats, block.eyesFilter, this.eyesFilter);
    setFilter(floats, block.headFilter, this.headFilter);
    floats[block.eyesRate] = this.eyesRate;
    floats[block.headRate] = this.headRate;
    setLimits(floats, block.eyesLimits, this.eyesLimits);
    setLimits(floats, block.headLimits, this.headLimits);
    floats[block.neckShare] = this.neckShare;
    for (let i = 0; i < ACTIVITIES.length; i++) floats[block.weights + i] = weights[ACTIVITIES[i]!];
    floats[block.eyesWeightWanted] = this.eyesWeight;
    floats[block.fadeSeconds] = this.fadeSeconds;
  }

  /** For another character or after a jump in time: as new. The pose goes back, the pointer is
   * forgotten until it moves. */
  reset(): void {
    this.#joints.restore();
    this.#rig.exports.cursor_follow_reset(this.#state);
    const { headYaw, eyesTarget } = this.#block;
    this.#rig.floats.fill(0, headYaw, eyesTarget + 3);
    this.#readGaze();
    this.#hasPointer = false;
    this.#client = null;
  }

  /** Puts the base pose back and frees the memory; the object cannot be used afterwards. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.disconnect();
    this.#joints.dispose();
    this.#rig.exports.release(this.#state);
    this.#rig.exports.release(this.#block.address);
  }
}

function filterAt(floats: Float32Array, at: number): PointerFilter {
  return { minCutoff: floats[at]!, beta: floats[at + 1]!, derivativeCutoff: floats[at + 2]! };
}

function setFilter(floats: Float32Array, at: number, filter: PointerFilter): void {
  floats[at] = filter.minCutoff;
  floats[at + 1] = filter.beta;
  floats[at + 2] = filter.derivativeCutoff;
}

function limitsAt(floats: Float32Array, at: number): GazeLimits {
  return { yaw: floats[at]!, up: floats[at + 1]!, down: floats[at + 2]! };
}

function setLimits(floats: Float32Array, at: number, limits: GazeLimits): void {
  floats[at] = limits.yaw;
  floats[at + 1] = limits.up;
  floats[at + 2] = limits.down;
}

function setGaze(gaze: Gaze, floats: Float32Array, at: number): void {
  gaze.yaw = floats[at]!;
  gaze.pitch = floats[at + 1]!;
}

import { Matrix3, Vector3, type Object3D } from "three";
import { SinewError } from "../core/error.ts";
import { fingerBones, pickBones, tipsOf, type Side } from "./hand-bones.ts";
import { allocateHumanoid, type HumanBones } from "./humanoid.ts";
import { Joints, setVector, updateWorldMatrix } from "./joints.ts";
import { allocateBlock, type Address, type Block, type Rig } from "./rig.ts";

const FINGERS = ["thumb", "index", "middle", "ring", "little"] as const;
export type Finger = (typeof FINGERS)[number];

export interface HandGripModel {
  side: Side;
  /** The hand and the fingers there are, of this side; without fingers also the lower arm. Others are
   * ignored. */
  bones: HumanBones;
  /** Only a hand without thumb and fingers needs it: the object in whose axes the model faces +z. */
  root?: Object3D;
  /** -1: it faces -z, as models of VRM 0.x do. */
  facing?: 1 | -1;
}

/** What the hand closes around: a cylinder without ends. */
export type Rod =
  /** World; the direction of any length. */
  | { position: Vector3; direction: Vector3 }
  /** Along an axis of the object; default +y. */
  | { object: Object3D; axis?: Vector3 };

export interface HandGripSettings {
  /** Radians between neighbouring fingers more than at rest; curling takes it out. */
  spread: number;
  /** World units, of the rod; 0: none. */
  radius: number;
  /** null: the rod lies across the palm, where the hand would have it. */
  rod: Rod | null;
  /** Radians by which a rod that is null crosses the palm aslant, the thumb's end forward. */
  tilt: number;
  /** World units from the bones to the skin; 0: guessed from their lengths. */
  padding: number;
  /** 0 leaves the base pose bit for bit. */
  weight: number;
}

export interface HandGripOptions extends Partial<HandGripSettings> {
  /** Of all fingers, or of each. */
  curl?: number | Partial<Record<Finger, number>>;
}

/** The palm in the hand object's own space: what is held can be placed by it. */
export interface Palm {
  /** Unit: to the fingers; to the thumb's side; out of the palm. */
  forward: Vector3;
  radial: Vector3;
  normal: Vector3;
  /** Where the fingers begin, in the middle. */
  knuckles: Vector3;
}

const REACHED = 1;

/** The struct of wasm/rig/hand_grip.c. */
const FIELDS = {
  curl: 5,
  spread: 1,
  radius: 1,
  tilt: 1,
  padding: 1,
  weight: 1,
  hasRod: 1,
  rodPoint: 3,
  rodDirection: 3,
  forward: 3,
  radial: 3,
  palm: 3,
  knuckles: 3,
  flags: 1,
  residual: 1,
};

/** The fingers of one hand: they curl, or close around a rod until they touch it. */
export class HandGrip implements HandGripSettings {
  spread = 0;
  radius = 0;
  rod: Rod | null = null;
  tilt = 0;
  padding = 0;
  weight = 1;
  readonly palm: Readonly<Palm>;

  readonly #curl: Record<Finger, number> = { thumb: 0, index: 0, middle: 0, ring: 0, little: 0 };
  readonly #rig: Rig;
  readonly #joints: Joints;
  readonly #block: Block<keyof typeof FIELDS>;
  readonly #hand: Address;
  readonly #point = new Vector3();
  readonly #direction = new Vector3();
  readonly #axes = new Matrix3();
  #bits = 0;
  #residual = 0;
  #isDisposed = false;

  /** The pose that the bones stand in is their rest. Throws SinewError "chain.joints" when there is
   * no such hand, or its bones do not hang on each other. */
  constructor(rig: Rig, model: HandGripModel, options: HandGripOptions = {}) {
    const { side, bones } = model;
    if (!bones[`${side}Hand`])
      throw new SinewError("chain.joints", `the model has no ${side} hand`);
    const picked = pickBones(bones, [`${side}LowerArm`, `${side}Hand`, ...fingerBones(side)]);
    const fingers = Object.values(pickBones(bones, fingerBones(side)));
    const { curl = 0, ...settings } = options;
    const objects = [...new Set([...Object.values(picked), ...tipsOf(fingers)])];
    this.#rig = rig;
    this.#joints = new Joints(rig, objects, { rotations: fingers }, model.root);
    this.#block = allocateBlock(rig, FIELDS, rig.exports.hand_grip_size());
    this.#hand = rig.allocate(rig.exports.hand_grip_hand_size());
    this.#setUp(model, picked);
    const { floats } = rig;
    const vector = (field: "forward" | "radial" | "palm" | "knuckles") =>
      new Vector3().fromArray(floats, this.#block[field]);
    this.palm = {
      forward: vector("forward"),
      radial: vector("radial"),
      normal: vector("palm"),
      knuckles: vector("knuckles"),
    };
    this.curl = curl;
    Object.assign(this, settings);
  }

  #setUp(model: HandGripModel, bones: HumanBones): void {
    const { exports, error } = this.#rig;
    const humanoid = allocateHumanoid(this.#rig, this.#joints, bones, model.facing);
    const isLeft = model.side === "left" ? 1 : 0;
    try {
      this.#rig.check(
        exports.hand_grip_set_up(this.#block.address, this.#hand, this.#joints.address, humanoid, isLeft, error),
      );
    } catch (failure) {
      this.dispose();
      throw failure;
    } finally {
      exports.release(humanoid);
    }
  }

  /** Of each finger: 0 is the rest pose, 1 a fist or, with a radius, the finger closed on the rod.
   * May be changed in place; setting a number sets all. */
  get curl(): Record<Finger, number> {
    return this.#curl;
  }

  set curl(curl: number | Partial<Record<Finger, number>>) {
    if (typeof curl !== "number") Object.assign(this.#curl, curl);
    else for (const finger of FINGERS) this.#curl[finger] = curl;
  }

  /** Whether every finger that has a rod to close on touches it, as of the last update. */
  get reached(): boolean {
    return (this.#bits & REACHED) !== 0;
  }

  /** World units: the widest gap that is left between a closed finger and the rod. */
  get residual(): number {
    return this.#residual;
  }

  /** Once a frame, after what moves the hand.
   *
   * Throws SinewError "chain.value" or "chain.length" for numbers that cannot be used; the pose is
   * then left as it is. */
  update(): void {
    const rig = this.#rig;
    const joints = this.#joints;
    if (this.rod && "object" in this.rod) joints.restoreUnder(this.rod.object);
    joints.read();
    this.#writeInputs();
    rig.check(
      rig.exports.hand_grip_solve(this.#block.address, this.#hand, joints.address, rig.error),
    );
    joints.write();
    this.#bits = rig.words[this.#block.flags]!;
    this.#residual = rig.floats[this.#block.residual]!;
  }

  #writeInputs(): void {
    const { floats, words } = this.#rig;
    const block = this.#block;
    for (let i = 0; i < FINGERS.length; i++) floats[block.curl + i] = this.#curl[FINGERS[i]!];
    floats[block.spread] = this.spread;
    floats[block.radius] = this.radius;
    floats[block.tilt] = this.tilt;
    floats[block.padding] = this.padding;
    floats[block.weight] = this.weight;
    words[block.hasRod] = this.rod ? 1 : 0;
    if (!this.rod) return;
    let { position, direction } = this.rod as { position: Vector3; direction: Vector3 };
    if ("object" in this.rod) {
      const { object, axis } = this.rod;
      updateWorldMatrix(object);
      position = this.#point.setFromMatrixPosition(object.matrixWorld);
      direction = axis ? this.#direction.copy(axis) : this.#direction.set(0, 1, 0);
      direction.applyMatrix3(this.#axes.setFromMatrix4(object.matrixWorld));
    }
    this.#joints.setPoint(block.rodPoint, position);
    setVector(floats, block.rodDirection, direction);
  }

  /** Puts the base pose back. */
  reset(): void {
    this.#joints.restore();
  }

  /** Puts the base pose back and frees the memory; the object cannot be used afterwards. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#joints.dispose();
    this.#rig.exports.release(this.#hand);
    this.#rig.exports.release(this.#block.address);
  }
}

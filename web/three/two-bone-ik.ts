import { Quaternion, Vector3, type Object3D } from "three";
import { SinewError } from "../core/error.ts";
import { Flags } from "./flags.ts";
import { Joints, nameOf, setVector, updateWorldMatrix } from "./joints.ts";
import { allocateBlock, type Block, type Rig } from "./rig.ts";

/** Shoulder, elbow and wrist, or hip, knee and ankle. Each is an ancestor of the next; others may
 * lie between them. */
export interface TwoBoneChain {
  root: Object3D;
  mid: Object3D;
  end: Object3D;
}

/** Which side the middle joint goes to. */
export type TwoBonePole =
  /** Towards a point, world. */
  | { position: Vector3 }
  | { object: Object3D }
  /** Towards a direction, world. */
  | { direction: Vector3 }
  /** `bend` turned by the shortest rotation from `reach` to the target's direction: continuous
   * everywhere but opposite `reach`. Both in the space of the root's parent. */
  | { reach: Vector3; bend: Vector3 };

export interface TwoBoneSettings {
  /** null: the bend of the base pose, turned with the line from root to target. */
  pole: TwoBonePole | null;
  /** World rotation of the end, or an object that has it; null: it keeps its local rotation. */
  orientation: Quaternion | Object3D | null;
  /** 0 gives the base pose bit for bit, 1 the solution. */
  weight: number;
  /** "hinge": the elbow bends about the same axis of its bones as in the base pose; "keep": each
   * bone takes the shortest way. */
  roll: "hinge" | "keep";
  /** Axis in the middle joint's own space about which it flexes; null: that of the base pose. A
   * base pose that is straight needs it, or a pole. */
  hinge: Vector3 | null;
  /** Radians about the line from root to target, added to the bend. */
  swivel: number;
  /** Fraction of the reach, (0, 1], beyond which the end lags behind the target so that the middle
   * joint does not snap straight. 1: a hard limit. */
  soften: number;
  /** Range of flexion, radians from straight. */
  flexion: { min: number; max: number } | null;
  /** Both bones grow by up to `max` (above 1, to 1000), from where the target is `start` (1) of the reach away. */
  stretch: { max: number; start?: number } | null;
  /** The most that the bend turns, radians a second, where update is given the seconds. */
  bendRate: number;
}

export interface TwoBoneOptions extends Partial<TwoBoneSettings> {
  /** A world point, copied, or an object to follow. Default: where the end is. */
  target?: Vector3 | Object3D;
}

/** After "reached"; see sn_two_bone_flag in two_bone.h. */
const FLAGS = [
  "too_far",
  "too_near",
  "softened",
  "limited",
  "stretched",
  "no_direction",
  "no_bend",
  "sheared",
] as const;

/** What a solution is about. */
export type TwoBoneFlag = (typeof FLAGS)[number];

/** The struct of wasm/rig/two_bone.c. */
export const FIELDS = {
  bend: 1,
  roll: 1,
  pole: 3,
  fieldReach: 3,
  fieldBend: 3,
  swivel: 1,
  hinge: 3,
  soften: 1,
  flexionMin: 1,
  flexionMax: 1,
  stretchMax: 1,
  stretchStart: 1,
  bendRate: 1,
  target: 3,
  weight: 1,
  isOriented: 1,
  orientation: 4,
  hasState: 1,
  seconds: 1,
  middle: 1,
  state: 3,
  flags: 1,
  residual: 1,
};
const BEND = { pose: 0, position: 1, direction: 2, field: 3 };
const ROLL = { hinge: 0, keep: 1 };

function chainOf({ root, mid, end }: TwoBoneChain): Object3D[] {
  // A name that the scene does not have gives undefined.
  for (const [joint, object] of Object.entries({ root, mid, end }))
    if (!object) throw new SinewError("chain.joints", `the chain has no ${joint}; it has to be an Object3D`);
  const chain = [end];
  for (let at = end.parent; at && chain[0] !== root; at = at.parent) chain.unshift(at);
  if (chain[0] !== root || root === mid || mid === end || !chain.includes(mid))
    throw new SinewError(
      "chain.joints",
      `${nameOf(root)}, ${nameOf(mid)} and ${nameOf(end)} are no chain: each has to be above the next`,
    );
  return chain;
}

/** Two-bone inverse kinematics: turns root and middle so that the end is at the target. */
export class TwoBoneIK implements TwoBoneSettings {
  /** World; where `targetObject` is set, update writes the object's position here. */
  readonly target = new Vector3();
  targetObject: Object3D | null = null;
  pole: TwoBonePole | null = null;
  orientation: Quaternion | Object3D | null = null;
  weight = 1;
  roll: "hinge" | "keep" = "hinge";
  hinge: Vector3 | null = null;
  swivel = 0;
  soften = 1;
  flexion: { min: number; max: number } | null = null;
  stretch: { max: number; start?: number } | null = null;
  bendRate = 6;

  readonly #rig: Rig;
  readonly #joints: Joints;
  readonly #block: Block<keyof typeof FIELDS>;
  readonly #vector = new Vector3();
  readonly #scale = new Vector3();
  readonly #rotation = new Quaternion();
  readonly #flags = new Flags<TwoBoneFlag>(FLAGS);
  #residual = 0;
  #isDisposed = false;

  /** Throws SinewError "chain.joints" when the objects are no chain. */
  constructor(rig: Rig, chain: TwoBoneChain, options: TwoBoneOptions = {}) {
    const { target = chain.end, ...settings } = options;
    const objects = chainOf(chain);
    this.#rig = rig;
    this.#joints = new Joints(rig, objects, {
      rotations: [chain.root, chain.mid, chain.end],
      translations: objects.slice(1),
    });
    this.#block = allocateBlock(rig, FIELDS, rig.exports.two_bone_size());
    rig.words[this.#block.middle] = this.#joints.indexOf(chain.mid);
    Object.assign(this, settings);
    if ("isObject3D" in target && target !== chain.end) this.targetObject = target;
    else if ("isObject3D" in target) this.#positionOf(target, this.target);
    else this.target.copy(target);
  }

  /** Whether the end is within 1e-5 of the chain's length of the target, as of the last update. */
  get reached(): boolean {
    return this.#flags.reached;
  }

  get flags(): ReadonlySet<TwoBoneFlag> {
    return this.#flags.names;
  }

  /** World units between end and target. */
  get residual(): number {
    return this.#residual;
  }

  /** Once a frame, after the animation and before rendering. With the seconds since the last frame
   * the bend passes directions in which the pole tells no side at a limited rate; without them a
   * frame depends on nothing before it.
   *
   * Throws SinewError "chain.value" or "chain.length" for numbers that nothing can be solved with;
   * the pose is then left as it is. */
  update(seconds?: number): void {
    const joints = this.#joints;
    const { targetObject, pole, orientation } = this;
    joints.restoreUnder(targetObject);
    if (pole && "object" in pole) joints.restoreUnder(pole.object);
    if (orientation && "isObject3D" in orientation) joints.restoreUnder(orientation);
    joints.read();
    this.#writeInputs();
    const { words, floats } = this.#rig;
    const block = this.#block;
    words[block.hasState] = seconds === undefined ? 0 : 1;
    floats[block.seconds] = seconds ?? 0;
    this.#rig.check(
      this.#rig.exports.two_bone_solve(block.address, joints.address, this.#rig.error),
    );
    joints.write();
    this.#residual = floats[block.residual]!;
    this.#flags.set(words[block.flags]!);
  }

  #writeInputs(): void {
    const { words, floats } = this.#rig;
    const block = this.#block;
    if (this.targetObject) this.#positionOf(this.targetObject, this.target);
    this.#joints.setPoint(block.target, this.target);
    floats[block.weight] = this.weight;
    words[block.roll] = ROLL[this.roll];
    floats[block.swivel] = this.swivel;
    setVector(floats, block.hinge, this.hinge);
    floats[block.soften] = this.soften;
    floats[block.flexionMin] = this.flexion?.min ?? 0;
    floats[block.flexionMax] = this.flexion?.max ?? 0;
    floats[block.stretchMax] = this.stretch?.max ?? 0;
    floats[block.stretchStart] = this.stretch?.start ?? 0;
    floats[block.bendRate] = this.bendRate;
    this.#writePole();
    this.#writeOrientation();
  }

  #writePole(): void {
    const { words, floats } = this.#rig;
    const { pole } = this;
    const block = this.#block;
    if (!pole) {
      words[block.bend] = BEND.pose;
    } else if ("direction" in pole) {
      words[block.bend] = BEND.direction;
      setVector(floats, block.pole, pole.direction);
    } else if ("reach" in pole) {
      words[block.bend] = BEND.field;
      setVector(floats, block.fieldReach, pole.reach);
      setVector(floats, block.fieldBend, pole.bend);
    } else {
      words[block.bend] = BEND.position;
      const at = "position" in pole ? pole.position : this.#positionOf(pole.object, this.#vector);
      this.#joints.setPoint(block.pole, at);
    }
  }

  #writeOrientation(): void {
    const { words, floats } = this.#rig;
    const block = this.#block;
    let rotation = this.orientation;
    words[block.isOriented] = rotation ? 1 : 0;
    if (!rotation) return;
    if ("isObject3D" in rotation) {
      updateWorldMatrix(rotation);
      rotation.matrixWorld.decompose(this.#vector, this.#rotation, this.#scale);
      rotation = this.#rotation;
    }
    floats[block.orientation] = rotation.x;
    floats[block.orientation + 1] = rotation.y;
    floats[block.orientation + 2] = rotation.z;
    floats[block.orientation + 3] = rotation.w;
  }

  #positionOf(object: Object3D, out: Vector3): Vector3 {
    updateWorldMatrix(object);
    return out.setFromMatrixPosition(object.matrixWorld);
  }

  /** After a jump in time: forgets the bend and puts the base pose back. */
  reset(): void {
    this.#joints.restore();
    this.#rig.floats.fill(0, this.#block.state, this.#block.state + 3);
  }

  /** Puts the base pose back and frees the memory; the object cannot be used afterwards. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#joints.dispose();
    this.#rig.exports.release(this.#block.address);
  }
}

import { Matrix4, Quaternion, Vector3, type Object3D } from "three";
import { SinewError } from "../core/error.ts";
import { Flags } from "./flags.ts";
import { fingerBones, pickBones, tipsOf, type Side } from "./hand-bones.ts";
import { allocateHumanoid, type HumanBone, type HumanBones } from "./humanoid.ts";
import { Joints, nameOf, setVector, updateWorldMatrix } from "./joints.ts";
import { Layer } from "./layer.ts";
import { allocateBlock, type Address, type Block, type Rig } from "./rig.ts";

export interface PropGripModel {
  /** The character. In its axes the model stands upright, +y, and faces +z at rest. */
  root: Object3D;
  /** Upper arm, lower arm, hand and fingers of the sides that hold; others are ignored. */
  bones: HumanBones;
  /** -1: it faces -z, as models of VRM 0.x do. */
  facing?: 1 | -1;
}

/** One hand's hold. Points and directions are in the prop's own space. */
export interface Hold {
  readonly side: Side;
  /** On the axis of what is held: the middle of the fist. To be kept from when the hand takes hold:
   * a point that is looked for anew in each frame crawls along the rod. */
  position: Vector3;
  /** Of any length: from the little finger's side to the thumb's. */
  axis: Vector3;
  /** Out of the palm, of any length. Without it the hand takes the roll about the axis that is nearest
   * to how it hangs on the forearm. */
  palm?: Vector3 | null;
  /** Radians from 0 to π: how far the hand may turn about the axis to that end, either way. */
  roll?: number;
  /** World units. */
  radius: number;
  /** Radians by which the rod crosses the palm aslant, the thumb's end forward. */
  tilt?: number;
  /** 0 to 1; default 1. */
  curl?: number;
  /** Where the elbow goes, world; without it down and outwards. */
  pole?: { position: Vector3 } | { direction: Vector3 } | { object: Object3D } | null;
}

export interface PropGripSettings {
  /** One hand or two; may change from frame to frame. */
  holds: readonly Hold[];
  /** How far the prop may be moved, world units, so that both hands reach it. */
  shift: number;
  /** Radians that it may then be turned about the favoured hold. */
  turn: number;
  /** Whose reach counts when the prop is moved: 0 the first hold's, 1 the second's. */
  favour: number;
  /** 0 leaves the base pose bit for bit. */
  weight: number;
}

/** Where a wrist is wanted, world, after the prop was moved. */
export interface Wrist {
  position: Vector3;
  orientation: Quaternion;
  /** From there to where the arm takes it. */
  residual: number;
}

/** After "reached"; see sn_grip_flag in grip.h. */
const FLAGS = ["too_far", "too_near", "shifted", "turned", "loose"] as const;
export type PropGripFlag = (typeof FLAGS)[number];

const MOST_HOLDS = 2;

/** The structs of wasm/rig/prop_grip.c. */
const HOLD = {
  arm: 0,
  position: 1,
  axis: 4,
  palm: 7,
  roll: 10,
  radius: 11,
  tilt: 12,
  curl: 13,
  bend: 14,
  pole: 15,
  wristPosition: 18,
  wristOrientation: 21,
  wristRoll: 25,
  wristResidual: 26,
  wristFlags: 27,
};
const HOLD_WORDS = 28;
const BEND = { arm: 0, position: 1, direction: 2 };
const FIELDS = {
  prop: 12,
  holdCount: 1,
  favour: 1,
  shift: 1,
  turn: 1,
  weight: 1,
  flags: 1,
  residual: 1,
  movedProp: 12,
  holds: MOST_HOLDS * HOLD_WORDS,
};

const armBones = (side: Side): HumanBone[] => [
  `${side}UpperArm`,
  `${side}LowerArm`,
  `${side}Hand`,
  ...fingerBones(side),
];

/** Hands on a prop: arms that take the hands to it, fingers that close, and a prop that gives way where
 * the arms are too short. Both hands follow the prop, none the other. */
export class PropGrip implements PropGripSettings {
  holds: readonly Hold[];
  shift = 0;
  turn = 0;
  favour = 0.5;
  weight = 1;
  /** Of each hold, as of the last update. */
  readonly wrists: readonly Readonly<Wrist>[];

  readonly #rig: Rig;
  readonly #joints: Joints;
  readonly #block: Block<keyof typeof FIELDS>;
  readonly #arms: Address;
  readonly #sides: readonly Side[];
  readonly #prop: Object3D;
  readonly #propPosition: Layer;
  readonly #propRotation: Layer;
  readonly #position = new Vector3();
  readonly #rotation = new Quaternion();
  readonly #scale = new Vector3();
  readonly #matrix = new Matrix4();
  readonly #inverse = new Matrix4();
  readonly #values = new Float64Array(4);
  readonly #flags = new Flags<PropGripFlag>(FLAGS);
  #residual = 0;
  #isDisposed = false;

  /** The pose that the bones stand in is their rest. `holds` names the sides there will be. Throws
   * SinewError "chain.joints" when an arm is not there or does not hang together, or the prop hangs
   * on the model: hands that follow what follows them never come to rest. */
  constructor(
    rig: Rig,
    model: PropGripModel,
    prop: Object3D,
    settings: Partial<PropGripSettings> & Pick<PropGripSettings, "holds">,
  ) {
    const { holds } = settings;
    this.#sides = [...new Set(holds.map(({ side }) => side))];
    const names = this.#sides.flatMap(armBones);
    const bones = pickBones(model.bones, names);
    const written = Object.values(bones);
    for (const side of this.#sides)
      if (!bones[`${side}Hand`])
        throw new SinewError("chain.joints", `the model has no ${side} hand`);
    for (let at: Object3D | null = prop; at; at = at.parent)
      if (written.includes(at))
        throw new SinewError("chain.joints", `${nameOf(prop)} hangs on the hand that is to follow it`);
    if (prop.pivot != null)
      throw new SinewError("chain.joints", `${nameOf(prop)} turns about a pivot; it has to be null`);
    const fingers = this.#sides.flatMap((side) => Object.values(pickBones(bones, fingerBones(side))));
    this.#rig = rig;
    this.#prop = prop;
    this.#propPosition = new Layer(prop.position);
    this.#propRotation = new Layer(prop.quaternion);
    const objects = [...new Set([...written, ...tipsOf(fingers)])];
    this.#joints = new Joints(rig, objects, { rotations: written }, model.root);
    this.#block = allocateBlock(rig, FIELDS, rig.exports.prop_grip_size());
    this.#arms = rig.allocate(MOST_HOLDS * rig.exports.prop_grip_arm_size());
    this.#setUp(model, bones);
    this.holds = holds;
    this.wrists = Array.from({ length: MOST_HOLDS }, () => ({
      position: new Vector3(),
      orientation: new Quaternion(),
      residual: 0,
    }));
    Object.assign(this, settings);
  }

  #setUp(model: PropGripModel, bones: HumanBones): void {
    const { exports, error } = this.#rig;
    const humanoid = allocateHumanoid(this.#rig, this.#joints, bones, model.facing);
    try {
      this.#sides.forEach((side, arm) => {
        const isLeft = side === "left" ? 1 : 0;
        this.#rig.check(
          exports.prop_grip_set_up(this.#arms, arm, this.#joints.address, humanoid, isLeft, error),
        );
      });
    } catch (failure) {
      this.dispose();
      throw failure;
    } finally {
      exports.release(humanoid);
    }
  }

  /** Whether every hand is on the prop, within 1e-5 of the arm's length. */
  get reached(): boolean {
    return this.#flags.reached;
  }

  get flags(): ReadonlySet<PropGripFlag> {
    return this.#flags.names;
  }

  /** World units, the worst of the wrists'. */
  get residual(): number {
    return this.#residual;
  }

  /** Once a frame, after what moves the prop.
   *
   * Throws SinewError "chain.value" or "chain.length" for numbers that cannot be used; the pose is
   * then left as it is. */
  update(): void {
    const rig = this.#rig;
    const joints = this.#joints;
    for (let i = 0; i < this.holds.length; i++) {
      const { pole } = this.holds[i]!;
      if (pole && "object" in pole) joints.restoreUnder(pole.object);
    }
    joints.read();
    this.#readProp();
    this.#writeInputs();
    rig.check(
      rig.exports.prop_grip_solve(this.#block.address, this.#arms, joints.address, rig.error),
    );
    joints.write();
    const { floats, words } = rig;
    this.#residual = floats[this.#block.residual]!;
    this.#flags.set(words[this.#block.flags]!);
    this.#writeProp();
    this.#readWrists();
  }

  /** Where the prop is, but for what this module did with it. */
  #readProp(): void {
    const prop = this.#prop;
    this.#propPosition.read();
    this.#propRotation.read();
    this.#position.fromArray(this.#propPosition.start);
    this.#rotation.fromArray(this.#propRotation.start);
    this.#matrix.compose(this.#position, this.#rotation, prop.scale);
    if (prop.parent) {
      updateWorldMatrix(prop.parent);
      this.#matrix.premultiply(prop.parent.matrixWorld);
    }
    const { floats } = this.#rig;
    const at = this.#block.prop;
    const m = this.#matrix.elements;
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++)
        floats[at + row * 4 + column] = m[column * 4 + row]!;
      floats[at + row * 4 + 3] = m[12 + row]! - this.#joints.origin.getComponent(row);
    }
  }

  #writeInputs(): void {
    const { floats, words } = this.#rig;
    const block = this.#block;
    if (this.holds.length < 1 || this.holds.length > MOST_HOLDS)
      throw new SinewError("chain.value", `one hand or two hold a prop, not ${this.holds.length}`);
    words[block.holdCount] = this.holds.length;
    floats[block.favour] = this.favour;
    floats[block.shift] = this.shift;
    floats[block.turn] = this.turn;
    floats[block.weight] = this.weight;
    for (let i = 0; i < this.holds.length; i++) {
      const hold = this.holds[i]!;
      const at = block.holds + i * HOLD_WORDS;
      if (this.holds.findIndex(({ side }) => side === hold.side) < i)
        throw new SinewError("chain.value", `two holds have the ${hold.side} hand`);
      const arm = this.#sides.indexOf(hold.side);
      if (arm < 0)
        throw new SinewError("chain.joints", `no hold had the ${hold.side} hand when this was made`);
      words[at + HOLD.arm] = arm;
      setVector(floats, at + HOLD.position, hold.position);
      setVector(floats, at + HOLD.axis, hold.axis);
      setVector(floats, at + HOLD.palm, hold.palm ?? null);
      floats[at + HOLD.roll] = hold.roll ?? 0;
      floats[at + HOLD.radius] = hold.radius;
      floats[at + HOLD.tilt] = hold.tilt ?? 0;
      floats[at + HOLD.curl] = hold.curl ?? 1;
      this.#writePole(at, hold);
    }
  }

  #writePole(at: number, { pole }: Hold): void {
    const { floats, words } = this.#rig;
    words[at + HOLD.bend] = BEND.arm;
    if (!pole) return;
    words[at + HOLD.bend] = "direction" in pole ? BEND.direction : BEND.position;
    if ("direction" in pole) {
      setVector(floats, at + HOLD.pole, pole.direction);
    } else if ("position" in pole) {
      this.#joints.setPoint(at + HOLD.pole, pole.position);
    } else {
      updateWorldMatrix(pole.object);
      this.#joints.setPoint(at + HOLD.pole, this.#position.setFromMatrixPosition(pole.object.matrixWorld));
    }
  }

  #writeProp(): void {
    const prop = this.#prop;
    if (this.flags.has("shifted") || this.flags.has("turned")) {
      const { floats } = this.#rig;
      const at = this.#block.movedProp;
      const m = this.#matrix.identity().elements;
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 3; column++)
          m[column * 4 + row] = floats[at + row * 4 + column]!;
        m[12 + row] = floats[at + row * 4 + 3]! + this.#joints.origin.getComponent(row);
      }
      if (prop.parent) this.#matrix.premultiply(this.#inverse.copy(prop.parent.matrixWorld).invert());
      this.#matrix.decompose(this.#position, this.#rotation, this.#scale);
      this.#position.toArray(this.#values);
      this.#propPosition.write(this.#values);
      this.#rotation.toArray(this.#values);
      this.#propRotation.write(this.#values);
    } else if (this.#propPosition.isHeld) {
      this.#propPosition.write(this.#propPosition.start);
      this.#propRotation.write(this.#propRotation.start);
    }
    if (!prop.matrixAutoUpdate) prop.updateMatrix();
  }

  #readWrists(): void {
    const { floats } = this.#rig;
    for (let i = 0; i < this.holds.length; i++) {
      const at = this.#block.holds + i * HOLD_WORDS;
      const wrist = this.wrists[i]! as Wrist;
      wrist.position.fromArray(floats, at + HOLD.wristPosition).add(this.#joints.origin);
      wrist.orientation.fromArray(floats, at + HOLD.wristOrientation);
      wrist.residual = floats[at + HOLD.wristResidual]!;
    }
  }

  /** Puts the base pose back, and the prop to where it was. */
  reset(): void {
    this.#joints.restore();
    this.#propPosition.restore();
    this.#propRotation.restore();
    if (!this.#prop.matrixAutoUpdate) this.#prop.updateMatrix();
  }

  /** Puts everything back and frees the memory; the object cannot be used afterwards. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.reset();
    this.#joints.dispose();
    this.#rig.exports.release(this.#arms);
    this.#rig.exports.release(this.#block.address);
  }
}

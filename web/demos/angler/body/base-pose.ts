/** Sitting, as rotations of the human bones alone: what every frame starts from. */
import { Euler, Quaternion, type Object3D } from "three";
import type { HumanBone, HumanBones } from "../../../three/index.ts";
import { degrees } from "../session/vec.ts";

/** Degrees about x, y and z in the bone's own axes, which in the rest pose are those of the world. The
 * right side mirrors the left. */
const TURNS: Partial<Record<HumanBone, readonly [number, number, number]>> = {
  hips: [-6, 0, 0],
  spine: [7, 0, 0],
  chest: [4, 0, 0],
  neck: [2, 0, 0],
  leftShoulder: [0, -4, -2],
  leftUpperArm: [0, -25, -62],
  leftLowerArm: [0, -52, 0],
  leftUpperLeg: [-84, 14, 0],
  leftLowerLeg: [82, 0, 0],
};

/** How the torso's lean and twist are shared out. */
const SHARES: Partial<Record<HumanBone, readonly [lean: number, twist: number]>> = {
  spine: [0.4, 0.2],
  chest: [0.35, 0.4],
  upperChest: [0.25, 0.4],
};

const AXES = new Euler();
const QUATERNION = new Quaternion();

export class BasePose {
  readonly #rotations: [Object3D, Quaternion][] = [];
  readonly #shares: [Object3D, lean: number, twist: number][] = [];

  constructor(bones: HumanBones) {
    const rotations = new Map<string, Quaternion>();
    for (const [name, [x, y, z]] of Object.entries(TURNS)) {
      const of = (a: number, b: number, c: number): Quaternion =>
        new Quaternion().setFromEuler(new Euler(degrees(a), degrees(b), degrees(c)));
      rotations.set(name, of(x, y, z));
      if (name.startsWith("left")) rotations.set(name.replace("left", "right"), of(x, -y, -z));
    }
    for (const [name, bone] of Object.entries(bones)) {
      this.#rotations.push([bone, rotations.get(name) ?? new Quaternion()]);
      const share = SHARES[name as HumanBone];
      if (share) this.#shares.push([bone, ...share]);
    }
  }

  /** Puts all bones into the pose, with the torso leaning forward and turned to the left, radians. */
  restore(lean: number, twist: number): void {
    for (const [bone, rotation] of this.#rotations) bone.quaternion.copy(rotation);
    for (const [bone, ofLean, ofTwist] of this.#shares)
      bone.quaternion.premultiply(
        QUATERNION.setFromEuler(AXES.set(lean * ofLean, twist * ofTwist, 0)),
      );
  }
}

/** A leg of one who sits: the foot flat on the planks, turned out a little. */
import { Quaternion, Vector3, type Object3D } from "three";
import { TwoBoneIK, type HumanBone, type HumanBones, type Rig } from "../../../three/index.ts";
import type { Side } from "./hand.ts";

/** Of the left foot's ankle, metres from the seat's middle: to the side, and ahead. */
const PLACE = { aside: 0.185, ahead: 0.36 };
const TURNED_OUT = 0.24; // radians

export class Leg {
  readonly #ik: TwoBoneIK;
  /** Of the ankle, from the seat. */
  readonly #place: Vector3;

  constructor(rig: Rig, bones: HumanBones, side: Side) {
    const mirror = side === "left" ? 1 : -1;
    const bone = (name: string): Object3D => bones[`${side}${name}` as HumanBone]!;
    const foot = bone("Foot");
    const height = foot.getWorldPosition(new Vector3()).y;
    this.#ik = new TwoBoneIK(rig, { root: bone("UpperLeg"), mid: bone("LowerLeg"), end: foot });
    this.#ik.pole = { direction: new Vector3(0.22 * mirror, 0.6, 1) };
    this.#ik.orientation = new Quaternion().setFromAxisAngle(
      new Vector3(0, 1, 0),
      TURNED_OUT * mirror,
    );
    this.#place = new Vector3(PLACE.aside * mirror, height, PLACE.ahead);
  }

  solve(origin: Vector3): void {
    this.#ik.target.addVectors(this.#place, origin);
    this.#ik.update();
  }
}

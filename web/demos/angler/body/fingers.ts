/** Fingers that curl about what the hand holds. */
import { Quaternion, Vector3, type Object3D } from "three";
import type { HumanBone, HumanBones } from "../../../three/index.ts";
import { degrees } from "../session/vec.ts";
import type { Side } from "./hand.ts";

const CLOSED: Record<string, readonly [number, number, number]> = {
  Index: [62, 84, 52],
  Middle: [68, 88, 54],
  Ring: [72, 86, 54],
  Little: [76, 80, 50],
};

export class Fingers {
  readonly #joints: { bone: Object3D; axis: Vector3; angle: number }[] = [];

  constructor(bones: HumanBones, side: Side) {
    const sign = side === "left" ? 1 : -1;
    const add = (name: string, axis: Vector3, angle: number): void => {
      const bone = bones[`${side}${name}` as HumanBone];
      if (bone) this.#joints.push({ bone, axis, angle: degrees(angle) });
    };
    for (const [finger, angles] of Object.entries(CLOSED))
      ["Proximal", "Intermediate", "Distal"].forEach((part, i) =>
        add(`${finger}${part}`, new Vector3(0, 0, -sign), angles[i]!),
      );
    add("ThumbMetacarpal", new Vector3(1, 0.6 * sign, -0.2 * sign).normalize(), 28);
    add("ThumbProximal", new Vector3(0.5, 0.9 * sign, 0).normalize(), 26);
    add("ThumbDistal", new Vector3(0.4, 0.9 * sign, 0).normalize(), 42);
  }

  curl(amount: number): void {
    for (const { bone, axis, angle } of this.#joints)
      bone.quaternion.multiply(TURN.setFromAxisAngle(axis, angle * amount));
  }
}

const TURN = new Quaternion();

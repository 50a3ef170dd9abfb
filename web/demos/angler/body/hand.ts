/** A hand's own frame, from where its bones are in the rest pose, and where the wrist has to be so
 * that the palm is about a grip. */
import { Matrix4, Quaternion, Vector3, type Object3D } from "three";
import type { HumanBone, HumanBones } from "../../../three/index.ts";
import type { FlatHand, Grip } from "../session/outputs.ts";
import { smoothstep } from "../session/ease.ts";
import type { Vec } from "../session/vec.ts";

export type Side = "left" | "right";

/** Half a finger's thickness, which lies between the bones and what is held. */
const FINGER = 0.0105;

export interface WristPose {
  readonly position: Vector3;
  readonly rotation: Quaternion;
}

export class Hand {
  readonly #distal: Vector3;
  readonly #palm: Vector3;
  /** The middle of the knuckles, from the wrist. */
  readonly #knuckles: Vector3;
  readonly #radial: Vector3;
  readonly #flatToHand: Quaternion;

  /** With the model in its rest pose. All in the hand bone's own axes. */
  constructor(bones: HumanBones, side: Side) {
    const bone = (name: string): Object3D => {
      const found = bones[`${side}${name}` as HumanBone];
      if (!found) throw new Error(`the model has no ${side}${name}`);
      return found;
    };
    const wrist = bone("Hand");
    wrist.updateWorldMatrix(true, true);
    const toHand = wrist.matrixWorld.clone().invert();
    const at = (name: string): Vector3 =>
      bone(name).getWorldPosition(new Vector3()).applyMatrix4(toHand);
    const [index, middle, ring, little] = ["Index", "Middle", "Ring", "Little"].map((finger) =>
      at(`${finger}Proximal`),
    ) as [Vector3, Vector3, Vector3, Vector3];
    const distal = middle.clone().normalize();
    const across = index.clone().sub(little);
    const radial = across.addScaledVector(distal, -across.dot(distal)).normalize();
    const palm = new Vector3()
      .crossVectors(distal, radial)
      .multiplyScalar(side === "left" ? 1 : -1);
    this.#distal = distal;
    this.#palm = palm;
    this.#knuckles = index.clone().add(middle).add(ring).add(little).multiplyScalar(0.25);
    this.#radial = radial;
    this.#flatToHand = frame(distal, palm).invert();
  }

  /** About a grip, rolled about its axis by `roll` from where its palm direction says. */
  about(grip: Grip, roll: number, out: WristPose): void {
    const axis = toVector(grip.axis);
    const inHand = this.#radial
      .clone()
      .multiplyScalar(Math.cos(grip.tilt))
      .addScaledVector(this.#distal, Math.sin(grip.tilt));
    out.rotation
      .copy(frame(axis, toVector(grip.palm)))
      .multiply(frame(inHand, this.#palm).invert());
    out.rotation.premultiply(new Quaternion().setFromAxisAngle(axis, roll));
    const centre = this.#palm
      .clone()
      .multiplyScalar(FINGER + grip.radius)
      .add(this.#knuckles)
      .addScaledVector(this.#distal, -0.012);
    out.position.copy(toVector(grip.point)).sub(centre.applyQuaternion(out.rotation));
  }

  /** The roll that bends the wrist least for a forearm that points this way: then the fingers' direction
   * and the forearm's are on the same side of the axis. Closed form, and 0 where the forearm points
   * along the axis and every roll is as good. */
  easiestRoll(grip: Grip, forearm: Vector3): number {
    const axis = toVector(grip.axis);
    this.about(grip, 0, SCRATCH);
    const fingers = this.#distal.clone().applyQuaternion(SCRATCH.rotation);
    const [from, to] = [fingers, forearm.clone()].map((v) =>
      v.addScaledVector(axis, -v.dot(axis)),
    ) as [Vector3, Vector3];
    const roll = Math.atan2(new Vector3().crossVectors(from, to).dot(axis), from.dot(to));
    return roll * smoothstep(0.05, 0.4, to.length());
  }

  flat(hand: FlatHand, out: WristPose): void {
    const fingers = toVector(hand.fingers).normalize();
    out.rotation.copy(frame(fingers, toVector(hand.palm))).multiply(this.#flatToHand);
    const middle = this.#knuckles.clone().multiplyScalar(0.75).addScaledVector(this.#palm, FINGER);
    out.position.copy(toVector(hand.point)).sub(middle.applyQuaternion(out.rotation));
  }
}

/** The rotation that takes +x to `first` and +y as near as it can to `second`. */
function frame(first: Vector3, second: Vector3): Quaternion {
  const x = first.clone().normalize();
  const z = new Vector3().crossVectors(x, second).normalize();
  const y = new Vector3().crossVectors(z, x);
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(x, y, z));
}

const SCRATCH: WristPose = { position: new Vector3(), rotation: new Quaternion() };

export const toVector = (v: Vec): Vector3 => new Vector3(v[0], v[1], v[2]);

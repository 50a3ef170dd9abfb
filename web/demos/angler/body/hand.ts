/** Where the wrist has to be so that the palm is about a grip. */
import { Matrix4, Quaternion, Vector3, type Object3D } from "three";
import type { HandGrip, HumanBone, HumanBones } from "../../../three/index.ts";
import { smoothstep } from "../session/ease.ts";
import type { FlatHand, Grip } from "../session/outputs.ts";
import type { Vec } from "../session/vec.ts";

export type Side = "left" | "right";

export interface WristPose {
  readonly position: Vector3;
  readonly rotation: Quaternion;
}

const FINGERS = ["Index", "Middle", "Ring", "Little"];

export class Hand {
  readonly #grip: HandGrip;
  /** How far a knuckle stands out of the palm at most, and the length of the fingers' first bones. */
  readonly #depth: number;
  readonly #proximal: number;
  readonly #scratch: WristPose = { position: new Vector3(), rotation: new Quaternion() };

  /** With the model in its rest pose, in which the hand's axes are those of `grip.palm`. */
  constructor(bones: HumanBones, side: Side, grip: HandGrip) {
    this.#grip = grip;
    const { knuckles, normal } = grip.palm;
    const bone = (name: string): Object3D => bones[`${side}${name}` as HumanBone]!;
    const hand = bone("Hand");
    const out = FINGERS.map((finger) => {
      const knuckle = hand.worldToLocal(bone(`${finger}Proximal`).getWorldPosition(new Vector3()));
      return knuckle.sub(knuckles).dot(normal);
    });
    this.#depth = Math.max(...out);
    const lengths = FINGERS.map((finger) => bone(`${finger}Intermediate`).position.length());
    this.#proximal = lengths.reduce((sum, x) => sum + x, 0) / lengths.length;
  }

  /** About a grip, rolled about its axis by `roll` from where its palm direction says: where the
   * fingers of a HandGrip close if it is told of no rod. */
  about(grip: Grip, roll: number, out: WristPose): void {
    const { forward, radial, normal, knuckles } = this.#grip.palm;
    const axis = toVector(grip.axis);
    const inHand = radial.clone().multiplyScalar(Math.cos(grip.tilt));
    inHand.addScaledVector(forward, Math.sin(grip.tilt));
    out.rotation.copy(frame(axis, toVector(grip.palm))).multiply(frame(inHand, normal).invert());
    out.rotation.premultiply(new Quaternion().setFromAxisAngle(axis, roll));
    const thick = grip.radius + this.#grip.padding;
    const centre = knuckles.clone().addScaledVector(forward, -Math.min(this.#proximal / 2, thick));
    centre.addScaledVector(normal, thick + this.#depth);
    out.position.copy(toVector(grip.point)).sub(centre.applyQuaternion(out.rotation));
  }

  /** The roll that bends the wrist least for a forearm that points this way: then the fingers' direction
   * and the forearm's are on the same side of the axis. Closed form, and 0 where the forearm points
   * along the axis and every roll is as good. */
  easiestRoll(grip: Grip, forearm: Vector3): number {
    const axis = toVector(grip.axis);
    this.about(grip, 0, this.#scratch);
    const across = (v: Vector3): Vector3 => v.addScaledVector(axis, -v.dot(axis));
    const fingers = across(this.#grip.palm.forward.clone().applyQuaternion(this.#scratch.rotation));
    const wanted = across(forearm.clone());
    const sine = new Vector3().crossVectors(fingers, wanted).dot(axis);
    return Math.atan2(sine, fingers.dot(wanted)) * smoothstep(0.05, 0.4, wanted.length());
  }

  flat(hand: FlatHand, out: WristPose): void {
    const { forward, normal, knuckles } = this.#grip.palm;
    const fingers = toVector(hand.fingers).normalize();
    out.rotation
      .copy(frame(fingers, toVector(hand.palm)))
      .multiply(frame(forward, normal).invert());
    const middle = knuckles
      .clone()
      .multiplyScalar(0.75)
      .addScaledVector(normal, this.#grip.padding);
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

export const toVector = (v: Vec): Vector3 => new Vector3(v[0], v[1], v[2]);

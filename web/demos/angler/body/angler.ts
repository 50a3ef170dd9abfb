/** The body of the angler: base pose, legs on the planks, head, arms to the grips. */
import { Quaternion, Vector3, type Object3D } from "three";
import type { HumanBones, Rig } from "../../../three/index.ts";
import { SEAT_HEIGHT } from "../session/layout.ts";
import type { Outputs } from "../session/outputs.ts";
import { clamp, degrees, type Vec } from "../session/vec.ts";
import { Arm, type ArmReport, type BodyOptions } from "./arm.ts";
import { BasePose } from "./base-pose.ts";
import { toVector, type Side } from "./hand.ts";
import { Leg } from "./leg.ts";

/** The hip joints are this far above what one sits on. */
const HIPS_ABOVE_SEAT = 0.108;

export class Angler {
  readonly #bones: HumanBones;
  readonly #base: BasePose;
  readonly #arms: Record<Side, Arm>;
  readonly #legs: readonly Leg[];
  readonly #origin = new Vector3();

  /** Of a character in its rest pose, with the bones of VRM 1.0, facing +Z. */
  constructor(
    rig: Rig,
    readonly root: Object3D,
    bones: HumanBones,
  ) {
    this.#bones = bones;
    root.updateWorldMatrix(true, true);
    this.#base = new BasePose(bones);
    this.#legs = [new Leg(rig, bones, "left"), new Leg(rig, bones, "right")];
    this.#arms = { left: new Arm(rig, bones, "left"), right: new Arm(rig, bones, "right") };
    bones.hips!.position.set(0, SEAT_HEIGHT + HIPS_ABOVE_SEAT, 0);
  }

  get right(): ArmReport {
    return this.#arms.right.report;
  }

  get left(): ArmReport {
    return this.#arms.left.report;
  }

  /** The human bones, by name. */
  get bones(): HumanBones {
    return this.#bones;
  }

  pose(outputs: Outputs, options: BodyOptions): void {
    this.root.getWorldPosition(this.#origin);
    this.#base.restore(outputs.lean, outputs.twist);
    for (const leg of this.#legs) leg.solve(this.#origin);
    this.#look(outputs.look);
    this.#arms.right.solve(outputs.right, this.#origin, options);
    this.#arms.left.solve(outputs.left, this.#origin, { ...options, beyond: 0 });
  }

  /** Neck and head share the way to what is looked at. */
  #look(at: Vec): void {
    const { neck, head, upperChest } = this.#bones;
    if (!neck || !head || !upperChest) return;
    const eyes = head.getWorldPosition(new Vector3());
    eyes.y += 0.08;
    const towards = toVector(at).add(this.#origin).sub(eyes);
    towards.applyQuaternion(upperChest.getWorldQuaternion(new Quaternion()).invert()).normalize();
    const yaw = clamp(Math.atan2(towards.x, towards.z), degrees(-65), degrees(65));
    const pitch = clamp(Math.asin(-towards.y), degrees(-35), degrees(42));
    for (const [bone, share] of [
      [neck, 0.4],
      [head, 0.6],
    ] as const) {
      bone.quaternion.setFromAxisAngle(new Vector3(0, 1, 0), yaw * share);
      bone.quaternion.multiply(
        new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), pitch * share),
      );
    }
  }
}

/** An arm whose hand is where an output wants it: on its thigh, about the rod, about the net. */
import { Quaternion, Vector3, type Object3D } from "three";
import {
  HandGrip,
  TwoBoneIK,
  type HumanBone,
  type HumanBones,
  type Rig,
  type TwoBoneFlag,
} from "../../../three/index.ts";
import { smoothstep } from "../session/ease.ts";
import type { Grip, HandOutput } from "../session/outputs.ts";
import { clamp, degrees, type Vec } from "../session/vec.ts";
import { Hand, type Side, type WristPose } from "./hand.ts";
import { PlainArm } from "./plain-arm.ts";

export interface BodyOptions {
  /** Elbows go where the field of bends says; without it, where the base pose has them. */
  pole: boolean;
  /** Each frame begins with the base pose. Without it arms are solved as PlainArm does it, from the
   * frame before. */
  restore: boolean;
  /** Metres that the right hand's target is moved away from the shoulder. */
  beyond: number;
}

export interface ArmReport {
  readonly shoulder: Vector3;
  readonly elbow: Vector3;
  readonly wrist: Vector3;
  readonly target: Vector3;
  readonly pole: Vector3;
  /** Metres between the wrist and its target. */
  error: number;
  reached: boolean;
  flags: readonly TwoBoneFlag[];
  /** Radians that the upper arm has rolled away for want of a base pose. */
  creep: number;
}

/** Where elbows like to be, in the shoulder's space, left: for a hand in front, down, out and back. */
const REACH: Vec = [0.1, -0.35, 1];
const BEND: Vec = [1, -0.6, -0.25];
/** The hand rolls this far about a rod from its palm direction to be easy on the wrist. */
const MOST_ROLL = degrees(60);
/** Metres from the bones of a finger to its skin. */
const FINGER = 0.0085;
/** Of the forearm's twist that the hand needs, what the forearm itself takes. */
const FOREARM_SHARE = 0.5;

export class Arm {
  readonly report: ArmReport = {
    shoulder: new Vector3(),
    elbow: new Vector3(),
    wrist: new Vector3(),
    target: new Vector3(),
    pole: new Vector3(),
    error: 0,
    reached: true,
    flags: [],
    creep: 0,
  };
  readonly upper: Object3D;
  readonly lower: Object3D;
  readonly wrist: Object3D;
  readonly #ik: TwoBoneIK;
  readonly #hand: Hand;
  readonly #fingers: HandGrip;
  readonly #field: { reach: Vector3; bend: Vector3 };
  readonly #pose: WristPose = { position: new Vector3(), rotation: new Quaternion() };
  /** One of those that #pose is mixed of. */
  readonly #other: WristPose = { position: new Vector3(), rotation: new Quaternion() };
  readonly #elbow = new Vector3();
  readonly #forearm = new Vector3();
  readonly #plain: PlainArm;
  /** Upper and lower arm as the frame before left them. */
  #last: readonly [Quaternion, Quaternion] | null = null;

  constructor(rig: Rig, bones: HumanBones, side: Side) {
    const bone = (name: string): Object3D => bones[`${side}${name}` as HumanBone]!;
    this.upper = bone("UpperArm");
    this.lower = bone("LowerArm");
    this.wrist = bone("Hand");
    this.#fingers = new HandGrip(rig, { side, bones }, { padding: FINGER });
    this.#hand = new Hand(bones, side, this.#fingers);
    const mirror = side === "left" ? 1 : -1;
    this.#field = {
      reach: new Vector3(REACH[0] * mirror, REACH[1], REACH[2]),
      bend: new Vector3(BEND[0] * mirror, BEND[1], BEND[2]),
    };
    this.#ik = new TwoBoneIK(rig, { root: this.upper, mid: this.lower, end: this.wrist });
    this.#ik.orientation = this.#pose.rotation;
    this.#plain = new PlainArm(this.upper, this.lower, this.wrist);
  }

  solve(output: HandOutput, origin: Vector3, options: BodyOptions): void {
    const ik = this.#ik;
    ik.pole = options.pole ? this.#field : null;
    const base = this.#rotations();
    this.#place(output, origin, 0, 0);
    // Where the hand may roll about what it holds depends on the forearm, which depends on the wrist.
    let [rod, net] = [0, 0];
    for (let round = 0; round < 3; round++) {
      this.#run(options);
      const elbow = this.lower.getWorldPosition(this.#elbow);
      const forearm = this.wrist.getWorldPosition(this.#forearm).sub(elbow).normalize();
      rod = this.#roll(output.rod, forearm);
      net = output.net ? this.#roll(output.net, forearm) : 0;
      this.#place(output, origin, rod, net);
    }
    this.#run(options);
    if (options.restore) this.#last = null;
    else this.#solvePlainly(base);
    this.report.creep = this.#last ? this.report.creep : 0;
    this.#shareTwist();
    this.#close(output);
    this.#measure();
  }

  #run({ beyond }: BodyOptions): void {
    const { target } = this.#ik;
    target.copy(this.#pose.position);
    if (beyond) {
      const shoulder = this.upper.getWorldPosition(this.report.shoulder);
      target.addScaledVector(shoulder.sub(target).normalize(), -beyond);
    }
    this.#ik.update();
  }

  #rotations(): [Quaternion, Quaternion] {
    return [this.upper.quaternion.clone(), this.lower.quaternion.clone()];
  }

  /** From the frame before; and from the base pose too, to see how far the two are apart by now. */
  #solvePlainly(base: readonly [Quaternion, Quaternion]): void {
    const shoulder = this.upper.getWorldPosition(new Vector3());
    const space = this.upper.parent!.getWorldQuaternion(new Quaternion());
    const pole = this.#field.bend.clone().applyQuaternion(space).add(shoulder);
    const solveFrom = ([upper, lower]: readonly [Quaternion, Quaternion]): void => {
      this.upper.quaternion.copy(upper);
      this.lower.quaternion.copy(lower);
      this.#plain.solve(this.#ik.target, pole);
    };
    solveFrom(base);
    const right = this.upper.quaternion.clone();
    solveFrom(this.#last ?? base);
    this.#last = this.#rotations();
    const between = right.invert().multiply(this.upper.quaternion);
    this.report.creep = twistOf(between, this.lower.position);
    const forearm = this.lower.getWorldQuaternion(new Quaternion()).invert();
    this.wrist.quaternion.copy(forearm.multiply(this.#pose.rotation));
  }

  #roll(grip: Grip, forearm: Vector3): number {
    return clamp(this.#hand.easiestRoll(grip, forearm), -MOST_ROLL, MOST_ROLL);
  }

  /** The wrist as the weights mix it: at rest, at the rod, at the net. */
  #place(output: HandOutput, origin: Vector3, rodRoll: number, netRoll: number): void {
    const pose = this.#pose;
    const other = this.#other;
    this.#hand.flat(output.rest, pose);
    for (const [grip, weight, roll] of [
      [output.rod, output.weights.rod, rodRoll],
      [output.net, output.weights.net, netRoll],
    ] as const) {
      if (!grip || weight === 0) continue;
      this.#hand.about(grip, roll, other);
      pose.position.lerp(other.position, weight);
      pose.rotation.slerp(other.rotation, weight);
    }
    pose.position.add(origin);
  }

  /** Around what the weights say that the hand holds, where the hand would have it. */
  #close({ rod, net, weights, curl }: HandOutput): void {
    const fingers = this.#fingers;
    const share = net ? weights.net : 0;
    fingers.tilt = rod.tilt + ((net?.tilt ?? 0) - rod.tilt) * share;
    fingers.radius = rod.radius + ((net?.radius ?? 0) - rod.radius) * share;
    fingers.curl = curl;
    fingers.update();
  }

  /** Half of the hand's turn about the forearm goes to the forearm, as radius and ulna have it; the
   * wrist lies on that axis and stays. */
  #shareTwist(): void {
    const axis = this.wrist.position.clone().normalize();
    const angle = twistOf(this.wrist.quaternion, axis);
    // No hand is turned half round; on the way there from either side the share goes back to none, so
    // that the forearm does not jump.
    const share = FOREARM_SHARE * (1 - smoothstep(degrees(120), degrees(180), Math.abs(angle)));
    const turn = new Quaternion().setFromAxisAngle(axis, angle * share);
    this.lower.quaternion.multiply(turn);
    this.wrist.quaternion.premultiply(turn.invert());
  }

  #measure(): void {
    const { report } = this;
    this.wrist.updateWorldMatrix(true, false);
    report.shoulder.setFromMatrixPosition(this.upper.matrixWorld);
    report.elbow.setFromMatrixPosition(this.lower.matrixWorld);
    report.wrist.setFromMatrixPosition(this.wrist.matrixWorld);
    report.target.copy(this.#ik.target);
    report.error = report.wrist.distanceTo(report.target);
    report.reached = this.#ik.reached;
    report.flags = [...this.#ik.flags];
    const towards = report.target.clone().sub(report.shoulder).normalize();
    const bend = report.elbow.clone().sub(report.shoulder);
    bend.addScaledVector(towards, -bend.dot(towards)).normalize();
    report.pole.copy(report.shoulder).lerp(report.wrist, 0.5).addScaledVector(bend, 0.45);
  }
}

/** How far a rotation turns about an axis, -π … π. */
function twistOf(q: Quaternion, axis: Vector3): number {
  const angle = 2 * Math.atan2((axis.x * q.x + axis.y * q.y + axis.z * q.z) / axis.length(), q.w);
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}

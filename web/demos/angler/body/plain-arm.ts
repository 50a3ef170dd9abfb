/** Two-bone inverse kinematics as it is often written on three.js alone: law of cosines, then the
 * shortest arc for each bone, from wherever the bones are. Here to be compared with, not to be used:
 * where the base pose is not restored, the bones' roll creeps. */
import { Quaternion, Vector3, type Object3D } from "three";

export class PlainArm {
  constructor(
    private readonly upper: Object3D,
    private readonly lower: Object3D,
    private readonly hand: Object3D,
  ) {}

  solve(target: Vector3, pole: Vector3): void {
    const { upper, lower, hand } = this;
    const a = upper.getWorldPosition(new Vector3());
    const b = lower.getWorldPosition(new Vector3());
    const c = hand.getWorldPosition(new Vector3());
    const [upperLength, lowerLength] = [a.distanceTo(b), b.distanceTo(c)];
    const towards = target.clone().sub(a);
    const margin = 1e-4 * Math.min(upperLength, lowerLength);
    const apart = Math.min(
      Math.max(towards.length(), Math.abs(upperLength - lowerLength) + margin),
      upperLength + lowerLength - margin,
    );
    towards.normalize();
    const bend = pole.clone().sub(a);
    bend.addScaledVector(towards, -bend.dot(towards)).normalize();
    const along = (upperLength ** 2 + apart ** 2 - lowerLength ** 2) / (2 * apart);
    const rise = Math.sqrt(Math.max(0, upperLength ** 2 - along ** 2));
    const elbow = a.clone().addScaledVector(towards, along).addScaledVector(bend, rise);
    turn(upper, b.sub(a), elbow.clone().sub(a));
    const [newB, newC] = [
      lower.getWorldPosition(new Vector3()),
      hand.getWorldPosition(new Vector3()),
    ];
    turn(lower, newC.sub(newB), a.addScaledVector(towards, apart).sub(newB));
  }
}

/** Turns a bone in the world by the shortest arc between two directions. */
function turn(bone: Object3D, from: Vector3, to: Vector3): void {
  const arc = new Quaternion().setFromUnitVectors(from.normalize(), to.normalize());
  const world = bone.getWorldQuaternion(new Quaternion()).premultiply(arc);
  const parent = bone.parent!.getWorldQuaternion(new Quaternion()).invert();
  bone.quaternion.copy(parent.multiply(world)).normalize();
}

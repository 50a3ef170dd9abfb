/** Rotations as three angles in degrees, for reading and typing. XYZ: about the fixed x axis of the
 * parent last, as three.js's "XYZ" order and Blender's "ZYX" have it: R = Rx Ry Rz. */
import { Euler, MathUtils, Quaternion } from "three";

export type Triple = [number, number, number];
export type Quad = [number, number, number, number];

const euler = new Euler();
const quaternion = new Quaternion();

export function toDegrees(rotation: readonly number[], near?: readonly number[]): Triple {
  quaternion.fromArray(rotation as number[]).normalize();
  euler.setFromQuaternion(quaternion, "XYZ");
  const angles: Triple = [euler.x, euler.y, euler.z].map(MathUtils.radToDeg) as Triple;
  return near ? unroll(angles, near) : angles;
}

export function fromDegrees(degrees: readonly number[]): Quad {
  euler.set(...(degrees.map(MathUtils.degToRad) as Triple), "XYZ");
  return quaternion.setFromEuler(euler).toArray() as Quad;
}

/** Of the angles that mean the same rotation, those nearest to `near`: typing 190 stays 190. */
export function unroll(angles: Triple, near: readonly number[]): Triple {
  // The same rotation has a second set of angles, mirrored through the middle one.
  const other: Triple = [angles[0] + 180, 180 - angles[1], angles[2] + 180];
  const candidates = [angles, other].map(
    (set) => set.map((angle, i) => angle + 360 * Math.round((near[i]! - angle) / 360)) as Triple,
  );
  const distance = (set: Triple): number =>
    set.reduce((sum, angle, i) => sum + Math.abs(angle - near[i]!), 0);
  const [first, second] = candidates as [Triple, Triple];
  return distance(second) < distance(first) - 1e-6 ? second : first;
}

/** Three ways to the rotation that takes one direction to another, and how far each misses. */
import { Quaternion, Vector3 } from "three";

export const METHODS = {
  acos: "axis and acos of the dot product",
  three: "setFromUnitVectors of three.js",
  half: "half vector, as Sinew does it",
} as const;
export type Method = keyof typeof METHODS;

export function rotationBetween(method: Method, from: Vector3, to: Vector3): Quaternion {
  switch (method) {
    case "acos": {
      const axis = new Vector3().crossVectors(from, to);
      const angle = Math.acos(Math.min(Math.max(from.dot(to), -1), 1));
      return axis.lengthSq() > 0
        ? new Quaternion().setFromAxisAngle(axis.normalize(), angle)
        : new Quaternion();
    }
    case "three":
      return new Quaternion().setFromUnitVectors(from, to);
    case "half": {
      // q = (sin(θ/2)·axis, cos(θ/2)) with |f + t| = 2 cos(θ/2) and |f - t| = 2 sin(θ/2). Near opposite
      // directions the sum is exact, and so is the axis; f × t itself would cancel.
      const sum = from.clone().add(to);
      const difference = from.clone().sub(to);
      const axis = new Vector3().crossVectors(difference, sum);
      const size = axis.length();
      if (size < 1e-300) return new Quaternion();
      axis.multiplyScalar(difference.length() / 2 / size);
      return new Quaternion(axis.x, axis.y, axis.z, sum.length() / 2).normalize();
    }
  }
}

/** The largest |R·f - t| over a few directions f and their opposites but for `gap` radians. */
export function largestMiss(method: Method, gap: number): number {
  let largest = 0;
  for (let i = 0; i < 40; i++) {
    // Evenly over the sphere, by the golden angle.
    const y = 1 - (2 * (i + 0.5)) / 40;
    const [r, a] = [Math.sqrt(1 - y * y), i * 2.399963229728653];
    const from = new Vector3(r * Math.cos(a), y, r * Math.sin(a)).normalize();
    const side = new Vector3(-from.z, 0, from.x).normalize();
    const to = from
      .clone()
      .multiplyScalar(-Math.cos(gap))
      .addScaledVector(side, Math.sin(gap))
      .normalize();
    const turned = from.clone().applyQuaternion(rotationBetween(method, from, to));
    largest = Math.max(largest, turned.distanceTo(to));
  }
  return largest;
}

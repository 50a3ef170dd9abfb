/** What the drawn things share: plain colours, and turns. */
import { Color, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { Vec } from "../session/vec.ts";

export const CORK = new Color(0xc79a63);
export const CARBON = new Color(0x23282e);
export const ACCENT = new Color(0xe8743b);

const UP = new Vector3(0, 1, 0);

export const lambert = (color: Color | number): MeshLambertMaterial =>
  new MeshLambertMaterial({ color });
export const vector = (v: Vec, out = new Vector3()): Vector3 => out.set(v[0], v[1], v[2]);

/** +y along `axis`, and -z as far down as that leaves. */
export function upright(axis: Vector3): Quaternion {
  const side = new Vector3().crossVectors(axis, UP);
  // Straight up, the reel looks ahead.
  if (side.lengthSq() < 1e-4) side.set(-1, 0, 0);
  side.normalize();
  const aim = new Quaternion().setFromUnitVectors(UP, axis);
  const now = new Vector3(1, 0, 0).applyQuaternion(aim);
  const angle = Math.atan2(new Vector3().crossVectors(now, side).dot(axis), now.dot(side));
  return aim.premultiply(new Quaternion().setFromAxisAngle(axis, angle));
}

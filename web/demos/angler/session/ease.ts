/** Motion between poses. */

/** Minimum jerk from 0 to 1 (Flash and Hogan 1985): the path of a hand that is at rest at both ends. */
export function minimumJerk(u: number): number {
  if (u <= 0) return 0;
  if (u >= 1) return 1;
  return u * u * u * (10 + u * (-15 + 6 * u));
}

/** What is left, at u of 0 … 1, of a difference that began as `from` and was changing by `rate` (a
 * whole unit of u): the quintic with the same start, no acceleration there, and rest at the end.
 * From rest it is minimum jerk. Adding it to a new goal lets a motion be interrupted anywhere
 * without a jump of place or speed (inertialization, Bollo, GDC 2018). */
export function decay(from: number, rate: number, u: number): number {
  if (u >= 1) return 0;
  const v = u * u * u;
  return from * (1 - v * (10 + u * (-15 + 6 * u))) + rate * (u - v * (6 + u * (-8 + 3 * u)));
}

/** 0 … 1 with no slope at either end. */
export function smoothstep(low: number, high: number, x: number): number {
  const u = Math.min(Math.max((x - low) / (high - low), 0), 1);
  return u * u * (3 - 2 * u);
}

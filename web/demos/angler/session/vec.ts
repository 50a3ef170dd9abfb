/** Points and directions as plain values: metres, right-handed, +Y up. The angler faces +Z, so +X is
 * to the left. */
export type Vec = readonly [x: number, y: number, z: number];

export const UP: Vec = [0, 1, 0];

export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a: Vec, s: number): Vec => [a[0] * s, a[1] * s, a[2] * s];
export const addScaled = (a: Vec, b: Vec, s: number): Vec => [
  a[0] + b[0] * s,
  a[1] + b[1] * s,
  a[2] + b[2] * s,
];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec, b: Vec): Vec => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const length = (a: Vec): number => Math.hypot(a[0], a[1], a[2]);
export const distance = (a: Vec, b: Vec): number => length(subtract(a, b));
export const lerp = (a: Vec, b: Vec, t: number): Vec => addScaled(a, subtract(b, a), t);

/** Unit length; `fallback` where there is no direction. */
export function normalize(a: Vec, fallback: Vec = UP): Vec {
  const size = length(a);
  return size > 1e-12 ? scale(a, 1 / size) : fallback;
}

/** The part of `a` across the unit vector `axis`, unit length. */
export const across = (a: Vec, axis: Vec, fallback: Vec = UP): Vec =>
  normalize(addScaled(a, axis, -dot(a, axis)), fallback);

/** Yaw turns from +Z to +X, elevation from the horizon up; beyond 90° it leans back. */
export function direction(yaw: number, elevation: number): Vec {
  const level = Math.cos(elevation);
  return [Math.sin(yaw) * level, Math.sin(elevation), Math.cos(yaw) * level];
}

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high);
export const degrees = (value: number): number => (value * Math.PI) / 180;

/** Numbers that look random and follow from the seed alone. */

/** The `index`-th number of a seed, 0 … 1. A hash, so that any of them can be had without those
 * before it (splitmix32's finalizer). */
export function random(seed: number, index: number): number {
  let z = (Math.imul(seed | 0, 0x9e3779b9) + Math.imul(index | 0, 0x85ebca6b) + 0x6d2b79f5) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return ((z ^ (z >>> 15)) >>> 0) / 4294967296;
}

/** A smooth course through random values, one a second, -1 … 1. */
export function drift(seed: number, stream: number, time: number): number {
  const at = Math.floor(time);
  const u = time - at;
  const value = (i: number): number => random(seed, stream * 4096 + i) * 2 - 1;
  const s = u * u * (3 - 2 * u);
  return value(at) * (1 - s) + value(at + 1) * s;
}

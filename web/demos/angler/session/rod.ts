/** A rod that bends: the elastica of a tapered beam under a force at its tip. */
import { across, add, addScaled, cross, dot, length, normalize, scale, type Vec } from "./vec.ts";

export interface Blank {
  /** Metres that bend. */
  readonly length: number;
  /** E·I at the base, N·m². */
  readonly stiffness: number;
  /** How much of the base's diameter is gone at the tip, 0 … 1. The diameter falls linearly, E·I
   * with its fourth power. */
  readonly taper: number;
}

const SEGMENTS = 16;
const ROUNDS = 200;

/** The beam in its plane, from its base at the origin along +x, under the force (`along`, `side`) in
 * newtons at the tip: SEGMENTS + 1 points x, y.
 *
 * κ = M / EI with M = (tip - r) × F; angles by summing κ, points by summing angles. The force bends
 * the beam and the beam moves the force's arm, so the two are iterated, with relaxation: 0.3
 * converges up to P·L²/EI = 10, and it is halved wherever a round makes things worse. */
export function elastica(blank: Blank, along: number, side: number): Float64Array {
  const n = SEGMENTS;
  const step = blank.length / n;
  const angles = new Float64Array(n);
  const points = new Float64Array(2 * (n + 1));
  const flexibility = Array.from(
    { length: n },
    (_, i) => step / (blank.stiffness * (1 - (blank.taper * i) / n) ** 4),
  );
  let relaxation = 0.3;
  let last = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    place(angles, step, points);
    let change = 0;
    let angle = 0;
    for (let i = 0; i < n; i++) {
      const dx = points[2 * n]! - points[2 * i]!;
      const dy = points[2 * n + 1]! - points[2 * i + 1]!;
      const turn = (dx * side - dy * along) * flexibility[i]!;
      // The curvature at a point holds for half a segment on either side of it, so that a segment's
      // angle, that of its middle, has all of its base's; the clamped end has one side only.
      angle += i === 0 ? turn / 2 : turn;
      const move = angle - angles[i]!;
      change = Math.max(change, Math.abs(move));
      angles[i]! += relaxation * move;
    }
    if (change < 1e-9) break;
    if (change > last) relaxation = Math.max(relaxation / 2, 0.02);
    last = change;
  }
  place(angles, step, points);
  return points;
}

function place(angles: Float64Array, step: number, points: Float64Array): void {
  let [x, y] = [0, 0];
  for (let i = 0; i < angles.length; i++) {
    x += Math.cos(angles[i]!) * step;
    y += Math.sin(angles[i]!) * step;
    points[2 * i + 2] = x;
    points[2 * i + 3] = y;
  }
}

/** The bent blank in space: from `base` along the unit vector `axis`, the tip pulled by `force`, N. */
export function bendRod(blank: Blank, base: Vec, axis: Vec, force: Vec): Vec[] {
  const along = dot(force, axis);
  const side = length(cross(axis, force));
  // A pull along the axis chooses no plane; the rod is then straight, in whichever.
  const aside = across(force, axis, normalize(cross(axis, [1, 0, 0])));
  const plane = elastica(blank, along, side);
  return Array.from({ length: plane.length / 2 }, (_, i) =>
    addScaled(addScaled(base, axis, plane[2 * i]!), aside, plane[2 * i + 1]!),
  );
}

/** A point of the straight, stiff handle, `at` metres from the butt. */
export const onHandle = (butt: Vec, axis: Vec, at: number): Vec => add(butt, scale(axis, at));

/** A line that hangs between two points: the catenary. */
import { lerp, type Vec } from "./vec.ts";

export interface Catenary {
  /** y = scale · cosh((u - lowest) / scale) + offset, u horizontally from the first end. */
  readonly scale: number;
  readonly lowest: number;
}

/** For ends `across` > 0 apart horizontally and `rise` vertically, and a longer line.
 *
 * sinh x = r·x with r = √(L² - v²) / h by Newton's method; scale = h / 2x. */
export function catenary(across: number, rise: number, line: number): Catenary {
  const r = Math.sqrt(line * line - rise * rise) / across;
  // sinh x / x is 1 + x²/6 near 0 and grows like eˣ / 2x.
  let x = r < 3 ? Math.sqrt(6 * (r - 1)) : Math.log(2 * r) + Math.log(Math.log(2 * r));
  for (let i = 0; i < 20; i++) {
    const step = (Math.sinh(x) - r * x) / (Math.cosh(x) - r);
    x -= step;
    if (Math.abs(step) < 1e-12 * x) break;
  }
  const size = across / (2 * x);
  return { scale: size, lowest: across / 2 - size * Math.atanh(rise / line) };
}

/** `count` points from `a` to `b`, evenly spaced along a line of this length; straight where the line
 * is too short to hang. */
export function hangLine(a: Vec, b: Vec, line: number, count: number): Vec[] {
  const across = Math.hypot(b[0] - a[0], b[2] - a[2]);
  const rise = b[1] - a[1];
  const apart = Math.hypot(across, rise);
  const points = Array.from({ length: count }, (_, i) => i / (count - 1));
  // Slacker than this by less, a micrometre, nobody sees, and Newton's method loses its digits.
  if (line < apart * (1 + 1e-9)) return points.map((t) => lerp(a, b, t));
  // Straight down and up again is no catenary; a thousandth of the slack apart is as good.
  const whole = Math.max(across, 1e-3 * Math.sqrt(line * line - rise * rise));
  const { scale, lowest } = catenary(whole, rise, line);
  const start = Math.sinh(-lowest / scale);
  const low = scale * Math.cosh(-lowest / scale);
  return points.map((t) => {
    const u = lowest + scale * Math.asinh((t * line) / scale + start);
    const part = u / whole;
    return [
      a[0] + (b[0] - a[0]) * part,
      a[1] + scale * Math.cosh((u - lowest) / scale) - low,
      a[2] + (b[2] - a[2]) * part,
    ];
  });
}

/** Where the angler is looked at from. */
import { Matrix4, Vector3 } from "three";
import { WATER } from "../session/layout.ts";
import type { Vec } from "../session/vec.ts";

interface Viewpoint {
  readonly name: string;
  readonly from: Vec;
  readonly to: Vec;
  /** What must be seen: the camera goes back on its line, or nearer, until just all of it is. Without
   * it the camera stays at `from` but in a tall window. */
  readonly seen?: readonly Vec[];
}

export const CAMERAS = {
  /** All of a cast: the angler, the rod's tip from the holder to the backcast, the bobber far out. */
  behind: {
    name: "Behind",
    from: [-2.3, 2.5, -2.6],
    to: [0.25, 1.25, 1.0],
    seen: [
      [-0.35, 0, -0.3],
      [0.1, 1.32, -0.1],
      [-0.46, 1.84, 1.84],
      [-0.35, 3, -0.45],
      [-0.26, 2.82, -0.95],
      [1.35, WATER, 9.8],
      [-1, WATER, 8],
    ],
  },
  side: { name: "Side", from: [2.75, 1.62, 3.2], to: [0.12, 0.66, 0.62] },
  hands: { name: "Hands", from: [0.82, 1.38, 0.92], to: [-0.02, 0.82, 0.3] },
} as const satisfies Record<string, Viewpoint>;
export type CameraName = keyof typeof CAMERAS;

/** Of the picture's half, what is left free at its edge. */
const MARGIN = 0.06;

/** The camera's place and what it looks at, for a field of view of `fov` radians from top to bottom. */
export function viewFrom(
  name: CameraName,
  aspect: number,
  fov: number,
): { position: Vector3; target: Vector3 } {
  const { from, to, seen }: Viewpoint = CAMERAS[name];
  const target = new Vector3(...to);
  const back = new Vector3(...from).sub(target);
  // A tall window sees less to the sides: further back there.
  if (!seen) return { position: back.multiplyScalar(Math.max(1, 1.05 / aspect)).add(target), target };
  const right = new Vector3();
  const up = new Vector3();
  new Matrix4().lookAt(back, new Vector3(), new Vector3(0, 1, 0)).extractBasis(right, up, back);
  const high = Math.tan(fov / 2) * (1 - MARGIN);
  const far = seen.map((place) => {
    const offset = new Vector3(...place).sub(target);
    const [x, y] = [Math.abs(offset.dot(right)), Math.abs(offset.dot(up))];
    return offset.dot(back) + Math.max(x / (high * aspect), y / high);
  });
  return { position: back.multiplyScalar(Math.max(...far)).add(target), target };
}

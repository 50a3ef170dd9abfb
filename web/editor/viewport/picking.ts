/** Choosing a joint by pointing at it. */
import {
  Raycaster,
  type SkinnedMesh,
  Vector2,
  Vector3,
  type Intersection,
  type BufferAttribute,
} from "three";
import type { DrawnModel } from "./model.ts";
import type { Screen } from "./screen.ts";

/** How near a pointer must come, CSS pixels. */
export const pickRadius = { mouse: 12, touch: 24 };

export interface Candidate {
  node: number;
  x: number;
  y: number;
  depth: number;
}

/** Distances that the hand does not tell apart: among these the joint nearer to the camera wins. */
const tie = 2;

/** The joint nearest to a point on the screen, within `radius`; none behind the camera. */
export function pickJoint(
  candidates: Iterable<Candidate>,
  x: number,
  y: number,
  radius: number,
): number | null {
  let best: Candidate | null = null;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    if (candidate.depth <= 0) continue;
    const distance = Math.hypot(candidate.x - x, candidate.y - y);
    if (distance > radius) continue;
    const nearer =
      best === null ||
      distance < bestDistance - tie ||
      (distance < bestDistance + tie && candidate.depth < best.depth);
    if (!nearer) continue;
    best = candidate;
    bestDistance = Math.min(bestDistance, distance);
  }
  return best?.node ?? null;
}

const raycaster = new Raycaster();

/** The node behind a click on a mesh: of a skinned mesh the joint that weighs most at the corner of the
 * triangle next to the click, of any other the node that carries it. */
export function pickOnMesh(model: DrawnModel, screen: Screen, x: number, y: number): number | null {
  const at = new Vector2((x / screen.width) * 2 - 1, 1 - (y / screen.height) * 2);
  raycaster.setFromCamera(at, screen.camera);
  // Bounds made in another pose would hide what has moved since.
  for (const mesh of model.skinned) {
    mesh.computeBoundingSphere();
    mesh.computeBoundingBox();
  }
  for (const hit of raycaster.intersectObject(model.root, true)) {
    const skinned = hit.object as SkinnedMesh;
    const node = skinned.isSkinnedMesh
      ? heaviestJoint(model, skinned, hit)
      : model.nodeAbove(hit.object);
    if (node !== null) return node;
  }
  return null;
}

function heaviestJoint(model: DrawnModel, mesh: SkinnedMesh, hit: Intersection): number | null {
  const { face } = hit;
  const joints = mesh.geometry.getAttribute("skinIndex") as BufferAttribute | undefined;
  const weights = mesh.geometry.getAttribute("skinWeight") as BufferAttribute | undefined;
  if (!face || !joints || !weights) return null;
  const corner = new Vector3();
  let nearest = face.a;
  let distance = Infinity;
  for (const vertex of [face.a, face.b, face.c]) {
    const d = mesh
      .getVertexPosition(vertex, corner)
      .applyMatrix4(mesh.matrixWorld)
      .distanceTo(hit.point);
    if (d < distance) [nearest, distance] = [vertex, d];
  }
  let heaviest = 0;
  for (let i = 1; i < 4; i++)
    if (weights.getComponent(nearest, i) > weights.getComponent(nearest, heaviest)) heaviest = i;
  return model.nodeOfBone(mesh, joints.getComponent(nearest, heaviest));
}

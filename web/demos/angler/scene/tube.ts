import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Mesh,
  MeshLambertMaterial,
  Vector3,
} from "three";
import type { Vec } from "../session/vec.ts";
import { CARBON, vector } from "./shapes.ts";

const SCRATCH = {
  here: new Vector3(),
  ahead: new Vector3(),
  before: new Vector3(),
  across: new Vector3(),
  other: new Vector3(),
  around: new Vector3(),
};

/** A round bar through points, thinner towards its end. */
export class Tube {
  readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  readonly #places: BufferAttribute;
  readonly #normals: BufferAttribute;

  constructor(
    private readonly rings: number,
    private readonly sides: number,
    private readonly thick: number,
    private readonly thin: number,
  ) {
    const geometry = new BufferGeometry();
    this.#places = new BufferAttribute(new Float32Array(rings * sides * 3), 3);
    this.#normals = new BufferAttribute(new Float32Array(rings * sides * 3), 3);
    geometry.setAttribute("position", this.#places);
    geometry.setAttribute("normal", this.#normals);
    const faces: number[] = [];
    for (let ring = 0; ring + 1 < rings; ring++)
      for (let side = 0; side < sides; side++) {
        const [a, b] = [ring * sides + side, ring * sides + ((side + 1) % sides)];
        faces.push(a, b, a + sides, b, b + sides, a + sides);
      }
    geometry.setIndex(faces);
    this.mesh = new Mesh(geometry, new MeshLambertMaterial({ color: CARBON, side: DoubleSide }));
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
  }

  show(points: readonly Vec[]): void {
    const { here, ahead, before, across, other, around } = SCRATCH;
    across.set(1, 0, 0);
    for (let ring = 0; ring < this.rings; ring++) {
      vector(points[ring]!, here);
      vector(points[Math.max(ring - 1, 0)]!, before);
      vector(points[Math.min(ring + 1, this.rings - 1)]!, ahead)
        .sub(before)
        .normalize();
      // Carried along without turning about the bar.
      across.addScaledVector(ahead, -across.dot(ahead));
      if (across.lengthSq() < 1e-6) across.set(0, 0, 1).addScaledVector(ahead, -ahead.z);
      across.normalize();
      other.crossVectors(ahead, across);
      const radius = this.thick + ((this.thin - this.thick) * ring) / (this.rings - 1);
      for (let side = 0; side < this.sides; side++) {
        const angle = (side / this.sides) * Math.PI * 2;
        around.copy(across).multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
        const index = ring * this.sides + side;
        this.#normals.setXYZ(index, around.x, around.y, around.z);
        this.#places.setXYZ(
          index,
          here.x + around.x * radius,
          here.y + around.y * radius,
          here.z + around.z * radius,
        );
      }
    }
    this.#places.needsUpdate = this.#normals.needsUpdate = true;
  }
}

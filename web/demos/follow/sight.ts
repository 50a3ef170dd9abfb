/** What cannot be seen otherwise: lines of sight from both eyes to the point that they look at. */
import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  SphereGeometry,
  Vector3,
  type Camera,
  type Object3D,
} from "three";

export class Sight {
  readonly group = new Group();
  readonly #lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #point: Mesh<SphereGeometry, MeshBasicMaterial>;
  readonly #ring: Mesh<RingGeometry, MeshBasicMaterial>;
  readonly #ends = new Float32BufferAttribute(new Float32Array(12), 3);
  readonly #at = new Vector3();

  constructor(private readonly eyes: readonly Object3D[]) {
    const geometry = new BufferGeometry().setAttribute("position", this.#ends);
    this.#lines = new LineSegments(
      geometry,
      new LineBasicMaterial({ transparent: true, opacity: 0.55, depthTest: false }),
    );
    this.#lines.frustumCulled = false;
    const above = { transparent: true, depthTest: false };
    this.#point = new Mesh(new SphereGeometry(0.007, 16, 12), new MeshBasicMaterial(above));
    this.#ring = new Mesh(
      new RingGeometry(0.017, 0.0195, 40),
      new MeshBasicMaterial({ ...above, opacity: 0.8 }),
    );
    this.group.add(this.#lines, this.#point, this.#ring);
    this.group.visible = false;
    this.paint();
  }

  /** In the page's colour. */
  paint(): void {
    const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
    const color = new Color(accent);
    for (const { material } of [this.#lines, this.#point, this.#ring]) material.color.copy(color);
  }

  update(target: Object3D, camera: Camera): void {
    if (!this.group.visible) return;
    this.eyes.forEach((eye, i) => {
      eye.getWorldPosition(this.#at).toArray(this.#ends.array, i * 6);
      target.position.toArray(this.#ends.array, i * 6 + 3);
    });
    this.#ends.needsUpdate = true;
    this.#point.position.copy(target.position);
    this.#ring.position.copy(target.position);
    this.#ring.quaternion.copy(camera.quaternion);
  }
}

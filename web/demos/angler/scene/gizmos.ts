/** Marks at shoulder, elbow, wrist, target and pole of an arm, seen through the body. */
import {
  BufferGeometry,
  Group,
  Line,
  LineBasicMaterial,
  LineDashedMaterial,
  Mesh,
  MeshBasicMaterial,
  OctahedronGeometry,
  SphereGeometry,
  TorusGeometry,
  Vector3,
  type Camera,
} from "three";
import type { ArmReport } from "../body/arm.ts";

const COLORS = {
  joint: 0xffffff,
  bone: 0xffd9a8,
  target: 0x39d98a,
  missed: 0xff5d5d,
  pole: 0xb39bff,
};

export class Gizmos {
  readonly group = new Group();
  readonly #joints: Mesh[];
  readonly #target: Mesh<TorusGeometry, MeshBasicMaterial>;
  readonly #pole: Mesh;
  readonly #bones = line(3, new LineBasicMaterial({ color: COLORS.bone }));
  readonly #toPole = line(
    2,
    new LineDashedMaterial({ color: COLORS.pole, dashSize: 0.02, gapSize: 0.015 }),
  );

  constructor() {
    const seen = (color: number): MeshBasicMaterial => new MeshBasicMaterial({ color, fog: false });
    this.#joints = [0.015, 0.015, 0.012].map(
      (radius) => new Mesh(new SphereGeometry(radius, 12, 8), seen(COLORS.joint)),
    );
    this.#target = new Mesh(new TorusGeometry(0.03, 0.004, 8, 28), seen(COLORS.target));
    this.#pole = new Mesh(new OctahedronGeometry(0.018), seen(COLORS.pole));
    this.group.add(...this.#joints, this.#target, this.#pole, this.#bones, this.#toPole);
    this.group.traverse((object) => {
      if (!(object instanceof Mesh || object instanceof Line)) return;
      object.material.depthTest = false;
      object.material.transparent = true;
      object.renderOrder = 10;
    });
  }

  show(arm: ArmReport, camera: Camera): void {
    [arm.shoulder, arm.elbow, arm.wrist].forEach((place, i) =>
      this.#joints[i]!.position.copy(place),
    );
    this.#target.position.copy(arm.target);
    this.#target.quaternion.copy(camera.quaternion);
    this.#target.material.color.set(arm.reached ? COLORS.target : COLORS.missed);
    this.#pole.position.copy(arm.pole);
    this.#bones.geometry.setFromPoints([arm.shoulder, arm.elbow, arm.wrist]);
    this.#toPole.geometry.setFromPoints([arm.elbow, arm.pole]);
    this.#toPole.computeLineDistances();
  }
}

function line(count: number, material: LineBasicMaterial): Line<BufferGeometry, LineBasicMaterial> {
  const points = Array.from({ length: count }, () => new Vector3());
  const drawn = new Line(new BufferGeometry().setFromPoints(points), material);
  drawn.frustumCulled = false;
  return drawn;
}

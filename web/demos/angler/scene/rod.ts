/** The rod as it is drawn: handle, reel, bent blank, guides. */
import {
  CylinderGeometry,
  Group,
  Mesh,
  SphereGeometry,
  TorusGeometry,
  Vector3,
  type Color,
} from "three";
import { ROD } from "../session/layout.ts";
import type { RodPose } from "../session/rod-pose.ts";
import type { Vec } from "../session/vec.ts";
import { ACCENT, CARBON, CORK, lambert, upright, vector } from "./shapes.ts";
import { Tube } from "./tube.ts";

export class Rod {
  static readonly guides = 5;
  readonly group = new Group();
  /** The line from reel to tip, through the guides. */
  run: Vec[] = [];
  readonly #handle = new Group();
  readonly #blank: Tube;
  readonly #guides: Mesh[];

  constructor() {
    const along = (from: number, to: number, radius: number, color: Color): void => {
      const mesh = new Mesh(new CylinderGeometry(radius, radius, to - from, 14), lambert(color));
      mesh.position.y = (from + to) / 2;
      mesh.castShadow = true;
      this.#handle.add(mesh);
    };
    along(0, ROD.stiff, 0.0075, CARBON);
    along(0, 0.16, ROD.radius, CORK);
    along(0.2, 0.38, ROD.radius, CORK);
    along(0.475, 0.55, 0.0115, CORK);
    along(-0.012, 0.004, 0.0155, ACCENT);
    this.#handle.add(reel());
    this.#blank = new Tube(17, 7, 0.0068, 0.0016);
    this.#guides = Array.from({ length: Rod.guides }, (_, i) => {
      const guide = new Mesh(
        new TorusGeometry(0.014 - i * 0.0021, 0.0016, 6, 14),
        lambert(0x9aa3ab),
      );
      this.group.add(guide);
      return guide;
    });
    this.group.add(this.#handle, this.#blank.mesh);
  }

  show(rod: RodPose): void {
    const axis = vector(rod.axis);
    this.#handle.position.copy(vector(rod.butt));
    this.#handle.quaternion.copy(upright(axis));
    this.#blank.show(rod.blank);
    const below = new Vector3(0, 0, -1).applyQuaternion(this.#handle.quaternion);
    const points = rod.blank;
    const reelAt = vector(rod.butt).addScaledVector(axis, ROD.reel).addScaledVector(below, 0.06);
    this.run = [[reelAt.x, reelAt.y, reelAt.z]];
    this.#guides.forEach((guide, i) => {
      const at = Math.round(1 + ((points.length - 2) * (i + 0.3)) / (Rod.guides - 0.4));
      const here = vector(points[at]!);
      const forward = here
        .clone()
        .sub(vector(points[at - 1]!))
        .normalize();
      const down = below.clone().addScaledVector(forward, -below.dot(forward)).normalize();
      guide.position.copy(here).addScaledVector(down, 0.018 - i * 0.002);
      guide.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), forward);
      this.run.push([guide.position.x, guide.position.y, guide.position.z]);
    });
  }
}

function reel(): Group {
  const group = new Group();
  group.position.y = ROD.reel;
  const part = (
    geometry: CylinderGeometry | SphereGeometry,
    color: Color | number,
    x: number,
    y: number,
    z: number,
  ): Mesh => {
    const mesh = new Mesh(geometry, lambert(color));
    mesh.position.set(x, y, z);
    mesh.castShadow = true;
    group.add(mesh);
    return mesh;
  };
  part(new CylinderGeometry(0.006, 0.008, 0.05, 8), 0x30363d, 0, 0, -0.03).rotation.x = Math.PI / 2;
  part(new CylinderGeometry(0.024, 0.027, 0.05, 16), 0x3a424b, 0, 0.005, -0.066);
  part(new CylinderGeometry(0.028, 0.028, 0.012, 16), ACCENT, 0, 0.034, -0.066);
  part(new CylinderGeometry(0.004, 0.004, 0.05, 8), 0xb8c0c8, -0.038, -0.005, -0.066).rotation.z =
    Math.PI / 2;
  part(new SphereGeometry(0.012, 10, 8), 0x30363d, -0.066, -0.005, -0.05);
  return group;
}

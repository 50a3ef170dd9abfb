/** The net: handle, hoop, and a bag that hangs down whichever way the hoop is turned. */
import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  TorusGeometry,
  Vector3,
} from "three";
import { NET } from "../session/layout.ts";
import type { Fish } from "../session/state.ts";
import type { Vec } from "../session/vec.ts";
import { CARBON, lambert, upright, vector } from "./shapes.ts";

export class Net {
  readonly group = new Group();
  readonly #bag: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #places: BufferAttribute;

  constructor() {
    const handle = new Mesh(
      new CylinderGeometry(0.011, 0.011, NET.reach + NET.behind - NET.hoop, 10),
      lambert(0x4d5a50),
    );
    handle.position.y = (NET.reach - NET.behind - NET.hoop) / 2;
    const grip = new Mesh(
      new CylinderGeometry(NET.radius + 0.001, NET.radius + 0.001, 0.3, 12),
      lambert(CARBON),
    );
    grip.position.y = -NET.behind + 0.17;
    const hoop = new Mesh(new TorusGeometry(NET.hoop, 0.009, 8, 36), lambert(0x4d5a50));
    hoop.position.y = NET.reach;
    for (const mesh of [handle, grip, hoop]) mesh.castShadow = true;
    const count = Net.meridians * Net.rows * 4;
    this.#places = new BufferAttribute(new Float32Array(count * 3), 3);
    this.#bag = new LineSegments(
      new BufferGeometry().setAttribute("position", this.#places),
      new LineBasicMaterial({ color: 0xdce8df, transparent: true, opacity: 0.75 }),
    );
    this.#bag.frustumCulled = false;
    this.group.add(handle, grip, hoop, this.#bag);
  }

  static readonly meridians = 18;
  static readonly rows = 6;

  show(at: Vec, axis: Vec, fish: Fish | null): void {
    this.group.position.copy(vector(at));
    this.group.quaternion.copy(upright(vector(axis)));
    const middle = vector(axis).multiplyScalar(NET.reach).add(this.group.position);
    // Deeper with a fish in it.
    const loaded = fish && vector(fish.place).distanceTo(middle) < 0.3 ? 1 : 0;
    const down = new Vector3(0, -0.24 - 0.07 * loaded, 0).applyQuaternion(
      this.group.quaternion.clone().invert(),
    );
    let next = 0;
    const put = (row: number, meridian: number): void => {
      const depth = row / Net.rows;
      const size = NET.hoop * Math.sqrt(Math.max(0, 1 - depth * depth * 0.93));
      const angle = (meridian / Net.meridians) * Math.PI * 2;
      this.#places.setXYZ(
        next++,
        Math.cos(angle) * size + down.x * depth,
        NET.reach + Math.sin(angle) * size + down.y * depth,
        down.z * depth,
      );
    };
    for (let row = 0; row < Net.rows; row++)
      for (let meridian = 0; meridian < Net.meridians; meridian++) {
        put(row, meridian);
        put(row + 1, meridian + 0.5);
        put(row, meridian);
        put(row + 1, meridian - 0.5);
      }
    this.#places.needsUpdate = true;
  }
}

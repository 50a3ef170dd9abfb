/** Rod, line, bobber, net and fish, put where the outputs say. */
import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Group,
  Line,
  LineBasicMaterial,
  Mesh,
  SphereGeometry,
} from "three";
import type { Outputs } from "../session/outputs.ts";
import type { Vec } from "../session/vec.ts";
import { fishMesh, showFish } from "./fish.ts";
import { Net } from "./net.ts";
import { Rod } from "./rod.ts";
import { lambert } from "./shapes.ts";

export class Tackle {
  readonly group = new Group();
  readonly #rod = new Rod();
  readonly #net = new Net();
  readonly #fish = fishMesh();
  readonly #bobber = bobberMesh();
  readonly #line = new Thread(24 + Rod.guides + 1, 0xf7fbff, 0.85);
  readonly #leader = new Thread(6, 0xf7fbff, 0.5);

  constructor() {
    this.group.add(
      this.#rod.group,
      this.#net.group,
      this.#fish,
      this.#bobber,
      this.#line.line,
      this.#leader.line,
    );
  }

  show(outputs: Outputs, time: number): void {
    this.#rod.show(outputs.rod);
    this.#net.show(outputs.net.grip, outputs.net.axis, outputs.fish);
    this.#bobber.position.set(...outputs.bobber);
    this.#line.show(this.#rod.run, outputs.line);
    this.#leader.show(outputs.leader);
    showFish(this.#fish, outputs.fish, time);
  }
}

class Thread {
  readonly line: Line<BufferGeometry, LineBasicMaterial>;
  readonly #places: BufferAttribute;

  constructor(count: number, color: number, opacity: number) {
    this.#places = new BufferAttribute(new Float32Array(count * 3), 3);
    const geometry = new BufferGeometry().setAttribute("position", this.#places);
    this.line = new Line(geometry, new LineBasicMaterial({ color, transparent: true, opacity }));
    this.line.frustumCulled = false;
    this.line.renderOrder = 3;
  }

  /** Through the points of each part, one after another. */
  show(...parts: readonly (readonly Vec[])[]): void {
    let count = 0;
    for (const part of parts)
      for (const [x, y, z] of part) this.#places.setXYZ(count++, x, y, z);
    this.line.geometry.setDrawRange(0, count);
    this.#places.needsUpdate = true;
  }
}

function bobberMesh(): Group {
  const group = new Group();
  const upper = new Mesh(
    new SphereGeometry(0.032, 16, 8, 0, Math.PI * 2, 0, Math.PI / 2),
    lambert(0xe0442f),
  );
  const lower = new Mesh(
    new SphereGeometry(0.032, 16, 8, 0, Math.PI * 2, Math.PI / 2, Math.PI / 2),
    lambert(0xf7f3ea),
  );
  const stick = new Mesh(new CylinderGeometry(0.0045, 0.0045, 0.1, 8), lambert(0xe0442f));
  stick.position.y = 0.06;
  group.add(upper, lower, stick);
  return group;
}

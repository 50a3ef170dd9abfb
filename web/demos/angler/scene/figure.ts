/** One angler with what belongs to him: body, seat and tackle, somewhere on the water. */
import { Group } from "three";
import type { Rig } from "../../../three/index.ts";
import { Angler } from "../body/angler.ts";
import type { BodyOptions } from "../body/arm.ts";
import type { Character } from "../body/mannequin.ts";
import type { Outputs } from "../session/outputs.ts";
import { Gizmos } from "./gizmos.ts";
import { Tackle } from "./tackle.ts";
import { seat } from "./world.ts";

export class Figure {
  readonly group = new Group();
  readonly angler: Angler;
  readonly gizmos = [new Gizmos(), new Gizmos()] as const;
  readonly #tackle = new Tackle();

  constructor(rig: Rig, { root, bones }: Character) {
    this.group.add(root, this.#tackle.group, seat());
    this.angler = new Angler(rig, root, bones);
  }

  show(outputs: Outputs, time: number, options: BodyOptions): void {
    this.angler.pose(outputs, options);
    this.#tackle.show(outputs, time);
  }
}

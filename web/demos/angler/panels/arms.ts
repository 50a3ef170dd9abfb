/** What the arms are doing, in numbers. */
import { Vector3 } from "three";
import { h } from "../../../ui/dom.ts";
import { panel, values } from "../../page.ts";
import type { Angler } from "../body/angler.ts";
import type { ArmReport } from "../body/arm.ts";
import { Plot } from "./plot.ts";

/** Milliseconds. */
const WRITE_EVERY = 120;
/** Seconds of the session. */
const LONGEST_STEP = 0.6;
const JOINTS = ["shoulder", "elbow", "wrist", "target"] as const;

/** A length as one reads it best. */
export function spell(metres: number): string {
  if (metres < 1e-3) return `${(metres * 1e6).toFixed(metres < 1e-5 ? 3 : 0)} µm`;
  return metres < 0.1 ? `${(metres * 1e3).toFixed(1)} mm` : `${metres.toFixed(3)} m`;
}

export class ArmsPanel {
  readonly element: HTMLElement;
  readonly #values = values([
    ["right", "Right wrist off its target"],
    ["left", "Left wrist off its target"],
    ["rate", "Right elbow turns"],
    ["flags", "Flags"],
    ["creep", "Creep of the upper arm's roll"],
  ]);
  readonly #places = JOINTS.map((name) => h("td", { "data-place": name }, "–"));
  readonly #plot = new Plot([
    // Over six powers of ten, from a nanometre.
    {
      name: "wrist error",
      unit: "µm",
      color: "--axis-z",
      scale: (metres) => Math.min(Math.max((Math.log10(metres + 1e-12) + 9) / 8, 0), 1),
    },
    {
      name: "elbow rate",
      unit: "°/s",
      color: "--accent",
      scale: (rate) => Math.min(rate / 600, 1),
    },
  ]);
  #written = -Infinity;
  /** Of the picture before. */
  #time = -Infinity;
  #angle = 0;
  /** Of the elbow, degrees a second. */
  #rate = 0;

  constructor() {
    this.element = panel(
      "The arms",
      this.#values.element,
      this.#plot.canvas,
      h(
        "p",
        { class: "plot-legend" },
        h("span", { class: "legend-error" }, "wrist error, 1 nm … 0.1 m, logarithmic"),
        h("span", { class: "legend-rate" }, "elbow rate, 0 … 600 °/s"),
      ),
      h(
        "table",
        { class: "places" },
        h("caption", {}, "Right arm, metres: x, y, z"),
        h(
          "tbody",
          {},
          ...JOINTS.map((name, i) =>
            h("tr", {}, h("th", { scope: "row" }, name), this.#places[i]!),
          ),
        ),
      ),
    );
  }

  /** `now`, milliseconds: while the session plays, numbers change too fast to be read and are written
   * less often. */
  show(time: number, angler: Angler, playing: boolean, now: number): void {
    const angle = flexion(angler.right);
    const seconds = Math.abs(time - this.#time);
    if (seconds > 0) {
      // A jump in time says nothing of speed, nor does the first picture.
      const turned = seconds < LONGEST_STEP ? Math.abs(angle - this.#angle) : 0;
      this.#rate = inDegrees(turned / seconds);
      this.#time = time;
      this.#angle = angle;
    }
    this.#plot.add(time, [angler.right.error, this.#rate]);
    if (playing && now - this.#written < WRITE_EVERY) return;
    this.#written = now;
    this.#write(angler);
  }

  #write({ right, left }: Angler): void {
    const values = this.#values;
    values.set("right", spell(right.error));
    values.set("left", spell(left.error));
    values.set("rate", `${this.#rate.toFixed(0)} °/s`);
    values.set("flags", [...new Set([...right.flags, ...left.flags])].join(", ") || "none");
    const creep = Math.max(Math.abs(right.creep), Math.abs(left.creep));
    values.set("creep", `${inDegrees(creep).toFixed(2)}°`);
    JOINTS.forEach((name, i) => {
      const numbers = right[name].toArray().map((x) => x.toFixed(5));
      this.#places[i]!.textContent = numbers.join("  ");
    });
  }
}

const inDegrees = (radians: number): number => (radians * 180) / Math.PI;

const UPPER = new Vector3();
const LOWER = new Vector3();

function flexion({ shoulder, elbow, wrist }: ArmReport): number {
  return UPPER.subVectors(elbow, shoulder).angleTo(LOWER.subVectors(wrist, elbow));
}

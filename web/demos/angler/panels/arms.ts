/** What the arms are doing, in numbers. */
import { h } from "../../../ui/dom.ts";
import { panel, values } from "../../page.ts";
import type { Angler, ArmReport } from "../body/angler.ts";
import { Plot } from "./plot.ts";

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
    ["creep", "Roll of the upper arm, crept"],
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
  #before: { time: number; angle: number; rate: number } = { time: 0, angle: 0, rate: 0 };

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

  show(time: number, angler: Angler): void {
    const { right, left } = angler;
    const angle = flexion(right);
    if (time !== this.#before.time) {
      const rate =
        (Math.abs(angle - this.#before.angle) / Math.abs(time - this.#before.time)) *
        (180 / Math.PI);
      this.#before = { time, angle, rate };
    }
    this.#values.set("right", spell(right.error));
    this.#values.set("left", spell(left.error));
    this.#values.set("rate", `${this.#before.rate.toFixed(0)} °/s`);
    this.#values.set("flags", [...new Set([...right.flags, ...left.flags])].join(", ") || "none");
    this.#values.set(
      "creep",
      `${((Math.max(Math.abs(right.creep), Math.abs(left.creep)) * 180) / Math.PI).toFixed(2)}°`,
    );
    JOINTS.forEach(
      (name, i) =>
        (this.#places[i]!.textContent = right[name]
          .toArray()
          .map((x) => x.toFixed(5))
          .join("  ")),
    );
    this.#plot.add(time, [right.error, this.#before.rate]);
  }
}

function flexion({ shoulder, elbow, wrist }: ArmReport): number {
  return elbow.clone().sub(shoulder).angleTo(wrist.clone().sub(elbow));
}

/** How exactly a direction is turned to one that is nearly opposite. */
import { h } from "../../../ui/dom.ts";
import { panel, values } from "../../page.ts";
import { largestMiss, METHODS, type Method } from "../from-to.ts";

export class FromToPanel {
  readonly element: HTMLElement;

  constructor() {
    const methods = Object.entries(METHODS) as [Method, string][];
    const rows = values(methods);
    const input = h("input", {
      type: "range",
      min: 0,
      max: 8,
      step: 0.25,
      value: 4,
      "aria-label": "Gap to opposite, as a power of ten",
    });
    const gapText = h("output", {});
    const show = (): void => {
      const gap = 10 ** -Number(input.value);
      gapText.textContent = `${gap.toExponential(1)} rad`;
      for (const [method] of methods) rows.set(method, largestMiss(method, gap).toExponential(1));
    };
    input.addEventListener("input", show);
    show();
    this.element = panel(
      "From one direction to another",
      h("label", { class: "gap" }, h("span", {}, "180° but for"), input, gapText),
      rows.element,
      h(
        "p",
        { class: "demo-note" },
        "The largest |R f − t| of 40 directions. Two-bone solvers meet such turns when a hand comes back to its shoulder.",
      ),
    );
  }
}

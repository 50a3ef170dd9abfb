/** A slider for each parameter. */
import type { CursorFollow } from "../../three/index.ts";
import { button, h } from "../../ui/dom.ts";
import { panel } from "../page.ts";
import { GROUPS, type Parameter } from "./parameters.ts";

const spell = ({ step, unit }: Parameter, value: number): string => {
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  return value.toFixed(digits) + (unit && unit !== "°" ? ` ${unit}` : unit);
};

export class SettingsPanel {
  readonly elements: HTMLElement[];
  readonly #shows: (() => void)[] = [];

  constructor(private readonly follow: CursorFollow) {
    const defaults = GROUPS.map(({ parameters }) => parameters.map((p) => p.read(follow)));
    const putBack = (): void => {
      GROUPS.forEach(({ parameters }, g) =>
        parameters.forEach((p, i) => p.write(follow, defaults[g]![i]!)),
      );
      for (const show of this.#shows) show();
    };
    this.elements = GROUPS.map(({ title, note, parameters }) =>
      panel(
        title,
        h("p", { class: "demo-note" }, note),
        ...parameters.map((p) => this.#slider(title, p)),
      ),
    );
    this.elements.push(
      h(
        "div",
        { class: "demo-panel" },
        button({
          icon: "undo",
          text: "Defaults",
          label: "Defaults of all parameters",
          class: "button-small",
          press: putBack,
        }),
      ),
    );
  }

  #slider(group: string, parameter: Parameter): HTMLElement {
    const { label, least, most, step } = parameter;
    const output = h("output", {});
    const input = h("input", {
      type: "range",
      min: least,
      max: most,
      step,
      "aria-label": `${group}: ${label}`,
    });
    const show = (): void => {
      const value = parameter.read(this.follow);
      input.value = String(value);
      output.value = spell(parameter, value);
      input.setAttribute("aria-valuetext", output.value);
      input.style.setProperty("--filled", `${((value - least) / (most - least)) * 100}%`);
    };
    input.addEventListener("input", () => {
      parameter.write(this.follow, Number(input.value));
      show();
    });
    this.#shows.push(show);
    show();
    return h("label", { class: "slider" }, h("span", {}, label), input, output);
  }
}

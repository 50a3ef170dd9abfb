/** Switches that break one thing each, to see what it was for. */
import { h } from "../../../ui/dom.ts";
import { panel, toggle } from "../../page.ts";
import type { BodyOptions } from "../body/arm.ts";

export interface Experiments {
  body: BodyOptions;
  gizmos: boolean;
  beside: boolean;
}

export function experimentsPanel(settings: Experiments, changed: () => void): HTMLElement {
  const { body } = settings;
  const row = (label: string, on: boolean, note: string, set: (on: boolean) => void): HTMLElement =>
    h(
      "div",
      { class: "experiment" },
      toggle(label, on, (value) => {
        set(value);
        changed();
      }).element,
      h("p", {}, note),
    );
  return panel(
    "Try it",
    row(
      "Marks at the joints",
      settings.gizmos,
      "Shoulder, elbow, wrist, target (a ring) and the pole (violet).",
      (on) => (settings.gizmos = on),
    ),
    row(
      "Target out of reach",
      body.beyond > 0,
      "The right hand is to go half a metre too far: the arm stays whole, and says what is missing.",
      (on) => (body.beyond = on ? 0.5 : 0),
    ),
    row(
      "Pole",
      body.pole,
      "Chooses the side of the elbow. Without it the bend of the base pose decides.",
      (on) => (body.pole = on),
    ),
    row(
      "Restore the base pose",
      body.restore,
      "Without it each frame starts from the frame before: the wrist stays right, and the arm's roll creeps. Play, and watch the degrees.",
      (on) => (body.restore = on),
    ),
    row(
      "A second angler beside",
      settings.beside,
      "A copy of the character with bones of its own, always solved with everything on.",
      (on) => (settings.beside = on),
    ),
  );
}

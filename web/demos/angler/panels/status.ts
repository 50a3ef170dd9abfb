/** Over the scene: what is going on, how hard the cast will be, how hard the line is pulled. */
import { h } from "../../../ui/dom.ts";
import { PHASES, type Phase } from "../session/phases.ts";
import { MOST_TENSION, type State } from "../session/state.ts";
import { powerOf } from "../session/step.ts";

const HOLD = "Hold Cast until the rod is back, then let go.";
const KEEP_HOLDING = "Keep holding Cast until the rod is back.";
const LET_GO_EARLY = "Let go too early: hold Cast until the rod is back.";

/** What there is to do, where the session has nothing to say itself. */
const HINTS: Partial<Record<Phase, string>> = {
  sit: HOLD,
  ready: HOLD,
  backcast: "Let go to cast; hold on to cast further.",
  wait: "Strike when the bobber goes under.",
  bite: "Strike now.",
  fight: "Reel, but let go before the line breaks.",
};

export class Status {
  readonly element: HTMLElement;
  readonly #phase = h("strong", { class: "status-phase" });
  readonly #message = h("span", { class: "status-message", role: "status" });
  readonly #power = new Bar("Power");
  readonly #tension = new Bar("Line");
  readonly #landed = h("span", { class: "status-landed" });

  constructor() {
    this.element = h(
      "div",
      { class: "status" },
      this.#phase,
      this.#message,
      this.#power.element,
      this.#tension.element,
      this.#landed,
    );
  }

  show(state: State): void {
    this.#phase.textContent = PHASES[state.phase];
    this.#phase.dataset["phase"] = state.phase;
    const message = state.message || hintFor(state);
    if (this.#message.textContent !== message) this.#message.textContent = message;
    const power = powerOf(state);
    this.#power.show(power, state.phase === "backcast" && state.isHolding, false);
    const tension = Math.hypot(...state.load) / MOST_TENSION;
    this.#tension.show(tension, state.phase === "fight", tension > 1);
    this.#landed.textContent = state.casts ? `${state.casts} cast, ${state.landed} landed` : "";
  }
}

/** A cast takes a long press: what is said depends on whether it still lasts. */
function hintFor({ phase, isHolding, casts }: State): string {
  const isOnTheWay = phase === "reach" || phase === "grip" || phase === "raise";
  if (isOnTheWay || phase === "ready") {
    if (isHolding) return KEEP_HOLDING;
    if (isOnTheWay || casts === 0) return LET_GO_EARLY;
  }
  return HINTS[phase] ?? "";
}

class Bar {
  readonly element: HTMLElement;
  readonly #meter = h("meter", { min: 0, max: 1, high: 0.85, low: 0.001, optimum: 0.5 });

  constructor(name: string) {
    this.element = h("label", { class: "bar" }, h("span", {}, name), this.#meter);
    this.#meter.setAttribute("aria-label", name);
  }

  show(value: number, visible: boolean, danger: boolean): void {
    this.element.hidden = !visible;
    this.element.classList.toggle("bar-danger", danger);
    this.#meter.value = Math.min(value, 1);
  }
}

/** Cast, strike, reel: what a person does, by button, finger or key. */
import { h, setPressed, spellKeys } from "../../../ui/dom.ts";
import type { Player } from "../player.ts";
import type { Phase } from "../session/phases.ts";
import type { SessionEvent } from "../session/session.ts";
import { degrees } from "../session/vec.ts";

type Unplaced = SessionEvent extends infer E
  ? E extends SessionEvent
    ? Omit<E, "time">
    : never
  : never;

interface Action {
  readonly name: string;
  readonly hint: string;
  /** While it is pressed, in phases in which that says something else. */
  readonly pressedHint?: (phase: Phase) => string;
  readonly key: string;
  readonly phases: readonly Phase[];
  readonly down: () => Unplaced;
  readonly up?: () => Unplaced;
}

export class Actions {
  readonly element: HTMLElement;
  readonly #buttons: {
    action: Action;
    button: HTMLButtonElement;
    hint: HTMLElement;
    isDown: boolean;
  }[];

  constructor(
    private readonly player: Player,
    private readonly changed: () => void,
  ) {
    const aim = h("input", {
      type: "range",
      min: -30,
      max: 30,
      step: 1,
      value: 8,
      "aria-label": "Aim of the cast, degrees to the left",
    });
    const yaw = (): number => degrees(Number(aim.value));
    const actions: Action[] = [
      {
        name: "Cast",
        hint: "hold, then let go",
        pressedHint: (phase) => (phase === "backcast" ? "let go to cast" : "keep holding"),
        key: "c",
        phases: ["sit", "reach", "grip", "raise", "ready", "backcast"],
        down: () => ({ kind: "hold", aim: yaw() }),
        up: () => ({ kind: "release", aim: yaw() }),
      },
      {
        name: "Strike",
        hint: "when it bites",
        key: "s",
        phases: ["settle", "wait", "bite"],
        down: () => ({ kind: "strike" }),
      },
      {
        name: "Reel",
        hint: "hold",
        key: "r",
        phases: ["wait", "strike", "fight"],
        down: () => ({ kind: "reel", on: true }),
        up: () => ({ kind: "reel", on: false }),
      },
    ];
    this.#buttons = actions.map((action) => {
      const hint = h("span", { class: "action-hint" }, action.hint);
      return { action, hint, isDown: false, button: this.#build(action, hint) };
    });
    this.element = h(
      "div",
      { class: "actions" },
      h("label", { class: "aim" }, h("span", {}, "Aim"), aim),
      ...this.#buttons.map(({ button }) => button),
    );
    window.addEventListener("keydown", (event) => this.#key(event, true));
    window.addEventListener("keyup", (event) => this.#key(event, false));
    window.addEventListener("blur", () => this.#buttons.forEach((_, i) => this.#up(i)));
  }

  #build(action: Action, hint: HTMLElement): HTMLButtonElement {
    const button = h(
      "button",
      {
        type: "button",
        class: "button action",
        title: `${action.name}  (${spellKeys(action.key.toUpperCase())})`,
        "aria-keyshortcuts": action.key.toUpperCase(),
      },
      h("span", { class: "action-name" }, action.name),
      hint,
    );
    const index = (): number => this.#buttons.findIndex((entry) => entry.button === button);
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      this.#down(index());
    });
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      button.addEventListener(type, () => this.#up(index()));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    return button;
  }

  #key(event: KeyboardEvent, down: boolean): void {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = this.#buttons.findIndex(({ button }) => button === document.activeElement);
    const index =
      event.key === " " || event.key === "Enter"
        ? focused
        : this.#buttons.findIndex(({ action }) => action.key === event.key.toLowerCase());
    if (index < 0) return;
    event.preventDefault();
    if (down) this.#down(index);
    else this.#up(index);
  }

  #down(index: number): void {
    const entry = this.#buttons[index]!;
    if (entry.isDown || entry.button.disabled) return;
    entry.isDown = true;
    this.#act(entry.action.down());
  }

  #up(index: number): void {
    const entry = this.#buttons[index]!;
    if (!entry.isDown) return;
    entry.isDown = false;
    if (entry.action.up) this.#act(entry.action.up());
  }

  #act(what: Unplaced): void {
    this.player.act({ ...what, time: this.player.time } as SessionEvent);
    this.changed();
  }

  show(phase: Phase): void {
    for (const { action, button, hint, isDown } of this.#buttons) {
      const text = (isDown && action.pressedHint?.(phase)) || action.hint;
      if (hint.textContent !== text) hint.textContent = text;
      button.disabled = !isDown && !action.phases.includes(phase);
      setPressed(button, isDown);
    }
  }
}

/** A number that is typed, stepped with the arrow keys, or dragged by its label. */
import { h } from "../ui/dom.ts";
import { number } from "./format.ts";

export interface NumberFieldOptions {
  /** Shown before the number and dragged; a letter or a word. */
  label: string;
  /** Full name for assistive technology. */
  name: string;
  axis?: "x" | "y" | "z" | "w";
  digits?: number;
  /** One arrow press, and one pixel of a drag. */
  step: number;
  /** False refuses the change. */
  start: () => boolean;
  change: (value: number) => void;
  finish: () => void;
  abort: () => void;
}

export class NumberField {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly handle: HTMLElement;
  private value: number | null = null;
  private dragging = false;

  constructor(private readonly options: NumberFieldOptions) {
    this.input = h("input", {
      class: "field-input",
      type: "text",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": options.name,
    });
    this.handle = h(
      "span",
      {
        class: `field-label ${options.axis ? `axis-${options.axis}` : ""}`,
        title: `${options.name}: drag to change`,
        "aria-hidden": "true",
      },
      options.label,
    );
    this.element = h("div", { class: "field" }, this.handle, this.input);
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("input", () => (this.input.dataset["dirty"] = "yes"));
    this.input.addEventListener("blur", () => this.typed());
    this.input.addEventListener("keydown", this.keyed);
    this.handle.addEventListener("pointerdown", this.down);
  }

  set(value: number | null): void {
    this.value = value;
    if (document.activeElement === this.input && this.input.dataset["dirty"]) return;
    const text = value === null ? "" : number(value, this.options.digits ?? 3);
    if (this.input.value !== text) this.input.value = text;
  }

  set readOnly(readOnly: boolean) {
    this.input.readOnly = readOnly;
    this.element.classList.toggle("field-locked", readOnly);
  }

  private readonly keyed = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey) {
      // Undo belongs to the document once nothing half-typed stands in the way.
      if (!this.input.dataset["dirty"] && /^[zys]$/i.test(event.key)) {
        event.preventDefault();
        this.input.blur();
        window.dispatchEvent(new KeyboardEvent("keydown", event));
      }
      return;
    }
    switch (event.key) {
      case "Enter":
        this.typed();
        this.input.select();
        break;
      case "Escape":
        delete this.input.dataset["dirty"];
        this.set(this.value);
        this.input.blur();
        break;
      case "ArrowUp":
      case "ArrowDown": {
        if (this.value === null || this.input.readOnly) break;
        event.preventDefault();
        const step =
          this.options.step * (event.shiftKey ? 10 : 1) * (event.key === "ArrowUp" ? 1 : -1);
        delete this.input.dataset["dirty"];
        this.once(this.value + step);
        break;
      }
    }
  };

  private typed(): void {
    if (!this.input.dataset["dirty"]) return;
    delete this.input.dataset["dirty"];
    const value = Number(this.input.value.trim().replace(",", "."));
    const shown = this.value === null ? "" : number(this.value, this.options.digits ?? 3);
    if (this.input.value.trim() === "" || !Number.isFinite(value) || this.input.value === shown)
      return this.set(this.value);
    this.once(value);
    this.set(this.value);
  }

  private once(value: number): void {
    if (this.input.readOnly || !this.options.start()) return;
    this.value = value;
    this.options.change(value);
    this.options.finish();
  }

  private readonly down = (event: PointerEvent): void => {
    if (this.input.readOnly || this.value === null || event.button !== 0) return;
    event.preventDefault();
    const from = event.clientX;
    const value = this.value;
    let started = false;
    this.dragging = true;
    this.handle.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent): void => {
      const pixels = moved.clientX - from;
      if (!started && Math.abs(pixels) < 3) return;
      if (!started && !this.options.start()) return stop(false);
      started = true;
      this.options.change(
        value + Math.round(pixels) * this.options.step * (moved.shiftKey ? 0.1 : 1),
      );
    };
    const stop = (keep: boolean): void => {
      if (!this.dragging) return;
      this.dragging = false;
      this.handle.removeEventListener("pointermove", move);
      window.removeEventListener("keydown", keyed, { capture: true });
      if (started) keep ? this.options.finish() : this.options.abort();
      else if (keep) this.input.focus();
    };
    const keyed = (key: KeyboardEvent): void => {
      if (key.key !== "Escape") return;
      key.stopPropagation();
      stop(false);
    };
    this.handle.addEventListener("pointermove", move);
    this.handle.addEventListener("pointerup", () => stop(true), { once: true });
    this.handle.addEventListener("pointercancel", () => stop(false), { once: true });
    window.addEventListener("keydown", keyed, { capture: true });
  };
}

/** The edge between view and timeline, dragged or moved with the arrow keys. */
import { h } from "../../ui/dom.ts";

const least = 120;

export class Splitter {
  readonly element = h("div", {
    class: "splitter",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "horizontal",
    "aria-label": "Height of the timeline",
    "aria-valuemin": least,
  });

  constructor(
    private readonly root: HTMLElement,
    private readonly panel: HTMLElement,
  ) {
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      const from = event.clientY + this.panel.clientHeight;
      const move = (moved: PointerEvent): void => this.set(from - moved.clientY);
      this.element.addEventListener("pointermove", move);
      this.element.addEventListener(
        "lostpointercapture",
        () => this.element.removeEventListener("pointermove", move),
        { once: true },
      );
    });
    this.element.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowUp" ? 16 : event.key === "ArrowDown" ? -16 : 0;
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.set(this.panel.clientHeight + step);
    });
  }

  private set(height: number): void {
    const value = Math.round(Math.min(Math.max(least, height), this.root.clientHeight * 0.7));
    this.root.style.setProperty("--timeline-height", `${value}px`);
    this.element.setAttribute("aria-valuenow", String(value));
  }
}

/** Play, pause, scrub: every instant of the session can be had again. */
import { button, h, relabel, select } from "../../../ui/dom.ts";
import { icon } from "../../../ui/icons.ts";
import type { Player } from "../player.ts";

export class Transport {
  readonly element: HTMLElement;
  readonly #slider = h("input", {
    type: "range",
    class: "time-slider",
    min: 0,
    max: 1,
    step: 0.001,
    value: 0,
    "aria-label": "Time in the session",
  });
  readonly #time = h("output", { class: "time-text" });
  readonly #play: HTMLButtonElement;
  #playing: boolean | null = null;

  constructor(
    private readonly player: Player,
    changed: () => void,
  ) {
    this.#play = button({
      icon: "pause",
      label: "Pause",
      keys: "Space",
      press: () => {
        player.playing = !player.playing;
        changed();
      },
    });
    this.#slider.addEventListener("input", () => {
      player.playing = false;
      player.seek(Number(this.#slider.value));
      changed();
    });
    const speed = select(
      "Speed",
      [
        ["0.1", "0.1×"],
        ["0.25", "0.25×"],
        ["0.5", "0.5×"],
        ["1", "1×"],
        ["2", "2×"],
      ] as const,
      (value) => {
        player.speed = Number(value);
        changed();
      },
    );
    speed.value = "1";
    this.element = h("div", { class: "transport" }, this.#play, this.#slider, this.#time, speed);
  }

  show(): void {
    const { player } = this;
    const end = Math.max(player.end, 0.001);
    this.#slider.max = String(end);
    this.#slider.value = String(player.time);
    this.#time.textContent = `${player.time.toFixed(2)} / ${player.end.toFixed(2)} s`;
    if (this.#playing === player.playing) return;
    this.#playing = player.playing;
    this.#play.replaceChildren(icon(player.playing ? "pause" : "play"));
    relabel(this.#play, player.playing ? "Pause" : "Play");
  }
}

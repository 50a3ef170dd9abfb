/** Play, step, loop and speed, the time as text, and the switches of the timeline. */
import { button, h, relabel, select, setPressed } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { number, seconds } from "../format.ts";
import { icon } from "../../ui/icons.ts";
import type { Loop } from "../../core/types.ts";
import type { Timeline } from "../timeline/timeline.ts";

const loops: {
  [key in Loop]: { icon: "repeat" | "once" | "ping-pong"; label: string; next: Loop };
} = {
  repeat: { icon: "repeat", label: "Loop: repeat", next: "ping-pong" },
  "ping-pong": { icon: "ping-pong", label: "Loop: to and fro", next: "once" },
  once: { icon: "once", label: "Loop: once", next: "repeat" },
};

export class Transport {
  readonly element: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly loop: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly fps: HTMLSelectElement;
  private readonly snap: HTMLButtonElement;
  private readonly only: HTMLButtonElement;
  private readonly needClip: HTMLButtonElement[];
  private readonly time = h("span", { class: "time-now" });
  private readonly frame = h("span", { class: "time-frame" });
  private readonly length = h("span", { class: "time-length" });

  constructor(
    private readonly editor: Editor,
    timeline: Timeline,
  ) {
    const { settings } = editor;
    this.play = button({
      icon: "play",
      label: "Play",
      keys: "Space",
      class: "button-play",
      press: () => editor.setPlaying(!editor.playing),
    });
    this.loop = button({
      icon: "repeat",
      label: "Loop",
      press: () => editor.set("loop", loops[settings.loop].next),
    });
    this.speed = select(
      "Speed",
      [0.1, 0.25, 0.5, 1, 1.5, 2].map((value) => [String(value), `${value}×`] as const),
      (value) => editor.set("speed", Number(value)),
    );
    this.fps = select(
      "Frames a second that the ruler shows; keys keep their times",
      [24, 25, 30, 48, 50, 60, 120].map((value) => [String(value), `${value} fps`] as const),
      (value) => editor.setFps(Number(value)),
    );
    this.snap = button({
      icon: "magnet",
      label: "Snap to frames (hold Alt for the opposite)",
      press: () => editor.set("snap", !settings.snap),
    });
    this.only = button({
      icon: "filter",
      label: "Only the selected joint",
      press: () => editor.set("onlySelected", !settings.onlySelected),
    });
    const previous = button({
      icon: "previous-key",
      label: "Previous key",
      keys: "ArrowUp",
      press: () => editor.stepToKey(-1),
    });
    const back = button({
      icon: "step-back",
      label: "Frame back",
      keys: "ArrowLeft",
      press: () => editor.stepFrame(-1),
    });
    const forward = button({
      icon: "step-forward",
      label: "Frame forward",
      keys: "ArrowRight",
      press: () => editor.stepFrame(1),
    });
    const next = button({
      icon: "next-key",
      label: "Next key",
      keys: "ArrowDown",
      press: () => editor.stepToKey(1),
    });
    const set = button({
      icon: "key-set",
      text: "Set key",
      label: "Set a key for the selected joint at the playhead",
      keys: "I",
      class: "set-key",
      press: () => editor.posing.setKey(),
    });
    this.needClip = [previous, back, this.play, forward, next, set];
    this.element = h(
      "div",
      { class: "transport", role: "toolbar", "aria-label": "Playback" },
      h("div", { class: "transport-group" }, previous, back, this.play, forward, next),
      h(
        "div",
        { class: "time", role: "group", "aria-label": "Playhead" },
        this.time,
        this.frame,
        this.length,
      ),
      h("div", { class: "transport-group" }, this.loop, this.speed, this.fps),
      set,
      h("span", { class: "spacer" }),
      h(
        "div",
        { class: "transport-group transport-view" },
        this.snap,
        this.only,
        button({ icon: "frame", label: "Fit the clip", keys: "Home", press: () => timeline.fit() }),
      ),
    );
    editor.on(["settings", "clip", "file", "document"], () => this.update());
    editor.on(["playing"], () => this.showPlaying());
    editor.on(["time", "clip", "settings", "document"], () => this.showTime());
    this.update();
    this.showTime();
  }

  private update(): void {
    const { editor } = this;
    const loop = loops[editor.settings.loop];
    this.loop.replaceChildren(icon(loop.icon));
    relabel(this.loop, loop.label);
    this.speed.value = String(editor.settings.speed);
    this.fps.value = String(editor.fps);
    setPressed(this.snap, editor.settings.snap);
    setPressed(this.only, editor.settings.onlySelected);
    this.needClip.forEach((element) => (element.disabled = editor.clipInfo === null));
  }

  private showPlaying(): void {
    const { playing } = this.editor;
    this.play.replaceChildren(icon(playing ? "pause" : "play"));
    relabel(this.play, playing ? "Pause" : "Play");
  }

  private showTime(): void {
    const { editor } = this;
    this.time.textContent = seconds(editor.time);
    this.frame.textContent = `frame ${number(editor.time * editor.fps, 1)}`;
    this.length.textContent = `of ${seconds(editor.duration)}`;
  }
}

/** The playhead while it plays: a clock, mapped to clip time by the core. */
import type { Editor } from "./editor.ts";

export class Playback {
  private last = 0;
  /** Seconds since the start of the first pass, before speed. */
  private elapsed = 0;
  private running = false;

  constructor(private readonly editor: Editor) {
    editor.on(["playing"], () => this.start());
    editor.on(["clip", "settings"], () => this.continueFrom(editor.time));
  }

  private start(): void {
    const { editor } = this;
    if (!editor.playing || this.running) return;
    this.running = true;
    this.last = performance.now();
    this.continueFrom(editor.time >= editor.duration ? 0 : editor.time);
    requestAnimationFrame(this.tick);
  }

  private continueFrom(time: number): void {
    this.elapsed = time / this.editor.settings.speed;
  }

  private readonly tick = (now: number): void => {
    const { editor } = this;
    if (!editor.playing) {
      this.running = false;
      return;
    }
    // A tab that was hidden must not leap.
    this.elapsed += Math.min(Math.max(0, now - this.last) / 1000, 0.25);
    this.last = now;
    const { duration, settings } = editor;
    editor.seek(editor.core.clipTime(duration, this.elapsed, settings.speed, settings.loop));
    if (settings.loop === "once" && this.elapsed * settings.speed >= duration)
      editor.setPlaying(false);
    requestAnimationFrame(this.tick);
  };
}

/** The dope sheet: a canvas that follows the editor. */
import { h, oncePerFrame } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { plural } from "../format.ts";
import { onThemeChange, readPalette } from "../viewport/palette.ts";
import { type Box, drawMoving, drawStill } from "./draw.ts";
import { TimelineInput } from "./input.ts";
import { makeRows, type Row, treeOrder } from "./rows.ts";
import { Scale } from "./scale.ts";

export class Timeline {
  readonly element = h("div", { class: "timeline-sheet" });
  readonly canvas = h("canvas", {
    class: "timeline-canvas",
    tabindex: 0,
    role: "application",
    "aria-label":
      "Dope sheet. Up and Down go to the previous and next key of the selected joint, I sets a key, Delete removes the selected keys.",
  });
  readonly scale = new Scale();
  rows: readonly Row[] = [];
  box: Box | null = null;

  private readonly empty = h("p", { class: "timeline-empty" });
  private readonly still = document.createElement("canvas");
  private order: number[] = [];
  private palette = readPalette();
  private stillIsStale = true;
  private rowsAreStale = true;
  private fitted = false;

  private readonly draw = oncePerFrame(() => this.drawNow());

  constructor(readonly editor: Editor) {
    this.element.append(this.canvas, this.empty);
    new TimelineInput(this);
    new ResizeObserver(() => this.resize()).observe(this.element);
    onThemeChange(() => {
      this.palette = readPalette();
      this.refresh();
    });
    editor.on(["file"], () => {
      this.order = treeOrder(editor.nodes);
      this.scale.scroll = 0;
    });
    editor.on(["file", "clip"], () => {
      this.fitted = false;
      this.refreshRows();
    });
    editor.on(["document", "settings"], () => this.refreshRows());
    editor.on(["keys", "pending"], () => this.refresh());
    editor.on(["node"], () => {
      this.refreshRows();
      this.revealNode();
    });
    editor.on(["time"], () => {
      if (editor.playing) this.follow();
      this.draw();
    });
  }

  /** View state that a draft keeps. */
  get view(): { zoom: number; origin: number; scroll: number } {
    return { zoom: this.scale.zoom, origin: this.scale.origin, scroll: this.scale.scroll };
  }

  set view(view: { zoom: number; origin: number; scroll: number }) {
    Object.assign(this.scale, view);
    this.fitted = true;
    this.refresh();
  }

  fit(): void {
    this.scale.fit(this.editor.duration);
    this.refresh();
  }

  zoomBy(factor: number): void {
    const at = this.scale.x(this.editor.time);
    const inSight = at >= this.scale.labels && at <= this.scale.width;
    this.scale.zoomAbout(inSight ? at : this.scale.labels + this.scale.span / 2, factor);
    this.refresh();
  }

  /** The still picture is out of date. */
  refresh(): void {
    this.stillIsStale = true;
    this.draw();
  }

  private refreshRows(): void {
    this.rowsAreStale = true;
    this.refresh();
  }

  /** Rows as they are now; input may come before the next picture. */
  updateRows(): void {
    if (!this.rowsAreStale) return;
    this.rowsAreStale = false;
    const { editor } = this;
    const only = editor.settings.onlySelected ? (editor.node ?? -1) : null;
    this.rows = makeRows(editor.clipInfo, this.order, only);
    this.scale.clampRows(this.rows.length);
    if (!this.fitted && this.scale.width > 1) {
      this.fitted = true;
      this.scale.fit(editor.duration);
    }
    this.empty.hidden = this.rows.length > 0;
    this.empty.textContent = this.whyEmpty(only);
    const keys = this.rows.reduce((sum, row) => sum + (row.track ? row.times.length : 0), 0);
    this.canvas.setAttribute(
      "aria-description",
      editor.clipInfo
        ? `${plural(this.rows.length ? this.rows.length - 1 : 0, "track")}, ${plural(keys, "key")}`
        : "No clip",
    );
  }

  private whyEmpty(only: number | null): string {
    const { editor } = this;
    if (!editor.session) return "";
    if (!editor.clipInfo)
      return editor.clips.length
        ? "The rest pose has no keys. Choose a clip to edit it."
        : "This file has no clips. Add one to animate it.";
    if (only !== null && editor.clipInfo.tracks.length)
      return editor.node === null
        ? "Select a joint to see its keys."
        : "The selected joint has no keys in this clip.";
    return "This clip has no keys yet. Select a joint, pose it, and a key is set at the playhead.";
  }

  private revealNode(): void {
    this.updateRows();
    const { node } = this.editor;
    let first = -1;
    let last = -1;
    this.rows.forEach((row, i) => {
      if (row.track?.node !== node) return;
      if (first < 0) first = i;
      last = i;
    });
    if (first < 0) return;
    this.scale.reveal(last, this.rows.length);
    this.scale.reveal(first, this.rows.length);
    this.refresh();
  }

  /** Turns the page when the playhead leaves it. */
  private follow(): void {
    const { scale, editor } = this;
    const x = scale.x(editor.time);
    if (x >= scale.labels && x <= scale.width) return;
    scale.origin = Math.max(-24 / scale.zoom, editor.time - 24 / scale.zoom);
    this.stillIsStale = true;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const ratio = Math.min(devicePixelRatio, 3);
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const coarse = matchMedia("(pointer: coarse)").matches;
    this.scale.width = width;
    this.scale.height = height;
    this.scale.labels = width < 520 ? 118 : 216;
    this.scale.rowHeight = coarse ? 30 : 22;
    this.rowsAreStale = this.stillIsStale = true;
    this.drawNow();
  }

  private drawNow(): void {
    if (!this.element.clientWidth) return;
    this.updateRows();
    const { scale, editor, rows, palette } = this;
    const sheet = { editor, scale, rows, palette };
    const ratio = this.canvas.width / scale.width;
    if (this.stillIsStale) {
      const context = this.still.getContext("2d")!;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawStill(context, sheet);
      this.stillIsStale = false;
    }
    const context = this.canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.still, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawMoving(context, sheet, this.box);
  }
}

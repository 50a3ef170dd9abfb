/** Drawing the dope sheet. The still part is kept on a canvas of its own; a moving playhead only copies it. */
import type { Interpolation } from "../../core/types.ts";
import type { Editor } from "../editor.ts";
import { nodeName } from "../format.ts";
import { lowerBound } from "../keys.ts";
import type { Palette } from "../viewport/palette.ts";
import { pathNames, shortPathNames, type Row } from "./rows.ts";
import type { Scale } from "./scale.ts";

export interface Sheet {
  editor: Editor;
  scale: Scale;
  rows: readonly Row[];
  palette: Palette;
}

const font = "12px system-ui, sans-serif";
const smallFont = "11px system-ui, sans-serif";

export function drawStill(context: CanvasRenderingContext2D, sheet: Sheet): void {
  const { scale, rows, palette } = sheet;
  context.clearRect(0, 0, scale.width, scale.height);
  context.fillStyle = palette.bg;
  context.fillRect(0, 0, scale.width, scale.height);
  const first = Math.max(0, scale.row(scale.ruler));
  const last = Math.min(rows.length - 1, scale.row(scale.height));

  drawBands(context, sheet, first, last);
  drawTicks(context, sheet);
  context.save();
  context.beginPath();
  context.rect(scale.labels, scale.ruler, scale.span, scale.height);
  context.clip();
  for (let i = first; i <= last; i++)
    drawKeys(context, sheet, rows[i]!, scale.y(i) + scale.rowHeight / 2);
  context.restore();
  drawLabels(context, sheet, first, last);
  drawRuler(context, sheet);
}

function drawBands(
  context: CanvasRenderingContext2D,
  { editor, scale, rows, palette }: Sheet,
  first: number,
  last: number,
): void {
  for (let i = first; i <= last; i++) {
    const row = rows[i]!;
    const y = scale.y(i);
    const chosen = row.track !== null && row.track.node === editor.node;
    context.fillStyle = chosen
      ? palette["row-selected"]
      : row.track === null
        ? palette["row-alt"]
        : palette.row;
    context.fillRect(0, y, scale.width, scale.rowHeight);
    if (row.first) {
      context.fillStyle = palette.line;
      context.fillRect(0, Math.round(y), scale.width, 1);
    }
  }
  // Beyond the clip's end nothing plays.
  const end = scale.x(editor.duration);
  if (end < scale.width) {
    context.fillStyle = palette.shade;
    context.globalAlpha = 0.3;
    const left = Math.max(end, scale.labels);
    context.fillRect(left, scale.ruler, scale.width - left, scale.height);
    context.globalAlpha = 1;
  }
}

function drawTicks(context: CanvasRenderingContext2D, { editor, scale, palette }: Sheet): void {
  const { step, parts } = scale.ticks(editor.fps);
  context.fillStyle = palette["grid-line"];
  for (
    let i = Math.max(0, Math.ceil(scale.origin / (step / parts)));
    i * (step / parts) <= scale.end;
    i++
  ) {
    const x = Math.round(scale.x((i * step) / parts));
    if (x < scale.labels) continue;
    context.globalAlpha = i % parts === 0 ? 1 : 0.4;
    context.fillRect(x, scale.ruler, 1, scale.height);
  }
  context.globalAlpha = 1;
}

function drawRuler(context: CanvasRenderingContext2D, { editor, scale, palette }: Sheet): void {
  const { step, parts } = scale.ticks(editor.fps);
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, scale.width, scale.ruler);
  context.fillStyle = palette.line;
  context.fillRect(0, scale.ruler - 1, scale.width, 1);
  context.save();
  context.beginPath();
  context.rect(scale.labels, 0, scale.span, scale.ruler);
  context.clip();
  context.font = smallFont;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const inFrames = step < 0.5;
  for (
    let i = Math.max(0, Math.ceil(scale.origin / (step / parts)) - parts);
    i * (step / parts) <= scale.end;
    i++
  ) {
    const time = (i * step) / parts;
    const x = Math.round(scale.x(time));
    const labelled = i % parts === 0;
    context.fillStyle = palette.faint;
    context.fillRect(x, scale.ruler - (labelled ? 9 : 5), 1, labelled ? 9 : 5);
    if (!labelled) continue;
    context.fillStyle = palette.dim;
    const text = inFrames ? `${Math.round(time * editor.fps)}` : `${Number(time.toFixed(3))}s`;
    context.fillText(text, x + 4, scale.ruler / 2 - 1);
  }
  context.restore();
  context.font = smallFont;
  context.fillStyle = palette.dim;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillText(inFrames ? "frames" : "seconds", scale.labels - 10, scale.ruler / 2);
}

function drawLabels(
  context: CanvasRenderingContext2D,
  sheet: Sheet,
  first: number,
  last: number,
): void {
  const { editor, scale, rows, palette } = sheet;
  context.fillStyle = palette.line;
  context.fillRect(scale.labels - 1, 0, 1, scale.height);
  context.textBaseline = "middle";
  const names = scale.labels < 160 ? shortPathNames : pathNames;
  for (let i = first; i <= last; i++) {
    const row = rows[i]!;
    const y = scale.y(i) + scale.rowHeight / 2 + 0.5;
    const chosen = row.track?.node === editor.node && row.track !== null;
    const path = row.track ? names[row.track.path] : "";
    context.font = smallFont;
    context.textAlign = "right";
    context.fillStyle = chosen ? palette.text : palette.dim;
    context.fillText(path, scale.labels - 10, y);
    if (!row.first && i !== first) continue;
    const room = scale.labels - 26 - context.measureText(path).width;
    context.font = font;
    context.textAlign = "left";
    context.fillStyle = chosen ? palette.accent : palette.text;
    if (!row.track) context.fillStyle = palette.dim;
    // The topmost row in sight repeats the name of a group that began above.
    if (!row.first) context.globalAlpha = 0.75;
    const name = row.track ? nodeName(editor.nodes[row.track.node]!) : "All keys";
    context.fillText(shorten(context, name, room), 12, y);
    context.globalAlpha = 1;
  }
}

function shorten(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let keep = text.length;
  while (keep > 1 && context.measureText(`${text.slice(0, keep)}…`).width > room) keep--;
  return `${text.slice(0, keep)}…`;
}

function drawKeys(context: CanvasRenderingContext2D, sheet: Sheet, row: Row, y: number): void {
  const { editor, scale, palette } = sheet;
  const { times, track } = row;
  if (!times.length) return;
  const [from, to] = [scale.x(times[0]!), scale.x(times[times.length - 1]!)];
  context.fillStyle = palette.faint;
  context.globalAlpha = 0.5;
  context.fillRect(
    Math.max(from, scale.labels),
    y - 0.5,
    Math.min(to, scale.width) - Math.max(from, scale.labels),
    1,
  );
  context.globalAlpha = 1;

  const last = lowerBound(times, scale.end + 8 / scale.zoom);
  const isSelected = selectionOf(sheet, row);
  let previous = -Infinity;
  for (
    let k = lowerBound(times, scale.time(scale.labels - 8));
    k < Math.min(last + 1, times.length);
    k++
  ) {
    const time = times[k]!;
    const x = scale.x(time);
    const next = k + 1 < times.length ? scale.x(times[k + 1]!) : Infinity;
    const selected = isSelected(time);
    // Keys closer than a pixel would only be drawn over one another.
    if (x - previous < 1 && !selected) continue;
    const size = Math.min(
      Math.max(Math.min(x - previous, next - x) * 0.46, 1.4),
      track ? 5.2 : 4.4,
    );
    previous = x;
    drawKey(context, x, y, size, track?.interpolation ?? "LINEAR");
    const pending =
      track !== null &&
      editor.posing.isPending(track.node, track.path) &&
      Math.abs(time - editor.time) < 1e-6;
    context.fillStyle = pending
      ? palette.pending
      : selected
        ? palette.accent
        : track
          ? palette.key
          : palette.dim;
    context.fill();
    if (size > 3) {
      context.lineWidth = 1;
      context.strokeStyle = selected ? palette.text : palette["key-line"];
      context.stroke();
    }
  }
}

/** Whether a mark is drawn as selected; in the summary, when any key of its column is. */
function selectionOf({ editor }: Sheet, { track }: Row): (time: number) => boolean {
  if (!editor.keys.size) return () => false;
  if (track) return (time) => editor.keys.has({ node: track.node, path: track.path, time });
  const times = new Set(editor.keys.list().map((key) => key.time));
  return (time) => times.has(time);
}

/** Squares hold their value, diamonds go straight, circles go smooth. */
function drawKey(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  interpolation: Interpolation,
): void {
  context.beginPath();
  if (interpolation === "STEP")
    context.rect(x - size * 0.8, y - size * 0.8, size * 1.6, size * 1.6);
  else if (interpolation === "CUBICSPLINE") context.arc(x, y, size * 0.9, 0, 2 * Math.PI);
  else {
    context.moveTo(x, y - size);
    context.lineTo(x + size, y);
    context.lineTo(x, y + size);
    context.lineTo(x - size, y);
  }
  context.closePath();
}

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export function drawMoving(
  context: CanvasRenderingContext2D,
  { editor, scale, palette }: Sheet,
  box: Box | null,
): void {
  if (box) {
    const [x, y, w, h] = [
      Math.min(box.x0, box.x1),
      Math.min(box.y0, box.y1),
      Math.abs(box.x1 - box.x0),
      Math.abs(box.y1 - box.y0),
    ];
    context.fillStyle = palette["accent-soft"];
    context.fillRect(x, y, w, h);
    context.strokeStyle = palette.accent;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, w, h);
  }
  if (!editor.clipInfo) return;
  const x = Math.round(scale.x(editor.time));
  if (x < scale.labels - 6 || x > scale.width + 6) return;
  const color = editor.posing.pending ? palette.pending : palette.accent;
  context.fillStyle = color;
  context.fillRect(x, scale.ruler - 8, 1.5, scale.height);
  context.beginPath();
  context.roundRect(x - 5.25, 5, 12, 12, 3);
  context.lineTo(x + 6.75, 15);
  context.lineTo(x + 0.75, scale.ruler - 2);
  context.lineTo(x - 5.25, 15);
  context.fill();
}

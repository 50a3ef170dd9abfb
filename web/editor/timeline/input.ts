/** Pointers, wheel and fingers on the dope sheet. */
import { setKey, moveKeys, type KeyRef } from "../commands.ts";
import { isTouch } from "../../ui/dom.ts";
import { findTrack, keyAt } from "../keys.ts";
import { keysOf, keysWithin, nearestKey, type Row } from "./rows.ts";
import type { Timeline } from "./timeline.ts";

type Drag =
  | { kind: "scrub" }
  | { kind: "press"; keys: KeyRef[]; grabbed: number; toggle: boolean }
  | { kind: "move"; keys: KeyRef[]; grabbed: number; earliest: number; moved: boolean }
  | { kind: "box"; before: KeyRef[] }
  | { kind: "pan" };

const slop = 4;

export class TimelineInput {
  private drag: Drag | null = null;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private start = { x: 0, y: 0 };
  private last = { x: 0, y: 0 };
  private pinch = 0;
  private lastTap = { time: 0, x: 0, y: 0 };

  constructor(private readonly timeline: Timeline) {
    const { canvas } = timeline;
    canvas.addEventListener("pointerdown", this.down);
    canvas.addEventListener("pointermove", this.move);
    canvas.addEventListener("pointerup", this.up);
    canvas.addEventListener("pointercancel", () => this.cancel());
    canvas.addEventListener("wheel", this.wheel, { passive: false });
    canvas.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.cancel();
    });
    window.addEventListener("keydown", this.keyed, { capture: true });
  }

  private place(event: MouseEvent): { x: number; y: number } {
    const box = this.timeline.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private readonly down = (event: PointerEvent): void => {
    const { timeline } = this;
    const { canvas, scale, editor } = timeline;
    const at = this.place(event);
    this.pointers.set(event.pointerId, at);
    if (!editor.session) return;
    canvas.setPointerCapture(event.pointerId);
    if (this.pointers.size === 2) {
      this.cancel();
      this.pinch = this.spread();
      return;
    }
    if (this.drag) return this.cancel();
    this.start = this.last = at;
    timeline.updateRows();
    if (event.button === 1) this.drag = { kind: "pan" };
    if (event.button !== 0) return;
    if (at.y < scale.ruler) {
      if (at.x < scale.labels || !editor.clipInfo) return;
      editor.setPlaying(false);
      this.drag = { kind: "scrub" };
      return this.scrub(at.x, event);
    }
    if (at.x < scale.labels) {
      this.drag = { kind: "pan" };
      return;
    }
    const found = this.find(at.x, at.y, isTouch(event) ? 16 : 9);
    const toggle = event.shiftKey || event.ctrlKey || event.metaKey;
    if (found) this.drag = { kind: "press", ...found, toggle };
    else if (isTouch(event)) this.drag = { kind: "pan" };
    else this.drag = { kind: "box", before: toggle ? editor.keys.list() : [] };
  };

  private readonly move = (event: PointerEvent): void => {
    const at = this.place(event);
    if (this.pointers.has(event.pointerId)) this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) return this.pinched();
    const { drag, timeline } = this;
    const { scale, editor } = timeline;
    if (!drag) return this.hover(at);
    const far = Math.hypot(at.x - this.start.x, at.y - this.start.y) > slop;
    switch (drag.kind) {
      case "scrub":
        this.scrub(at.x, event);
        break;
      case "press":
        if (!far) break;
        if (!drag.keys.every((key) => editor.keys.has(key)))
          editor.changeKeys((keys) =>
            drag.toggle ? keys.add(drag.keys) : keys.replace(drag.keys),
          );
        this.beginMove(drag.grabbed);
        this.moveTo(at.x, event);
        break;
      case "move":
        this.moveTo(at.x, event);
        break;
      case "pan":
        scale.pan(this.last.x - at.x, this.last.y - at.y, timeline.rows.length);
        timeline.refresh();
        break;
      case "box":
        if (far || timeline.box) this.boxTo(at, drag.before);
    }
    this.last = at;
  };

  private readonly up = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    this.pinch = 0;
    const { drag, timeline } = this;
    const { editor } = timeline;
    if (!drag) return;
    const at = this.place(event);
    const clicked = Math.hypot(at.x - this.start.x, at.y - this.start.y) <= slop && !timeline.box;
    this.drag = null;
    if (drag.kind === "move") {
      editor.end();
      this.adoptStoredTimes();
    } else if (drag.kind === "press") {
      const all = drag.keys.every((key) => editor.keys.has(key));
      editor.changeKeys((keys) =>
        !drag.toggle ? keys.replace(drag.keys) : all ? keys.remove(drag.keys) : keys.add(drag.keys),
      );
      const [only] = drag.keys;
      if (only) editor.selectNode(only.node);
    } else if (drag.kind === "box" && clicked && !drag.before.length)
      editor.changeKeys((keys) => keys.clear());
    if (timeline.box) {
      timeline.box = null;
      timeline.refresh();
    }
    if (clicked && drag.kind !== "move" && drag.kind !== "scrub") this.clicked(event, at, drag);
  };

  /** A click that dragged nothing: chooses the row's joint; the second of two sets a key. */
  private clicked(event: PointerEvent, at: { x: number; y: number }, drag: Drag): void {
    const { scale, rows, editor } = this.timeline;
    const row = rows[scale.row(at.y)];
    if (at.y < scale.ruler) return;
    if (drag.kind === "pan" && at.x < scale.labels && row?.track) editor.selectNode(row.track.node);
    if (drag.kind === "press" || at.x < scale.labels) return;
    const double =
      event.timeStamp - this.lastTap.time < 400 &&
      Math.hypot(at.x - this.lastTap.x, at.y - this.lastTap.y) < 12;
    this.lastTap = { time: double ? 0 : event.timeStamp, ...at };
    if (double && row) this.addKey(row, at.x, event);
    else if (isTouch(event)) editor.changeKeys((keys) => keys.clear());
  }

  private addKey(row: Row, x: number, event: PointerEvent): void {
    const { editor, scale } = this.timeline;
    const { track } = row;
    if (!track || editor.clip === null || !editor.session) return;
    const time = Math.fround(Math.max(0, this.snapped(scale.time(x), event)));
    if (keyAt(track.times, time) >= 0) return;
    editor.posing.discard();
    const key = { node: track.node, path: track.path, time };
    if (!editor.apply(setKey(editor.clip, { ...key, value: editor.valueAt(track, time) }))) return;
    editor.changeKeys((keys) => keys.replace([key]));
  }

  private find(x: number, y: number, reach: number): { keys: KeyRef[]; grabbed: number } | null {
    const { scale, rows } = this.timeline;
    const row = rows[scale.row(y)];
    const grabbed = row ? nearestKey(row, scale.time(x), reach / scale.zoom) : null;
    return row && grabbed !== null ? { keys: keysOf(rows, row, grabbed), grabbed } : null;
  }

  // ---- moving keys ----

  private beginMove(grabbed: number): void {
    const { editor } = this.timeline;
    const keys = editor.keys.list();
    const earliest = keys.reduce((least, key) => Math.min(least, key.time), Infinity);
    editor.setPlaying(false);
    editor.begin();
    this.drag = { kind: "move", keys, grabbed, earliest, moved: false };
  }

  private moveTo(x: number, event: PointerEvent): void {
    const { drag, timeline } = this;
    const { editor, scale } = timeline;
    if (drag?.kind !== "move" || editor.clip === null) return;
    const raw = scale.time(x) - scale.time(this.start.x);
    const delta = Math.max(this.snapped(drag.grabbed + raw, event) - drag.grabbed, -drag.earliest);
    if (!drag.moved && delta === 0) return;
    drag.moved = true;
    if (!editor.update(moveKeys(editor.clip, drag.keys, delta))) return;
    editor.changeKeys((keys) =>
      keys.replace(drag.keys.map((key) => ({ ...key, time: Math.fround(key.time + delta) }))),
    );
  }

  /** Selected times as the file stores them, should the core have rounded otherwise. */
  private adoptStoredTimes(): void {
    const { editor } = this.timeline;
    editor.changeKeys((keys) =>
      keys.replace(
        keys.list().flatMap((key) => {
          const times = findTrack(editor.clipInfo, key)?.times;
          const index = times ? keyAt(times, key.time) : -1;
          return index >= 0 ? [{ ...key, time: times![index]! }] : [];
        }),
      ),
    );
  }

  /** To the nearest frame when that is wanted; Alt turns the wish about. */
  private snapped(time: number, event: PointerEvent): number {
    const { settings, fps } = this.timeline.editor;
    return settings.snap !== event.altKey ? Math.round(time * fps) / fps : time;
  }

  private scrub(x: number, event: PointerEvent): void {
    const { editor, scale } = this.timeline;
    editor.seek(Math.max(0, this.snapped(scale.time(x), event)));
  }

  private boxTo(at: { x: number; y: number }, before: KeyRef[]): void {
    const { timeline, start } = this;
    const { scale, rows, editor } = timeline;
    timeline.box = {
      x0: Math.max(start.x, scale.labels),
      y0: Math.max(start.y, scale.ruler),
      x1: Math.max(at.x, scale.labels),
      y1: Math.max(at.y, scale.ruler),
    };
    const [left, right] = [Math.min(start.x, at.x), Math.max(start.x, at.x)];
    const [top, bottom] = [Math.min(start.y, at.y), Math.max(start.y, at.y)];
    const found = keysWithin(
      rows,
      scale.row(top),
      scale.row(bottom),
      scale.time(left),
      scale.time(right),
    );
    editor.changeKeys((keys) => {
      keys.replace(before);
      keys.add(found);
    });
  }

  private cancel(): void {
    const { drag, timeline } = this;
    this.drag = null;
    timeline.box = null;
    if (drag?.kind === "move") {
      timeline.editor.cancel();
      timeline.editor.changeKeys((keys) => keys.replace(drag.keys));
    } else if (drag?.kind === "box")
      timeline.editor.changeKeys((keys) => keys.replace(drag.before));
    timeline.refresh();
  }

  private readonly keyed = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !this.drag) return;
    event.preventDefault();
    event.stopPropagation();
    this.cancel();
  };

  // ---- looking about ----

  private hover(at: { x: number; y: number }): void {
    const { canvas, scale, editor } = this.timeline;
    if (!editor.session) return;
    const onKey = at.x >= scale.labels && at.y >= scale.ruler && this.find(at.x, at.y, 9) !== null;
    canvas.style.cursor = onKey
      ? "grab"
      : at.y < scale.ruler && at.x >= scale.labels
        ? "ew-resize"
        : at.x < scale.labels
          ? "pointer"
          : "";
  }

  private readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { timeline } = this;
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const { x } = this.place(event);
    if (event.ctrlKey || event.metaKey)
      timeline.scale.zoomAbout(x, Math.exp(-event.deltaY * unit * 0.0025));
    // Some systems turn shift and wheel into a sideways wheel by themselves.
    else if (event.shiftKey)
      timeline.scale.pan((event.deltaY || event.deltaX) * unit, 0, timeline.rows.length);
    else timeline.scale.pan(event.deltaX * unit, event.deltaY * unit, timeline.rows.length);
    timeline.refresh();
  };

  private spread(): number {
    const [a, b] = [...this.pointers.values()];
    return a && b ? Math.max(20, Math.abs(a.x - b.x)) : 1;
  }

  private pinched(): void {
    const [a, b] = [...this.pointers.values()];
    if (!a || !b || !this.pinch) return;
    const spread = this.spread();
    this.timeline.scale.zoomAbout((a.x + b.x) / 2, spread / this.pinch);
    this.pinch = spread;
    this.timeline.refresh();
  }
}

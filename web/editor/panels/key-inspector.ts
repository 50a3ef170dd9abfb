/** The selected keys: time, value, interpolation and tangents of one, a summary of several. */
import type { Interpolation, KeyValue, TrackInfo } from "../../core/types.ts";
import { moveKeys, removeKeys, setInterpolation, setKey, type KeyRef } from "../commands.ts";
import { button, h, oncePerFrame, replaceChildren, select } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { fromDegrees, toDegrees, type Triple } from "../euler.ts";
import { nodeName, number, plural, seconds } from "../format.ts";
import { findTrack, keyAt } from "../keys.ts";
import { NumberField } from "../number-field.ts";
import { pathNames } from "../timeline/rows.ts";

type Part = "value" | "inTangent" | "outTangent";
const letters = ["X", "Y", "Z", "W"] as const;

export class KeyInspector {
  readonly element = h("section", {
    class: "inspector-section key-section",
    "aria-label": "Selected keys",
    hidden: true,
  });
  private readonly time: NumberField;
  private readonly frame: NumberField;
  private readonly interpolation: HTMLSelectElement;
  private readonly stored = h("p", { class: "key-stored" });
  private fields: { part: Part; fields: NumberField[] }[] = [];
  /** What the fields were built for: they are kept while only numbers change. */
  private shape = "";
  private angles: Triple | undefined;
  private readonly schedule = oncePerFrame(() => this.update());

  constructor(private readonly editor: Editor) {
    this.time = this.timeField("Time", "Key time, seconds", 4, 0.005, (value) => value);
    this.frame = this.timeField("Frame", "Key time, frames", 2, 1, (value) => value / editor.fps);
    this.interpolation = select<Interpolation>(
      "Interpolation of the whole track",
      [
        ["STEP", "Step: hold"],
        ["LINEAR", "Linear"],
        ["CUBICSPLINE", "Cubic spline"],
      ],
      (value) => this.interpolate(value),
    );
    editor.on(["keys", "document", "clip", "file", "settings"], this.schedule);
  }

  /** The single selected key as it stands in its track. */
  private single(): { ref: KeyRef; track: TrackInfo; index: number; key: KeyValue } | null {
    const { editor } = this;
    const [ref] = editor.keys.list();
    if (editor.keys.size !== 1 || !ref || editor.clip === null) return null;
    const track = findTrack(editor.clipInfo, ref);
    const index = track ? keyAt(track.times, ref.time) : -1;
    return track && index >= 0
      ? { ref, track, index, key: editor.session!.key(editor.clip, track.index, index) }
      : null;
  }

  // ---- editing ----

  private timeField(
    label: string,
    name: string,
    digits: number,
    step: number,
    toTime: (value: number) => number,
  ): NumberField {
    const { editor } = this;
    let from: KeyRef | null = null;
    return new NumberField({
      label,
      name,
      digits,
      step,
      start: () => {
        from = this.single()?.ref ?? null;
        if (!from) return false;
        editor.begin();
        return true;
      },
      change: (value) => {
        const time = Math.max(0, toTime(value));
        if (
          !from ||
          editor.clip === null ||
          !editor.update(moveKeys(editor.clip, [from], time - from.time))
        )
          return;
        const moved = { ...from, time: Math.fround(time) };
        editor.changeKeys((keys) => keys.replace([moved]));
      },
      finish: () => editor.end(),
      abort: () => {
        editor.cancel();
        if (from) editor.changeKeys((keys) => keys.replace([from!]));
      },
    });
  }

  private valueField(
    part: Part,
    component: number,
    label: string,
    axis: "x" | "y" | "z" | "w" | undefined,
    degrees: boolean,
  ): NumberField {
    const { editor } = this;
    let base: { ref: KeyRef; key: KeyValue; values: number[] } | null = null;
    return new NumberField({
      label,
      name: `${{ value: "Key value", inTangent: "In tangent", outTangent: "Out tangent" }[part]} ${label}`,
      ...(axis && { axis }),
      digits: degrees ? 2 : 4,
      step: degrees ? 0.5 : 0.005,
      start: () => {
        const single = this.single();
        if (!single) return false;
        const { ref, key } = single;
        base = {
          ref,
          key,
          values: degrees ? [...(this.angles ?? toDegrees(key.value))] : [...(key[part] ?? [])],
        };
        editor.begin();
        return true;
      },
      change: (value) => {
        if (!base || editor.clip === null) return;
        const values = base.values.map((old, i) => (i === component ? value : old));
        if (degrees) this.angles = values as Triple;
        const changed = {
          ...base.ref,
          ...base.key,
          [part]: degrees ? fromDegrees(values) : values,
        };
        editor.update(setKey(editor.clip, { ...changed, time: base.ref.time }));
      },
      finish: () => editor.end(),
      abort: () => editor.cancel(),
    });
  }

  private interpolate(value: Interpolation): void {
    const { editor } = this;
    const single = this.single();
    if (single && editor.clip !== null)
      editor.apply(setInterpolation(editor.clip, single.ref, value));
    this.schedule();
  }

  private remove(): void {
    const { editor } = this;
    if (editor.clip !== null && editor.keys.size)
      editor.apply(removeKeys(editor.clip, editor.keys.list()));
  }

  // ---- showing ----

  private update(): void {
    const { editor } = this;
    this.element.hidden = editor.keys.size === 0;
    if (!editor.keys.size) {
      this.shape = "";
      return;
    }
    const single = this.single();
    if (!single) return this.showSeveral();
    const { ref, track, key } = single;
    const shape = `${ref.node}/${ref.path}/${track.interpolation}/${track.width}`;
    if (shape !== this.shape) {
      this.shape = shape;
      this.angles = undefined;
      this.build(track);
    }
    this.time.set(key.time);
    this.frame.set(key.time * editor.fps);
    this.interpolation.value = track.interpolation;
    for (const { part, fields } of this.fields) {
      const degrees = part === "value" && track.path === "rotation";
      if (degrees) this.angles = toDegrees(key.value, this.angles);
      const values = degrees ? this.angles! : (key[part] ?? []);
      fields.forEach((field, i) => field.set(values[i] ?? null));
    }
    this.stored.hidden = track.path !== "rotation";
    if (track.path === "rotation")
      this.stored.textContent = `Stored as x y z w: ${key.value.map((value) => number(value, 5)).join("  ")}`;
  }

  private head(title: string, detail: string): HTMLElement {
    return h(
      "div",
      { class: "key-head" },
      h("h3", {}, title),
      h("span", {}, detail),
      button({
        icon: "trash",
        label: "Delete the selected keys",
        keys: "Delete",
        press: () => this.remove(),
      }),
    );
  }

  private build(track: TrackInfo): void {
    const { editor } = this;
    const name = nodeName(editor.nodes[track.node]!);
    const parts: { part: Part; label: string }[] = [
      { part: "value", label: track.path === "rotation" ? "Value, degrees" : "Value" },
    ];
    if (track.interpolation === "CUBICSPLINE")
      parts.push(
        { part: "inTangent", label: "In tangent, a second" },
        { part: "outTangent", label: "Out tangent, a second" },
      );
    this.fields = parts.map(({ part }) => {
      const degrees = part === "value" && track.path === "rotation";
      const width = degrees ? 3 : track.width;
      return {
        part,
        fields: Array.from({ length: width }, (_, i) => {
          const spatial = track.path !== "weights";
          const label = spatial ? letters[i]! : String(i + 1);
          return this.valueField(
            part,
            i,
            label,
            spatial ? (label.toLowerCase() as "x") : undefined,
            degrees,
          );
        }),
      };
    });
    replaceChildren(
      this.element,
      this.head("Key", `${name} · ${pathNames[track.path]}`),
      h("div", { class: "path-fields path-fields-2" }, this.time.element, this.frame.element),
      h(
        "label",
        { class: "key-interpolation" },
        h("span", {}, "Interpolation"),
        this.interpolation,
      ),
      ...parts.map(({ label }, i) =>
        h(
          "div",
          { class: "path-row" },
          h("div", { class: "path-head" }, h("span", { class: "path-name" }, label)),
          h(
            "div",
            { class: `path-fields path-fields-${this.fields[i]!.fields.length > 3 ? 2 : 3}` },
            ...this.fields[i]!.fields.map((field) => field.element),
          ),
        ),
      ),
      this.stored,
    );
  }

  private showSeveral(): void {
    const keys = this.editor.keys.list();
    this.shape = "";
    const times = keys.map((key) => key.time);
    const tracks = new Set(keys.map((key) => `${key.node}/${key.path}`)).size;
    const [first, last] = [Math.min(...times), Math.max(...times)];
    replaceChildren(
      this.element,
      this.head(plural(keys.length, "key"), `on ${plural(tracks, "track")}`),
      h(
        "p",
        { class: "key-range" },
        first === last ? `All at ${seconds(first)}` : `${seconds(first)} to ${seconds(last)}`,
      ),
    );
  }
}

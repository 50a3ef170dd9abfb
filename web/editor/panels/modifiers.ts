/** The modifiers of the document, in the order in which they run, and what each reached at the playhead. */
import type { ModifierInfo } from "../../core/types.ts";
import { button, h, oncePerFrame, replaceChildren } from "../../ui/dom.ts";
import { addModifiers, enableModifier, removeModifier } from "../commands.ts";
import type { Editor } from "../editor.ts";
import { number } from "../format.ts";

interface Row {
  element: HTMLElement;
  enabled: HTMLInputElement;
  state: HTMLElement;
  remove: HTMLButtonElement;
}

export class Modifiers {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "modifiers", role: "list" });
  private readonly problem = h("p", { class: "modifiers-problem", role: "alert", hidden: true });
  private readonly picker = h("input", {
    type: "file",
    accept: ".json,application/json",
    class: "visually-hidden",
    tabindex: -1,
    "aria-label": "File of modifiers to add",
  });
  private readonly add: HTMLButtonElement;
  private rows: Row[] = [];
  private shown = "";

  constructor(private readonly editor: Editor) {
    this.add = button({
      icon: "add",
      label: "Add modifiers from file…",
      press: () => this.picker.click(),
    });
    this.element = h(
      "section",
      { class: "panel panel-modifiers", "aria-label": "Modifiers" },
      h("header", { class: "panel-header" }, h("h2", {}, "Modifiers"), this.add, this.picker),
      this.problem,
      this.list,
    );
    this.picker.addEventListener("change", () => {
      const file = this.picker.files?.[0];
      this.picker.value = "";
      if (file) void this.addFrom(file);
    });
    editor.on(
      ["file", "document", "evaluated"],
      oncePerFrame(() => this.update()),
    );
  }

  private update(): void {
    const { error, modifiers } = this.editor.session?.modifiers() ?? { error: null, modifiers: [] };
    this.problem.hidden = error === null;
    const problem = error ? `${error.message}${error.pointer && ` (at ${error.pointer})`}` : "";
    if (this.problem.textContent !== problem) this.problem.textContent = problem;
    const shown = JSON.stringify(modifiers.map(({ source }) => [source.type, source.name]));
    if (shown !== this.shown) {
      this.shown = shown;
      this.build(modifiers);
    }
    modifiers.forEach((modifier, i) => this.showState(this.rows[i]!, modifier));
  }

  private build(modifiers: readonly ModifierInfo[]): void {
    const focused = this.rows.findIndex(({ element }) => element.contains(document.activeElement));
    this.rows = modifiers.map((modifier, index) => this.row(modifier, index));
    replaceChildren(this.list, ...this.rows.map(({ element }) => element));
    // Who removes one by keyboard goes on from there.
    if (focused >= 0)
      (this.rows[Math.min(focused, this.rows.length - 1)]?.remove ?? this.add).focus();
  }

  private row({ source }: ModifierInfo, index: number): Row {
    const { editor } = this;
    const name = nameOf(source);
    const state = h("span", { class: "modifier-state", id: `modifier-state-${index}` });
    const enabled = h("input", {
      type: "checkbox",
      "aria-label": `Run ${name}`,
      "aria-describedby": state.id,
    });
    enabled.addEventListener("change", () => {
      // After a click the space bar belongs to playback again.
      if (!enabled.matches(":focus-visible")) enabled.blur();
      if (!editor.apply(enableModifier(index, enabled.checked))) this.update();
    });
    const remove = button({
      icon: "trash",
      label: `Remove ${name}`,
      press: () => this.remove(name, index),
    });
    const element = h(
      "div",
      { class: "modifier", role: "listitem" },
      h(
        "label",
        { title: name },
        enabled,
        h("span", { class: "modifier-name" }, name),
        source.name && h("span", { class: "modifier-type" }, source.type),
        state,
      ),
      remove,
    );
    return { element, enabled, state, remove };
  }

  private showState({ element, enabled, state }: Row, modifier: ModifierInfo): void {
    const { report } = modifier;
    const runs = modifier.source.enabled !== false;
    enabled.checked = runs;
    // Between an edit and the picture after it there is no report: the old words stay.
    if (runs && !report) return;
    const words = runs ? inWords(report!) : "off";
    if (state.textContent !== words) state.textContent = words;
    element.dataset["state"] =
      !runs || report!.weight === 0 ? "off" : report!.reached ? "reached" : "missed";
  }

  private async addFrom(file: File): Promise<void> {
    const { editor } = this;
    try {
      const modifiers = readModifiers(await file.text());
      if (editor.session) editor.apply(addModifiers(modifiers));
    } catch (error) {
      editor.fail(error, file.name);
    }
  }

  private remove(name: string, index: number): void {
    const { editor } = this;
    if (!editor.apply(removeModifier(index))) return;
    editor.tell(`Removed the modifier “${name}”.`, { label: "Undo", run: () => editor.undo() });
  }
}

const nameOf = (source: ModifierInfo["source"]): string => source.name || source.type;

/** The list in a file as `sinew pose --rig` takes it; the core looks at the modifiers themselves. */
function readModifiers(text: string): readonly unknown[] {
  const wanted = 'a file of modifiers is {"modifiers": […]}';
  let rig: unknown;
  try {
    rig = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON: ${(error as Error).message}; ${wanted}.`);
  }
  const list = (rig as { modifiers?: unknown } | null)?.modifiers;
  if (!Array.isArray(list)) throw new Error(`This has no list of modifiers; ${wanted}.`);
  if (!list.length) throw new Error("Its list of modifiers is empty.");
  return list;
}

/** What a modifier reports, such as "not reached: too far; 12.3 mm missing". */
function inWords(report: NonNullable<ModifierInfo["report"]>): string {
  const { weight, reached, flags, residual, unit } = report;
  if (weight === 0) return "weight 0 here: no effect";
  const why = flags.map((flag) => flag.replaceAll("_", " ")).join(", ");
  const amount = unit === "m" ? residual * 1000 : (residual * 180) / Math.PI;
  const missing = number(amount, amount < 100 ? 1 : 0);
  return [
    `${reached ? "reached" : "not reached"}${why && `: ${why}`}`,
    missing === "0" ? "" : `${missing}${unit === "m" ? " mm" : "°"} missing`,
    weight < 1 ? `weight ${number(weight, 2)}` : "",
  ]
    .filter(Boolean)
    .join("; ");
}

/** The clips of the document, and the rest pose above them. */
import { addClip, copyClip, removeClip, renameClip } from "../commands.ts";
import { button, h, oncePerFrame, replaceChildren } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { clipName, number, plural } from "../format.ts";
import { icon } from "../../ui/icons.ts";

export class Clips {
  readonly element: HTMLElement;
  private readonly list = h("div", {
    class: "clips",
    role: "listbox",
    "aria-label": "Clips",
    tabindex: 0,
  });
  private readonly tools: HTMLButtonElement[];
  private renaming = false;
  private shown = "";

  constructor(private readonly editor: Editor) {
    const copy = button({ icon: "copy", label: "Duplicate clip", press: () => this.copy() });
    const rename = button({ icon: "rename", label: "Rename clip", press: () => this.rename() });
    const remove = button({ icon: "trash", label: "Delete clip", press: () => this.remove() });
    this.tools = [copy, rename, remove];
    this.element = h(
      "section",
      { class: "panel panel-clips", "aria-label": "Clips" },
      h(
        "header",
        { class: "panel-header" },
        h("h2", {}, "Clips"),
        ...this.tools,
        button({ icon: "add", label: "Add clip", press: () => this.add() }),
      ),
      this.list,
    );
    this.list.addEventListener("click", (event) => {
      const item = (event.target as Element).closest<HTMLElement>("[data-clip]");
      if (item)
        editor.selectClip(item.dataset["clip"] === "rest" ? null : Number(item.dataset["clip"]));
    });
    this.list.addEventListener("dblclick", (event) => {
      if ((event.target as Element).closest("[data-clip]:not([data-clip=rest])")) this.rename();
    });
    this.list.addEventListener("keydown", (event) => this.keyed(event));
    editor.on(
      ["file", "document", "clip"],
      oncePerFrame(() => this.build()),
    );
  }

  private build(): void {
    if (this.renaming) return;
    const { editor } = this;
    // A drag changes the document many times a second, and this list hardly ever.
    const shown = JSON.stringify([
      editor.session !== null,
      editor.clip,
      editor.clips.map(({ name, duration }) => [name, duration]),
    ]);
    if (shown === this.shown && !this.list.querySelector("input")) return;
    this.shown = shown;
    const item = (id: string, name: string, detail: string, selected: boolean): HTMLElement =>
      h(
        "div",
        {
          class: "clip",
          role: "option",
          id: `clip-${id}`,
          "data-clip": id,
          "aria-selected": String(selected),
        },
        icon(id === "rest" ? "lock" : "clip"),
        h("span", { class: "clip-name" }, name),
        h("span", { class: "clip-detail" }, detail),
      );
    const items = editor.session
      ? [item("rest", "Rest pose", "read only", editor.clip === null)]
      : [];
    for (const clip of editor.clips) {
      const element = item(
        String(clip.index),
        clipName(clip),
        `${number(clip.duration, 2)} s`,
        clip.index === editor.clip,
      );
      element.title = `${clipName(clip)}: ${plural(clip.tracks.length, "track")}`;
      items.push(element);
    }
    replaceChildren(this.list, ...items);
    const current = this.list.querySelector<HTMLElement>("[aria-selected=true]");
    if (current) {
      this.list.setAttribute("aria-activedescendant", current.id);
      current.scrollIntoView({ block: "nearest" });
    }
    this.tools.forEach((tool) => (tool.disabled = editor.clip === null));
  }

  private unusedName(base: string): string {
    const names = new Set(this.editor.clips.map((clip) => clip.name));
    if (!names.has(base)) return base;
    for (let i = 2; ; i++) if (!names.has(`${base} ${i}`)) return `${base} ${i}`;
  }

  private add(): void {
    const { editor } = this;
    if (editor.session && editor.apply(addClip(this.unusedName("New clip"))))
      editor.selectClip(editor.clips.length - 1);
  }

  private copy(): void {
    const { editor } = this;
    const clip = editor.clipInfo;
    if (!clip) return;
    const name = this.unusedName(`${clipName(clip)} copy`);
    if (!editor.apply(copyClip(clip.index, name))) return;
    const made = editor.clips.findIndex((other) => other.name === name);
    if (made >= 0) editor.selectClip(made);
  }

  private remove(): void {
    const { editor } = this;
    const clip = editor.clipInfo;
    if (!clip || !editor.apply(removeClip(clip.index))) return;
    editor.tell(`Deleted the clip “${clipName(clip)}”.`, {
      label: "Undo",
      run: () => editor.undo(),
    });
  }

  private rename(): void {
    const { editor } = this;
    const clip = editor.clipInfo;
    const item = this.list.querySelector("[aria-selected=true] .clip-name");
    if (!clip || !item) return;
    const input = h("input", {
      class: "clip-rename",
      type: "text",
      "aria-label": "Name of the clip",
      value: clip.name,
    });
    item.replaceChildren(input);
    this.renaming = true;
    input.focus();
    input.select();
    const done = (keep: boolean): void => {
      if (!this.renaming) return;
      this.renaming = false;
      const name = input.value.trim();
      if (keep && name && name !== clip.name) editor.apply(renameClip(clip.index, name));
      this.build();
      this.list.focus();
    };
    input.addEventListener("keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Enter") done(true);
      else if (event.key === "Escape") done(false);
    });
    input.addEventListener("blur", () => done(true));
    for (const name of ["click", "dblclick"] as const)
      input.addEventListener(name, (event) => event.stopPropagation());
  }

  private keyed(event: KeyboardEvent): void {
    const { editor } = this;
    const at = editor.clip ?? -1;
    if (event.key === "ArrowDown" && at + 1 < editor.clips.length) editor.selectClip(at + 1);
    else if (event.key === "ArrowUp" && at >= 0) editor.selectClip(at === 0 ? null : at - 1);
    else if (event.key === "F2") this.rename();
    else if (event.key === "Delete") this.remove();
    else if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    event.stopPropagation();
  }
}

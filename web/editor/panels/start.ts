/** The start page: where to drop a file, what the server offers, and unsaved work to go on with. */
import { button, h, replaceChildren } from "../../ui/dom.ts";
import type { DraftSummary } from "../drafts.ts";
import { ago, plural, size } from "../format.ts";
import { icon } from "../../ui/icons.ts";
import type { ServedFile } from "../open.ts";

export interface StartActions {
  openFiles: () => void;
  openFolder: () => void;
  openServed: (file: ServedFile) => void;
  restore: (draft: DraftSummary) => void;
  forget: (draft: DraftSummary) => void;
}

export class Start {
  readonly element: HTMLElement;
  private readonly drafts = h("section", {
    class: "start-section",
    hidden: true,
    "aria-label": "Unsaved work",
  });
  private readonly served = h("section", {
    class: "start-section",
    hidden: true,
    "aria-label": "Files of this server",
  });
  private readonly samples = h("section", {
    class: "start-section",
    hidden: true,
    "aria-label": "Samples",
  });

  constructor(private readonly actions: StartActions) {
    this.element = h(
      "main",
      { class: "start" },
      h(
        "div",
        { class: "start-drop" },
        h("div", { class: "start-mark" }, icon("logo")),
        h("h1", {}, "Drop a model here"),
        h(
          "p",
          {},
          "GLB, glTF with its files, VRM or VRMA. It is opened in this page and goes nowhere else.",
        ),
        h(
          "div",
          { class: "start-buttons" },
          button({
            icon: "open",
            text: "Open files",
            label: "Open files",
            class: "button-primary",
            press: actions.openFiles,
          }),
          button({
            icon: "folder",
            text: "Open a folder",
            label: "Open a folder",
            press: actions.openFolder,
          }),
        ),
      ),
      this.drafts,
      this.served,
      this.samples,
      h(
        "p",
        { class: "start-more" },
        h("a", { href: "demos/" }, "Demos"),
        ": characters that move by what Sinew solves, in the page",
      ),
    );
  }

  showDrafts(drafts: readonly DraftSummary[]): void {
    this.drafts.hidden = !drafts.length;
    replaceChildren(
      this.drafts,
      h("h2", {}, "Unsaved work"),
      ...drafts.map((draft) =>
        h(
          "div",
          { class: "start-item" },
          button({
            icon: "undo",
            text: draft.name,
            label: `Go on with ${draft.name}`,
            class: "start-open",
            press: () => this.actions.restore(draft),
          }),
          h(
            "span",
            { class: "start-detail" },
            `${plural(draft.edits, "edit")}, ${ago(draft.savedAt)}`,
          ),
          button({
            icon: "trash",
            label: `Throw the draft of ${draft.name} away`,
            press: () => this.actions.forget(draft),
          }),
        ),
      ),
    );
  }

  showServed(files: readonly ServedFile[], samples: readonly ServedFile[]): void {
    this.list(this.served, "On this server", files);
    this.list(this.samples, "Samples", samples);
  }

  private list(section: HTMLElement, title: string, files: readonly ServedFile[]): void {
    section.hidden = !files.length;
    replaceChildren(
      section,
      h("h2", {}, title),
      ...files.map((file) =>
        h(
          "div",
          { class: "start-item" },
          button({
            icon: "mesh",
            text: file.name,
            label: `Open ${file.name}`,
            class: "start-open",
            press: () => this.actions.openServed(file),
          }),
          h("span", { class: "start-detail" }, size(file.size)),
        ),
      ),
    );
  }
}

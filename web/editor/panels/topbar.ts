/** The bar above: the file, history, findings, saving. */
import { button, h, relabel, replaceChildren } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { icon } from "../../ui/icons.ts";

export interface TopbarActions {
  open: () => void;
  save: () => void;
  home: () => void;
  findings: () => void;
  shortcuts: () => void;
}

export class Topbar {
  readonly element: HTMLElement;
  private readonly name = h("span", { class: "file-name" });
  private readonly unsaved = h(
    "span",
    {
      class: "file-unsaved",
      hidden: true,
      title: "Not saved to a file yet; kept as a draft in this browser",
    },
    "Edited",
  );
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly save: HTMLButtonElement;
  private readonly findings: HTMLButtonElement;

  constructor(
    private readonly editor: Editor,
    actions: TopbarActions,
  ) {
    this.undo = button({
      icon: "undo",
      label: "Undo",
      keys: "Control+Z",
      press: () => editor.undo(),
    });
    this.redo = button({
      icon: "redo",
      label: "Redo",
      keys: "Control+Shift+Z",
      press: () => editor.redo(),
    });
    this.save = button({
      icon: "save",
      text: "Save GLB",
      label: "Save as GLB",
      keys: "Control+S",
      class: "button-primary",
      press: actions.save,
    });
    this.findings = button({
      icon: "check",
      text: "0",
      label: "What the check found in this file",
      class: "findings-button",
      press: actions.findings,
    });
    this.element = h(
      "header",
      { class: "topbar" },
      h(
        "button",
        { type: "button", class: "brand", "aria-label": "Sinew: start page", title: "Start page" },
        icon("logo"),
        h("span", {}, "Sinew"),
      ),
      h("div", { class: "file" }, this.name, this.unsaved),
      h(
        "div",
        { class: "topbar-group", role: "group", "aria-label": "History" },
        this.undo,
        this.redo,
      ),
      h("span", { class: "spacer" }),
      this.findings,
      button({
        icon: "help",
        label: "Keyboard shortcuts",
        keys: "?",
        class: "topbar-help",
        press: actions.shortcuts,
      }),
      button({
        icon: "open",
        text: "Open",
        label: "Open files",
        keys: "Control+O",
        press: actions.open,
      }),
      this.save,
    );
    this.element.querySelector(".brand")!.addEventListener("click", actions.home);
    editor.on(["file", "document", "pending", "saved"], () => this.update());
    this.update();
  }

  /** Shows how many findings there are; null while that is not known. */
  setFindings(errors: number, warnings: number, others: number): void {
    const count = errors + warnings;
    this.findings.classList.toggle("has-errors", errors > 0);
    this.findings.classList.toggle("has-warnings", errors === 0 && warnings > 0);
    replaceChildren(
      this.findings,
      icon(errors ? "error" : warnings ? "warning" : "check"),
      count > 0 && h("span", {}, String(count)),
    );
    const words = `${errors} errors, ${warnings} warnings, ${others} notes`;
    this.findings.setAttribute("aria-label", `Findings: ${words}`);
    this.findings.title = `What the check found: ${words}`;
  }

  private update(): void {
    const { editor } = this;
    const { session } = editor;
    this.name.textContent = editor.file?.name ?? "";
    this.name.title = editor.file?.name ?? "";
    this.unsaved.hidden = !editor.hasUnsaved;
    this.undo.disabled = !session || (session.undoCount === 0 && !editor.posing.pending);
    this.redo.disabled = !session || session.redoCount === 0;
    relabel(this.undo, editor.undoTitle ? `Undo: ${editor.undoTitle}` : "Undo");
    relabel(this.redo, editor.redoTitle ? `Redo: ${editor.redoTitle}` : "Redo");
    this.save.disabled = !session;
    this.findings.hidden = !session;
    document.title = editor.file
      ? `${editor.hasUnsaved ? "• " : ""}${editor.file.name} – Sinew`
      : "Sinew";
  }
}

/** Short messages at the foot of the view. */
import { button, h, replaceChildren } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { icon } from "../../ui/icons.ts";

export class Toast {
  readonly element = h("div", { class: "toast", hidden: true });
  private timer = 0;

  constructor(private readonly editor: Editor) {
    editor.on(["file"], () => (this.element.hidden = true));
    editor.on(["notice"], () => this.show());
    this.element.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.element.addEventListener("pointerleave", () => this.hideIn(3000));
  }

  private show(): void {
    const { notice } = this.editor;
    if (!notice) return;
    this.element.setAttribute("role", notice.kind === "error" ? "alert" : "status");
    this.element.className = `toast toast-${notice.kind}`;
    replaceChildren(
      this.element,
      icon(notice.kind === "error" ? "error" : "info"),
      h("span", {}, notice.text),
      notice.action &&
        button({
          text: notice.action.label,
          label: notice.action.label,
          class: "button-small",
          press: () => this.act(notice.action!.run),
        }),
      button({ icon: "close", label: "Dismiss", press: () => (this.element.hidden = true) }),
    );
    this.element.hidden = false;
    this.hideIn(notice.kind === "error" || notice.action ? 12_000 : 5_000);
  }

  private act(run: () => void): void {
    this.element.hidden = true;
    run();
  }

  private hideIn(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.element.hidden = true), milliseconds);
  }
}

/** The dialogs: an error, the findings, the shortcuts, a choice of files. */
import { SinewError, type Finding } from "../../core/types.ts";
import { button, h, spellKeys } from "../../ui/dom.ts";
import { placeOf } from "../editor.ts";
import { plural } from "../format.ts";
import { icon } from "../../ui/icons.ts";
import { shortcutGroups } from "../shortcuts.ts";

/** Shows a modal dialog that removes itself when closed. */
function show(title: string, name: string, ...content: (Node | string)[]): HTMLDialogElement {
  const dialog = h(
    "dialog",
    { class: `dialog dialog-${name}`, "aria-label": title },
    h(
      "header",
      { class: "dialog-header" },
      h("h2", {}, title),
      button({ icon: "close", label: "Close", keys: "Escape", press: () => dialog.close() }),
    ),
    h("div", { class: "dialog-body", tabindex: 0, autofocus: true }, ...content),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function showError(
  file: string,
  error: unknown,
  advice: string,
  openAnother: () => void,
): void {
  const message = sentence(error instanceof Error ? error.message : String(error));
  const facts: [string, string][] = [];
  if (error instanceof SinewError) {
    const place = placeOf(error);
    if (place) facts.push(["Where", place]);
    facts.push(["Message", error.id]);
  }
  const dialog = show(
    `${file || "The file"} cannot be opened`,
    "error",
    h("p", { class: "error-text", role: "alert" }, icon("error"), h("span", {}, message)),
    h(
      "dl",
      { class: "error-facts" },
      ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    ),
    advice ? h("p", { class: "error-advice" }, advice) : "",
    h(
      "footer",
      { class: "dialog-footer" },
      button({ text: "Close", label: "Close", press: () => dialog.close() }),
      button({
        icon: "open",
        text: "Open another file",
        label: "Open another file",
        class: "button-primary",
        press: () => {
          dialog.close();
          openAnother();
        },
      }),
    ),
  );
}

const severities = [
  ["error", "Errors", "error"],
  ["warning", "Warnings", "warning"],
  ["info", "Notes", "info"],
] as const;

/** Findings of one kind stand together: a file may have thousands of them. */
const shownAlike = 200;

export function showFindings(
  file: string,
  findings: readonly Finding[],
  select: (node: number) => void,
): void {
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) {
    const kind = `${finding.severity} ${finding.id}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), finding]);
  }
  const card = ([first, ...more]: Finding[]): HTMLElement => {
    const finding = first!;
    const node = /^\/nodes\/(\d+)/.exec(finding.pointer)?.[1];
    const item = h(
      "li",
      { class: `finding severity-${finding.severity}` },
      h("p", {}, sentence(finding.message)),
      finding.fix && h("p", { class: "finding-fix" }, `Repair: ${finding.fix}.`),
      h(
        "p",
        { class: "finding-place" },
        h("code", {}, finding.pointer || "/"),
        h("code", { class: "finding-id" }, finding.id),
      ),
      more.length > 0 && alike(more),
    );
    if (node !== undefined) {
      const go = button({
        text: "Select node",
        label: "Select the node",
        class: "button-small",
        press: () => {
          select(Number(node));
          dialog.close();
        },
      });
      item.append(go);
    }
    return item;
  };
  const groups = severities.flatMap(([severity, title, drawing]) => {
    const own = [...kinds.values()].filter(([first]) => first?.severity === severity);
    if (!own.length) return [];
    const count = own.reduce((sum, kind) => sum + kind.length, 0);
    return [
      h(
        "h3",
        { class: `findings-title severity-${severity}` },
        icon(drawing),
        `${title} (${count.toLocaleString("en")})`,
      ),
      h("ul", { class: "findings" }, ...own.map(card)),
    ];
  });
  const dialog = show(
    "Findings",
    "findings",
    h(
      "p",
      { class: "dialog-lead" },
      findings.length
        ? `The check of ${file} found ${plural(findings.length, "thing")}.`
        : `The check found nothing wrong in ${file}.`,
    ),
    ...groups,
  );
}

function alike(findings: readonly Finding[]): HTMLElement {
  const list = h("ul", {});
  const details = h(
    "details",
    { class: "finding-more" },
    h("summary", {}, `${findings.length.toLocaleString("en")} more like this`),
    list,
  );
  details.addEventListener(
    "toggle",
    () => {
      const shown = findings
        .slice(0, shownAlike)
        .map((finding) =>
          h("li", {}, h("code", {}, finding.pointer), ` ${sentence(finding.message)}`),
        );
      if (findings.length > shownAlike)
        shown.push(
          h(
            "li",
            {},
            `And ${plural(findings.length - shownAlike, "other")}: “sinew check” lists them all.`,
          ),
        );
      list.append(...shown);
    },
    { once: true },
  );
  return details;
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

export function showShortcuts(): void {
  show(
    "Keyboard and mouse",
    "shortcuts",
    h(
      "div",
      { class: "shortcut-groups" },
      ...shortcutGroups().map(({ title, lines }) =>
        h(
          "section",
          {},
          h("h3", {}, title),
          h(
            "dl",
            {},
            ...lines.flatMap(({ keys, does }) => [
              h("dt", {}, ...keys.map((key) => h("kbd", {}, spellKeys(key)))),
              h("dd", {}, does),
            ]),
          ),
        ),
      ),
    ),
  );
}

/** Asks which of several models to open. */
export function chooseModel(paths: readonly string[], choose: (path: string) => void): void {
  const dialog = show(
    "Which model?",
    "choose",
    h("p", { class: "dialog-lead" }, "These files hold several models."),
    h(
      "div",
      { class: "choices" },
      ...paths.map((path) =>
        button({
          icon: "mesh",
          text: path,
          label: `Open ${path}`,
          class: "choice",
          press: () => {
            dialog.close();
            choose(path);
          },
        }),
      ),
    ),
  );
}

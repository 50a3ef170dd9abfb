/** The frame that the demo pages share: a bar over the scene, panels beside it, controls below. */
import { h } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";

export interface DemoPage {
  /** For buttons, right of the title. */
  readonly bar: HTMLElement;
  /** Holds the canvas and what floats over it. */
  readonly scene: HTMLElement;
  readonly panels: HTMLElement;
  readonly foot: HTMLElement;
}

/** Fills `root` with an empty page under this title. */
export function buildPage(root: HTMLElement, title: string): DemoPage {
  const bar = h(
    "header",
    { class: "demo-bar" },
    h(
      "a",
      { class: "demo-home", href: "../", title: "All demos", "aria-label": "All demos" },
      icon("logo"),
    ),
    h("h1", {}, title),
  );
  const scene = h("main", { class: "demo-scene", "aria-label": "Scene" });
  const panels = h("aside", { class: "demo-panels", "aria-label": "Panels" });
  const foot = h("footer", { class: "demo-foot" });
  root.className = "demo";
  root.replaceChildren(bar, scene, foot, panels);
  return { bar, scene, panels, foot };
}

/** A titled section of the panels. */
export function panel(title: string, ...children: (Node | string | false)[]): HTMLElement {
  return h(
    "section",
    { class: "demo-panel", "aria-label": title },
    h("h2", {}, title),
    ...children,
  );
}

/** A labelled checkbox; its box is `input`. */
export function toggle(
  label: string,
  on: boolean,
  change: (on: boolean) => void,
): { element: HTMLElement; input: HTMLInputElement } {
  const input = h("input", { type: "checkbox", checked: on });
  input.addEventListener("change", () => change(input.checked));
  return { element: h("label", { class: "demo-switch" }, input, h("span", {}, label)), input };
}

/** A list of names and values that change; `set` writes one of them. */
export function values<K extends string>(
  names: readonly (readonly [K, string])[],
): { element: HTMLElement; set: (key: K, text: string) => void } {
  const cells = new Map(names.map(([key]) => [key, h("dd", { "data-value": key }, "–")]));
  const element = h(
    "dl",
    { class: "demo-values" },
    ...names.flatMap(([key, name]) => [h("dt", {}, name), cells.get(key)!]),
  );
  return { element, set: (key, text) => (cells.get(key)!.textContent = text) };
}

/** Runs the page; what stops it is said in its place. */
export function start(root: HTMLElement, run: () => Promise<void>): void {
  run().catch((error: unknown) => {
    root.className = "demo-failed";
    root.textContent = `This demo cannot start: ${error instanceof Error ? error.message : String(error)}`;
    throw error;
  });
}

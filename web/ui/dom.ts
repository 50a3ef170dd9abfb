/** Building the page: elements, icons and the small controls that several panels share. */
import { icon, type IconName } from "./icons.ts";

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined>;

/** An element with attributes (true: present without a value; false, null: absent) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child)
      parent.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
  }
}

export function replaceChildren(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

export interface ButtonOptions {
  icon?: IconName;
  /** Shown beside the icon; without it the button is an icon alone, named by `label`. */
  text?: string;
  label: string;
  /** As aria-keyshortcuts spells it ("Control+Z"); shown in the tooltip. */
  keys?: string;
  class?: string;
  press: () => void;
}

export function button(options: ButtonOptions): HTMLButtonElement {
  const tip = options.keys ? `${options.label}  (${spellKeys(options.keys)})` : options.label;
  const element = h(
    "button",
    {
      type: "button",
      class: `button ${options.text ? "" : "button-icon"} ${options.class ?? ""}`.trim(),
      title: tip,
      // A name must hold the words that are seen; where the label does not, the words are the name.
      "aria-label": !options.text || options.label.includes(options.text) ? options.label : null,
      "aria-keyshortcuts": options.keys,
    },
    options.icon && icon(options.icon),
    options.text && h("span", {}, options.text),
  );
  element.addEventListener("click", (event) => {
    // After a mouse click the space bar belongs to playback again, not to this button.
    if (event.detail > 0) element.blur();
    options.press();
  });
  return element;
}

export const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);

const keyNames: Record<string, string> = {
  Control: isMac ? "⌘" : "Ctrl",
  Shift: isMac ? "⇧" : "Shift",
  Escape: "Esc",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** "Control+Z" as it stands on this person's keyboard. */
export function spellKeys(keys: string): string {
  if (keys.length < 2) return keys;
  return keys
    .split("+")
    .map((key) => keyNames[key] ?? key)
    .join(isMac ? "" : "+");
}

/** Changes the tooltip and, for an icon alone, the name. */
export function relabel(element: HTMLElement, label: string): void {
  const keys = element.getAttribute("aria-keyshortcuts");
  element.title = keys ? `${label}  (${spellKeys(keys)})` : label;
  if (element.classList.contains("button-icon")) element.setAttribute("aria-label", label);
}

export function setPressed(element: Element, pressed: boolean): void {
  element.setAttribute("aria-pressed", String(pressed));
}

/** A native select over fixed choices. */
export function select<T extends string>(
  label: string,
  choices: readonly (readonly [T, string])[],
  change: (value: T) => void,
): HTMLSelectElement {
  const element = h(
    "select",
    { class: "select", "aria-label": label, title: label },
    ...choices.map(([value, text]) => h("option", { value }, text)),
  );
  element.addEventListener("change", () => change(element.value as T));
  return element;
}

/** Coarse pointers (fingers) need larger targets. */
export const isTouch = (event: PointerEvent): boolean => event.pointerType !== "mouse";

export const reducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Calls `work` at most once a frame, however often the result is called. */
export function oncePerFrame(work: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      work();
    });
  };
}

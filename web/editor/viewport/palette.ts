/** The style sheet's colours for what is drawn on canvas. */
const names = [
  "bg",
  "panel",
  "line",
  "text",
  "dim",
  "faint",
  "accent",
  "accent-soft",
  "pending",
  "bone",
  "bone-line",
  "bone-edge",
  "axis-x",
  "axis-y",
  "axis-z",
  "key",
  "key-line",
  "row",
  "row-alt",
  "row-selected",
  "shade",
  "grid-line",
] as const;

export type ColorName = (typeof names)[number];
export type Palette = Record<ColorName, string> & { dark: boolean };

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const colors = Object.fromEntries(
    names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  );
  return { ...(colors as Record<ColorName, string>), dark: style.colorScheme !== "light" };
}

const light = matchMedia("(prefers-color-scheme: light)");

export function onThemeChange(listener: () => void): void {
  light.addEventListener("change", listener);
}

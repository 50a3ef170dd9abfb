/** How this person likes the editor, kept in the browser from one visit to the next. */
import type { Loop } from "../core/types.ts";

export type Tool = "select" | "rotate" | "move" | "scale";
export type Space = "local" | "world";

export interface Settings {
  tool: Tool;
  space: Space;
  /** A pose change writes its key at once. */
  autoKey: boolean;
  /** Dragged keys and the playhead land on frames. */
  snap: boolean;
  /** The timeline shows the selected joint alone. */
  onlySelected: boolean;
  loop: Loop;
  speed: number;
  skeleton: boolean;
  mesh: boolean;
  grid: boolean;
}

const name = "sinew.settings";
const defaults: Settings = {
  tool: "rotate",
  space: "local",
  autoKey: true,
  snap: true,
  onlySelected: false,
  loop: "repeat",
  speed: 1,
  skeleton: true,
  mesh: true,
  grid: true,
};

export function readSettings(): Settings {
  const settings = { ...defaults };
  try {
    const stored = JSON.parse(localStorage.getItem(name) ?? "{}") as Record<string, unknown>;
    for (const key of Object.keys(defaults) as (keyof Settings)[])
      if (typeof stored[key] === typeof defaults[key])
        Object.assign(settings, { [key]: stored[key] });
  } catch {
    // Storage may be forbidden or hold something else: the defaults serve.
  }
  return settings;
}

export function writeSettings(settings: Settings): void {
  try {
    localStorage.setItem(name, JSON.stringify(settings));
  } catch {
    // As above.
  }
}

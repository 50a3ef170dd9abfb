/** Keys, and the sheet that lists them: one table for both. */
import { removeKeys } from "./commands.ts";
import { isMac } from "../ui/dom.ts";
import type { Editor } from "./editor.ts";
import { keysWithin } from "./timeline/rows.ts";
import type { Timeline } from "./timeline/timeline.ts";
import type { Viewport } from "./viewport/viewport.ts";

export interface ShortcutContext {
  editor: Editor;
  viewport: Viewport;
  timeline: Timeline;
  save: () => void;
  open: () => void;
  help: () => void;
}

interface Shortcut {
  group: string;
  /** As aria-keyshortcuts spells them; Control is Command on a Mac. */
  keys: string[];
  does: string;
  /** Without it the line only describes what a pointer does. */
  run?: (context: ShortcutContext) => void;
}

const timelineZoom = 1.3;

const shortcuts: Shortcut[] = [
  {
    group: "Playback",
    keys: ["Space"],
    does: "Play or pause",
    run: ({ editor }) => editor.setPlaying(!editor.playing),
  },
  {
    group: "Playback",
    keys: ["ArrowLeft", ","],
    does: "Frame back",
    run: ({ editor }) => editor.stepFrame(-1),
  },
  {
    group: "Playback",
    keys: ["ArrowRight", "."],
    does: "Frame forward",
    run: ({ editor }) => editor.stepFrame(1),
  },
  {
    group: "Playback",
    keys: ["ArrowUp"],
    does: "Previous key",
    run: ({ editor }) => editor.stepToKey(-1),
  },
  {
    group: "Playback",
    keys: ["ArrowDown"],
    does: "Next key",
    run: ({ editor }) => editor.stepToKey(1),
  },
  {
    group: "Playback",
    keys: ["Shift+ArrowLeft"],
    does: "Start of the clip",
    run: ({ editor }) => editor.seek(0),
  },
  {
    group: "Playback",
    keys: ["Shift+ArrowRight", "End"],
    does: "End of the clip",
    run: ({ editor }) => editor.seek(editor.duration),
  },

  {
    group: "Posing",
    keys: ["R", "E"],
    does: "Rotate",
    run: ({ editor }) => editor.set("tool", "rotate"),
  },
  {
    group: "Posing",
    keys: ["G", "W"],
    does: "Move",
    run: ({ editor }) => editor.set("tool", "move"),
  },
  { group: "Posing", keys: ["S"], does: "Scale", run: ({ editor }) => editor.set("tool", "scale") },
  {
    group: "Posing",
    keys: ["L"],
    does: "Local or world axes",
    run: ({ editor }) => editor.set("space", editor.settings.space === "local" ? "world" : "local"),
  },
  {
    group: "Posing",
    keys: ["K"],
    does: "Auto key on or off",
    run: ({ editor }) => editor.set("autoKey", !editor.settings.autoKey),
  },
  { group: "Posing", keys: ["Shift"], does: "While dragging: finer" },
  { group: "Posing", keys: ["Control"], does: "While dragging: in steps" },
  {
    group: "Posing",
    keys: ["Escape"],
    does: "Give up the drag or the pose without a key; else select nothing",
    run: ({ editor }) => {
      if (editor.posing.discard()) return;
      if (editor.keys.size) editor.changeKeys((keys) => keys.clear());
      else editor.selectNode(null);
    },
  },

  {
    group: "Keys",
    keys: ["I", "Q"],
    does: "Set key for the selected joint",
    run: ({ editor }) => editor.posing.setKey(),
  },
  {
    group: "Keys",
    keys: ["Shift+I"],
    does: "Key the whole pose",
    run: ({ editor }) => editor.posing.keyWholePose(),
  },
  {
    group: "Keys",
    keys: ["Delete", "X", "Backspace"],
    does: "Delete the selected keys",
    run: ({ editor }) => {
      if (editor.clip !== null && editor.keys.size)
        editor.apply(removeKeys(editor.clip, editor.keys.list()));
    },
  },
  {
    group: "Keys",
    keys: ["A"],
    does: "Select all keys shown",
    run: ({ editor, timeline }) =>
      editor.changeKeys((keys) =>
        keys.replace(keysWithin(timeline.rows, 0, timeline.rows.length, -Infinity, Infinity)),
      ),
  },
  { group: "Keys", keys: ["Double-click"], does: "Add a key in a row" },
  { group: "Keys", keys: ["Drag"], does: "Move the selected keys; on nothing: box select" },
  { group: "Keys", keys: ["Alt"], does: "While dragging: the opposite of snap" },

  {
    group: "View",
    keys: ["F"],
    does: "Frame the selected joint",
    run: ({ editor, viewport }) => viewport.frame(editor.node),
  },
  {
    group: "View",
    keys: ["Home"],
    does: "Frame everything and fit the clip",
    run: ({ viewport, timeline }) => {
      viewport.frame(null);
      timeline.fit();
    },
  },
  {
    group: "View",
    keys: ["+"],
    does: "Zoom the timeline in",
    run: ({ timeline }) => timeline.zoomBy(timelineZoom),
  },
  {
    group: "View",
    keys: ["-"],
    does: "Zoom the timeline out",
    run: ({ timeline }) => timeline.zoomBy(1 / timelineZoom),
  },
  { group: "View", keys: ["Control+Wheel"], does: "Zoom the timeline about the pointer" },
  { group: "View", keys: ["Shift+Wheel"], does: "Move along the timeline" },

  { group: "Document", keys: ["Control+Z"], does: "Undo", run: ({ editor }) => editor.undo() },
  {
    group: "Document",
    keys: ["Control+Shift+Z", "Control+Y"],
    does: "Redo",
    run: ({ editor }) => editor.redo(),
  },
  { group: "Document", keys: ["Control+S"], does: "Save as GLB", run: ({ save }) => save() },
  { group: "Document", keys: ["Control+O"], does: "Open files", run: ({ open }) => open() },
  { group: "Document", keys: ["?"], does: "This sheet", run: ({ help }) => help() },
];

export function shortcutGroups(): { title: string; lines: Shortcut[] }[] {
  const titles = [...new Set(shortcuts.map((shortcut) => shortcut.group))];
  return titles.map((title) => ({
    title,
    lines: shortcuts.filter((shortcut) => shortcut.group === title),
  }));
}

/** How a pressed key is spelt in the table. */
export function spelling(event: KeyboardEvent): string {
  const key =
    event.key === " " ? "Space" : event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const control = isMac ? event.metaKey : event.ctrlKey;
  // The sign itself says whether shift was held to type it.
  const shift = event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key));
  return `${control ? "Control+" : ""}${shift ? "Shift+" : ""}${key}`;
}

export function listen(context: ShortcutContext): void {
  const byKey = new Map<string, Shortcut>();
  for (const shortcut of shortcuts)
    if (shortcut.run) for (const key of shortcut.keys) byKey.set(key, shortcut);
  window.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey) return;
    const target = event.target as Element | null;
    const typing =
      target?.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]") ?? false;
    if (typing && !event.ctrlKey && !event.metaKey) return;
    // A focused button or checkbox is pressed by the space bar.
    if (event.key === " " && target?.closest?.("button, summary, [type=checkbox]")) return;
    const shortcut = byKey.get(spelling(event));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run!(context);
  });
}

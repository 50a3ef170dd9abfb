/** The commands that the editor sends: the one place that knows how they are spelt. */
import type { Command, Interpolation, Path } from "../core/types.ts";

export interface TrackRef {
  node: number;
  path: Path;
}

/** A key is named by its track and its exact time, which survive undo; an index would not. */
export interface KeyRef extends TrackRef {
  time: number;
}

export interface NewKey extends KeyRef {
  value: readonly number[];
  inTangent?: readonly number[];
  outTangent?: readonly number[];
}

export const setKey = (clip: number, key: NewKey): Command => ({
  op: "key.set",
  clip,
  node: key.node,
  path: key.path,
  time: key.time,
  value: [...key.value],
  ...(key.inTangent && { inTangent: [...key.inTangent] }),
  ...(key.outTangent && { outTangent: [...key.outTangent] }),
});

/** The fields of a key reference alone: unknown fields are errors. */
const plain = (keys: readonly KeyRef[]): KeyRef[] =>
  keys.map(({ node, path, time }) => ({ node, path, time }));

export const batch = (commands: readonly Command[]): Command =>
  commands.length === 1 ? commands[0]! : { op: "batch", commands };

export const removeKeys = (clip: number, keys: readonly KeyRef[]): Command => ({
  op: "keys.remove",
  clip,
  keys: plain(keys),
});

export const moveKeys = (clip: number, keys: readonly KeyRef[], by: number): Command => ({
  op: "keys.move",
  clip,
  by,
  keys: plain(keys),
});

export const setInterpolation = (
  clip: number,
  track: TrackRef,
  interpolation: Interpolation,
): Command => ({
  op: "track.interpolation",
  clip,
  node: track.node,
  path: track.path,
  interpolation,
});

export const keyPose = (clip: number, time: number): Command => ({ op: "pose.key", clip, time });
export const addClip = (name: string): Command => ({ op: "clip.add", name });
export const renameClip = (clip: number, name: string): Command => ({
  op: "clip.rename",
  clip,
  name,
});
export const copyClip = (clip: number, name: string): Command => ({ op: "clip.copy", clip, name });
export const removeClip = (clip: number): Command => ({ op: "clip.remove", clip });
export const removeTrack = (clip: number, track: TrackRef): Command => ({
  op: "track.remove",
  clip,
  node: track.node,
  path: track.path,
});

/** As one step of the history; a failure names the modifier by its place in the list. */
export const addModifiers = (modifiers: readonly unknown[]): Command => ({
  op: "batch",
  commands: modifiers.map((modifier) => ({ op: "modifier.add", modifier })),
});
export const enableModifier = (modifier: number, enabled: boolean): Command => ({
  op: "modifier.set",
  modifier,
  fields: { enabled },
});
export const removeModifier = (modifier: number): Command => ({ op: "modifier.remove", modifier });

const titles: Record<string, string> = {
  "key.set": "Set key",
  "keys.remove": "Delete keys",
  "keys.move": "Move keys",
  "keys.paste": "Paste keys",
  "keys.scale": "Scale keys",
  "pose.key": "Key whole pose",
  "track.interpolation": "Change interpolation",
  "track.remove": "Remove track",
  "clip.add": "Add clip",
  "clip.rename": "Rename clip",
  "clip.copy": "Duplicate clip",
  "clip.remove": "Delete clip",
  "modifier.add": "Add modifiers",
  "modifier.set": "Change modifier",
  "modifier.move": "Move modifier",
  "modifier.remove": "Remove modifier",
};

/** What a command does, for the tooltips of undo and redo. */
export function title(command: Command | undefined): string {
  if (!command) return "";
  if (command.op === "batch") return title((command["commands"] as Command[])[0]);
  return titles[command.op] ?? command.op;
}

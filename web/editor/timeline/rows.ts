/** The rows of the dope sheet: a summary, then one a track, grouped by node in the order of the tree. */
import type { ClipInfo, NodeInfo, TrackInfo } from "../../core/types.ts";
import type { KeyRef } from "../commands.ts";
import { allTimes, keyAt, lowerBound } from "../keys.ts";

export interface Row {
  /** null: the summary of all tracks. */
  track: TrackInfo | null;
  /** The first row of its node carries the name. */
  first: boolean;
  times: Float32Array;
}

const pathOrder = { translation: 0, rotation: 1, scale: 2, weights: 3 };

export const pathNames = {
  translation: "Position",
  rotation: "Rotation",
  scale: "Scale",
  weights: "Morph weights",
};
export const shortPathNames = {
  translation: "Pos",
  rotation: "Rot",
  scale: "Scl",
  weights: "Morph",
};

/** Position of each node when the tree is read from top to bottom. */
export function treeOrder(nodes: readonly NodeInfo[]): number[] {
  const order = new Array<number>(nodes.length).fill(0);
  let next = 0;
  const stack = nodes
    .filter((node) => node.parent === null)
    .map((node) => node.index)
    .reverse();
  while (stack.length) {
    const index = stack.pop()!;
    order[index] = next++;
    stack.push(...[...(nodes[index]?.children ?? [])].reverse());
  }
  return order;
}

export function makeRows(
  clip: ClipInfo | null,
  order: readonly number[],
  only: number | null,
): Row[] {
  if (!clip) return [];
  const tracks = clip.tracks
    .filter((track) => only === null || track.node === only)
    .sort((a, b) => order[a.node]! - order[b.node]! || pathOrder[a.path] - pathOrder[b.path]);
  if (!tracks.length) return [];
  const rows: Row[] = [{ track: null, first: true, times: allTimes(tracks) }];
  tracks.forEach((track, i) =>
    rows.push({ track, first: tracks[i - 1]?.node !== track.node, times: track.times }),
  );
  return rows;
}

/** The keys that a mark in a row stands for: one, or in the summary a column of all tracks shown. */
export function keysOf(rows: readonly Row[], row: Row, time: number): KeyRef[] {
  if (row.track) return [{ node: row.track.node, path: row.track.path, time }];
  return rows.flatMap(({ track }) => {
    const index = track ? keyAt(track.times, time) : -1;
    return track && index >= 0
      ? [{ node: track.node, path: track.path, time: track.times[index]! }]
      : [];
  });
}

/** All keys of rows `from` … `to` between two times. */
export function keysWithin(
  rows: readonly Row[],
  from: number,
  to: number,
  start: number,
  end: number,
): KeyRef[] {
  const keys: KeyRef[] = [];
  for (let i = Math.max(0, from); i <= Math.min(to, rows.length - 1); i++) {
    const { track, times } = rows[i]!;
    if (!track) continue;
    for (let k = lowerBound(times, start); k < times.length && times[k]! <= end; k++)
      keys.push({ node: track.node, path: track.path, time: times[k]! });
  }
  return keys;
}

/** The key of a row nearest to a time, within a tolerance. */
export function nearestKey(row: Row, time: number, tolerance: number): number | null {
  const { times } = row;
  const at = lowerBound(times, time);
  let best: number | null = null;
  for (const index of [at - 1, at]) {
    const candidate = times[index];
    if (candidate === undefined || Math.abs(candidate - time) > tolerance) continue;
    if (best === null || Math.abs(candidate - time) < Math.abs(best - time)) best = candidate;
  }
  return best;
}

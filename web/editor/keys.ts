/** Which keys are selected, and finding keys in tracks. */
import type { ClipInfo, TrackInfo } from "../core/types.ts";
import type { KeyRef, TrackRef } from "./commands.ts";

export const trackId = (track: TrackRef): string => `${track.node}/${track.path}`;
export const keyId = (key: KeyRef): string => `${key.node}/${key.path}/${key.time}`;

export const findTrack = (clip: ClipInfo | null, track: TrackRef): TrackInfo | undefined =>
  clip?.tracks.find((other) => other.node === track.node && other.path === track.path);

/** Index of the first time that is at least `time`. */
export function lowerBound(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the key at this time, -1 when there is none. File times are float32, so `time` may be off by
 * its rounding. */
export function keyAt(times: ArrayLike<number>, time: number): number {
  const tolerance = Math.max(1e-6, Math.abs(time) * 2e-7);
  const index = lowerBound(times, time - tolerance);
  return index < times.length && times[index]! <= time + tolerance ? index : -1;
}

export class KeySelection {
  private readonly keys = new Map<string, KeyRef>();

  get size(): number {
    return this.keys.size;
  }

  has(key: KeyRef): boolean {
    return this.keys.has(keyId(key));
  }

  list(): KeyRef[] {
    return [...this.keys.values()];
  }

  replace(keys: Iterable<KeyRef>): void {
    this.keys.clear();
    this.add(keys);
  }

  add(keys: Iterable<KeyRef>): void {
    for (const { node, path, time } of keys)
      this.keys.set(keyId({ node, path, time }), { node, path, time });
  }

  remove(keys: Iterable<KeyRef>): void {
    for (const key of keys) this.keys.delete(keyId(key));
  }

  clear(): void {
    this.keys.clear();
  }

  /** Keeps only keys that the clip has; returns whether any was dropped. */
  keepThoseIn(clip: ClipInfo | null): boolean {
    const before = this.keys.size;
    const tracks = new Map(clip?.tracks.map((track) => [trackId(track), track]) ?? []);
    for (const [id, key] of this.keys) {
      const track = tracks.get(trackId(key));
      if (!track || keyAt(track.times, key.time) < 0) this.keys.delete(id);
    }
    return this.keys.size !== before;
  }
}

/** Every distinct key time of these tracks, sorted. */
export function allTimes(tracks: readonly TrackInfo[]): Float32Array {
  const times = new Set<number>();
  const added: Float32Array[] = [];
  for (const { times: own } of tracks) {
    // Most tracks of a clip share one array of times.
    if (
      added.some(
        (other) => other.length === own.length && other.every((time, i) => time === own[i]),
      )
    )
      continue;
    added.push(own);
    for (const time of own) times.add(time);
  }
  return Float32Array.from(times).sort();
}

/** The display rate that most keys of a clip lie on. Only shown; no key is moved by it. */
export function guessFps(clip: ClipInfo): number {
  const times = allTimes(clip.tracks);
  if (times.length < 3) return 30;
  const onGrid = (fps: number): number =>
    times.reduce(
      (count, time) => count + (Math.abs(time * fps - Math.round(time * fps)) < 0.02 ? 1 : 0),
      0,
    ) / times.length;
  for (const fps of [24, 30, 25, 60, 50, 120]) if (onGrid(fps) > 0.95) return fps;
  return 30;
}

/** The session as a clip of the mannequin, written by the core. */
import type { Core } from "../../core/types.ts";
import type { Angler } from "./body/angler.ts";
import { outputsOf } from "./session/outputs.ts";
import { stateAt, type Session } from "./session/session.ts";

export const RECORD_RATE = 30;

interface Key {
  node: string;
  path: "rotation" | "translation";
  time: number;
  value: number[];
}

/** A GLB: the model with a clip more, in which the angler does what he does in the session up to
 * `end`, sampled RECORD_RATE times a second. */
export function recordClip(
  core: Core,
  model: Uint8Array,
  session: Session,
  end: number,
  angler: Angler,
): Uint8Array<ArrayBuffer> {
  const keys = thinned(sample(session, end, angler));
  const file = core.open(model);
  try {
    const taken = new Set(file.clips().map(({ name }) => name));
    let clip = "angler";
    for (let i = 2; taken.has(clip); i++) clip = `angler ${i}`;
    file.begin();
    file.apply({
      op: "batch",
      commands: [
        { op: "clip.add", name: clip },
        { op: "keys.paste", clip, at: 0, keys },
      ],
    });
    file.end();
    const [saved] = file.save("glb");
    return saved!.bytes.slice();
  } finally {
    file.dispose();
  }
}

/** The keys of each track, in order of time. */
function sample(session: Session, end: number, angler: Angler): Key[][] {
  const tracks = new Map<string, Key[]>();
  const add = (key: Key): void => {
    const name = `${key.node}/${key.path}`;
    const track = tracks.get(name);
    if (track) track.push(key);
    else tracks.set(name, [key]);
  };
  const count = Math.floor(end * RECORD_RATE + 1e-6);
  for (let i = 0; i <= count; i++) {
    const time = i / RECORD_RATE;
    angler.pose(outputsOf(stateAt(session, time)), { pole: true, restore: true, beyond: 0 });
    for (const [node, bone] of Object.entries(angler.bones)) {
      add({ node, path: "rotation", time, value: bone.quaternion.toArray() });
      if (node === "hips") add({ node, path: "translation", time, value: bone.position.toArray() });
    }
  }
  return [...tracks.values()];
}

/** Without the keys inside a stretch where nothing changes. */
function thinned(tracks: readonly Key[][]): Key[] {
  const same = (a: Key | undefined, b: Key): boolean =>
    a !== undefined && a.value.every((v, i) => v === b.value[i]);
  return tracks.flatMap((track) =>
    track.filter(
      (key, i) => !same(track[i - 1], key) || (i + 1 < track.length && !same(track[i + 1], key)),
    ),
  );
}

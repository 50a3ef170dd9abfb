/** Makes ModelInfo and ClipInfo from the JSON that the core writes. */

import type { ClipInfo, Finding, Interpolation, MeshInfo, ModelInfo, NodeInfo, Path } from "./types.ts";
import type { SkinInfo, TrackInfo, Transform } from "./types.ts";
import type { Native } from "./native.ts";

interface ModelJson {
  generator: string;
  size: number;
  nodes: {
    name: string;
    parent: number | null;
    mesh: number | null;
    skin: number | null;
    camera: number | null;
    hasMatrix: boolean;
    rest: Transform;
    weightCount: number;
  }[];
  skins: { name: string; joints: number[] }[];
  meshes: { name: string; primitives: number; targets: number }[];
  warnings: Finding[];
}

/** The core writes the shortest decimals that name its 32-bit floats: these are the floats. */
const floats = <T extends number[]>(values: T): T => values.map(Math.fround) as T;

export function readModel(text: string): ModelInfo {
  const json = JSON.parse(text) as ModelJson;
  const nodes = json.nodes.map((node, index): NodeInfo => {
    const { translation, rotation, scale } = node.rest;
    const rest = {
      translation: floats(translation),
      rotation: floats(rotation),
      scale: floats(scale),
    };
    return { index, ...node, rest, children: [], isJoint: false };
  });
  for (const node of nodes) if (node.parent !== null) nodes[node.parent]?.children.push(node.index);
  const skins = json.skins.map((skin, index): SkinInfo => ({ index, ...skin }));
  for (const skin of skins)
    for (const joint of skin.joints) {
      const node = nodes[joint];
      if (node) node.isJoint = true;
    }
  const meshes = json.meshes.map((mesh, index): MeshInfo => ({ index, ...mesh }));
  const { generator, warnings } = json;
  return { generator, nodes, skins, meshes, size: Math.fround(json.size), warnings };
}

const PATHS: readonly Path[] = ["translation", "rotation", "scale", "weights"];
const INTERPOLATIONS: readonly Interpolation[] = ["STEP", "LINEAR", "CUBICSPLINE"];

/** node, path, interpolation, width, key count, address of the times */
type TrackJson = [number, number, number, number, number, number];
/** The same clip as that of the last description, or one whose tracks may be those of its clip
 * `from`. */
type ClipJson =
  | number
  | {
      name: string;
      duration: number;
      from: number | null;
      tracks: (number | TrackJson)[];
      markers: { time: number; name: string }[];
    };

function readTrack(native: Native, index: number, json: TrackJson): TrackInfo {
  const [node, path, interpolation, width, keyCount, times] = json;
  return {
    index,
    node,
    path: PATHS[path]!,
    interpolation: INTERPOLATIONS[interpolation]!,
    width,
    keyCount,
    times: native.floats(times, keyCount).slice(),
  };
}

const at = <T extends { index: number }>(item: T, index: number): T =>
  item.index === index ? item : { ...item, index };

/** `last` is what the description before gave. What did not change is the same object again. */
export function readClips(native: Native, text: string, last: readonly ClipInfo[]): ClipInfo[] {
  const json = JSON.parse(text) as ClipJson[];
  return json.map((clip, index): ClipInfo => {
    if (typeof clip === "number") return at(last[clip]!, index);
    const known = clip.from === null ? [] : last[clip.from]!.tracks;
    const tracks = clip.tracks.map((track, i) =>
      typeof track === "number" ? at(known[track]!, i) : readTrack(native, i, track),
    );
    const markers = clip.markers.map(({ time, name }) => ({ time: Math.fround(time), name }));
    return { index, name: clip.name, duration: Math.fround(clip.duration), tracks, markers };
  });
}

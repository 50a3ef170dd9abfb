import type { Bone, Object3D } from "three";
import { SinewError } from "../core/error.ts";
import type { Joints } from "./joints.ts";
import { noMemory, type Address, type Rig } from "./rig.ts";

type Finger = "Index" | "Middle" | "Ring" | "Little";
type Limb =
  | "UpperLeg"
  | "LowerLeg"
  | "Foot"
  | "Toes"
  | "Shoulder"
  | "UpperArm"
  | "LowerArm"
  | "Hand"
  | `Thumb${"Metacarpal" | "Proximal" | "Distal"}`
  | `${Finger}${"Proximal" | "Intermediate" | "Distal"}`;

/** The bones of VRM 1.0. */
export type HumanBone =
  | "hips"
  | "spine"
  | "chest"
  | "upperChest"
  | "neck"
  | "head"
  | "leftEye"
  | "rightEye"
  | "jaw"
  | `${"left" | "right"}${Limb}`;

/** Which objects of a scene are the bones of a human. */
export type HumanBones = Partial<Record<HumanBone, Object3D>>;

const NONE = 0xffffffff;

/** An sn_humanoid of the rig, until `exports.release`. The joints hold all the bones. `facing`: 1 for a
 * model that faces +z (glTF, VRM 1.0) in its rest pose, -1 for one that faces -z (VRM 0.x). */
export function allocateHumanoid(
  rig: Rig,
  joints: Joints,
  bones: HumanBones,
  facing: 1 | -1 = 1,
): Address {
  const x = rig.exports;
  const left = new Map<string, Object3D>(Object.entries(bones));
  const count = x.human_bone_count();
  const indices = Array.from({ length: count }, (_, bone) => {
    const name = rig.string(x.human_bone_name(bone));
    const object = left.get(name);
    left.delete(name);
    return object ? joints.indexOf(object) : NONE;
  });
  const [unknown] = left.keys();
  if (unknown !== undefined)
    throw new SinewError("argument", `there is no human bone "${unknown}"; the names are those of VRM 1.0`);
  const address = rig.allocate(x.humanoid_size());
  rig.words.set(indices, address / 4);
  rig.floats[address / 4 + count] = facing;
  return address;
}

/** All that may be bones: three.js bones and what they hang on, or where there are none, everything. */
function candidates(objects: readonly Object3D[], root: Object3D): Set<Object3D> {
  const found = new Set<Object3D>();
  for (const object of objects)
    if ((object as Bone).isBone)
      for (let at = object; at !== root && !found.has(at); at = at.parent!) found.add(at);
  return found.size > 0 ? found : new Set(objects);
}

/** The bones of a character by the names of the objects below `root`, in the manners of VRM, Mixamo,
 * Unreal, Blender, Biped and others. Only what the hierarchy confirms is taken: a lower arm that
 * hangs on an upper arm of its side; without a whole limb, or a trunk up to the head, there are
 * none. `facing` follows from the pose they stand in, in the root's axes: 1 is +z, -1 is -z.
 * Characters that are loaded with three-vrm know their bones better. */
export function findHumanBones(rig: Rig, root: Object3D): { bones: HumanBones; facing: 1 | -1 } {
  const objects: Object3D[] = [];
  root.traverse((object) => object !== root && objects.push(object));
  const count = objects.length;
  const chosen = candidates(objects, root);
  const encoder = new TextEncoder();
  const names = objects.map((object) => encoder.encode(`${object.name}\0`));
  const size = names.reduce((sum, name) => sum + name.length, 0);
  const x = rig.exports;
  const joints = x.joints_create(count);
  if (!joints) throw noMemory();
  const blocks = [joints];
  try {
    const list = rig.allocate(4 * count + size);
    blocks.push(list);
    const humanoid = rig.allocate(x.humanoid_size());
    blocks.push(humanoid);
    const index = new Map(objects.map((object, i) => [object, i]));
    const { floats, words } = rig;
    const bytes = new Uint8Array(x.memory.buffer);
    const rest = x.joints_rest(joints) / 4;
    const parents = x.joints_parents(joints) / 4;
    let text = list + 4 * count;
    objects.forEach((object, i) => {
      const { position, quaternion, scale } = object;
      floats.set([...position.toArray(), ...quaternion.toArray(), ...scale.toArray()], rest + 10 * i);
      words[parents + i] = index.get(object.parent!) ?? NONE;
      bytes.set(names[i]!, text);
      words[list / 4 + i] = chosen.has(object) ? text : 0;
      text += names[i]!.length;
    });
    rig.check(x.humanoid_from_names(joints, list, humanoid, rig.error));
    const bones: HumanBones = {};
    const boneCount = x.human_bone_count();
    for (let bone = 0; bone < boneCount; bone++) {
      const object = objects[rig.words[humanoid / 4 + bone]!];
      if (object) bones[rig.string(x.human_bone_name(bone)) as HumanBone] = object;
    }
    return { bones, facing: rig.floats[humanoid / 4 + boneCount]! < 0 ? -1 : 1 };
  } finally {
    for (const block of blocks) x.release(block);
  }
}

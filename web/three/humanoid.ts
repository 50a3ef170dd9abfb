import type { Object3D } from "three";
import { SinewError } from "../core/error.ts";
import type { Joints } from "./joints.ts";
import type { Address, Rig } from "./rig.ts";

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

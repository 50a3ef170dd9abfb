import type { Object3D } from "three";
import type { HumanBone, HumanBones } from "./humanoid.ts";

export type Side = "left" | "right";

const PARTS = {
  Thumb: ["Metacarpal", "Proximal", "Distal"],
  Index: ["Proximal", "Intermediate", "Distal"],
  Middle: ["Proximal", "Intermediate", "Distal"],
  Ring: ["Proximal", "Intermediate", "Distal"],
  Little: ["Proximal", "Intermediate", "Distal"],
};

export function fingerBones(side: Side): HumanBone[] {
  return Object.entries(PARTS).flatMap(([finger, parts]) =>
    parts.map((part) => `${side}${finger}${part}` as HumanBone),
  );
}

/** Those of the names that are there. */
export function pickBones(bones: HumanBones, names: readonly HumanBone[]): HumanBones {
  const picked: HumanBones = {};
  for (const name of names) {
    const bone = bones[name];
    if (bone) picked[name] = bone;
  }
  return picked;
}

/** Objects at the ends of fingers say how long the last bones are. */
export function tipsOf(fingers: readonly Object3D[]): Object3D[] {
  const isJoint = ({ type }: Object3D) => type === "Bone" || type === "Object3D";
  return fingers.flatMap(({ children }) => children.filter(isJoint));
}

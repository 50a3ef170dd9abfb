/** The rig of Sinew for any three.js scene. */

export { SinewError } from "../core/error.ts";
export type { ModuleSource } from "../core/compile.ts";
export { loadRig, type Rig } from "./rig.ts";
export {
  CursorFollow,
  type Activity,
  type CursorFollowModel,
  type CursorFollowSettings,
  type Gaze,
  type GazeLimits,
  type GazeMap,
  type GazeMaps,
  type PointerFilter,
} from "./cursor-follow.ts";
export {
  HandGrip,
  type Finger,
  type HandGripModel,
  type HandGripOptions,
  type HandGripSettings,
  type Palm,
  type Rod,
} from "./hand-grip.ts";
export {
  PropGrip,
  type Hold,
  type PropGripFlag,
  type PropGripModel,
  type PropGripSettings,
  type Wrist,
} from "./prop-grip.ts";
export type { Side } from "./hand-bones.ts";
export { findHumanBones, type HumanBone, type HumanBones } from "./humanoid.ts";
export { TwoBoneBatch } from "./two-bone-batch.ts";
export {
  TwoBoneIK,
  type TwoBoneChain,
  type TwoBoneFlag,
  type TwoBoneOptions,
  type TwoBonePole,
  type TwoBoneSettings,
} from "./two-bone-ik.ts";

/** What the panel changes, in the units in which it is read. */
import { MathUtils } from "three";
import type { Activity, CursorFollow, GazeLimits, PointerFilter } from "../../three/index.ts";

export interface Parameter {
  label: string;
  unit: string;
  least: number;
  most: number;
  step: number;
  read: (follow: CursorFollow) => number;
  write: (follow: CursorFollow, value: number) => void;
}

export interface Group {
  title: string;
  note: string;
  parameters: Parameter[];
}

type Channel = "head" | "eyes";
const limitsOf = (follow: CursorFollow, channel: Channel): GazeLimits =>
  channel === "head" ? follow.headLimits : follow.eyesLimits;
const filterOf = (follow: CursorFollow, channel: Channel): PointerFilter =>
  channel === "head" ? follow.headFilter : follow.eyesFilter;

function limit(label: string, channel: Channel, side: keyof GazeLimits, most: number): Parameter {
  return {
    label,
    unit: "°",
    least: 0,
    most,
    step: 1,
    read: (follow) => MathUtils.radToDeg(limitsOf(follow, channel)[side]),
    write: (follow, value) => (limitsOf(follow, channel)[side] = MathUtils.degToRad(value)),
  };
}

function filter(
  label: string,
  channel: Channel,
  field: keyof PointerFilter,
  unit: string,
  least: number,
  most: number,
): Parameter {
  return {
    label,
    unit,
    least,
    most,
    step: 0.1,
    read: (follow) => filterOf(follow, channel)[field],
    write: (follow, value) => (filterOf(follow, channel)[field] = value),
  };
}

function weight(label: string, activity: Activity): Parameter {
  return {
    label,
    unit: "",
    least: 0,
    most: 1,
    step: 0.05,
    read: ({ weights }) => weights[activity],
    write: ({ weights }, value) => (weights[activity] = value),
  };
}

type Plain = "headRate" | "eyesRate" | "neckShare" | "eyesWeight" | "fadeSeconds" | "distance";

function plain(
  label: string,
  field: Plain,
  unit: string,
  least: number,
  most: number,
  step: number,
): Parameter {
  return {
    label,
    unit,
    least,
    most,
    step,
    read: (follow) => follow[field],
    write: (follow, value) => (follow[field] = value),
  };
}

export const GROUPS: Group[] = [
  {
    title: "Head and neck",
    note: "Slower than the eyes: filtered more, limited, damped.",
    parameters: [
      limit("To a side", "head", "yaw", 60),
      limit("Up", "head", "up", 45),
      limit("Down", "head", "down", 45),
      plain("Neck's share", "neckShare", "", 0, 1, 0.05),
      plain("Speed", "headRate", "/s", 0.5, 20, 0.5),
      filter("Steadiness", "head", "minCutoff", "Hz", 0.1, 5),
      filter("Eagerness", "head", "beta", "", 0, 3),
    ],
  },
  {
    title: "Eyes",
    note: "From the face, after the head has turned.",
    parameters: [
      limit("To a side", "eyes", "yaw", 45),
      limit("Up", "eyes", "up", 30),
      limit("Down", "eyes", "down", 30),
      plain("Weight", "eyesWeight", "", 0, 1, 0.05),
      plain("Speed", "eyesRate", "/s", 0.5, 40, 0.5),
      filter("Steadiness", "eyes", "minCutoff", "Hz", 0.1, 5),
      filter("Eagerness", "eyes", "beta", "", 0, 3),
    ],
  },
  {
    title: "Weights",
    note: "How much of the head's turn is added to what a clip does.",
    parameters: [
      weight("Still", "still"),
      weight("Idle", "idle"),
      weight("Drag", "drag"),
      weight("Action", "action"),
      plain("Fade", "fadeSeconds", "s", 0.05, 2, 0.05),
    ],
  },
  {
    title: "The plane",
    note: "Faces the camera, in front of the head; at most half way to the camera.",
    parameters: [plain("Distance", "distance", "m", 0.2, 3, 0.1)],
  },
];

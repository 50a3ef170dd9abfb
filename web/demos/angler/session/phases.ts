/** What the angler is after in each phase: a goal for every channel, and how long getting there takes. */
import type { Channel, Channels } from "./channels.ts";
import { HOLDER, LANDING, NET, NET_REST } from "./layout.ts";
import { drift } from "./random.ts";
import { addScaled, degrees, normalize, subtract, type Vec } from "./vec.ts";

export const PHASES = {
  sit: "Sitting",
  reach: "Reaching for the rod",
  grip: "Closing the hand",
  raise: "Raising the rod",
  ready: "Ready to cast",
  backcast: "Backcast",
  forward: "Forward cast",
  flight: "Line flying",
  settle: "Settling",
  wait: "Waiting for a bite",
  bite: "A bite!",
  strike: "Strike",
  fight: "Fighting the fish",
  reelIn: "Reeling in",
  netReach: "Reaching for the net",
  netGrip: "Taking the net",
  scoop: "Scooping",
  lift: "Lifting",
  show: "Landed!",
  free: "Letting it go",
  stow: "Putting the rod down",
} as const;
export type Phase = keyof typeof PHASES;

/** What a goal may depend on. */
export interface Situation {
  readonly seed: number;
  /** Seconds since the phase began. */
  readonly since: number;
  readonly aim: number;
  /** Of the last cast, 0 … 1. */
  readonly power: number;
  /** 0 … 1, and so is how much of what the line holds pulls; neither jumps. */
  readonly reeling: number;
  readonly strain: number;
  readonly bobber: Vec;
  readonly fish: Vec | null;
}

export interface Goal {
  readonly channels: Channels;
  /** Seconds until they are reached, and for some channels others. */
  readonly time: number;
  readonly times?: Readonly<Partial<Record<Channel, number>>>;
}

/** Of the rod when the line is let go. The tip moves across the rod: later than this it moves down. */
export const RELEASE_ELEVATION = degrees(100);
const FORWARD_SECONDS = { weak: 0.48, strong: 0.28 };

type Part = Partial<Channels>;

const rod = (grip: Vec, elevation: number, yaw: number): Part => ({
  rodX: grip[0],
  rodY: grip[1],
  rodZ: grip[2],
  rodElevation: degrees(elevation),
  rodYaw: yaw,
});

const look = (at: Vec): Part => ({ lookX: at[0], lookY: at[1], lookZ: at[2] });

/** The net with its hoop at a point and the hand as near as it can be to `hand`. */
function net(hoop: Vec, hand: Vec): Part {
  const axis = normalize(subtract(hoop, hand));
  const grip = addScaled(hoop, axis, -NET.reach);
  return {
    netX: grip[0],
    netY: grip[1],
    netZ: grip[2],
    netYaw: Math.atan2(axis[0], axis[2]),
    netElevation: Math.asin(axis[1]),
  };
}

const bothHands: Part = { rightOnRod: 1, leftOnRod: 1, leftOnNet: 0, rightCurl: 1, leftCurl: 1 };
const netInHand: Part = { rightOnRod: 1, leftOnRod: 0, leftOnNet: 1, rightCurl: 1, leftCurl: 1 };
const netHand: Vec = [0.28, 0.6, 0.34];
/** The hoop goes in under the fish. */
const below = (fish: Vec): Vec => [fish[0], fish[1] - 0.07, fish[2]];
const netAtRest = net(NET_REST.hoop, NET_REST.grip);

/** At rest: what every goal changes something of. */
const rest = {
  ...rod(HOLDER.grip, 0, HOLDER.yaw),
  rodElevation: HOLDER.elevation,
  lean: degrees(5),
  twist: 0,
  rightOnRod: 0,
  leftOnRod: 0,
  leftOnNet: 0,
  rightCurl: 0.18,
  leftCurl: 0.18,
  ...netAtRest,
  lookX: 0,
  lookY: -0.1,
  lookZ: 4,
} as Channels;

/** Sitting is not standing still: breath, and a glance about. */
function idle(s: Situation): Part {
  const breath = Math.sin(s.since * 1.7);
  return {
    lean: degrees(5 + 0.5 * breath),
    lookX: 1.4 * drift(s.seed, 7, s.since * 0.35),
    lookY: -0.1 + 0.3 * drift(s.seed, 8, s.since * 0.3),
  };
}

const waitingRod = (s: Situation): Part => ({
  ...rod([-0.1, 0.76 + 0.004 * Math.sin(s.since * 1.6), 0.4], 32, s.aim),
  ...bothHands,
  lean: degrees(6),
  twist: s.aim * 0.35,
  ...look(s.bobber),
});

function fightingRod(s: Situation): Part {
  const fish = s.fish ?? s.bobber;
  const towards = Math.atan2(fish[0], fish[2]);
  // Reeling, anglers pump: lift, then wind on the way down.
  const pump = 7 * s.reeling * Math.sin(s.since * 3.1);
  return {
    ...rod(
      [-0.07, 0.85 + 0.03 * s.strain, 0.37],
      58 + pump + 5 * drift(s.seed, 3, s.since * 0.8),
      towards * 0.55,
    ),
    ...bothHands,
    lean: degrees(3 - 9 * s.strain),
    twist: towards * 0.45,
    ...look(fish),
  };
}

/** One hand holds the rod up while the other has the net. */
const rodAside = (s: Situation): Part => ({
  ...rod([-0.19, 0.84, 0.33], 68, (s.fish ? Math.atan2(s.fish[0], s.fish[2]) : 0) * 0.35 - 0.12),
  rightOnRod: 1,
  rightCurl: 1,
});

const goals: Record<Phase, (s: Situation) => { part: Part; time: number; times?: Goal["times"] }> =
  {
    sit: (s) => ({ part: idle(s), time: 0.8 }),
    reach: () => ({
      part: {
        rightOnRod: 1,
        rightCurl: 0.12,
        lean: degrees(9),
        twist: degrees(-8),
        ...look(HOLDER.grip),
      },
      time: 0.5,
    }),
    grip: () => ({
      part: {
        rightOnRod: 1,
        rightCurl: 1,
        lean: degrees(9),
        twist: degrees(-8),
        ...look(HOLDER.grip),
      },
      time: 0.3,
    }),
    raise: (s) => ({
      part: {
        ...waitingRod(s),
        ...rod([-0.1, 0.8, 0.38], 42, s.aim * 0.5),
        leftCurl: 0.12,
        ...look([s.aim * 6, 0, 6]),
      },
      time: 0.75,
      times: { leftOnRod: 0.65 },
    }),
    ready: (s) => ({
      part: {
        ...waitingRod(s),
        ...rod([-0.1, 0.8, 0.38], 42 + Math.sin(s.since * 1.6), s.aim),
        ...look([Math.sin(s.aim) * 8, 0, Math.cos(s.aim) * 8]),
      },
      time: 0.3,
    }),
    backcast: (s) => ({
      part: {
        ...rod([-0.12, 1.13, 0.27], 120, s.aim),
        ...bothHands,
        lean: degrees(-7),
        twist: s.aim * 0.4 - degrees(9),
        ...look([Math.sin(s.aim) * 8, 0.3, Math.cos(s.aim) * 8]),
      },
      time: 0.55,
    }),
    forward: (s) => ({
      part: {
        ...rod([-0.07, 0.95, 0.46], 35, s.aim),
        ...bothHands,
        lean: degrees(12),
        twist: s.aim * 0.4 + degrees(5),
        ...look([Math.sin(s.aim) * 8, 0.3, Math.cos(s.aim) * 8]),
      },
      time: FORWARD_SECONDS.weak + (FORWARD_SECONDS.strong - FORWARD_SECONDS.weak) * s.power,
      times: { lean: 0.4, twist: 0.4 },
    }),
    flight: (s) => ({
      part: { ...waitingRod(s), ...rod([-0.06, 0.9, 0.44], 40, s.aim), lean: degrees(9) },
      time: 0.6,
    }),
    settle: (s) => ({ part: waitingRod(s), time: 0.9 }),
    wait: (s) => ({ part: waitingRod(s), time: 0.6 }),
    bite: (s) => ({ part: { ...waitingRod(s), lean: degrees(10) }, time: 0.35 }),
    strike: (s) => ({
      part: { ...fightingRod(s), ...rod([-0.08, 0.93, 0.33], 76, s.aim * 0.7), lean: degrees(-9) },
      time: 0.26,
    }),
    fight: (s) => ({ part: fightingRod(s), time: 0.5 }),
    reelIn: (s) => ({
      part: {
        ...waitingRod(s),
        ...rod([-0.06, 0.83, 0.39], 38 + 3 * Math.sin(s.since * 3), s.aim),
        twist: s.aim * 0.3,
      },
      time: 0.6,
    }),
    netReach: (s) => ({
      part: {
        ...rodAside(s),
        leftOnNet: 1,
        leftCurl: 0.12,
        lean: degrees(12),
        twist: degrees(10),
        ...look(NET_REST.grip),
      },
      time: 0.6,
      times: { leftOnRod: 0.25, leftCurl: 0.2, rodElevation: 0.8 },
    }),
    netGrip: (s) => ({
      part: {
        ...rodAside(s),
        ...netInHand,
        lean: degrees(13),
        twist: degrees(10),
        ...look(NET_REST.grip),
      },
      time: 0.28,
    }),
    scoop: (s) => ({
      part: {
        ...rodAside(s),
        ...netInHand,
        ...net(below(LANDING), netHand),
        lean: degrees(17),
        twist: degrees(20),
        ...look(s.fish ?? netHand),
      },
      time: 0.75,
    }),
    lift: (s) => ({
      part: {
        ...rodAside(s),
        ...netInHand,
        ...net([1.28, 0.34, 1.14], [0.28, 0.7, 0.36]),
        lean: degrees(8),
        twist: degrees(9),
        ...look(s.fish ?? netHand),
      },
      time: 0.9,
    }),
    show: (s) => ({
      part: {
        ...rodAside(s),
        ...netInHand,
        ...net([1.16, 1.0 + 0.02 * Math.sin(s.since * 2.2), 1.32], [0.25, 0.8, 0.36]),
        lean: degrees(1),
        twist: degrees(4),
        ...look(s.fish ?? netHand),
      },
      time: 0.9,
    }),
    free: (s) => ({
      part: {
        ...rodAside(s),
        ...netInHand,
        ...net(below(LANDING), netHand),
        lean: degrees(16),
        twist: degrees(18),
        ...look(s.fish ?? netHand),
      },
      time: 0.9,
    }),
    stow: () => ({
      part: {
        rightOnRod: 1,
        rightCurl: 1,
        leftOnNet: 1,
        leftCurl: 1,
        lean: degrees(9),
        twist: degrees(-2),
        ...look([-0.3, 0.4, 0.8]),
      },
      time: 1.1,
    }),
  };

export function goalOf(phase: Phase, situation: Situation): Goal {
  const { part, time, times } = goals[phase](situation);
  // The net stays where it is put down unless a hand has it.
  const channels = { ...rest, ...part } as Channels;
  return times ? { channels, time, times } : { channels, time };
}

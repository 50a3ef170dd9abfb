/** The state of a session at one instant: a value, from which everything shown follows. */
import { mapChannels, type Channels } from "./channels.ts";
import { LINE } from "./layout.ts";
import { goalOf, type Phase, type Situation } from "./phases.ts";
import { rodPose, straightTip } from "./rod-pose.ts";
import { addScaled, lerp, type Vec } from "./vec.ts";

/** Seconds from one state to the next. */
export const STEP = 1 / 120;

export interface Fish {
  readonly place: Vec;
  /** The way its head points, as the rod's yaw. */
  readonly yaw: number;
  /** 0 not there … 1; it comes out of the deep and goes back there. */
  readonly presence: number;
  readonly stamina: number;
  /** How hard it pulls, 0 … 1. */
  readonly pull: number;
}

export interface State {
  readonly time: number;
  readonly seed: number;
  readonly phase: Phase;
  /** Seconds since the phase began. */
  readonly since: number;

  readonly channels: Channels;
  /** A second. */
  readonly rates: Channels;
  /** What the channels were off the phase's goal when it began, and how fast that was changing. */
  readonly offset: Channels;
  readonly offsetRate: Channels;

  readonly aim: number;
  /** Of the cast under way or the last one, 0 … 1. */
  readonly power: number;
  readonly isHolding: boolean;
  readonly isReeling: boolean;
  /** isReeling and the load's share of the most, as a body follows them: 0 … 1, without jumps. */
  readonly reeling: number;
  readonly strain: number;

  readonly bobber: Vec;
  readonly bobberRate: Vec;
  /** Metres from tip to bobber; it may hang slack. */
  readonly line: number;
  /** Of a line that hung when the fish was hooked, what is not yet pulled straight. */
  readonly slack: number;
  /** 1: the line flies behind the bobber … 0: it hangs. */
  readonly flying: number;
  /** The middle of the flying line, which lags. */
  readonly middle: Vec;

  /** What bends the rod, newtons at its tip. It swings like a spring with a weight. */
  readonly load: Vec;
  readonly loadRate: Vec;
  readonly tip: Vec;
  readonly tipRate: Vec;

  readonly fish: Fish | null;
  readonly isHooked: boolean;
  /** Seconds of the wait until the bite. */
  readonly biteAfter: number;
  /** Seconds that the line has been pulled too hard. */
  readonly overloaded: number;
  readonly casts: number;
  readonly landed: number;
  readonly message: string;
}

/** More than this for BREAK_SECONDS breaks the leader, newtons. */
export const MOST_TENSION = 12;
export const BREAK_SECONDS = 0.5;

export function situationOf(state: State): Situation {
  const { seed, since, aim, power, reeling, strain, bobber, fish } = state;
  return { seed, since, aim, power, reeling, strain, bobber, fish: fish?.place ?? null };
}

const zero = mapChannels(() => 0);

export function initialState(seed: number): State {
  const nowhere: Vec = [0, 0, 0];
  const situation = {
    seed,
    since: 0,
    aim: 0,
    power: 0,
    reeling: 0,
    strain: 0,
    bobber: nowhere,
    fish: null,
  };
  const { channels } = goalOf("sit", situation);
  const { tip } = rodPose(channels, nowhere);
  const bobber = addScaled(tip, [0, -1, 0], LINE.short);
  return {
    time: 0,
    seed,
    phase: "sit",
    since: 0,
    channels,
    rates: zero,
    offset: zero,
    offsetRate: zero,
    aim: 0,
    power: 0,
    isHolding: false,
    isReeling: false,
    reeling: 0,
    strain: 0,
    bobber,
    bobberRate: nowhere,
    line: LINE.short,
    slack: 0,
    flying: 0,
    middle: lerp(tip, bobber, 0.5),
    load: nowhere,
    loadRate: nowhere,
    tip: straightTip(channels),
    tipRate: nowhere,
    fish: null,
    isHooked: false,
    biteAfter: 0,
    overloaded: 0,
    casts: 0,
    landed: 0,
    message: "",
  };
}

/** Between two states one step apart. What is not a number is the first's. */
export function mixStates(a: State, b: State, t: number): State {
  const mix = (x: number, y: number): number => x + (y - x) * t;
  const fish: Fish | null =
    a.fish && b.fish
      ? {
          place: lerp(a.fish.place, b.fish.place, t),
          yaw: mix(a.fish.yaw, b.fish.yaw),
          presence: mix(a.fish.presence, b.fish.presence),
          stamina: mix(a.fish.stamina, b.fish.stamina),
          pull: mix(a.fish.pull, b.fish.pull),
        }
      : a.fish;
  return {
    ...a,
    time: mix(a.time, b.time),
    since: a.since + (b.time - a.time) * t,
    channels: mapChannels((name) => mix(a.channels[name], b.channels[name])),
    rates: mapChannels((name) => mix(a.rates[name], b.rates[name])),
    bobber: lerp(a.bobber, b.bobber, t),
    reeling: mix(a.reeling, b.reeling),
    strain: mix(a.strain, b.strain),
    line: mix(a.line, b.line),
    slack: mix(a.slack, b.slack),
    flying: mix(a.flying, b.flying),
    middle: lerp(a.middle, b.middle, t),
    load: lerp(a.load, b.load, t),
    fish,
  };
}

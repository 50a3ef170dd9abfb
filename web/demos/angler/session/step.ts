/** One step of a session: what was pressed, which phase follows, and where everything goes. */
import { mapChannels } from "./channels.ts";
import { decay } from "./ease.ts";
import { stepFish } from "./fish.ts";
import { LINE, WATER } from "./layout.ts";
import { goalOf, RELEASE_ELEVATION, type Phase } from "./phases.ts";
import { random } from "./random.ts";
import { rodPose, straightTip } from "./rod-pose.ts";
import { BREAK_SECONDS, MOST_TENSION, situationOf, type State } from "./state.ts";
import {
  addScaled,
  clamp,
  distance,
  length,
  lerp,
  normalize,
  scale,
  subtract,
  type Vec,
} from "./vec.ts";

/** What a person does. Aim is the yaw of the cast, radians to the left. */
export type SessionEvent =
  | { readonly time: number; readonly kind: "hold"; readonly aim: number }
  | { readonly time: number; readonly kind: "release"; readonly aim: number }
  | { readonly time: number; readonly kind: "strike" }
  | { readonly time: number; readonly kind: "reel"; readonly on: boolean };

/** Seconds a step. */
export const STEP = 1 / 120;
/** Holding longer than this throws no further. */
export const FULL_POWER_SECONDS = 1.1;
const BACKCAST = { swing: 0.55, pause: 0.15 };
const BITE_SECONDS = 1.2;
const SHOW_SECONDS = 3;
const GRAVITY = 9.81;

export function step(state: State, events: readonly SessionEvent[]): State {
  let next: State = { ...state, time: state.time + STEP, since: state.since + STEP };
  for (const event of events) next = take(next, event);
  const phase = follow(next);
  if (phase) next = enter(next, phase);
  next = moveChannels(feelForces(next), state);
  next = moveLoad(next, state);
  return moveTackle(next);
}

// ---- what is pressed ----

function take(state: State, event: SessionEvent): State {
  switch (event.kind) {
    case "hold":
      return { ...state, isHolding: true, aim: event.aim };
    case "release":
      return { ...state, isHolding: false, aim: event.aim };
    case "reel":
      return { ...state, isReeling: event.on };
    case "strike":
      if (state.phase === "bite") return enter({ ...state, isHooked: true }, "strike");
      if (state.phase === "wait" || state.phase === "settle")
        return enter({ ...state, message: "Too early: nothing had bitten." }, "strike");
      return state;
  }
}

// ---- which phase follows ----

function follow(state: State): Phase | null {
  const { phase, since } = state;
  const after = (seconds: number, then: Phase): Phase | null => (since >= seconds ? then : null);
  switch (phase) {
    case "sit":
      return state.isHolding ? "reach" : null;
    case "reach":
      return after(0.52, "grip");
    case "grip":
      return after(0.32, "raise");
    case "raise":
      return after(0.75, "ready");
    case "ready":
      return state.isHolding ? after(0.3, "backcast") : null;
    case "backcast":
      return state.isHolding ? null : after(BACKCAST.swing + BACKCAST.pause, "forward");
    case "forward":
      return state.channels.rodElevation <= RELEASE_ELEVATION ? "flight" : null;
    case "flight":
      return state.bobber[1] <= WATER ? "settle" : null;
    case "settle":
      return after(0.9, "wait");
    case "wait":
      return state.isReeling ? after(0.3, "reelIn") : after(state.biteAfter, "bite");
    case "bite":
      return after(BITE_SECONDS, "reelIn");
    case "strike":
      return after(0.35, state.isHooked ? "fight" : "reelIn");
    case "fight":
      if (state.overloaded >= BREAK_SECONDS) return "reelIn";
      return state.fish && Math.hypot(state.fish.place[0], state.fish.place[2]) < 2
        ? "netReach"
        : null;
    case "reelIn":
      return state.line <= LINE.short ? after(0.6, "ready") : null;
    case "netReach":
      return after(0.62, "netGrip");
    case "netGrip":
      return after(0.3, "scoop");
    case "scoop":
      return after(0.95, "lift");
    case "lift":
      return after(0.95, "show");
    case "show":
      return after(SHOW_SECONDS, "free");
    case "free":
      return after(1.5, "stow");
    case "stow":
      return after(1.3, "sit");
  }
}

/** Of a cast that were released now, 0 … 1: how long the rod has been held back. */
export const powerOf = ({ since }: State): number =>
  clamp((since - BACKCAST.swing) / FULL_POWER_SECONDS, 0.15, 1);

function enter(state: State, phase: Phase): State {
  const entered: State = { ...state, phase, since: 0, ...changes(state, phase) };
  const goal = goalOf(phase, situationOf(entered)).channels;
  const soon = goalOf(phase, { ...situationOf(entered), since: STEP }).channels;
  return {
    ...entered,
    offset: mapChannels((name) => state.channels[name] - goal[name]),
    offsetRate: mapChannels((name) => state.rates[name] - (soon[name] - goal[name]) / STEP),
  };
}

/** What else a phase begins with. */
function changes(state: State, phase: Phase): Partial<State> {
  const { seed, casts } = state;
  switch (phase) {
    case "reach":
    case "ready":
      return { message: "" };
    case "backcast":
      return { casts: casts + 1, fish: null };
    case "forward":
      return { power: powerOf(state) };
    case "flight":
      // The bobber leaves with the tip's speed, and the whip of the blank on top.
      return { bobberRate: scale(state.tipRate, 1.1), flying: 1 };
    case "settle":
      return { line: distance(state.bobber, tipOf(state)) * 1.05 };
    case "wait":
      return { biteAfter: 2.2 + Math.min(-Math.log(1 - random(seed, casts * 16)) * 1.5, 5) };
    case "reelIn":
      if (state.phase === "bite") return { message: "Missed: the bite was over." };
      if (state.phase === "fight")
        return {
          isHooked: false,
          overloaded: 0,
          message: "Too much tension for half a second: the leader broke.",
        };
      return {};
    case "strike":
      return { slack: Math.max(state.line / distance(state.bobber, tipOf(state)) - 1, 0) };
    case "fight":
      return { overloaded: 0 };
    case "show":
      return { landed: state.landed + 1, message: "Landed!" };
    case "free":
      return { message: "" };
    case "stow":
      return { isHooked: false };
    default:
      return {};
  }
}

// ---- where everything goes ----

function feelForces(state: State): State {
  const share = 1 - Math.exp(-STEP * 4);
  const strain = Math.min(1, length(state.load) / MOST_TENSION);
  return {
    ...state,
    reeling: state.reeling + (Number(state.isReeling) - state.reeling) * share,
    strain: state.strain + (strain - state.strain) * share,
  };
}

function moveChannels(state: State, before: State): State {
  const { channels: goal, time, times } = goalOf(state.phase, situationOf(state));
  const channels = mapChannels((name) => {
    const span = times?.[name] ?? time;
    return (
      goal[name] + decay(state.offset[name], state.offsetRate[name] * span, state.since / span)
    );
  });
  return {
    ...state,
    channels,
    rates: mapChannels((name) => (channels[name] - before.channels[name]) / STEP),
  };
}

const tipOf = (state: State): Vec => rodPose(state.channels, state.load).tip;

/** The blank's spring and weight: 4 Hz, lightly damped. */
const SWING = { rate: 2 * Math.PI * 4, damping: 0.25 };
/** What of the blank's mass the tip feels, kg, and the most that it may, N. */
const WHIP = { mass: 0.032, most: 6 };

function moveLoad(state: State, before: State): State {
  const tip = straightTip(state.channels);
  const tipRate = scale(subtract(tip, before.tip), 1 / STEP);
  const acceleration = scale(subtract(tipRate, before.tipRate), 1 / STEP);
  const whip = scale(acceleration, -WHIP.mass);
  const most = WHIP.most / Math.max(length(whip), WHIP.most);
  const wanted = addScaled(pullOfLine(state), whip, most);
  const { rate, damping } = SWING;
  const pushed = addScaled(
    scale(state.loadRate, 1 / (1 + 2 * damping * rate * STEP)),
    subtract(wanted, state.load),
    rate * rate * STEP,
  );
  const load = addScaled(state.load, pushed, STEP);
  const isOver = state.phase === "fight" && length(load) > MOST_TENSION;
  return {
    ...state,
    tip,
    tipRate,
    load,
    loadRate: pushed,
    overloaded: isOver ? state.overloaded + STEP : 0,
  };
}

/** What the line pulls with, newtons. */
function pullOfLine(state: State): Vec {
  const end = state.isHooked && state.fish ? state.fish.place : state.bobber;
  return scale(normalize(subtract(end, tipOf(state))), tensionWanted(state));
}

function tensionWanted(state: State): number {
  const { phase, fish, isReeling } = state;
  const pull = fish?.pull ?? 0;
  switch (phase) {
    case "strike":
      return state.isHooked ? 5 : 1;
    case "fight":
      return 1.5 + 9 * pull + (isReeling ? 3.4 : 0);
    case "netReach":
    case "netGrip":
    case "scoop":
      return 2.2;
    case "reelIn":
      return state.line > LINE.short ? 1.6 : 0.15;
    case "flight":
    case "settle":
    case "wait":
      return 0.05;
    case "bite":
      return 0.5 + 0.4 * Math.sin(state.since * 14);
    default:
      return 0.15;
  }
}

/** Bobber, line and fish. */
function moveTackle(state: State): State {
  const next = { ...state, fish: stepFish(state, STEP) };
  const tip = tipOf(next);
  const moved = next.isHooked && next.fish ? onTheLine(next, tip) : afloat(next, tip);
  const middle = lerp(tip, moved.bobber, 0.5);
  const lift = 0.12 * distance(tip, moved.bobber);
  return {
    ...moved,
    flying: moved.phase === "flight" ? 1 : moved.flying * Math.exp(-STEP * 5),
    middle: lerp(moved.middle, addScaled(middle, [0, 1, 0], lift), 1 - Math.exp(-STEP * 9)),
  };
}

/** With a fish on, the bobber sits on the taut line, the leader's length before it. */
function onTheLine(state: State, tip: Vec): State {
  const mouth = state.fish!.place;
  const apart = distance(tip, mouth);
  const wanted = lerp(mouth, tip, Math.min(LINE.leader / apart, 0.5));
  const bobber = lerp(state.bobber, wanted, 1 - Math.exp(-STEP * 18));
  const bobberRate = scale(subtract(bobber, state.bobber), 1 / STEP);
  const slack = state.slack * Math.exp(-STEP * 14);
  return { ...state, bobber, bobberRate, slack, line: distance(tip, bobber) * (1 + slack) };
}

const AIR_DRAG = 0.1;
const REEL_SPEED = 2.8;

/** A weight on a line: it flies, floats, and never gets further from the tip than the line is long. */
function afloat(state: State, tip: Vec): State {
  const { phase } = state;
  const speed = length(state.bobberRate);
  let rate = addScaled(state.bobberRate, [0, -GRAVITY, 0], STEP);
  const isCast = phase === "flight" || phase === "settle" || phase === "wait" || phase === "bite";
  rate = scale(rate, 1 / (1 + STEP * (isCast ? AIR_DRAG * speed : 1.2)));
  const depth = waterAt(state.bobber, state.time) - state.bobber[1];
  if (depth > -0.03 && phase !== "flight") {
    const float = clamp((depth + 0.03) / 0.05, 0, 2.5);
    rate = addScaled(rate, [0, 1, 0], GRAVITY * float * STEP);
    rate = scale(rate, 1 / (1 + STEP * (7 + 5 * speed)));
    if (phase === "bite")
      rate = addScaled(rate, [0, -1, 0], STEP * 14 * (0.6 + 0.4 * Math.sin(state.since * 14)));
  }
  let bobber = addScaled(state.bobber, rate, STEP);
  const line = lineOf(state, distance(tip, bobber));
  const apart = distance(tip, bobber);
  if (apart > line) {
    bobber = lerp(tip, bobber, line / apart);
    rate = scale(subtract(bobber, state.bobber), 1 / STEP);
  }
  return { ...state, bobber, bobberRate: rate, line };
}

function lineOf(state: State, apart: number): number {
  switch (state.phase) {
    case "flight":
      return apart * 1.01;
    case "settle":
      return Math.max(state.line, apart);
    case "wait":
    case "bite":
    case "strike":
      // Slack is taken in until little is left.
      return Math.max(state.line - STEP * 0.4, Math.min(state.line, apart * 1.012));
    case "reelIn":
    case "stow":
    case "sit":
      return Math.max(Math.min(state.line, apart * 1.05) - REEL_SPEED * STEP, LINE.short);
    default:
      return state.line;
  }
}

/** The small waves. */
export const waterAt = (place: Vec, time: number): number =>
  WATER +
  0.008 * Math.sin(place[0] * 2.1 + time * 1.3) +
  0.006 * Math.sin(place[2] * 2.9 - time * 1.7);

/** One step of a session: what was pressed, which phase follows, and how the body gets on in it. */
import { mapChannels } from "./channels.ts";
import { decay } from "./ease.ts";
import { LINE, WATER } from "./layout.ts";
import { goalOf, RELEASE_ELEVATION, type Phase } from "./phases.ts";
import { random } from "./random.ts";
import { BREAK_SECONDS, MOST_TENSION, situationOf, STEP, type State } from "./state.ts";
import { moveLoad, moveTackle, tipOf } from "./tackle.ts";
import { clamp, distance, length, scale } from "./vec.ts";

/** What a person does. Aim is the yaw of the cast, radians to the left. */
export type SessionEvent =
  | { readonly time: number; readonly kind: "hold"; readonly aim: number }
  | { readonly time: number; readonly kind: "release"; readonly aim: number }
  | { readonly time: number; readonly kind: "strike" }
  | { readonly time: number; readonly kind: "reel"; readonly on: boolean };

/** Holding longer than this throws no further. */
export const FULL_POWER_SECONDS = 1.1;
const BACKCAST = { swing: 0.55, pause: 0.15 };
const BITE_SECONDS = 1.2;
const SHOW_SECONDS = 3;

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
      return { landed: state.landed + 1 };
    case "free":
      return { message: "" };
    case "stow":
      return { isHooked: false };
    default:
      return {};
  }
}

// ---- how the body gets on ----

/** What the body follows late: reeling, and the pull of the line. */
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

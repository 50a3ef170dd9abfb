/** What is integrated, in steps of one length: the load on the rod, the bobber and its line. */
import { stepFish } from "./fish.ts";
import { LINE, WATER } from "./layout.ts";
import { rodPose, straightTip } from "./rod-pose.ts";
import { MOST_TENSION, STEP, type State } from "./state.ts";
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

/** Of the bent rod. */
export const tipOf = (state: State): Vec => rodPose(state.channels, state.load).tip;

/** The blank's spring and weight: 4 Hz, lightly damped. */
const SWING = { rate: 2 * Math.PI * 4, damping: 0.25 };
/** What of the blank's mass the tip feels, kg, and the most that it may, N. */
const WHIP = { mass: 0.032, most: 6 };

/** What bends the rod: the line's pull, and at a swing the blank's own mass. */
export function moveLoad(state: State, before: State): State {
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
export function moveTackle(state: State): State {
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

const GRAVITY = 9.81;
/** Of the bobber, 1/m: its deceleration over its speed squared. */
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
const waterAt = (place: Vec, time: number): number =>
  WATER +
  0.008 * Math.sin(place[0] * 2.1 + time * 1.3) +
  0.006 * Math.sin(place[2] * 2.9 - time * 1.7);

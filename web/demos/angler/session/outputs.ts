/** What a state looks like: places, directions and weights for whoever draws it or poses a body by it. */
import { smoothstep } from "./ease.ts";
import { LINE, NET, ROD, THIGHS, WATER } from "./layout.ts";
import { hangLine } from "./line.ts";
import { rodPose, type RodPose } from "./rod-pose.ts";
import type { Fish, State } from "./state.ts";
import {
  across,
  addScaled,
  clamp,
  degrees,
  direction,
  distance,
  lerp,
  normalize,
  scale,
  type Vec,
} from "./vec.ts";

/** A hand about something round: the middle of the palm is at `point` of its axis. */
export interface Grip {
  readonly point: Vec;
  /** Unit; the thumb's side is towards it. */
  readonly axis: Vec;
  /** Unit, across the axis: where the palm looks, if nothing speaks for another side. */
  readonly palm: Vec;
  readonly radius: number;
  /** Radians by which the axis crosses the palm obliquely: its thumb's end further out. */
  readonly tilt: number;
}

/** A hand that lies flat: a point in the palm, where the fingers point, and where the palm looks. */
export interface FlatHand {
  readonly point: Vec;
  readonly fingers: Vec;
  readonly palm: Vec;
}

export interface HandOutput {
  readonly rest: FlatHand;
  readonly rod: Grip;
  readonly net: Grip | null;
  /** 0 … 1 each; what is left of 1 is at rest. */
  readonly weights: { readonly rod: number; readonly net: number };
  readonly curl: number;
}

export interface Outputs {
  readonly rod: RodPose;
  readonly right: HandOutput;
  readonly left: HandOutput;
  /** Radians: the torso forward, to the left. */
  readonly lean: number;
  readonly twist: number;
  readonly look: Vec;
  /** From the tip to the bobber. */
  readonly line: readonly Vec[];
  /** From the bobber to the hook. */
  readonly leader: readonly Vec[];
  readonly bobber: Vec;
  readonly fish: Fish | null;
  readonly net: { readonly grip: Vec; readonly axis: Vec; readonly hoop: Vec };
}

/** A rod lies from the heel of the hand to the base of the index. */
const TILT = { rod: degrees(26), net: degrees(-12) };
const LINE_POINTS = 24;
const LEADER_POINTS = 6;

export function outputsOf(state: State): Outputs {
  const { channels } = state;
  const rod = rodPose(channels, state.load);
  const netAxis = direction(channels.netYaw, channels.netElevation);
  const netGrip: Vec = [channels.netX, channels.netY, channels.netZ];
  // The hoop is on the little finger's side, as one holds a paddle.
  const back = scale(netAxis, -1);
  const net = { grip: netGrip, axis: netAxis, hoop: addScaled(netGrip, netAxis, NET.reach) };
  const unit = (value: number): number => clamp(value, 0, 1);
  return {
    rod,
    right: {
      rest: THIGHS.right,
      rod: {
        point: rod.gripRight,
        axis: rod.axis,
        palm: across([0.85, 0.4, -0.35], rod.axis),
        radius: ROD.radius,
        tilt: TILT.rod,
      },
      net: null,
      weights: { rod: unit(channels.rightOnRod), net: 0 },
      curl: unit(channels.rightCurl),
    },
    left: {
      rest: THIGHS.left,
      rod: {
        point: rod.gripLeft,
        axis: rod.axis,
        palm: across([-0.65, 0.7, -0.4], rod.axis),
        radius: ROD.radius,
        tilt: TILT.rod,
      },
      net: {
        point: netGrip,
        axis: back,
        palm: across([-0.2, -1, -0.15], back),
        radius: NET.radius,
        tilt: TILT.net,
      },
      weights: { rod: unit(channels.leftOnRod), net: unit(channels.leftOnNet) },
      curl: unit(channels.leftCurl),
    },
    lean: channels.lean,
    twist: channels.twist,
    look: [channels.lookX, channels.lookY, channels.lookZ],
    line: lineOf(state, rod.tip),
    leader: leaderOf(state),
    bobber: state.bobber,
    fish: state.fish,
    net,
  };
}

/** The hanging line, and while it flies the curve through its lagging middle; on the water it floats. */
function lineOf(state: State, tip: Vec): Vec[] {
  // With a fish on, a hair of slack more or less would show as a hand of sag: the ratio is kept.
  const length = state.isHooked ? distance(tip, state.bobber) * (1 + state.slack) : state.line;
  const hanging = hangLine(tip, state.bobber, length, LINE_POINTS);
  const { flying, middle, bobber } = state;
  return hanging.map((point, i) => {
    const t = i / (LINE_POINTS - 1);
    const control = addScaled(scale(middle, 2), addScaled(tip, bobber, 1), -0.5);
    const arc = lerp(lerp(tip, control, t), lerp(control, bobber, t), t);
    const place = flying > 0.001 ? lerp(point, arc, smoothstep(0, 1, flying)) : point;
    // It floats, but for where a bobber that is under pulls it down.
    const floor = Math.min(WATER + 0.004, tip[1] + (bobber[1] - tip[1]) * t);
    return [place[0], Math.max(place[1], floor), place[2]];
  });
}

function leaderOf(state: State): Vec[] {
  const { bobber, fish, isHooked } = state;
  const down: Vec = addScaled(bobber, [0, -1, 0], LINE.leader * 0.5);
  const end = isHooked && fish ? mouthOf(fish) : down;
  const length = Math.max(LINE.leader * 0.5, distance(bobber, end));
  return hangLine(bobber, end, length, LEADER_POINTS);
}

/** In front of the fish's middle. */
export const mouthOf = (fish: Fish): Vec =>
  addScaled(fish.place, normalize(direction(fish.yaw, 0)), 0.14);

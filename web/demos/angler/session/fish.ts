/** The fish: it comes to the bait, is hooked, fights, tires, and ends in the net. */
import { smoothstep } from "./ease.ts";
import { LANDING, NET, WATER } from "./layout.ts";
import { drift, random } from "./random.ts";
import type { Fish, State } from "./state.ts";
import { addScaled, clamp, direction, lerp, type Vec } from "./vec.ts";

/** Seconds before the bite at which it appears, and how far away. */
const APPROACH = { seconds: 2, distance: 1.6 };

export function stepFish(state: State, seconds: number): Fish | null {
  const { phase, fish } = state;
  switch (phase) {
    case "wait":
    case "bite":
      return approach(state);
    case "strike":
      return fish && (state.isHooked ? fish : flee(fish, seconds));
    case "fight":
      return fish && fight(state, fish, seconds);
    case "reelIn":
    case "ready":
    case "stow":
    case "sit":
      return fish && flee(fish, seconds);
    case "netReach":
    case "netGrip":
    case "scoop":
      return fish && glide(fish, LANDING, 1.6, Math.PI + 0.5, seconds);
    case "lift":
      return (
        fish &&
        glide(fish, inNet(state), 4 + 18 * smoothstep(0, 0.5, state.since), Math.PI / 2, seconds)
      );
    case "show":
      return fish && glide(fish, inNet(state), 22, Math.PI / 2, seconds);
    case "free":
      return (
        fish &&
        (state.since < 0.95 ? glide(fish, inNet(state), 22, 0.3, seconds) : flee(fish, seconds))
      );
    default:
      return fish;
  }
}

/** The middle of the bag, under the hoop. */
function inNet({ channels }: State): Vec {
  const axis = direction(channels.netYaw, channels.netElevation);
  const hoop = addScaled([channels.netX, channels.netY, channels.netZ], axis, NET.reach);
  return addScaled(hoop, [0, -1, 0], 0.13);
}

/** The yaw nearest to `from` that points the same way. */
const nearest = (yaw: number, from: number): number =>
  yaw + 2 * Math.PI * Math.round((from - yaw) / (2 * Math.PI));

const turn = (from: number, to: number, share: number): number =>
  from + (nearest(to, from) - from) * share;

function approach(state: State): Fish | null {
  const left = state.phase === "bite" ? 0 : state.biteAfter - state.since;
  if (left > APPROACH.seconds) return null;
  const yaw = (random(state.seed, state.casts * 16 + 1) - 0.5) * 2.2;
  const far = APPROACH.distance * (left / APPROACH.seconds) ** 1.5;
  const bait: Vec = [state.bobber[0], WATER - 0.4, state.bobber[2]];
  const from = direction(yaw, 0);
  return {
    place: addScaled(bait, from, far),
    yaw: yaw + Math.PI,
    presence: 1 - left / APPROACH.seconds,
    stamina: 1,
    pull: 0,
  };
}

function fight(state: State, fish: Fish, seconds: number): Fish {
  const { seed, since, casts, isReeling } = state;
  const stream = 16 + casts * 8;
  const will = clamp(0.62 + 0.5 * drift(seed, stream, since * 1.1), 0.1, 1);
  const pull = fish.pull + (will * fish.stamina - fish.pull) * (1 - Math.exp(-seconds * 5));
  const away = Math.hypot(fish.place[0], fish.place[2]);
  const bearing = Math.atan2(fish.place[0], fish.place[2]);
  const out = 0.7 * pull - (isReeling ? 1.75 * (1 - 0.6 * pull) : 0);
  const sideways =
    0.5 * pull * drift(seed, stream + 1, since * 0.7) - 0.25 * (bearing - state.aim * 0.6);
  const [far, angle] = [
    clamp(away + out * seconds, 1.2, 16),
    bearing + (sideways * seconds * 3) / (2 + away),
  ];
  const depth = 0.16 + 0.28 * pull;
  const y = fish.place[1] + (WATER - depth - fish.place[1]) * (1 - Math.exp(-seconds * 3));
  return {
    place: [Math.sin(angle) * far, y, Math.cos(angle) * far],
    yaw: turn(
      fish.yaw,
      angle + Math.PI + 0.7 * drift(seed, stream + 2, since * 1.6),
      1 - Math.exp(-seconds * 4),
    ),
    presence: 1,
    stamina: Math.max(
      0.12,
      fish.stamina - seconds * (0.03 + 0.05 * pull + (isReeling ? 0.035 : 0)),
    ),
    pull,
  };
}

function glide(fish: Fish, to: Vec, rate: number, yaw: number, seconds: number): Fish {
  const share = 1 - Math.exp(-seconds * rate);
  return {
    ...fish,
    place: lerp(fish.place, to, share),
    yaw: turn(fish.yaw, yaw, 1 - Math.exp(-seconds * 3)),
    presence: 1,
    pull: fish.pull * Math.exp(-seconds * 3),
  };
}

/** Away and down, until it is gone. */
function flee(fish: Fish, seconds: number): Fish | null {
  const presence = fish.presence - seconds * 0.7;
  if (presence <= 0) return null;
  const yaw = turn(fish.yaw, 0.3, 1 - Math.exp(-seconds * 5));
  const ahead = addScaled(fish.place, direction(yaw, -0.35), seconds * 2.2 * (1.2 - presence));
  return { ...fish, place: ahead, yaw, presence, pull: 0 };
}

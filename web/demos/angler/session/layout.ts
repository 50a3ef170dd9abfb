/** Where things are and how large. Metres; the angler sits at the origin and faces +Z, the planks of
 * the dock are at y = 0. */
import { degrees, type Vec } from "./vec.ts";

/** The dock ends before the angler, and to his left. */
export const DOCK = { front: 0.78, left: 0.8, right: -1.1, back: -3.2 } as const;
export const WATER = -0.34;
export const SEAT_HEIGHT = 0.43;

export const ROD = {
  length: 2.25,
  /** From the butt: where each hand holds it, where the reel is, where it begins to bend. */
  left: 0.07,
  right: 0.3,
  reel: 0.42,
  stiff: 0.62,
  radius: 0.0125,
  blank: { length: 1.63, stiffness: 20, taper: 0.6 },
} as const;

/** The rod in its holder, beside the stool. */
export const HOLDER = {
  grip: [-0.3, 0.66, 0.3] as Vec,
  yaw: degrees(-6),
  elevation: degrees(38),
} as const;

export const NET = {
  /** From the hand to the middle of the hoop. */
  reach: 1.42,
  /** Of the handle behind the hand. */
  behind: 0.22,
  hoop: 0.2,
  radius: 0.0125,
} as const;

/** The net leaning on a crate, its hoop over the water. */
export const NET_REST = {
  grip: [0.35, 0.62, 0.3] as Vec,
  hoop: [1.42, 0.24, 1.15] as Vec,
} as const;

/** Where the fish comes to the net. */
export const LANDING: Vec = [1.12, WATER - 0.05, 0.88];

/** The hands on the thighs: a point in the palm, the direction of the fingers and that of the palm. */
export const THIGHS = {
  left: {
    point: [0.16, 0.615, 0.3] as Vec,
    fingers: [-0.12, -0.2, 1] as Vec,
    palm: [0, -1, -0.1] as Vec,
  },
  right: {
    point: [-0.16, 0.615, 0.3] as Vec,
    fingers: [0.12, -0.2, 1] as Vec,
    palm: [0, -1, -0.1] as Vec,
  },
} as const;

/** Line from the tip to the bobber when nothing is cast, and from the bobber to the hook. */
export const LINE = { short: 0.55, leader: 0.5 } as const;

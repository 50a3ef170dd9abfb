/** Everything about rod, hands, body and net that moves from pose to pose: one number a channel. */
export const CHANNELS = [
  /** The rod where the right hand holds it, and its axis from butt to tip. */
  "rodX",
  "rodY",
  "rodZ",
  "rodYaw",
  "rodElevation",
  /** The torso, radians: forward and to the left. */
  "lean",
  "twist",
  /** How much of each hand is where: 0 on the thigh, 1 there. */
  "rightOnRod",
  "leftOnRod",
  "leftOnNet",
  /** Fingers, 0 open … 1 closed about what they hold. */
  "rightCurl",
  "leftCurl",
  /** The net where the left hand holds it, and its axis from there to the hoop. */
  "netX",
  "netY",
  "netZ",
  "netYaw",
  "netElevation",
  /** What the angler looks at. */
  "lookX",
  "lookY",
  "lookZ",
] as const;

export type Channel = (typeof CHANNELS)[number];
export type Channels = Readonly<Record<Channel, number>>;

export const mapChannels = (value: (name: Channel) => number): Channels =>
  Object.fromEntries(CHANNELS.map((name) => [name, value(name)])) as Channels;

/** The rod as the channels have it: where its parts are, bent by what pulls at its tip. */
import type { Channels } from "./channels.ts";
import { ROD } from "./layout.ts";
import { bendRod } from "./rod.ts";
import { addScaled, direction, type Vec } from "./vec.ts";

export interface RodPose {
  /** Unit, from butt to tip, of the stiff part. */
  readonly axis: Vec;
  readonly butt: Vec;
  /** On the axis, in the middle of each hand. */
  readonly gripRight: Vec;
  readonly gripLeft: Vec;
  /** From where it begins to bend to the tip. */
  readonly blank: readonly Vec[];
  readonly tip: Vec;
}

export function rodPose(channels: Channels, load: Vec): RodPose {
  const axis = direction(channels.rodYaw, channels.rodElevation);
  const gripRight: Vec = [channels.rodX, channels.rodY, channels.rodZ];
  const butt = addScaled(gripRight, axis, -ROD.right);
  const blank = bendRod(ROD.blank, addScaled(butt, axis, ROD.stiff), axis, load);
  return {
    axis,
    butt,
    gripRight,
    gripLeft: addScaled(butt, axis, ROD.left),
    blank,
    tip: blank.at(-1)!,
  };
}

/** Where the tip would be if nothing bent the rod. */
export function straightTip(channels: Channels): Vec {
  const axis = direction(channels.rodYaw, channels.rodElevation);
  return addScaled([channels.rodX, channels.rodY, channels.rodZ], axis, ROD.length - ROD.right);
}

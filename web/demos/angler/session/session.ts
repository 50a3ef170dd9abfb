/** A session: a seed and what a person did. All else follows, at any time, in any order. */
import { initialState, mixStates, STEP, type State } from "./state.ts";
import { step, type SessionEvent } from "./step.ts";

export type { SessionEvent } from "./step.ts";

export interface Session {
  readonly seed: number;
  /** By time. */
  readonly events: readonly SessionEvent[];
}

/** The session with one event more; what comes later in it is gone. */
export function withEvent(session: Session, event: SessionEvent): Session {
  return {
    ...session,
    events: [...session.events.filter(({ time }) => time <= event.time), event],
  };
}

const SNAPSHOT_STEPS = 30;

/** The states of a session, made as they are asked for. Some are kept, so that going back costs little. */
class Replay {
  private readonly snapshots: State[];
  /** The last two that were made: playing on needs one step a frame. */
  private recent: { index: number; state: State; next: State } | null = null;
  private readonly eventsOf = new Map<number, SessionEvent[]>();

  constructor(session: Session) {
    this.snapshots = [initialState(session.seed)];
    for (const event of session.events) {
      const index = Math.max(1, Math.ceil(event.time / STEP - 1e-6));
      this.eventsOf.set(index, [...(this.eventsOf.get(index) ?? []), event]);
    }
  }

  /** Takes over what another replay made before `time`, up to which the sessions agree. */
  adopt(other: Replay, time: number): void {
    const count = Math.floor((time / STEP - 2) / SNAPSHOT_STEPS) + 1;
    if (count > this.snapshots.length)
      this.snapshots.splice(0, this.snapshots.length, ...other.snapshots.slice(0, count));
  }

  at(time: number): State {
    const exact = Math.max(0, time) / STEP;
    // A time that is a step's up to rounding is that step.
    const index = Math.floor(exact + 1e-6);
    const part = Math.max(0, exact - index);
    const { state, next } = this.pair(index);
    return part < 1e-6 ? state : mixStates(state, next, part);
  }

  private pair(index: number): { state: State; next: State } {
    let { recent } = this;
    if (!recent || index < recent.index || index - recent.index > SNAPSHOT_STEPS) {
      const snapshot = Math.min(Math.floor(index / SNAPSHOT_STEPS), this.snapshots.length - 1);
      const state = this.snapshots[snapshot]!;
      const at = snapshot * SNAPSHOT_STEPS;
      if (!recent || recent.index > index || recent.index < at)
        recent = { index: at, state, next: this.advance(state, at) };
    }
    while (recent.index < index) {
      const at: number = recent.index + 1;
      recent = { index: at, state: recent.next, next: this.advance(recent.next, at) };
    }
    this.recent = recent;
    return recent;
  }

  private advance(state: State, index: number): State {
    const next = step(state, this.eventsOf.get(index + 1) ?? []);
    if (
      (index + 1) % SNAPSHOT_STEPS === 0 &&
      (index + 1) / SNAPSHOT_STEPS === this.snapshots.length
    )
      this.snapshots.push(next);
    return next;
  }
}

const replays = new WeakMap<Session, Replay>();

/** The state at a time: the same for the same session, whatever was asked before. */
export function stateAt(session: Session, time: number): State {
  let replay = replays.get(session);
  if (!replay) replays.set(session, (replay = new Replay(session)));
  return replay.at(time);
}

/** withEvent, for a session whose states are being shown: they need not be made again. */
export function extend(session: Session, event: SessionEvent): Session {
  const longer = withEvent(session, event);
  const [before, after] = [replays.get(session), new Replay(longer)];
  if (before) after.adopt(before, event.time);
  replays.set(longer, after);
  return longer;
}

/** The session that is played, and where in it the page stands. */
import { extend, stateAt, type Session, type SessionEvent } from "./session/session.ts";
import type { State } from "./session/state.ts";

export class Player {
  time = 0;
  /** Up to here the session has been seen. */
  end = 0;
  playing = true;
  speed = 1;
  #session: Session;

  constructor(session: Session) {
    this.#session = session;
    this.end = session.events.at(-1)?.time ?? 0;
  }

  get session(): Session {
    return this.#session;
  }

  get state(): State {
    return stateAt(this.#session, this.time);
  }

  /** After `seconds` of a person's time. */
  advance(seconds: number): void {
    if (!this.playing) return;
    this.time += seconds * this.speed;
    this.end = Math.max(this.end, this.time);
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.end);
  }

  /** Something is done now; where this is in the past, the session goes on from here another way. */
  act(event: SessionEvent): void {
    const { time } = event;
    this.#session = extend(this.#session, event);
    this.end = Math.max(time, this.time);
    this.playing = true;
  }

  restart(seed: number): void {
    this.#session = { seed, events: [] };
    this.time = this.end = 0;
    this.playing = true;
  }
}

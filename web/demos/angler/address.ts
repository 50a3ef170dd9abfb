/** A session as the fragment of an address: it is small, since everything follows from it. */
import type { Session, SessionEvent } from "./session/session.ts";

/** A fish that does not pull too hard for a beginner. */
const FIRST_SEED = 14;

/** "seed=7&events=h1.25,0.1;r2.5,0.1;s9.1;w9.3;u11" */
export function writeAddress({ seed, events }: Session): string {
  const number = (value: number): string => String(Number(value.toFixed(4)));
  const words = events.map((event) => {
    const time = number(event.time);
    switch (event.kind) {
      case "hold":
        return `h${time},${number(event.aim)}`;
      case "release":
        return `r${time},${number(event.aim)}`;
      case "strike":
        return `s${time}`;
      case "reel":
        return `${event.on ? "w" : "u"}${time}`;
    }
  });
  return `seed=${seed}${words.length ? `&events=${words.join(";")}` : ""}`;
}

/** What is no session is passed over. */
export function readAddress(fragment: string): Session {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const seed = Number(fields.get("seed") ?? FIRST_SEED);
  const events: SessionEvent[] = [];
  for (const word of fields.get("events")?.split(";") ?? []) {
    const [, letter, first, second] =
      /^([hrswu])(\d+(?:\.\d+)?)(?:,(-?\d+(?:\.\d+)?))?$/.exec(word) ?? [];
    const [time, aim] = [Number(first), Number(second ?? 0)];
    if (!letter || time < (events.at(-1)?.time ?? 0)) continue;
    if (letter === "h") events.push({ time, kind: "hold", aim });
    else if (letter === "r") events.push({ time, kind: "release", aim });
    else if (letter === "s") events.push({ time, kind: "strike" });
    else events.push({ time, kind: "reel", on: letter === "w" });
  }
  return { seed: Number.isInteger(seed) ? seed : FIRST_SEED, events };
}

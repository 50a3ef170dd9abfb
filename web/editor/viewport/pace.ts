/** Keeps a slow machine moving: while pictures follow one another too slowly they are drawn coarser,
 * and once more in full when things have come to rest. */

/** Slower than this, milliseconds from picture to picture, is no longer motion. */
const slow = 50;
const rest = 220;

export class Pace {
  coarse = false;
  private last = 0;
  private slowOnes = 0;
  private timer = 0;

  constructor(private readonly changed: () => void) {}

  /** Call for each picture drawn. */
  drew(now = performance.now()): void {
    const gap = now - this.last;
    this.last = now;
    clearTimeout(this.timer);
    // A longer gap is a rest, not a slow picture.
    if (gap > 1000) this.slowOnes = 0;
    else this.slowOnes = gap > slow ? this.slowOnes + 1 : Math.max(0, this.slowOnes - 1);
    if (!this.coarse && this.slowOnes >= 3) this.set(true);
    if (this.coarse) this.timer = setTimeout(() => this.set(false), rest + slow);
  }

  private set(coarse: boolean): void {
    this.coarse = coarse;
    this.slowOnes = 0;
    this.changed();
  }
}

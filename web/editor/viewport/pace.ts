/** Keeps a slow machine moving: while pictures come too late after they were asked for they are drawn
 * coarser, and once more in full when things have come to rest. */

/** Later than this, milliseconds, is no longer motion. */
const late = 50;
/** Nothing asked for this long is rest. */
const rest = 250;

export class Pace {
  coarse = false;
  private askedAt: number | null = null;
  private lateOnes = 0;
  private timer = 0;

  constructor(private readonly changed: () => void) {}

  asked(): void {
    this.askedAt ??= performance.now();
  }

  drew(): void {
    const delay = this.askedAt === null ? 0 : performance.now() - this.askedAt;
    this.askedAt = null;
    this.lateOnes = delay > late ? this.lateOnes + 1 : Math.max(0, this.lateOnes - 1);
    if (!this.coarse && this.lateOnes >= 3) this.set(true);
    if (this.coarse) this.awaitRest();
  }

  private awaitRest(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => (this.askedAt === null ? this.set(false) : this.awaitRest()),
      rest,
    );
  }

  private set(coarse: boolean): void {
    this.coarse = coarse;
    this.lateOnes = 0;
    this.changed();
  }
}

/** Where the sheet stands: time across, rows down, in CSS pixels of its canvas. */

export class Scale {
  width = 1;
  height = 1;
  /** Width of the column of names. */
  labels = 200;
  readonly ruler = 26;
  rowHeight = 22;
  /** Pixels a second. */
  zoom = 200;
  /** Seconds at the left edge of the sheet. */
  origin = 0;
  scroll = 0;

  get span(): number {
    return Math.max(1, this.width - this.labels);
  }

  x(time: number): number {
    return this.labels + (time - this.origin) * this.zoom;
  }

  time(x: number): number {
    return this.origin + (x - this.labels) / this.zoom;
  }

  get end(): number {
    return this.time(this.width);
  }

  y(row: number): number {
    return this.ruler + row * this.rowHeight - this.scroll;
  }

  row(y: number): number {
    return Math.floor((y - this.ruler + this.scroll) / this.rowHeight);
  }

  /** Zooms so that the time under x stays there. */
  zoomAbout(x: number, factor: number): void {
    const fixed = this.time(x);
    this.zoom = Math.min(Math.max(this.zoom * factor, 4), 20_000);
    this.origin = fixed - (x - this.labels) / this.zoom;
    this.clamp();
  }

  pan(dx: number, dy: number, rows: number): void {
    this.origin += dx / this.zoom;
    this.scroll += dy;
    this.clamp();
    this.clampRows(rows);
  }

  fit(duration: number): void {
    const margin = 24;
    this.zoom = Math.min(Math.max((this.span - 2 * margin) / Math.max(duration, 0.25), 4), 20_000);
    this.origin = -margin / this.zoom;
  }

  private clamp(): void {
    this.origin = Math.max(this.origin, -40 / this.zoom);
  }

  clampRows(rows: number): void {
    const most = Math.max(0, rows * this.rowHeight - (this.height - this.ruler) + 8);
    this.scroll = Math.min(Math.max(0, this.scroll), most);
  }

  reveal(row: number, rows: number): void {
    const top = row * this.rowHeight;
    const view = this.height - this.ruler;
    if (top < this.scroll) this.scroll = top;
    else if (top + this.rowHeight > this.scroll + view)
      this.scroll = top + this.rowHeight - view + this.rowHeight;
    this.clampRows(rows);
  }

  /** Seconds between labelled ticks, and how many unlabelled ones lie between. On frames where a frame
   * is wide enough to see. */
  ticks(fps: number): { step: number; parts: number } {
    const wanted = 84 / this.zoom;
    for (const frames of [1, 2, 5, 10]) {
      if (frames / fps >= wanted && frames / fps < 1) return { step: frames / fps, parts: frames };
    }
    for (const [step, parts] of [
      [0.5, 5],
      [1, 10],
      [2, 4],
      [5, 5],
      [10, 10],
      [30, 6],
      [60, 6],
      [300, 5],
    ] as const)
      if (step >= wanted) return { step, parts };
    return { step: 600, parts: 10 };
  }
}

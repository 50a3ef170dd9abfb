/** What the last update reported, a bit each; the first is "reached". */
export class Flags<Name extends string> {
  readonly names: ReadonlySet<Name>;
  readonly #names = new Set<Name>();
  readonly #others: readonly Name[];
  #bits = 0;

  /** `others`: names of the bits after the first, in their order. */
  constructor(others: readonly Name[]) {
    this.#others = others;
    this.names = this.#names;
  }

  get reached(): boolean {
    return (this.#bits & 1) !== 0;
  }

  set(bits: number): void {
    if (bits === this.#bits) return;
    this.#bits = bits;
    this.#names.clear();
    this.#others.forEach((name, i) => {
      if (bits & (2 << i)) this.#names.add(name);
    });
  }
}

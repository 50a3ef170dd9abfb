import type { Quaternion, Vector3 } from "three";

/** What modules put onto a rotation or position of the scene since it was last animated. */
interface Stack {
  top: Layer | undefined;
}

const stacks = new WeakMap<Quaternion | Vector3, Stack>();

/** One module's hold on a rotation or a position.
 *
 * A module starts from the pose that the animation gave and never from its own result of the frame
 * before. Whether anybody animated since shows in the value: if it still is what the topmost module
 * wrote, nobody did, and a module that is in the stack starts again from where it started then.
 * So modules may share a joint, as long as each frame updates them in the same order. */
export class Layer {
  /** Where this frame starts, after read(). */
  readonly start = new Float64Array(4);
  readonly #value: Quaternion | Vector3;
  readonly #stack: Stack;
  #below: Layer | undefined;
  #isHeld = false;
  readonly #base = new Float64Array(4);
  readonly #written = new Float64Array(4);

  constructor(value: Quaternion | Vector3) {
    this.#value = value;
    let stack = stacks.get(value);
    if (!stack) stacks.set(value, (stack = { top: undefined }));
    this.#stack = stack;
  }

  /** Whether this module wrote the value and nobody animated it since, as of read(). */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  read(): void {
    this.#isHeld = this.#isStacked() && this.#isCurrent();
    if (this.#isHeld) copy(this.#base, this.start);
    else this.#value.toArray(this.start);
  }

  /** After read(). `values` may be longer than the value. */
  write(values: Float64Array): void {
    this.#unstack();
    this.#below = this.#stack.top;
    this.#stack.top = this;
    copy(this.start, this.#base);
    this.#value.fromArray(values);
    this.#value.toArray(this.#written);
  }

  /** Puts back what was there before this module and those that came after it. */
  restore(): void {
    this.read();
    if (this.#isHeld) this.#value.fromArray(this.#base);
    this.#unstack();
  }

  /** Takes this layer and those above it off the stack; all, if somebody animated. */
  #unstack(): void {
    if (this.#isHeld) this.#stack.top = this.#below;
    else if (!this.#isCurrent()) this.#stack.top = undefined;
    this.#below = undefined;
  }

  #isStacked(): boolean {
    let layer = this.#stack.top;
    while (layer && layer !== this) layer = layer.#below;
    return layer === this;
  }

  #isCurrent(): boolean {
    const { top } = this.#stack;
    if (!top) return true;
    const { x, y, z, w = 0 } = this.#value as Vector3 & { w?: number };
    const written = top.#written;
    return x === written[0] && y === written[1] && z === written[2] && w === written[3];
  }
}

/** Four numbers; `set` of an array takes longer than this. */
function copy(from: Float64Array, to: Float64Array): void {
  for (let k = 0; k < 4; k++) to[k] = from[k]!;
}

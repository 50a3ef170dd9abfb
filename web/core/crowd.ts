import { SinewError, type Crowd } from "./types.ts";
import type { Address, Native } from "./native.ts";

export class WasmCrowd implements Crowd {
  readonly #native: Native;
  readonly #check: (result: number) => void;
  readonly #onDispose: (crowd: WasmCrowd) => void;
  #address: Address;

  constructor(
    readonly count: number,
    readonly matrixCount: number,
    native: Native,
    address: Address,
    check: (result: number) => void,
    onDispose: (crowd: WasmCrowd) => void,
  ) {
    this.#native = native;
    this.#address = address;
    this.#check = check;
    this.#onDispose = onDispose;
  }

  get #crowd(): Address {
    if (!this.#address) throw new SinewError("session.disposed", "this crowd was disposed");
    return this.#address;
  }

  clips(): Uint32Array {
    const address = this.#native.exports.crowd_clips(this.#crowd);
    return new Uint32Array(this.#native.memory.buffer, address >>> 0, this.count);
  }

  times(): Float32Array {
    return this.#native.floats(this.#native.exports.crowd_times(this.#crowd), this.count);
  }

  roots(): Float32Array {
    return this.#native.floats(this.#native.exports.crowd_roots(this.#crowd), this.count * 12);
  }

  evaluate(): void {
    this.#check(this.#native.exports.crowd_evaluate(this.#crowd));
  }

  jointMatrices(): Float32Array {
    const address = this.#native.exports.crowd_joint_matrices(this.#crowd);
    return this.#native.floats(address, this.count * this.matrixCount * 12);
  }

  dispose(): void {
    if (!this.#address) return;
    const address = this.#address;
    this.#address = 0;
    if (!this.#native.broken) this.#native.exports.crowd_free(address);
    this.#onDispose(this);
  }
}

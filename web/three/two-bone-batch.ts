import { SinewError } from "../core/error.ts";
import { noMemory, type Address, type Rig } from "./rig.ts";

const LANES = 8;
const MOST_LIMBS = 2 ** 20; // as in wasm/rig/two_bone_batch.c

/** Two-bone inverse kinematics for many limbs at once, on arrays: the plain case of TwoBoneIK, a
 * hard reach and a pole, for crowds that are no objects of a scene.
 *
 * Each vector is an array a component, with an element a limb. The arrays are views of the module's
 * memory, which grows when something else is made with the rig: take them from here in each frame. */
export class TwoBoneBatch {
  readonly count: number;
  readonly #rig: Rig;
  readonly #stride: number;
  readonly #address: Address;
  #groups: Float32Array[][] = [];
  #isDisposed = false;

  /** Throws SinewError "argument" for a count that is none. */
  constructor(rig: Rig, count: number) {
    if (!(Number.isInteger(count) && count >= 0 && count <= MOST_LIMBS))
      throw new SinewError("argument", `${count} is no number of limbs, 0 to ${MOST_LIMBS}`);
    this.#rig = rig;
    this.count = count;
    this.#stride = Math.ceil(count / LANES) * LANES;
    this.#address = rig.exports.two_bone_batch_create(count);
    if (!this.#address) throw noMemory();
  }

  /** In, of the base pose, in any space that all share: x, y and z from root to middle joint. */
  get upper(): Float32Array[] {
    return this.#group(0);
  }

  /** In: from middle joint to end. */
  get fore(): Float32Array[] {
    return this.#group(1);
  }

  /** In: from the root to the target. */
  get target(): Float32Array[] {
    return this.#group(2);
  }

  /** In: from the root to the pole. */
  get pole(): Float32Array[] {
    return this.#group(3);
  }

  /** Out: x, y, z and w of the turn of the upper bone, in that space. */
  get root(): Float32Array[] {
    return this.#group(4);
  }

  /** Out: the turn of the fore bone about the middle joint, before the upper bone turns. */
  get middle(): Float32Array[] {
    return this.#group(5);
  }

  /** Out: distance between end and target; -1 for a limb that cannot be solved, which stays. */
  get residual(): Float32Array {
    return this.#group(6)[0]!;
  }

  solve(): void {
    this.#check();
    this.#rig.exports.two_bone_batch_solve(this.#address);
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#groups = [];
    this.#rig.exports.release(this.#address);
  }

  #check(): void {
    if (this.#isDisposed) throw new SinewError("session.disposed", "this batch was disposed");
  }

  #group(index: number): Float32Array[] {
    this.#check();
    if (!this.#groups.length || (this.count && !this.#groups[0]![0]!.length)) this.#makeViews();
    return this.#groups[index]!;
  }

  #makeViews(): void {
    const { memory, two_bone_batch_values } = this.#rig.exports;
    let next = two_bone_batch_values(this.#address);
    this.#groups = [3, 3, 3, 3, 4, 4, 1].map((components) =>
      Array.from({ length: components }, () => {
        const view = new Float32Array(memory.buffer, next, this.count);
        next += this.#stride * 4;
        return view;
      }),
    );
  }
}

import { compile, type ModuleSource } from "../core/compile.ts";
import { SinewError } from "../core/error.ts";

/** Address of something in the module's memory; 0 is none. */
export type Address = number;
/** An sn_result: 0, or a failure that the rig's error describes. */
export type Result = number;

/** What sinew_rig.wasm exports; the files of wasm/rig say what each does. */
export interface RigExports {
  memory: WebAssembly.Memory;
  _initialize?(): void;

  version(): Address;
  allocate(size: number): Address;
  release(block: Address): void;
  error_size(): number;
  error_id(error: Address): Address;
  error_text(error: Address): Address;

  joints_create(count: number): Address;
  joints_parents(joints: Address): Address;
  joints_rest(joints: Address): Address;
  joints_local(joints: Address): Address;
  joints_root(joints: Address): Address;

  humanoid_size(): number;
  human_bone_count(): number;
  human_bone_name(bone: number): Address;
  humanoid_from_names(joints: Address, names: Address, humanoid: Address, error: Address): Result;

  two_bone_size(): number;
  two_bone_solve(block: Address, joints: Address, error: Address): Result;

  two_bone_batch_create(count: number): Address;
  two_bone_batch_values(batch: Address): Address;
  two_bone_batch_solve(batch: Address): void;

  cursor_follow_size(): number;
  cursor_follow_state_size(): number;
  cursor_follow_defaults(block: Address): void;
  cursor_follow_set_up(
    block: Address,
    state: Address,
    joints: Address,
    humanoid: Address,
    error: Address,
  ): Result;
  cursor_follow_reset(state: Address): void;
  cursor_follow_solve(block: Address, state: Address, joints: Address, error: Address): Result;

  hand_grip_size(): number;
  hand_grip_hand_size(): number;
  hand_grip_set_up(
    block: Address,
    hand: Address,
    joints: Address,
    humanoid: Address,
    isLeft: number,
    error: Address,
  ): Result;
  hand_grip_solve(block: Address, hand: Address, joints: Address, error: Address): Result;

  prop_grip_size(): number;
  prop_grip_arm_size(): number;
  prop_grip_set_up(
    arms: Address,
    arm: number,
    joints: Address,
    humanoid: Address,
    isLeft: number,
    error: Address,
  ): Result;
  prop_grip_solve(block: Address, arms: Address, joints: Address, error: Address): Result;
}

const decoder = new TextDecoder();

/** An instance of sinew_rig.wasm. Any number of modules share it. */
export class Rig {
  readonly exports: RigExports;
  /** Where calls that fail say why. */
  readonly error: Address;
  #floats = new Float32Array();
  #words = new Uint32Array();

  constructor(instance: WebAssembly.Instance) {
    this.exports = instance.exports as unknown as RigExports;
    this.exports._initialize?.();
    this.error = this.allocate(this.exports.error_size());
  }

  get version(): string {
    return this.string(this.exports.version());
  }

  /** The whole memory. Allocating may detach it: to be asked for anew in each frame. */
  get floats(): Float32Array {
    // What is detached has no length; asking the memory for its buffer takes longer.
    if (this.#floats.length === 0) this.#floats = new Float32Array(this.exports.memory.buffer);
    return this.#floats;
  }

  get words(): Uint32Array {
    if (this.#words.length === 0) this.#words = new Uint32Array(this.exports.memory.buffer);
    return this.#words;
  }

  /** A zeroed block, until `exports.release`. */
  allocate(size: number): Address {
    const address = this.exports.allocate(size);
    if (!address) throw noMemory();
    return address;
  }

  /** Throws what the last call says in `error`. */
  check(result: Result): void {
    if (result === 0) return;
    const id = this.string(this.exports.error_id(this.error));
    throw new SinewError(id, this.string(this.exports.error_text(this.error)));
  }

  /** A string that ends with a NUL. */
  string(address: Address): string {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return decoder.decode(bytes.subarray(address, bytes.indexOf(0, address)));
  }
}

export function noMemory(): SinewError {
  return new SinewError("memory", "there is not enough memory");
}

/** A block of four-byte fields, as a C file of wasm/rig defines it: index of each field in
 * `floats` and `words` of the rig. */
export type Block<Field extends string> = Readonly<Record<Field, number>> & {
  readonly address: Address;
};

/** `fields` in the order of the C struct, with the number of elements of each; `size` is what the
 * module says the struct has. */
export function allocateBlock<Field extends string>(
  rig: Rig,
  fields: Readonly<Record<Field, number>>,
  size: number,
): Block<Field> {
  const names = Object.keys(fields) as Field[];
  const count = names.reduce((sum, name) => sum + fields[name], 0);
  if (count * 4 !== size) throw wrongModule();
  const address = rig.allocate(size);
  const block: Record<string, number> = { address };
  let next = address / 4;
  for (const name of names) {
    block[name] = next;
    next += fields[name];
  }
  return block as Block<Field>;
}

const wrongModule = () =>
  new SinewError("session.module", "this WebAssembly module is not the sinew_rig.wasm of this version");

/** Loads sinew_rig.wasm; without a source the one beside this script. Throws SinewError
 * "session.module" when it is another module. */
export async function loadRig(
  source: ModuleSource | string = new URL("sinew_rig.wasm", import.meta.url),
): Promise<Rig> {
  const base = typeof document === "undefined" ? import.meta.url : document.baseURI;
  const from = typeof source === "string" ? new URL(source, base) : source;
  const module = await compile(from);
  if (!WebAssembly.Module.exports(module).some(({ name }) => name === "two_bone_solve"))
    throw wrongModule();
  return new Rig(await WebAssembly.instantiate(module, {}));
}

/** The WebAssembly side: instances of sinew.wasm, their memory, and what happens when one traps. */

import { SinewError } from "./error.ts";

/** Address of something in the module's memory; 0 is none. */
export type Address = number;
/** An sn_result: 0, or a failure that the session describes. */
type Result = number;

/** What sinew.wasm exports; wasm/sinew_wasm.c says what each does. */
export interface Exports {
  version(): Address;
  kernel(): Address;
  clip_time(duration: number, time: number, speed: number, mode: number): number;

  session_create(limit: number): Address;
  session_free(session: Address): void;
  session_bytes(session: Address): number;
  session_block(session: Address, size: number): Address;
  session_block_free(session: Address, block: Address, size: number): void;
  session_give(session: Address, bytes: Address, size: number): void;
  session_list_resources(session: Address): Result;
  session_supply_file(
    session: Address,
    path: Address,
    pathSize: number,
    bytes: Address,
    size: number,
  ): Result;
  session_open(session: Address): Result;
  session_lacks_views(session: Address): number;
  session_list_views(session: Address): Result;
  session_supply_view(session: Address, view: number, bytes: Address, size: number): Result;
  session_is_binary(session: Address): number;

  session_text(session: Address): Address;
  session_text_length(session: Address): number;
  session_error_id(session: Address): Address;
  session_error_text(session: Address): Address;
  session_error_pointer(session: Address): Address;
  session_error_line(session: Address): number;
  session_error_column(session: Address): number;

  session_describe_model(session: Address): Result;
  session_describe_clips(session: Address): Result;
  session_describe_modifiers(session: Address): Result;
  session_check(session: Address): Result;
  session_track_values(session: Address, clip: number, track: number): Address;

  session_sample(session: Address, clip: number, time: number): Result;
  session_evaluate(session: Address, clip: number, time: number, seconds: number): Result;
  session_world(session: Address): Address;
  session_joint_matrices(session: Address, skin: number): Address;
  session_weights(session: Address, node: number): Address;
  session_local(session: Address, node: number): Address;
  session_skin(session: Address, node: number, primitive: number): Result;
  session_vertices(session: Address): Address;
  session_vertex_count(session: Address): number;

  session_document(session: Address): Address;
  session_apply(session: Address, command: Address, length: number): Result;
  session_begin(session: Address): void;
  session_end(session: Address): void;
  session_cancel(session: Address): void;
  session_undo(session: Address): number;
  session_redo(session: Address): number;
  session_describe_commands(session: Address): Result;
  session_undo_count(session: Address): number;
  session_redo_count(session: Address): number;

  session_save(session: Address, container: number): Result;
  session_output_count(session: Address): number;
  session_output_path(session: Address, index: number): Address;
  session_output_bytes(session: Address, index: number): Address;
  session_output_size(session: Address, index: number): number;
  session_output_release(session: Address): void;

  crowd_create(session: Address, count: number): Address;
  crowd_free(crowd: Address): void;
  crowd_evaluate(crowd: Address): Result;
  crowd_clips(crowd: Address): Address;
  crowd_times(crowd: Address): Address;
  crowd_roots(crowd: Address): Address;
  crowd_joint_matrices(crowd: Address): Address;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** One instance of sinew.wasm. */
export class Native {
  readonly exports: Exports;
  readonly memory: WebAssembly.Memory;
  /** What ended it: after a trap the state of its memory is unknown, so nothing is called again. */
  #trap: unknown;

  constructor(instance: WebAssembly.Instance) {
    const raw = instance.exports;
    this.memory = raw["memory"] as WebAssembly.Memory;
    const guarded: Record<string, (...args: number[]) => unknown> = {};
    for (const [name, value] of Object.entries(raw))
      if (typeof value === "function") guarded[name] = this.#guard(value as () => unknown);
    this.exports = guarded as unknown as Exports;
    guarded["_initialize"]?.();
  }

  get broken(): boolean {
    return this.#trap !== undefined;
  }

  #guard(f: (...args: number[]) => unknown): (...args: number[]) => unknown {
    return (...args) => {
      if (this.#trap !== undefined) throw this.#brokenError();
      try {
        return f(...args);
      } catch (trap) {
        this.#trap = trap;
        throw this.#brokenError();
      }
    };
  }

  #brokenError(): SinewError {
    const message = `the core stopped (${String(this.#trap)}); this file has to be opened again`;
    return new SinewError("session.broken", message, "", 0, 0, { cause: this.#trap });
  }

  /** A copy of `size` bytes. */
  bytes(address: Address, size: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, address >>> 0, size).slice();
  }

  floats(address: Address, count: number): Float32Array {
    return new Float32Array(this.memory.buffer, address >>> 0, count);
  }

  /** `cached` if it is still such a view, else a new one: memory that grows detaches its views. */
  refresh(cached: Float32Array | undefined, address: Address, count: number): Float32Array {
    return cached?.buffer === this.memory.buffer ? cached : this.floats(address, count);
  }

  write(address: Address, bytes: Uint8Array): void {
    new Uint8Array(this.memory.buffer, address >>> 0, bytes.length).set(bytes);
  }

  /** A string that ends with a NUL. */
  string(address: Address): string {
    const memory = new Uint8Array(this.memory.buffer);
    const start = address >>> 0;
    return decoder.decode(memory.subarray(start, memory.indexOf(0, start)));
  }

  text(address: Address, length: number): string {
    return decoder.decode(new Uint8Array(this.memory.buffer, address >>> 0, length));
  }
}

export const encode = (text: string): Uint8Array => encoder.encode(text);

/** The largest memory that a waiting instance may hold: memory grows only, and letting the instance
 * go is the one way to give it back. */
const IDLE_BYTES = 64 << 20;

/** The compiled module, and an instance that waits for the next session.
 *
 * A session has an instance of its own: what breaks one leaves the others alone, and a session that
 * is dropped without dispose() is collected like any object. */
export class NativePool {
  readonly #module: WebAssembly.Module;
  #idle: Native | undefined;

  constructor(module: WebAssembly.Module, first: WebAssembly.Instance) {
    this.#module = module;
    this.#idle = new Native(first);
  }

  acquire(): Native {
    const native = this.#idle ?? new Native(new WebAssembly.Instance(this.#module));
    this.#idle = undefined;
    return native;
  }

  release(native: Native): void {
    if (!native.broken && native.memory.buffer.byteLength <= IDLE_BYTES) this.#idle ??= native;
  }

  /** Calls what needs no session. */
  use<T>(f: (native: Native) => T): T {
    const native = this.acquire();
    try {
      return f(native);
    } finally {
      this.release(native);
    }
  }
}

/** The core of Sinew in a browser, a worker or node. */

import { compile, type ModuleSource } from "./compile.ts";
import { decoderReady } from "./meshopt.ts";
import { NativePool, type Native } from "./native.ts";
import { listResources, openSession } from "./session.ts";
import { SinewError } from "./types.ts";
import type { Core, Loop } from "./types.ts";

export * from "./types.ts";

/** Where sinew.wasm comes from: its bytes, a response that brings them, an address to fetch, or the
 * module that another thread compiled. */
export type CoreSource = ModuleSource;

const LOOPS: Record<Loop, number> = { once: 0, repeat: 1, "ping-pong": 2 };

/** Throws SinewError "session.module" when this is no sinew.wasm. */
export async function loadCore(source: CoreSource): Promise<Core> {
  const module = await compile(source);
  const instance = await WebAssembly.instantiate(module, {});
  if (!("session_open" in instance.exports))
    throw new SinewError("session.module", "this WebAssembly module is not sinew.wasm");
  await decoderReady();
  const pool = new NativePool(module, instance);
  const name = (f: (native: Native) => number) => pool.use((native) => native.string(f(native)));
  return {
    kernel: name((native) => native.exports.kernel()),
    version: name((native) => native.exports.version()),
    clipTime: (duration, time, speed, loop) =>
      pool.use(({ exports }) => exports.clip_time(duration, time, speed, LOOPS[loop])),
    listResources: (bytes) => listResources(pool, bytes),
    open: (bytes, options = {}) => openSession(pool, bytes, options),
  };
}

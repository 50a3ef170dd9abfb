/** The core of Sinew in a browser, a worker or node. */

import { decoderReady } from "./meshopt.ts";
import { NativePool, type Native } from "./native.ts";
import { listResources, openSession } from "./session.ts";
import { SinewError } from "./types.ts";
import type { Core, Loop } from "./types.ts";

export * from "./types.ts";

/** Where sinew.wasm comes from: its bytes, a response that brings them, an address to fetch, or the
 * module that another thread compiled. */
export type CoreSource = BufferSource | Response | URL | WebAssembly.Module;

const LOOPS: Record<Loop, number> = { once: 0, repeat: 1, "ping-pong": 2 };

async function compile(source: CoreSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL) return compile(await fetchModule(source));
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok)
      throw new SinewError("io.read", `${source.url}: ${source.status} ${source.statusText}`);
    // Streaming insists on the media type; a server that does not know it is no reason to fail.
    return source.headers.get("content-type")?.startsWith("application/wasm")
      ? WebAssembly.compileStreaming(source)
      : WebAssembly.compile(await source.arrayBuffer());
  }
  return WebAssembly.compile(source as BufferSource);
}

/** node's fetch knows no files. The name is no literal, so that bundlers leave it alone. */
async function fetchModule(url: URL): Promise<BufferSource | Response> {
  if (url.protocol !== "file:") return fetch(url);
  const name = "node:fs/promises";
  const files = (await import(/* @vite-ignore */ name)) as {
    readFile(url: URL): Promise<Uint8Array<ArrayBuffer>>;
  };
  return files.readFile(url);
}

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

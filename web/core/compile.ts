import { SinewError } from "./error.ts";

/** Where a WebAssembly module comes from: its bytes, a response that brings them, an address to
 * fetch, or the module that another thread compiled. */
export type ModuleSource = BufferSource | Response | URL | WebAssembly.Module;

export async function compile(source: ModuleSource): Promise<WebAssembly.Module> {
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

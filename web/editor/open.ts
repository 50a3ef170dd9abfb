/** Getting files from the person: picker, drop of files and folders, or the server's list. */
import type { Core } from "../core/types.ts";
import type { OpenedFile } from "./editor.ts";
import { decodePath } from "./uri.ts";

export type FileSet = Map<string, Uint8Array>;

const models = /\.(glb|gltf|vrm|vrma)$/i;
/** In this order a set of files is searched for the one to open. */
const order = ["glb", "vrm", "gltf", "vrma"];

export const extension = (name: string): string =>
  /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

export async function readFiles(files: Iterable<File>): Promise<FileSet> {
  const set: FileSet = new Map();
  for (const file of files)
    set.set(file.webkitRelativePath || file.name, new Uint8Array(await file.arrayBuffer()));
  return set;
}

/** All that was dropped, folders walked through. */
export async function readDrop(data: DataTransfer): Promise<FileSet> {
  // Entries must be taken before the first wait: the list is emptied when the event is over.
  const entries = [...data.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (!entries.length) return readFiles(data.files);
  const set: FileSet = new Map();
  for (const entry of entries) await walk(entry, set);
  return set;
}

async function walk(entry: FileSystemEntry, set: FileSet): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) =>
      (entry as FileSystemFileEntry).file(done, failed),
    );
    set.set(entry.fullPath.replace(/^\//, ""), new Uint8Array(await file.arrayBuffer()));
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader gives a folder in parts, and none at its end.
    const part = await new Promise<FileSystemEntry[]>((done, failed) =>
      reader.readEntries(done, failed),
    );
    if (!part.length) return;
    for (const child of part) await walk(child, set);
  }
}

/** The files of a set that can be opened, the likeliest first. */
export function modelsIn(set: FileSet): string[] {
  const rank = (path: string): number =>
    order.indexOf(extension(path)) * 1000 + path.split("/").length;
  return [...set.keys()]
    .filter((path) => models.test(path))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

/** The file at `path` of a set with what it refers to beside it. Throws SinewError on broken JSON. */
export function assemble(core: Core, set: FileSet, path: string): OpenedFile {
  const bytes = set.get(path)!;
  const resources: FileSet = new Map();
  const beside = new Map(
    [...set].map(([other, content]) => [relative(folderOf(path), other), content]),
  );
  for (const wanted of neededFiles(core, bytes)) {
    const found = matchResource(beside, wanted);
    if (found) resources.set(wanted, found);
  }
  return { name: baseName(path), bytes, resources };
}

/** The files that a model names: buffers, which the core reads, and images, which only the view needs. */
function neededFiles(core: Core, bytes: Uint8Array): Set<string> {
  return new Set([...core.listResources(bytes), ...externalImages(bytes)]);
}

/** The images that a model names, decoded. */
export function externalImages(bytes: Uint8Array): string[] {
  try {
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isGlb = bytes.byteLength > 20 && data.getUint32(0, true) === 0x46546c67;
    const text = isGlb ? bytes.subarray(20, 20 + data.getUint32(12, true)) : bytes;
    const { images = [] } = JSON.parse(new TextDecoder().decode(text)) as {
      images?: { uri?: unknown }[];
    };
    const uris = images.map(({ uri }) => uri).filter((uri) => typeof uri === "string");
    return uris.filter((uri) => !/^[a-z][a-z0-9+.-]*:/i.test(uri)).map(decodePath);
  } catch {
    // What is wrong with the file the core says, and better.
    return [];
  }
}

/** A file of a set by the path that a .gltf gives, or by its bare name: files picked one by one have
 * lost their folder. */
export function matchResource(
  set: ReadonlyMap<string, Uint8Array>,
  path: string,
): Uint8Array | undefined {
  const clean = normal(path);
  const exact = set.get(path) ?? set.get(clean);
  if (exact) return exact;
  const name = baseName(clean).toLowerCase();
  for (const [other, bytes] of set) if (baseName(other).toLowerCase() === name) return bytes;
  return undefined;
}

function relative(folder: string, path: string): string {
  return path.startsWith(folder) ? path.slice(folder.length) : path;
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

// ---- the server's files ----

export interface ServedFile {
  name: string;
  url: string;
  size: number;
}

/** What `sinew serve` offers; nothing when the page is served by something else. */
export async function listServed(): Promise<{ files: ServedFile[]; samples: ServedFile[] }> {
  try {
    const response = await fetch("/api/files");
    const list = response.ok
      ? ((await response.json()) as Partial<Record<"files" | "samples", ServedFile[]>>)
      : {};
    const usable = (files: ServedFile[] = []): ServedFile[] =>
      files.filter((file) => models.test(file.name));
    return { files: usable(list.files), samples: usable(list.samples) };
  } catch {
    return { files: [], samples: [] };
  }
}

/** A file of this server, with the files that it refers to. */
export async function fetchServed(core: Core, url: string): Promise<OpenedFile> {
  const base = new URL(url, location.href);
  if (base.origin !== location.origin)
    throw new Error("Only files of this server can be opened by address.");
  const bytes = await fetchBytes(base);
  const resources: FileSet = new Map();
  for (const path of neededFiles(core, bytes)) {
    const address = new URL(path.split("/").map(encodeURIComponent).join("/"), base);
    const found = await fetchBytes(address).catch(() => null);
    if (found) resources.set(path, found);
  }
  return { name: decodePath(baseName(base.pathname)), bytes, resources };
}

async function fetchBytes(url: URL): Promise<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(
      `${decodePath(url.pathname)} could not be read: the server answers ${response.status}.`,
    );
  return new Uint8Array(await response.arrayBuffer());
}

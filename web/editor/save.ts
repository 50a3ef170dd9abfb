/** Saving: the session's GLB as a download. */
import type { OutputFile, Session } from "../core/types.ts";
import { extension } from "./open.ts";

const suffix = "-edited";

/** walk.glb becomes walk-edited.glb; a VRM stays one; a .gltf becomes a .glb. */
export function savedName(name: string): string {
  const kind = extension(name);
  const stem = name.slice(0, kind ? -kind.length - 1 : undefined).replace(new RegExp(`${suffix}$`), "");
  return `${stem}${suffix}.${kind === "vrm" || kind === "vrma" ? kind : "glb"}`;
}

/** Writes the GLB and hands it over; returns the files that it refers to, which the person has already. */
export function save(session: Session, name: string): string[] {
  const files = session.save("glb");
  const main = files.find((file) => file.path === "");
  if (!main) throw new Error("The core wrote no main file.");
  download(main, savedName(name));
  return files.filter((file) => file !== main).map((file) => file.path);
}

function download(file: OutputFile, name: string): void {
  const url = URL.createObjectURL(new Blob([file.bytes as Uint8Array<ArrayBuffer>], { type: "model/gltf-binary" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saving: the session's GLB as a download. */
import type { OutputFile, Session } from "../core/types.ts";
import { clipName } from "./format.ts";
import { extension, externalImages } from "./open.ts";

const suffix = "-edited";

/** walk.glb becomes walk-edited.glb; a VRM stays one; a .gltf becomes a .glb. */
export function savedName(name: string): string {
  const kind = extension(name);
  const stem = name
    .slice(0, kind ? -kind.length - 1 : undefined)
    .replace(new RegExp(`${suffix}$`), "");
  return `${stem}${suffix}.${kind === "vrm" || kind === "vrma" ? kind : "glb"}`;
}

/** Writes the GLB and hands it over. Returns what the person should know about it, in words. */
export function save(session: Session, name: string): string {
  const file = session.save("glb").find(({ path }) => path === "");
  if (!file) throw new Error("The core wrote no main file.");
  const saved = savedName(name);
  download(file, saved);

  const remarks = [`Saved to your downloads: ${saved}.`];
  const images = [...new Set(externalImages(file.bytes))];
  if (images.length)
    remarks.push(`Its images stay files of their own, to be kept beside it: ${images.join(", ")}.`);
  const empty = session.clips().filter((clip) => clip.tracks.length === 0);
  if (empty.length)
    remarks.push(
      `${empty.map((clip) => `“${clipName(clip)}”`).join(", ")} has no keys, and glTF holds no such clip.`,
    );
  return remarks.join(" ");
}

function download(file: OutputFile, name: string): void {
  const url = URL.createObjectURL(
    new Blob([file.bytes as Uint8Array<ArrayBuffer>], { type: "model/gltf-binary" }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

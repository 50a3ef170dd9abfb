/** Numbers and names as people read them. */

/** At most `digits` decimals, without trailing zeros and without "-0". */
export function number(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  const text = value.toFixed(digits).replace(/\.?0+$/, "");
  return text === "-0" ? "0" : text;
}

export const seconds = (value: number): string => `${value.toFixed(3)} s`;

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(0)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export function ago(time: number, now = Date.now()): string {
  const minutes = Math.round((now - time) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${plural(minutes, "minute")} ago`;
  if (minutes < 48 * 60) return `${plural(Math.round(minutes / 60), "hour")} ago`;
  return new Date(time).toLocaleDateString();
}

export const nodeName = (node: { index: number; name: string }): string =>
  node.name || `Node ${node.index}`;
export const clipName = (clip: { index: number; name: string }): string =>
  clip.name || `Clip ${clip.index}`;

/** Buffer views that EXT_meshopt_compression or KHR_meshopt_compression compresses, decoded by
 * meshoptimizer. */

import { MeshoptDecoder } from "meshoptimizer/decoder";
import type { Native } from "./native.ts";

/** Buffer view, count, stride, mode, address and size of the compressed bytes. */
export type CompressedView = [number, number, number, number, number, number];

const MODES = ["ATTRIBUTES", "TRIANGLES", "INDICES"];

/** Resolves once decodeView can be called. */
export const decoderReady = (): Promise<void> => MeshoptDecoder.ready;

/** The bytes without their filter, which the core undoes: meshoptimizer's rounding there differs by
 * processor. Undefined when they cannot be decoded. */
export function decodeView(view: CompressedView, native: Native): Uint8Array | undefined {
  const [, count, stride, mode, address, size] = view;
  const decoded = new Uint8Array(count * stride);
  try {
    MeshoptDecoder.decodeGltfBuffer(decoded, count, stride, native.bytes(address, size), MODES[mode]!);
  } catch {
    return undefined;
  }
  return decoded;
}

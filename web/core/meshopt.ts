/** Buffer views that EXT_meshopt_compression or KHR_meshopt_compression compresses, decoded by
 * meshoptimizer. */

import { MeshoptDecoder } from "meshoptimizer/decoder";
import type { Native } from "./native.ts";
import { SinewError } from "./types.ts";

/** Buffer view, count, stride, mode, filter, address and size of the compressed bytes. */
export type CompressedView = [number, number, number, number, number, number, number];

const MODES = ["ATTRIBUTES", "TRIANGLES", "INDICES"];
const FILTERS = ["NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"];

/** Resolves once decodeView can be called. */
export const decoderReady = (): Promise<void> => MeshoptDecoder.ready;

export function decodeView(view: CompressedView, native: Native): Uint8Array {
  const [index, count, stride, mode, filter, address, size] = view;
  const decoded = new Uint8Array(count * stride);
  const source = native.bytes(address, size);
  try {
    MeshoptDecoder.decodeGltfBuffer(decoded, count, stride, source, MODES[mode]!, FILTERS[filter]);
  } catch (error) {
    const message = `the compressed bytes cannot be decoded: ${String(error)}`;
    throw new SinewError("meshopt.data", message, `/bufferViews/${index}`, 0, 0, { cause: error });
  }
  return decoded;
}

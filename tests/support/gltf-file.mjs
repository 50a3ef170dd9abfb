// A glTF file taken apart without any of Sinew's code: its JSON text and its buffers' bytes.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** { binary, text, bin } of a .glb (bin: the BIN chunk or null) or .gltf. */
export function readContainer(bytes) {
    if (bytes.length < 4 || bytes.readUInt32LE(0) !== 0x46546c67) return { binary: false, text: bytes.toString('utf8'), bin: null };
    let text = null;
    let bin = null;
    for (let at = 12; at + 8 <= bytes.readUInt32LE(8);) {
        const length = bytes.readUInt32LE(at);
        const type = bytes.readUInt32LE(at + 4);
        const chunk = bytes.subarray(at + 8, at + 8 + length);
        if (type === 0x4e4f534a) text ??= chunk.toString('utf8');
        else if (type === 0x004e4942) bin ??= chunk;
        at += 8 + length;
    }
    return { binary: true, text, bin };
}

/** A percent-decoded URI; one with a stray % as it is. */
function decodeUri(uri) {
    try {
        return decodeURIComponent(uri);
    } catch {
        return uri;
    }
}

/** The bytes of buffer i of the file at `path`, byteLength of them; null when it has none. */
export function bufferBytes(path, container, json, i) {
    const { uri, byteLength } = json.buffers[i];
    let bytes = container.bin;
    if (typeof uri === 'string' && uri.startsWith('data:')) {
        const comma = uri.indexOf(',');
        bytes = uri.slice(0, comma).endsWith(';base64')
            ? Buffer.from(decodeURIComponent(uri.slice(comma + 1)), 'base64')
            : Buffer.from(decodeURIComponent(uri.slice(comma + 1)), 'latin1');
    } else if (typeof uri === 'string') {
        bytes = readFileSync(join(dirname(path), decodeUri(uri)));
    }
    return bytes && bytes.subarray(0, byteLength);
}

/** External files that the JSON names, decoded relative paths. */
export function externalFiles(json, kinds = ['buffers', 'images']) {
    return kinds.flatMap((kind) => json[kind] ?? [])
        .map((entry) => entry?.uri)
        .filter((uri) => typeof uri === 'string' && !/^[a-z][a-z0-9+.-]*:/i.test(uri))
        .map(decodeUri);
}

const components = {
    5120: [1, 'getInt8', 127], 5121: [1, 'getUint8', 255], 5122: [2, 'getInt16', 32767], 5123: [2, 'getUint16', 65535],
    5125: [4, 'getUint32', 1], 5126: [4, 'getFloat32', 1],
};
const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** The elements of an accessor, each an array of numbers; no sparse ones, no compressed views. */
export function readAccessor(path, container, json, index) {
    const accessor = json.accessors[index];
    const view = json.bufferViews[accessor.bufferView];
    const bytes = bufferBytes(path, container, json, view.buffer);
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const [size, get, most] = components[accessor.componentType];
    const width = widths[accessor.type];
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    return Array.from({ length: accessor.count }, (_, i) => Array.from({ length: width }, (__, k) => {
        const value = data[get](start + i * (view.byteStride ?? width * size) + k * size, true);
        return accessor.normalized ? Math.max(value / most, -1) : value;
    }));
}

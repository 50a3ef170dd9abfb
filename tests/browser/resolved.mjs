// A GLB as a tree without indices into accessors and buffer views: what they hold stands in their place,
// so that two files can be compared whatever the order of their accessors.
import { createHash } from 'node:crypto';

const components = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

function read(bytes) {
    if (bytes.readUInt32LE(0) !== 0x46546c67) throw new Error('not a GLB');
    const length = bytes.readUInt32LE(12);
    const json = JSON.parse(bytes.subarray(20, 20 + length));
    const at = 20 + length;
    return { json, binary: at < bytes.length ? bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at)) : Buffer.alloc(0) };
}

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The JSON with each accessor and buffer view replaced by what it holds, and the channels apart. */
export function resolve(bytes) {
    const { json, binary } = read(bytes);
    const view = (index) => {
        const { byteOffset = 0, byteLength } = json.bufferViews[index];
        return binary.subarray(byteOffset, byteOffset + byteLength);
    };
    const accessor = (index) => {
        const { bufferView, byteOffset = 0, ...rest } = json.accessors[index];
        if (bufferView === undefined) return rest;
        const size = components[rest.componentType] * widths[rest.type];
        const stride = json.bufferViews[bufferView].byteStride ?? size;
        const source = view(bufferView);
        const rows = Array.from({ length: rest.count }, (_, i) => source.subarray(byteOffset + i * stride, byteOffset + i * stride + size));
        return { ...rest, data: hash(Buffer.concat(rows)) };
    };
    const each = (object, change) => object && Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
    const { accessors, bufferViews, buffers, animations = [], meshes, skins, images, ...rest } = json;
    const channels = new Map();
    animations.forEach((animation, i) => animation.channels.forEach(({ sampler, ...channel }) => {
        const { input, output, ...other } = animation.samplers[sampler];
        channels.set(`${i}/${channel.target.node}/${channel.target.path}`, { channel, ...other, input: accessor(input), output: accessor(output) });
    }));
    return {
        channels,
        tree: {
            ...rest,
            animations: animations.map(({ channels: list, samplers, ...other }) => ({ ...other, targets: list.map(({ target }) => target) })),
            meshes: meshes?.map((mesh) => ({
                ...mesh,
                primitives: mesh.primitives.map((primitive) => ({
                    ...primitive,
                    attributes: each(primitive.attributes, accessor),
                    ...(primitive.indices !== undefined && { indices: accessor(primitive.indices) }),
                    ...(primitive.targets && { targets: primitive.targets.map((target) => each(target, accessor)) }),
                })),
            })),
            skins: skins?.map((skin) => ({ ...skin, ...(skin.inverseBindMatrices !== undefined && { inverseBindMatrices: accessor(skin.inverseBindMatrices) }) })),
            images: images?.map((image) => (image.bufferView === undefined ? image : { ...image, bufferView: hash(view(image.bufferView)) })),
        },
    };
}

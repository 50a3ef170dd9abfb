// A small model whose every number is known: two joints, one skinned triangle with a morph target,
// and two clips named alike in nothing but their letters.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const types = { 5121: Uint8Array, 5126: Float32Array };
const widths = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 };

/**
 * { json, bin }: node 0 "Root" (1 up) with child 1 "Arm" (1 up again), node 2 "Body" with the mesh.
 * Clip 0 "Bend" turns Arm by 90° about z from 0 to 1 s; clip 1 "Blend" moves the morph weight 0 → 1
 * from 0 to 2 s. Vertex 2 follows Arm, the others Root.
 */
export function smallModel() {
    const chunks = [];
    const bufferViews = [];
    const accessors = [];
    let length = 0;
    const accessor = (componentType, type, values, more = {}) => {
        const bytes = Buffer.from(types[componentType].from(values).buffer);
        bufferViews.push({ buffer: 0, byteOffset: length, byteLength: bytes.length });
        accessors.push({ bufferView: bufferViews.length - 1, componentType, type, count: values.length / widths[type], ...more });
        chunks.push(bytes);
        length += bytes.length;
        while (length % 4) chunks.push(Buffer.alloc(1)), length++;
        return accessors.length - 1;
    };
    const down = (y) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -y, 0, 1];
    const half = Math.SQRT1_2;
    const json = {
        asset: { version: '2.0', generator: 'tests' },
        scene: 0,
        scenes: [{ nodes: [0, 2] }],
        nodes: [
            { name: 'Root', translation: [0, 1, 0], children: [1] },
            { name: 'Arm', translation: [0, 1, 0] },
            { name: 'Body', mesh: 0, skin: 0 },
        ],
        meshes: [{
            primitives: [{
                attributes: {
                    POSITION: accessor(5126, 'VEC3', [0, 0, 0, 0, 1, 0, 0, 3, 0], { min: [0, 0, 0], max: [0, 3, 0] }),
                    JOINTS_0: accessor(5121, 'VEC4', [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]),
                    WEIGHTS_0: accessor(5126, 'VEC4', [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
                },
                targets: [{ POSITION: accessor(5126, 'VEC3', [0, 0, 1, 0, 0, 0, 0, 0, 0], { min: [0, 0, 0], max: [0, 0, 1] }) }],
            }],
        }],
        skins: [{ joints: [0, 1], inverseBindMatrices: accessor(5126, 'MAT4', [...down(1), ...down(2)]) }],
        animations: [
            {
                name: 'Bend',
                samplers: [{
                    input: accessor(5126, 'SCALAR', [0, 1], { min: [0], max: [1] }),
                    output: accessor(5126, 'VEC4', [0, 0, 0, 1, 0, 0, half, half]),
                }],
                channels: [{ sampler: 0, target: { node: 1, path: 'rotation' } }],
            },
            {
                name: 'Blend',
                samplers: [{
                    input: accessor(5126, 'SCALAR', [0, 2], { min: [0], max: [2] }),
                    output: accessor(5126, 'SCALAR', [0, 1]),
                }],
                channels: [{ sampler: 0, target: { node: 2, path: 'weights' } }],
            },
        ],
        accessors,
        bufferViews,
    };
    const bin = Buffer.concat(chunks);
    json.buffers = [{ byteLength: bin.length }];
    return { json, bin };
}

const pad = (bytes, filler) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, filler)]);

export function toGlb({ json, bin }) {
    const text = pad(Buffer.from(JSON.stringify(json)), 0x20);
    const data = pad(bin, 0);
    const head = (a, b) => {
        const bytes = Buffer.alloc(8);
        bytes.writeUInt32LE(a, 0);
        bytes.writeUInt32LE(b, 4);
        return bytes;
    };
    const length = Buffer.alloc(4);
    length.writeUInt32LE(12 + 8 + text.length + 8 + data.length, 0);
    return Buffer.concat([head(0x46546c67, 2), length, head(text.length, 0x4e4f534a), text, head(data.length, 0x004e4942), data]);
}

/** Writes `files` (name → text or bytes) into a folder; returns a function from name to path. */
export function writeFiles(folder, files) {
    for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), content);
    }
    return (name) => join(folder, name);
}

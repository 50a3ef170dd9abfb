// Compressed buffer views: the module imports nothing, so web/core decodes them and hands them in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { core, coreMissing } from '../support/core.mjs';

const skip = coreMissing;
await MeshoptEncoder.ready;

const keys = 40;
const times = Float32Array.from({ length: keys }, (_, i) => i / 30);
const rotations = Float32Array.from({ length: keys * 4 }, (_, i) => {
    const [x, y, z, w] = [Math.sin(i >> 2), Math.cos((i >> 2) * 0.3), 0.5, (i >> 2) % 5];
    return [x, y, z, w][i & 3] / Math.hypot(x, y, z, w);
});
const translations = Float32Array.from({ length: keys * 3 }, (_, i) => Math.sin(i * 0.7) * 3);

// A .gltf that moves one node, all of it compressed under the name of the extension.
function compressed(extension, damage = (bytes) => bytes) {
    const views = [
        { data: MeshoptEncoder.encodeVertexBuffer(new Uint8Array(times.buffer), keys, 4), stride: 4 },
        { data: MeshoptEncoder.encodeVertexBuffer(MeshoptEncoder.encodeFilterQuat(rotations, keys, 8, 16), keys, 8), stride: 8, filter: 'QUATERNION' },
        { data: MeshoptEncoder.encodeVertexBuffer(MeshoptEncoder.encodeFilterExp(translations, keys, 12, 23), keys, 12), stride: 12, filter: 'EXPONENTIAL' },
    ];
    const buffers = [{ byteLength: 4096, extensions: { [extension]: { fallback: true } } }];
    const bufferViews = views.map(({ data, stride, filter }, i) => {
        const bytes = damage(Buffer.from(data), i);
        buffers.push({ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` });
        return {
            buffer: 0, byteOffset: i * 512, byteLength: keys * stride,
            extensions: { [extension]: { buffer: i + 1, byteLength: bytes.length, byteStride: stride, count: keys, mode: 'ATTRIBUTES', ...(filter ? { filter } : {}) } },
        };
    });
    return Buffer.from(JSON.stringify({
        asset: { version: '2.0' },
        extensionsUsed: [extension],
        extensionsRequired: [extension],
        nodes: [{}],
        buffers,
        bufferViews,
        accessors: [
            { bufferView: 0, componentType: 5126, count: keys, type: 'SCALAR', min: [0], max: [times.at(-1)] },
            { bufferView: 1, componentType: 5122, normalized: true, count: keys, type: 'VEC4' },
            { bufferView: 2, componentType: 5126, count: keys, type: 'VEC3' },
        ],
        animations: [{
            samplers: [{ input: 0, output: 1 }, { input: 0, output: 2 }],
            channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }, { sampler: 1, target: { node: 0, path: 'translation' } }],
        }],
    }));
}

for (const extension of ['EXT_meshopt_compression', 'KHR_meshopt_compression']) {
    test(`${extension}: times, rotations and translations come out as they went in`, { skip }, () => {
        const session = core.open(compressed(extension));
        const [rotation, translation] = session.clips()[0].tracks;
        assert.deepEqual(rotation.times, times);
        const q = session.values(0, rotation.index);
        for (let key = 0; key < keys; key++) {
            // Sixteen bits a component, and either sign is the same rotation.
            const own = [...q.subarray(key * 4, key * 4 + 4)];
            const wanted = [...rotations.subarray(key * 4, key * 4 + 4)];
            const sign = Math.sign(own.reduce((sum, value, k) => sum + value * wanted[k], 0));
            own.forEach((value, k) => assert.ok(Math.abs(value * sign - wanted[k]) < 5e-5, `key ${key}: ${own}, not ${wanted}`));
        }
        session.values(0, translation.index).forEach((value, i) =>
            assert.ok(Math.abs(value - translations[i]) < 3e-7 * 3, `value ${i}: ${value}, not ${translations[i]}`));
        session.dispose();
    });

    test(`${extension}: bytes that cannot be decoded are an error that names the view`, { skip }, () => {
        for (const view of [0, 1, 2])
            assert.throws(() => core.open(compressed(extension, (bytes, i) => (i === view ? bytes.subarray(0, bytes.length - 8) : bytes))),
                { name: 'SinewError', id: 'meshopt.data', pointer: new RegExp(`^/bufferViews/${view}`) });
    });
}

test('a view that is used by nothing may be broken', { skip }, () => {
    const json = JSON.parse(compressed('EXT_meshopt_compression', (bytes, i) => (i === 2 ? bytes.subarray(0, 3) : bytes)));
    json.animations[0].channels.pop();
    const open = () => core.open(Buffer.from(JSON.stringify(json)));
    open().dispose();
    const broken = json.bufferViews[2].extensions.EXT_meshopt_compression;
    broken.mode = 'NONE';
    open().dispose();
    broken.mode = 'ATTRIBUTES';
    broken.count = 2 ** 30 + 1; // of 12 bytes: more than the module's memory, and 12 to 32 bits
    open().dispose();
    json.animations[0].channels.push({ sampler: 1, target: { node: 0, path: 'translation' } });
    assert.throws(open, { name: 'SinewError', id: 'limit.size', pointer: /^\/bufferViews\/2\// });
});

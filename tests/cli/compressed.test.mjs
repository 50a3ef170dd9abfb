// Attributes that meshoptimizer's own encoder compresses, in both versions of the format, come out
// of the native reader as they went in, to the bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { writeFiles } from '../support/small-model.mjs';

await MeshoptEncoder.ready;

function random(seed) {
    let state = seed >>> 0;
    return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

// What fills an element, in 4 bytes each: what encoders meet, and what calls for every way that a
// channel or a byte can be coded.
const fillings = [
    (view, at, i) => view.setFloat32(at, Math.sin(i * 0.05) * 2, true),
    (view, at, i, next) => view.setFloat32(at, next() * 2 - 1, true),
    (view, at) => view.setFloat32(at, 0.25, true),
    (view, at, i) => (view.setUint16(at, i * 3, true), view.setUint16(at + 2, 8192 + (i % 7), true)),
    (view, at, i, next) => [0, 1, 2, 3].forEach((k) => view.setUint8(at + k, next() < 0.9 ? 64 : 64 + next() * 8)),
    (view, at, i, next) => view.setFloat32(at, next() < 0.97 ? 1 : next(), true),
];

function elements(count, stride, seed) {
    const next = random(seed);
    const bytes = new Uint8Array(count * stride);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < count; i++)
        for (let at = 0; at < stride; at += 4) fillings[(at / 4 + seed) % fillings.length](view, i * stride + at, i, next);
    return bytes;
}

/** A mesh whose primitives show every element's numbers as positions: vertices of a morph target,
 * which `pose --skin` prints; the last three numbers of an element, so that no channel is unseen. */
function model(extension, arrays) {
    const json = {
        asset: { version: '2.0' }, extensionsUsed: [extension], extensionsRequired: [extension],
        nodes: [{ mesh: 0 }], meshes: [{ primitives: [] }],
        buffers: [{ byteLength: arrays.reduce((sum, { bytes }) => sum + bytes.length, 0), extensions: { [extension]: { fallback: true } } }],
        bufferViews: [], accessors: [],
    };
    let offset = 0;
    for (const { bytes, count, stride, data } of arrays) {
        json.buffers.push({ byteLength: data.length, uri: `data:;base64,${Buffer.from(data).toString('base64')}` });
        json.bufferViews.push({
            buffer: 0, byteOffset: offset, byteLength: bytes.length, byteStride: stride,
            extensions: { [extension]: { buffer: json.buffers.length - 1, byteLength: data.length, byteStride: stride, count, mode: 'ATTRIBUTES' } },
        });
        for (let at = 0; at + 12 <= stride; at += 12) {
            json.accessors.push({ bufferView: json.bufferViews.length - 1, byteOffset: Math.min(at, stride - 12), componentType: 5126, type: 'VEC3', count });
            json.meshes[0].primitives.push({ attributes: { POSITION: json.accessors.length - 1 }, targets: [{}] });
        }
        offset += bytes.length;
    }
    return JSON.stringify(json);
}

// Numbers that are none, or that a matrix of ones and zeros would change, are not compared.
const plain = (x) => Number.isFinite(x) && x !== 0;

for (const [extension, version] of [['EXT_meshopt_compression', 0], ['KHR_meshopt_compression', 0], ['KHR_meshopt_compression', 1]]) {
    test(`${extension}, version ${version}`, async (t) => {
        const arrays = [];
        for (const count of [1, 2, 15, 16, 17, 255, 256, 257, 1000])
            for (const stride of [12, 16, 20, 32, 36, 128, 252]) {
                const bytes = elements(count, stride, arrays.length);
                const level = arrays.length % 4;
                const data = MeshoptEncoder.encodeVertexBufferLevel(bytes, count, stride, level, version);
                assert.equal(data[0], 0xa0 + version);
                arrays.push({ bytes, count, stride, data });
            }
        const path = writeFiles(temporaryFolder(t), { 'a.gltf': model(extension, arrays) })('a.gltf');
        const { code, stdout, stderr } = await sinew(['pose', path, '--skin', '--json']);
        assert.deepEqual([code, stderr], [0, '']);
        const skinned = JSON.parse(stdout).skinned;
        let primitive = 0;
        let compared = 0;
        for (const { bytes, count, stride } of arrays) {
            const view = new DataView(bytes.buffer);
            for (let at = 0; at + 12 <= stride; at += 12) {
                const positions = skinned[primitive++].positions;
                assert.equal(positions.length, count * 3);
                for (let i = 0; i < count; i++) {
                    const start = i * stride + Math.min(at, stride - 12);
                    const wanted = [0, 4, 8].map((k) => view.getFloat32(start + k, true));
                    if (!wanted.every(plain)) continue;
                    compared++;
                    const own = positions.slice(i * 3, i * 3 + 3).map(Math.fround);
                    assert.deepEqual(own, wanted, `${count} elements of ${stride} bytes, element ${i} from byte ${at}`);
                }
            }
        }
        assert.ok(compared > 50000, `${compared}`);
    });
}

test('streams that are cut or lengthened are an error that names the view', async (t) => {
    const bytes = elements(100, 16, 1);
    const whole = MeshoptEncoder.encodeVertexBufferLevel(bytes, 100, 16, 3, 1);
    const damages = [
        whole.subarray(0, whole.length - 1),
        whole.subarray(0, 20),
        Uint8Array.from([...whole.subarray(0, 1), 0, ...whole.subarray(1)]),
        Uint8Array.from([...whole.subarray(0, -1), 3]), // no such mode of a channel
    ];
    const folder = temporaryFolder(t);
    for (const [i, data] of damages.entries()) {
        const name = `${i}.gltf`;
        const path = writeFiles(folder, { [name]: model('KHR_meshopt_compression', [{ bytes, count: 100, stride: 16, data }]) })(name);
        const { code, stderr } = await sinew(['pose', path, '--skin', '--json']);
        assert.equal(code, 2, `damage ${i}`);
        assert.match(stderr, /meshopt\.data|\/bufferViews\/0/);
    }
});

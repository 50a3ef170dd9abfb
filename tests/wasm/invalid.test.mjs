// Whatever the bytes, a file opens or is refused in words; the module never traps.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { test } from 'node:test';
import { api, core, coreMissing, openFile } from '../support/core.mjs';
import { corpusFiles, corpusMissing } from '../support/files.mjs';

const skip = coreMissing || corpusMissing;
const kinds = ['.gltf', '.glb', '.vrm', '.vrma'];

// Everything that looks at a session.
function look(session) {
    session.check();
    for (const clip of [null, ...session.clips().map(({ index }) => index)]) {
        session.evaluate(clip, 0.3);
        assert.equal(session.world().length, session.model.nodes.length * 16);
    }
    for (const { index, mesh } of session.model.nodes) {
        session.local(index);
        session.weights(index);
        for (let k = 0; mesh !== null && k < session.model.meshes[mesh].primitives; k++) {
            try {
                session.skin(index, k);
            } catch (error) {
                assert.equal(error.id, 'argument', 'only geometry that was not read is refused');
            }
        }
    }
}

/** The id by which the bytes are refused, or undefined. */
function refusal(open, name) {
    let session;
    try {
        session = open();
    } catch (error) {
        assert.ok(error instanceof api.SinewError, `${name}: ${error.stack}`);
        assert.notEqual(error.id, 'session.broken', `${name}: ${error.message}`);
        assert.ok(error.message.length > 10, name);
        assert.ok(error.line > 0 || error.pointer !== undefined, name);
        return error.id;
    }
    look(session);
    session.dispose();
    return undefined;
}

test('every corpus file opens or is refused', { skip }, (t) => {
    const refused = {};
    let opened = 0;
    for (const { path, name } of corpusFiles(kinds)) {
        const id = refusal(() => openFile(path), name);
        if (id) refused[id] = (refused[id] ?? 0) + 1;
        else opened++;
    }
    t.diagnostic(`${opened} open; refused: ${JSON.stringify(refused)}`);
    assert.ok(opened > 400 && Object.keys(refused).length > 10);
});

// From one of each kind at every size, the ends of a file are missing or its bytes are wrong.
function samples() {
    const files = corpusFiles(kinds)
        .map((file) => ({ ...file, bytes: readFileSync(file.path) }))
        .filter(({ bytes }) => bytes.length > 500 && bytes.length < 200_000);
    return kinds.flatMap((kind) => {
        const own = files.filter(({ path }) => extname(path) === kind);
        return own.filter((_, i) => i % Math.ceil(own.length / 8) === 0);
    });
}

test('files that are cut off are refused', { skip }, (t) => {
    let cuts = 0;
    for (const { bytes, name } of samples())
        for (let k = 0; k < 50; k++) {
            const length = Math.floor((k * bytes.length) / 50);
            assert.notEqual(refusal(() => core.open(bytes.subarray(0, length)), name), undefined, `${name} cut at ${length}`);
            cuts++;
        }
    t.diagnostic(`${cuts} cut files`);
});

test('files with wrong bytes open or are refused', { skip }, (t) => {
    let seed = 1;
    const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 2 ** 32;
    let opened = 0;
    let refused = 0;
    for (const { bytes, name } of samples())
        for (let k = 0; k < 50; k++) {
            const broken = Uint8Array.from(bytes);
            for (let i = 1 + Math.floor(random() * 8); i > 0; i--)
                broken[Math.floor((k % 2 ? random() : random() ** 2) * broken.length)] = Math.floor(random() * 256);
            if (refusal(() => core.open(broken), name)) refused++;
            else opened++;
        }
    t.diagnostic(`${opened} opened, ${refused} refused`);
    assert.ok(opened > 10 && refused > 10);
});

test('errors say what and where', { skip: coreMissing }, () => {
    const open = (text) => core.open(Buffer.from(text));
    const cases = [
        ['{"asset": {"version": "2.0"}', { id: 'json.syntax', line: 1, pointer: '' }],
        ['{"asset":\n  {"version": "2.0",, }}', { id: 'json.syntax', line: 2, column: 21 }],
        ['{"asset": {"version": "2.0"}, "nodes": [{"skin": 3}]}', { id: 'reference', pointer: '/nodes/0/skin' }],
        ['{"asset": {"version": "2.0"}, "extensionsRequired": ["VENDOR_x"]}', { id: 'extension.required', pointer: '/extensionsRequired/0' }],
        ['{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": "a%20b.bin"}]}', { id: 'io.read', pointer: '/buffers/0/uri', message: /a b\.bin/ }],
    ];
    for (const [text, expected] of cases) assert.throws(() => open(text), { name: 'SinewError', ...expected }, text);
    assert.deepEqual(core.listResources(Buffer.from(cases[4][0])), ['a b.bin']);
    assert.throws(() => core.listResources(Buffer.from('{')), { id: 'json.syntax' });

    const session = open('{"asset": {"version": "2.0"}, "nodes": [{"name": "only"}]}');
    const commands = [
        [{ op: 'clip.ad', name: 'x' }, { id: 'command.operation', pointer: '/op' }],
        [{ op: 'clip.add', name: 'x', extra: 1 }, { id: 'command.field', pointer: '/extra' }],
        [{ op: 'clip.remove', clip: 'x' }, { id: 'command.name', pointer: '/clip' }],
    ];
    for (const [command, expected] of commands) assert.throws(() => session.apply(command), expected);
    assert.throws(() => session.evaluate(0, 0), { id: 'argument' });
    assert.throws(() => session.evaluate(null, NaN), { id: 'argument' });
    assert.throws(() => session.jointMatrices(0), { id: 'argument' });
    assert.throws(() => session.local(1), { id: 'argument' });
    assert.throws(() => session.weights(-1), { id: 'argument' });
    assert.throws(() => session.skin(0, 0), { id: 'argument' });
    assert.throws(() => session.skin(7, 0), { id: 'argument' });
    assert.throws(() => session.crowd(0), { id: 'argument' });
    session.dispose();
});

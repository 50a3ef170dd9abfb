// What a session tells of its file, and that the ways to ask for a pose agree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCharacter } from '../../bench/web/character.mjs';
import { api, core, coreMissing } from '../support/core.mjs';

const skip = coreMissing;
const JOINTS = 20;
const MESH = JOINTS;
const glb = makeCharacter({ joints: JOINTS, vertices: 300 });

// 3x4 matrices of rows from column-major 4x4 ones.
const rowsOf = (matrices) => Float32Array.from({ length: (matrices.length / 16) * 12 }, (_, i) => {
    const [matrix, row, column] = [Math.floor(i / 12), Math.floor((i % 12) / 4), i % 4];
    return matrices[matrix * 16 + column * 4 + row];
});

const multiply = (a, b) => Array.from({ length: 12 }, (_, i) => {
    const [row, column] = [i - (i % 4), i % 4];
    return a[row] * b[column] + a[row + 1] * b[column + 4] + a[row + 2] * b[column + 8] + (column === 3 ? a[row + 3] : 0);
});

function assertNear(own, other, tolerance) {
    assert.equal(own.length, other.length);
    for (let i = 0; i < own.length; i++)
        assert.ok(Math.abs(own[i] - other[i]) <= tolerance, `element ${i}: ${own[i]}, not ${other[i]}`);
}

test('the model is described as the file has it', { skip }, () => {
    const json = JSON.parse(Buffer.from(glb.subarray(20, 20 + new DataView(glb.buffer, glb.byteOffset).getUint32(12, true))).toString());
    const session = core.open(glb);
    const { model } = session;
    assert.equal(session.isBinary, true);
    assert.equal(model.generator, json.asset.generator);
    assert.equal(model.nodes.length, json.nodes.length);
    json.nodes.forEach((node, i) => {
        const own = model.nodes[i];
        assert.equal(own.index, i);
        assert.equal(own.name, node.name);
        assert.deepEqual(own.children, node.children ?? []);
        assert.equal(own.parent, json.nodes.findIndex(({ children }) => children?.includes(i)) >= 0
            ? json.nodes.findIndex(({ children }) => children?.includes(i)) : null);
        assert.equal(own.mesh, node.mesh ?? null);
        assert.equal(own.skin, node.skin ?? null);
        assert.equal(own.isJoint, i < JOINTS);
        assert.deepEqual(own.rest, {
            translation: (node.translation ?? [0, 0, 0]).map(Math.fround), rotation: [0, 0, 0, 1], scale: [1, 1, 1] });
    });
    assert.deepEqual(model.skins, [{ index: 0, name: '', joints: json.skins[0].joints }]);
    assert.deepEqual(model.meshes, [{ index: 0, name: '', primitives: 1, targets: 0 }]);
    const [clip] = session.clips();
    assert.equal(clip.name, 'move');
    assert.equal(clip.duration, json.accessors[json.animations[0].samplers[0].input].max[0]);
    assert.deepEqual(clip.tracks.map(({ node, path }) => ({ node, path })), json.animations[0].channels.map(({ target }) => target));
    session.dispose();
});

test('the rest pose is the rest pose, and what local gives builds what world gives', { skip }, () => {
    const session = core.open(glb);
    session.evaluate(0, 0.5);
    session.evaluate(null, 0);
    for (const { index, rest } of session.model.nodes) assert.deepEqual(session.local(index), rest);
    session.evaluate(0, 0.5);
    const world = rowsOf(session.world());
    for (const { index, parent } of session.model.nodes) {
        const { translation: [tx, ty, tz], rotation: [x, y, z, w], scale: [sx, sy, sz] } = session.local(index);
        const local = [
            (1 - 2 * (y * y + z * z)) * sx, 2 * (x * y - z * w) * sy, 2 * (x * z + y * w) * sz, tx,
            2 * (x * y + z * w) * sx, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z - x * w) * sz, ty,
            2 * (x * z - y * w) * sx, 2 * (y * z + x * w) * sy, (1 - 2 * (x * x + y * y)) * sz, tz,
        ];
        const above = parent === null ? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] : world.subarray(parent * 12, parent * 12 + 12);
        assertNear(world.subarray(index * 12, index * 12 + 12), multiply(above, local), 1e-6);
    }
    session.dispose();
});

test('a crowd shows what each character would show alone', { skip }, () => {
    const session = core.open(glb);
    session.apply({ op: 'clip.copy', clip: 0, name: 'slow' });
    session.apply({ op: 'keys.scale', clip: 'slow', pivot: 0, factor: 2 });
    const crowd = session.crowd(7);
    assert.equal(crowd.count, 7);
    assert.equal(crowd.matrixCount, JOINTS);
    assert.deepEqual(crowd.clips(), new Uint32Array(7).fill(api.REST_POSE));
    const plays = [[0, 0], [1, 0.4], [null, 0], [0, 0.77], [1, 5], [0, 0.2], [1, 2.4]];
    plays.forEach(([clip, time], i) => {
        crowd.clips()[i] = clip ?? api.REST_POSE;
        crowd.times()[i] = time;
    });
    const root = [0, -2, 0, 5, 2, 0, 0, 6, 0, 0, 2, 7];
    crowd.roots().set(root, 3 * 12);
    crowd.evaluate();
    plays.forEach(([clip, time], i) => {
        session.evaluate(clip, time);
        session.evaluate(clip, time);
        const alone = rowsOf(session.jointMatrices(0));
        const own = crowd.jointMatrices().slice(i * JOINTS * 12, (i + 1) * JOINTS * 12);
        for (let joint = 0; joint < JOINTS; joint++) {
            const matrix = alone.subarray(joint * 12, joint * 12 + 12);
            const wanted = i === 3 ? multiply(root, matrix) : matrix;
            assertNear(own.subarray(joint * 12, joint * 12 + 12), wanted, 1e-5);
        }
    });
    crowd.clips()[4] = 2;
    assert.throws(() => crowd.evaluate(), { id: 'argument', message: /character 4/ });
    crowd.dispose();
    assert.throws(() => crowd.evaluate(), { id: 'session.disposed' });
    session.dispose();
});

test('views are made anew when the memory grows', { skip }, () => {
    const session = core.open(glb);
    session.evaluate(0, 0.3);
    const before = session.world();
    const copy = before.slice();
    assert.equal(session.world(), before, 'and only then');
    const { reserved } = session.memory();
    const crowd = session.crowd(20_000);
    assert.ok(session.memory().reserved > reserved);
    assert.equal(before.length, 0, 'the old view is empty');
    assert.deepEqual(session.world(), copy);
    assert.equal(session.jointMatrices(0).length, JOINTS * 16);
    crowd.evaluate();
    assert.equal(crowd.jointMatrices().length, 20_000 * JOINTS * 12);
    session.dispose();
});

test('vertices come in a new array or in the one that is given', { skip }, () => {
    const session = core.open(glb);
    session.evaluate(0, 0.3);
    const fresh = session.skin(MESH, 0);
    const own = new Float32Array(fresh.length);
    assert.equal(session.skin(MESH, 0, own), own);
    assert.deepEqual(own, fresh);
    assert.ok(fresh.some((value) => value !== 0));
    assert.throws(() => session.skin(MESH, 0, new Float32Array(3)), { id: 'argument', message: /900 floats/ });
    session.dispose();
});

test('a running time becomes clip time', { skip }, () => {
    const cases = [
        [2, 0.5, 1, 'once', 0.5], [2, 3, 1, 'once', 2], [2, 5, 1, 'repeat', 1], [2, 3, 1, 'ping-pong', 1],
        [2, 0.5, -1, 'once', 1.5], [2, 1, 0.5, 'repeat', 0.5], [2, NaN, 1, 'repeat', 0], [0, 3, 1, 'repeat', 0],
    ];
    for (const [duration, time, speed, loop, wanted] of cases)
        assert.equal(core.clipTime(duration, time, speed, loop), wanted, `${[duration, time, speed, loop]}`);
});

test('the preflight of a file with a fault names it', { skip }, () => {
    const session = core.open(glb);
    assert.deepEqual(session.check().filter(({ severity }) => severity === 'error'), []);
    session.dispose();
    const faulty = core.open(Buffer.from(JSON.stringify({ asset: { version: '2.0' }, nodes: [{ name: 'a' }, { name: 'a' }], skins: [{ joints: [0, 1] }] })));
    const findings = faulty.check();
    assert.ok(findings.length > 0);
    for (const finding of findings) {
        assert.deepEqual(Object.keys(finding), ['id', 'severity', 'pointer', 'message', 'fix']);
        assert.ok(['error', 'warning', 'info'].includes(finding.severity));
    }
    faulty.dispose();
});

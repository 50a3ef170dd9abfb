// Editing in the browser: history, gestures, and what a session tells of its document.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCharacter } from '../../bench/web/character.mjs';
import { core, coreMissing, openFile } from '../support/core.mjs';
import { CORPUS, corpusMissing } from '../support/files.mjs';
import { applyRandom } from '../support/commands.mjs';

const skip = coreMissing;
const glb = makeCharacter({ joints: 12, vertices: 50, seconds: 0.5, fps: 10 });

// One with morph targets and one with all three interpolations.
const corpusNames = ['derived/blender/synth_tube12_nosampling_cubic.glb',
    'khronos-sample-models/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb',
    'magnum-gltf/GltfImporter/Test/animation.gltf'];

const container = (session) => (session.isBinary ? 'glb' : 'gltf');
const saved = (session) => session.save(container(session)).map(({ path, bytes }) => [path, Buffer.from(bytes).toString('base64')]);

async function property(open, seed, count = 1000) {
    const session = open();
    const original = saved(session);
    applyRandom(session, count, seed);
    const edited = saved(session);
    assert.notDeepEqual(edited, original);
    const commands = session.commands();
    assert.equal(commands.length, count);

    for (let i = 0; i < count; i++) assert.ok(session.undo());
    assert.equal(session.undo(), false);
    assert.deepEqual(saved(session), original, 'as many undos as edits give the first bytes');
    for (let i = 0; i < count; i++) assert.ok(session.redo());
    assert.equal(session.redo(), false);
    assert.deepEqual(saved(session), edited, 'redo gives the edited bytes again');

    const replayed = open();
    for (const command of commands) replayed.apply(command);
    assert.deepEqual(saved(replayed), edited, 'the journal leads to the same bytes');
    assert.deepEqual(replayed.clips(), session.clips());
    replayed.dispose();
    session.dispose();
}

test('1,000 random commands and as many undos give identical bytes, redo the edited ones', { skip }, () =>
    property(() => core.open(glb), 1));

for (const name of corpusNames)
    test(`the same on ${name}`, { skip: skip || corpusMissing }, () => property(() => openFile(join(CORPUS, name)), 2, 300));

const firstKey = (session) => {
    const track = session.clips()[0].tracks.find(({ path }) => path === 'rotation');
    return { clip: 0, node: track.node, path: 'rotation', time: track.times[1] };
};
const turn = (angle) => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];

test('a drag is one step, drawn as it goes, and undone as one', { skip }, () => {
    const session = core.open(glb);
    const original = saved(session);
    const key = firstKey(session);
    const poses = new Set();
    session.begin();
    for (let i = 1; i <= 100; i++) {
        session.apply({ op: 'key.set', ...key, value: turn(i / 50) });
        session.evaluate(0, key.time);
        poses.add(session.local(key.node).rotation.join());
        assert.equal(session.undoCount, 0, 'no step before the end');
    }
    assert.equal(poses.size, 100, 'every update is seen');
    session.end();
    assert.equal(session.undoCount, 1);
    assert.deepEqual(session.commands(), [{ op: 'key.set', ...key, value: turn(2) }]);
    const [x, y, z, w] = session.local(key.node).rotation;
    assert.ok(Math.abs(Math.abs(x * turn(2)[0] + w * turn(2)[3]) - 1) < 1e-6 && y === 0 && z === 0);
    assert.ok(session.undo());
    assert.deepEqual(saved(session), original);
    session.dispose();
});

test('each update starts from the document at the beginning of the drag', { skip }, () => {
    const session = core.open(glb);
    const { clip, node, path, time } = firstKey(session);
    const { times } = session.clips()[0].tracks.find((track) => track.node === node && track.path === path);
    session.begin();
    // Were updates applied one on top of the other, the second would find no key at this time.
    for (const to of [0.105, 0.11, 0.115]) session.apply({ op: 'key.move', clip, node, path, time, to });
    session.end();
    const moved = session.clips()[0].tracks.find((track) => track.node === node && track.path === path).times;
    assert.equal(moved.length, times.length);
    assert.deepEqual(moved.filter((value) => !times.includes(value)), Float32Array.of(0.115));
    session.dispose();
});

test('a drag that ends where it began, is cancelled or undone leaves nothing', { skip }, () => {
    const session = core.open(glb);
    const original = saved(session);
    const before = session.clips();
    const key = firstKey(session);
    const value = session.key(0, before[0].tracks.findIndex((t) => t.node === key.node && t.path === key.path), 1).value;
    const drag = (end) => {
        session.begin();
        session.apply({ op: 'key.set', ...key, value: turn(1) });
        assert.notEqual(session.clips(), before);
        end();
        assert.equal(session.undoCount, 0);
        assert.deepEqual(session.commands(), []);
        assert.deepEqual(session.clips(), before);
        assert.deepEqual(saved(session), original);
    };
    drag(() => {
        session.apply({ op: 'key.set', ...key, value });
        session.end();
    });
    drag(() => session.cancel());
    drag(() => assert.ok(session.undo()));
    session.begin();
    session.end();
    session.end();
    session.cancel();
    assert.equal(session.undoCount, 0);
    session.dispose();
});

test('a refused update leaves the drag as it was', { skip }, () => {
    const session = core.open(glb);
    const key = firstKey(session);
    session.begin();
    session.apply({ op: 'key.set', ...key, value: turn(1) });
    const before = session.clips();
    assert.throws(() => session.apply({ op: 'key.set', ...key, value: [1, 2] }), { id: 'command.value', pointer: '/value' });
    assert.equal(session.clips(), before);
    session.end();
    assert.deepEqual(session.commands(), [{ op: 'key.set', ...key, value: turn(1) }]);
    session.dispose();
});

test('clips() gives the same objects for what did not change', { skip }, () => {
    const session = core.open(glb);
    session.apply({ op: 'clip.copy', clip: 0, name: 'copy' });
    session.apply({ op: 'marker.set', clip: 1, time: 0.2, name: 'here' });
    const before = session.clips();
    assert.equal(session.clips(), before);
    assert.deepEqual(before[1].markers, [{ time: Math.fround(0.2), name: 'here' }]);
    const key = firstKey(session);
    session.apply({ op: 'key.set', ...key, value: turn(1) });
    const after = session.clips();
    assert.equal(after[1], before[1]);
    const changed = after[0].tracks.filter((track, i) => track !== before[0].tracks[i]);
    assert.deepEqual(changed.map(({ node, path }) => [node, path]), [[key.node, key.path]]);
    session.apply({ op: 'clip.remove', clip: 0 });
    const [left] = session.clips();
    assert.deepEqual({ ...left, index: 1 }, before[1]);
    assert.equal(left.index, 0);
    session.dispose();
});

test('keys and values are the ones that were set', { skip }, () => {
    const session = core.open(glb);
    session.apply({ op: 'track.interpolation', clip: 0, node: 3, path: 'translation', interpolation: 'CUBICSPLINE' });
    const command = { op: 'key.set', clip: 0, node: 3, path: 'translation', time: 0.25,
        value: [1, 2, 3], inTangent: [4, 5, 6], outTangent: [7, 8, 9] };
    session.apply(command);
    const track = session.clips()[0].tracks.find(({ node, path }) => node === 3 && path === 'translation');
    const index = track.times.indexOf(0.25);
    const { op, clip, node, path, ...key } = command;
    assert.deepEqual(session.key(0, track.index, index), key);
    assert.equal(track.interpolation, 'CUBICSPLINE');
    const values = session.values(0, track.index);
    assert.equal(values.length, track.keyCount * 9);
    assert.deepEqual([...values.subarray(index * 9, index * 9 + 9)], [4, 5, 6, 1, 2, 3, 7, 8, 9]);
    assert.throws(() => session.key(0, track.index, track.keyCount), { id: 'argument' });
    assert.throws(() => session.key(0, 999, 0), { id: 'argument' });
    assert.throws(() => session.values(9, 0), { id: 'argument' });
    session.dispose();
});

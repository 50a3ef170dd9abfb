// The poses of the WebAssembly core against three.js, and against the native core.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { coreMissing, openFile } from '../support/core.mjs';
import { corpusMissing } from '../support/files.mjs';
import { checkPose, DEPARTING, goldenFiles, posesOf, REFUSED } from '../support/golden.mjs';
import { inParallel } from '../support/parallel.mjs';
import { SINEW, sinew } from '../support/sinew.mjs';

const skip = coreMissing || corpusMissing;
const skipNative = skip || (existsSync(SINEW) ? false : `${SINEW} is not built (make build)`);
const accepted = goldenFiles.filter((file) => !REFUSED[file.name]);

// During a gesture clips are sampled from their keys, as `sinew pose` does; outside of one they are laid
// out for playing from the second evaluation on.
function fromKeys(session, clip, time) {
    session.begin();
    session.evaluate(clip, time);
    session.end();
}

function laidOut(session, clip, time) {
    session.evaluate(clip, time);
    session.evaluate(clip, time);
}

// The session's pose in the form of `sinew pose --json`.
function answer(session, pose) {
    fromKeys(session, pose.clip, pose.time);
    const world = session.world();
    return {
        nodes: session.model.nodes.map((_, i) => ({ world: [...world.subarray(i * 16, i * 16 + 16)] })),
        skinned: (pose.skinned ?? []).map(({ node, mesh, primitive }) =>
            ({ node, mesh, primitive, positions: [...session.skin(node, primitive)] })),
    };
}

test('every pose agrees with three.js, or with the specification where they differ', { skip }, (t) => {
    const departed = new Set();
    let poses = 0;
    for (const file of accepted) {
        const session = openFile(file.path);
        for (const pose of posesOf(file)) {
            const { problems, departs } = checkPose(file, pose, answer(session, pose));
            assert.deepEqual(problems, [], `${file.name}, ${pose.title}`);
            if (departs) departed.add(file.name);
            poses++;
        }
        session.dispose();
    }
    assert.deepEqual([...departed].sort(), DEPARTING);
    t.diagnostic(`${accepted.length} files, ${poses} poses`);
});

for (const [name, [id]] of Object.entries(REFUSED))
    test(`refused: ${name}`, { skip }, () =>
        assert.throws(() => openFile(goldenFiles.find((file) => file.name === name).path), { name: 'SinewError', id }));

function farthest(own, other) {
    let most = 0;
    for (let i = 0; i < other.length; i++) most = Math.max(most, Math.abs(own[i] - other[i]));
    return most;
}

// How far two world matrices are apart: axes in parts of the longest, positions in parts of `size`.
function apart(own, other, size) {
    const longest = Math.max(...other.slice(0, 12).map(Math.abs), Number.MIN_VALUE);
    return Math.max(farthest(own.slice(0, 12), other.slice(0, 12)) / longest, farthest(own.slice(12, 15), other.slice(12, 15)) / size);
}

const positionsIn = (world) => world.filter((_, i) => i % 16 >= 12 && i % 16 < 15);
// A clip may take a small model far away.
const sizeOf = (session, world) => Math.max(session.model.size, ...positionsIn(world).map(Math.abs));

test('laid out for playing, a clip gives what its keys give', { skip }, (t) => {
    let worst = 0;
    for (const file of accepted) {
        const session = openFile(file.path);
        const depth = session.model.nodes.map(({ parent }) => {
            let steps = 1;
            for (; parent !== null; parent = session.model.nodes[parent].parent) steps++;
            return steps;
        });
        for (const { clip, time } of posesOf(file)) {
            if (clip === null) continue;
            const at = Math.fround(time * 0.83);
            fromKeys(session, clip, at);
            const keys = session.world().slice();
            const size = sizeOf(session, keys);
            laidOut(session, clip, at);
            const played = session.world();
            // Each joint may be off by the last bit or two of a float, and a chain adds that up.
            depth.forEach((steps, i) => {
                const off = apart(played.slice(i * 16, i * 16 + 16), keys.slice(i * 16, i * 16 + 16), size) / steps;
                worst = Math.max(worst, off);
                assert.ok(off < 1e-6, `${file.name}, clip ${clip} at ${at} s, node ${i}: ${off} for each of ${steps} joints`);
            });
        }
        session.dispose();
    }
    t.diagnostic(`largest difference ${worst.toExponential(1)} a joint`);
});

test('the native core gives the same numbers within 1e-6', { skip: skipNative }, async (t) => {
    let numbers = 0;
    let worst = 0;
    // Between the times that have a reference, too: there interpolation has more to do.
    const poses = accepted.flatMap((file) => posesOf(file).map((pose) =>
        ({ file, clip: pose.clip, time: Math.fround(pose.time * 0.83) })));
    const problems = (await inParallel(poses, async ({ file, clip, time }) => {
        const { code, stdout, stderr } = await sinew(['pose', file.path, '--skin', '--json',
            ...(clip === null ? [] : ['--clip', String(clip), '--time', String(time)])]);
        assert.equal(code, 0, stderr);
        const native = JSON.parse(stdout);
        const session = openFile(file.path);
        fromKeys(session, clip, time);
        const world = session.world().slice();
        const size = sizeOf(session, world);
        const found = [];
        const compare = (what, count, off) => {
            numbers += count;
            worst = Math.max(worst, off);
            if (!(off <= 1e-6)) found.push(`${file.name}, clip ${clip} at ${time} s, ${what}: ${off}`);
        };
        native.nodes.forEach((node, i) =>
            compare(`node ${i}`, 16, apart(world.slice(i * 16, i * 16 + 16), node.world, size)));
        for (const { node, primitive, positions } of native.skinned)
            compare(`vertices of node ${node}, primitive ${primitive}`, positions.length,
                farthest(session.skin(node, primitive), positions) / size);
        for (const { node, weights } of native.weights)
            compare(`weights of node ${node}`, weights.length, farthest(session.weights(node), weights) / Math.max(1, ...weights.map(Math.abs)));
        session.dispose();
        return found;
    })).flat();
    t.diagnostic(`${poses.length} poses, ${numbers} numbers, largest difference ${worst.toExponential(1)}`);
    assert.deepEqual(problems.slice(0, 20), [], `${problems.length} differences`);
});

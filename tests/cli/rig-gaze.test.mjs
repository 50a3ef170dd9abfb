// `sinew pose --rig` with the modifiers that turn towards a target, on models with bone axes of their own.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { characters, positionOf } from '../support/characters.mjs';
import { CORPUS, ROOT } from '../support/files.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';

const model = join(ROOT, 'build/samples/mannequin.vrm');
const skip = existsSync(model) ? false : `no ${model}`;

async function pose(...args) {
    const { code, stdout, stderr } = await sinew(['pose', '--json', ...args]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
}

function rigged(t, path) {
    const rig = join(temporaryFolder(t), 'rig.json');
    return (modifier, ...args) => {
        writeFileSync(rig, JSON.stringify({ modifiers: [modifier] }));
        return pose(path, '--rig', rig, ...args);
    };
}

const node = ({ nodes }, name) => nodes.find((n) => n.name === name);
const subtract = (a, b) => a.map((x, i) => x - b[i]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const angle = (a, b) => Math.atan2(Math.hypot(...cross(a, b)), dot(a, b));
const column = ({ world }, i) => world.slice(4 * i, 4 * i + 3);
/** A direction of the rest model as a node of the pose has it. */
const turned = (rest, now, direction) => {
    const local = [0, 1, 2].map((i) => dot(column(rest, i), direction));
    return [0, 1, 2].map((row) => local.reduce((sum, x, i) => sum + x * column(now, i)[row], 0));
};

test('aim: the axis passes through the target, whatever the bones of the character', async (t) => {
    for (const { name, path, arm, clip, skip: missing } of characters) {
        if (missing) {
            t.diagnostic(`${name}: ${missing}`);
            continue;
        }
        const run = rigged(t, path);
        const when = clip === null ? [] : ['--clip', clip, '--time', '0.4'];
        const before = await pose(path, ...when);
        const joint = before.nodes.find((n) => n.name === arm[1] || n.index === arm[1]);
        const target = positionOf(joint).map((x, i) => x + [0.9, -0.4, 1.3][i]);
        const forward = [0.2, 1, -0.3];
        const after = await run({ type: 'aim', node: joint.index, target: { position: target }, forward }, ...when);
        const now = after.nodes[joint.index];
        const axis = [0, 1, 2].map((row) => forward.reduce((sum, x, i) => sum + x * column(now, i)[row], 0));
        assert.ok(angle(axis, subtract(target, positionOf(now))) < 1e-5, name);
        const [{ reached, flags }] = after.modifiers;
        assert.deepEqual([reached, flags], [true, []], name);
    }
});

test('look_at: the face of the mannequin points at the target, in a clip and at rest', { skip }, async (t) => {
    const run = rigged(t, model);
    const rest = await pose(model);
    const offset = subtract(positionOf(node(rest, 'leftEye')), positionOf(node(rest, 'head'))).map((x, i) => (i ? x : 0));
    for (const when of [[], ['--clip', 'walk', '--time', '0.5']]) {
        const head = positionOf(node(await pose(model, ...when), 'head'));
        for (const [x, y, z] of [[0.4, 0.2, 1], [-1, 0.1, 1.5], [0.1, -0.4, 0.8]]) {
            const target = [head[0] + x, head[1] + y, head[2] + z];
            const answer = await run({ type: 'look_at', target: { position: target }, eyes: { offset } }, ...when);
            const [{ type, reached, flags, residual }] = answer.modifiers;
            assert.deepEqual([type, reached, flags], ['look_at', true, []]);
            assert.ok(residual < 1e-5);
            const now = node(answer, 'head');
            const eyes = positionOf(now).map((p, row) => p + offset.reduce((sum, o, i) => sum + o * column(now, i)[row], 0));
            assert.ok(angle(turned(node(rest, 'head'), now, [0, 0, 1]), subtract(target, eyes)) < 1e-5);
        }
    }
});

const vrm0 = join(CORPUS, 'vrm/blender-addon/minimal.vrm');

test('look_at: a model of VRM 0, which faces -z', { skip: existsSync(vrm0) ? false : `no ${vrm0}` }, async (t) => {
    const run = rigged(t, vrm0);
    const rest = await pose(vrm0);
    const head = positionOf(node(rest, 'head'));
    for (const [x, y] of [[0.5, 0.3], [-0.5, 0.3], [0.2, -0.4]]) {
        const target = [head[0] + x, head[1] + y, head[2] - 1];
        const answer = await run({ type: 'look_at', target: { position: target }, eyes: { offset: [0, 0, 0] } });
        assert.deepEqual([answer.modifiers[0].reached, answer.modifiers[0].flags], [true, []]);
        const now = node(answer, 'head');
        const face = turned(node(rest, 'head'), now, [0, 0, -1]);
        assert.ok(angle(face, subtract(target, positionOf(now))) < 1e-5);
    }
});

test('look_at: what the head may not turn, the eyes do; the rest is the residual', { skip }, async (t) => {
    const run = rigged(t, model);
    const rest = await pose(model);
    const far = [1000 * Math.sin(1.2), positionOf(node(rest, 'head'))[1], 1000 * Math.cos(1.2)];
    const answer = await run({ type: 'look_at', target: { position: far }, head: { yaw: 0.5, neck: 0.25 }, eyes: { yaw: 0.4 } });
    const yaw = (name) => {
        const [x, , z] = turned(node(rest, name), node(answer, name), [0, 0, 1]);
        return Math.atan2(x, z);
    };
    const [{ reached, flags, residual }] = answer.modifiers;
    assert.deepEqual([reached, flags], [false, ['head_limited', 'eyes_limited']]);
    for (const [name, expected] of [['neck', 0.125], ['head', 0.5], ['leftEye', 0.9], ['rightEye', 0.9]])
        assert.ok(Math.abs(yaw(name) - expected) < 2e-3, `${name}: ${yaw(name)}`);
    assert.ok(Math.abs(residual - 0.3) < 2e-3);
});

test('look_at: a weight goes part of the way, 0 nowhere; a model without a head is told so', { skip }, async (t) => {
    const run = rigged(t, model);
    const rest = await pose(model);
    const target = { position: [1000, 1.6, 1000] };
    const half = await run({ type: 'look_at', target, weight: 0.5, head: { neck: 0 } });
    const [x, , z] = turned(node(rest, 'head'), node(half, 'head'), [0, 0, 1]);
    assert.ok(Math.abs(Math.atan2(x, z) - Math.PI / 8) < 1e-3);
    const none = await run({ type: 'look_at', target, weight: 0 });
    assert.deepEqual(none.nodes, rest.nodes);

    const rig = join(temporaryFolder(t), 'rig.json');
    writeFileSync(rig, JSON.stringify({ modifiers: [{ type: 'look_at', target, bones: { head: 'leftEye', leftEye: 'head' } }] }));
    const { code, stderr } = await sinew(['pose', model, '--rig', rig]);
    assert.equal(code, 2);
    assert.match(stderr, /neck|leftEye/);
    assert.match(stderr, /\(chain\.joints, \/modifiers\/0/);
});

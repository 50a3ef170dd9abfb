// Each type of modifier, by the example of its documentation: the module and the command give the same
// pose, and playing allocates nothing. Their libraries of mathematics round differently, so to 1e-6.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { characters } from '../support/characters.mjs';
import { core, coreMissing } from '../support/core.mjs';
import { ROOT } from '../support/files.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';

const [mannequin] = characters;
const skip = coreMissing || mannequin.skip;

/** The examples of docs/modifiers.md: those with a type, one of each. */
const examples = [...readFileSync(join(ROOT, 'docs/modifiers.md'), 'utf8').matchAll(/^```json\n(.*?)^```/gms)]
    .map(([, text]) => JSON.parse(text))
    .filter(({ type }) => type);
const schema = JSON.parse(readFileSync(join(ROOT, 'docs/modifiers.schema.json'), 'utf8'));

test('the examples are of every type', () => {
    const types = schema.$defs.modifier.oneOf.map(({ $ref }) => $ref.replace('#/$defs/', ''));
    assert.deepEqual([...new Set(examples.map(({ type }) => type))].sort(), types.sort());
});

for (const example of examples) {
    const { type } = example;
    test(`${type}: the module and the command give the same pose`, { skip }, async (t) => {
        const rig = join(temporaryFolder(t), 'rig.json');
        const session = core.open(readFileSync(mannequin.path));
        const clip = session.clips().findIndex(({ name }) => name === 'walk');
        writeFileSync(rig, JSON.stringify({ modifiers: [example] }));
        session.evaluate(clip, 0.4);
        const before = session.world().slice();
        session.apply({ op: 'modifier.add', modifier: example });
        let moved = 0;
        for (const time of [0, 0.3, 0.4, 0.9]) {
            const { code, stdout, stderr } = await sinew(['pose', mannequin.path, '--json', '--clip', 'walk', '--time', String(time), '--rig', rig]);
            assert.equal(code, 0, stderr);
            const native = JSON.parse(stdout);
            session.evaluate(clip, time);
            const { error, modifiers: [{ report }] } = session.modifiers();
            assert.equal(error, null);
            assert.equal(report.reached, native.modifiers[0].reached);
            assert.deepEqual(report.flags, native.modifiers[0].flags);
            const world = session.world();
            for (const node of native.nodes)
                node.world.forEach((value, i) => assert.ok(Math.abs(value - world[16 * node.index + i]) <= 1e-6, `${node.name} at ${time}`));
            if (time === 0.4) moved = Math.max(...before.map((value, i) => Math.abs(value - world[i])));
        }
        // The clip's hands do not twist, so that a twist has nothing to do.
        if (type !== 'twist') assert.ok(moved > 0.005, `${type} moves ${moved}`);
        session.dispose();
    });

    test(`${type}: playing allocates nothing`, { skip }, () => {
        const session = core.open(readFileSync(mannequin.path));
        session.apply({ op: 'modifier.add', modifier: example });
        const play = () => {
            for (let i = 0; i < 30; i++) session.evaluate(0, i / 60, 1 / 60);
            return session.memory();
        };
        assert.deepEqual(play(), play());
        assert.equal(session.modifiers().error, null);
        session.dispose();
    });
}

const nodeOf = (session, name) => session.model.nodes.findIndex((node) => node.name === name);
const angleBetween = (a, b) => 2 * Math.acos(Math.min(1, Math.abs(a.reduce((sum, x, i) => sum + x * b[i], 0))));

test('twist: a hand that turns round and round, while playing and frame by frame on its own', { skip }, () => {
    const session = core.open(readFileSync(mannequin.path));
    session.apply({ op: 'clip.add', name: 'turn' });
    const clip = session.clips().findIndex(({ name }) => name === 'turn');
    // About the forearm, which lies along x at rest: twice round in four seconds.
    for (let i = 0; i <= 40; i++) {
        const half = (Math.PI * i) / 20;
        session.apply({ op: 'key.set', clip, node: 'leftHand', path: 'rotation', time: i / 10, value: [Math.sin(half), 0, 0, Math.cos(half)] });
    }
    session.apply({ op: 'modifier.add', modifier: { type: 'twist', source: 'leftHand', joints: [{ node: 'leftLowerArm', share: 0.5 }] } });
    const lower = nodeOf(session, 'leftLowerArm');
    const step = Math.PI / 60;
    const largest = (seconds) => {
        let most = 0;
        let before = null;
        for (let i = 0; i <= 240; i++) {
            session.evaluate(clip, i / 60, i ? seconds : 0);
            const { rotation } = session.local(lower);
            if (before) most = Math.max(most, angleBetween(before, rotation));
            before = [...rotation];
        }
        return most;
    };
    assert.ok(largest(1 / 60) <= step / 2 + 1e-3, 'its share of a step');
    assert.ok(largest(0) > 1, 'the other side, by the short way');
    session.dispose();
});

test('aim: the axis from beside the joint passes through the target, or the pose stays', { skip }, () => {
    const session = core.open(readFileSync(mannequin.path));
    const hand = nodeOf(session, 'leftHand');
    session.evaluate(null, 0);
    const rest = [...session.local(hand).rotation];
    const at = [...session.world().slice(16 * hand + 12, 16 * hand + 15)];
    const offset = [0.05, 0.04, -0.02];
    session.apply({ op: 'modifier.add', modifier: { type: 'aim', node: hand, offset, forward: [1, 0.2, 0.1], target: { position: at } } });
    for (let i = 0; i < 50; i++) {
        const length = i % 5 ? 0.5 : 0.03; // nearer than the offset is aside: no turn brings the axis there
        const target = [Math.cos(i), Math.sin(1.7 * i), Math.sin(i)].map((x, k) => at[k] + (length * x) / Math.hypot(Math.cos(i), Math.sin(1.7 * i), Math.sin(i)));
        session.apply({ op: 'modifier.set', modifier: 0, fields: { target: { position: target } } });
        session.evaluate(null, 0);
        const { modifiers: [{ report }] } = session.modifiers();
        if (!(i % 5)) {
            assert.deepEqual([report.reached, report.flags, [...session.local(hand).rotation]], [false, ['too_near'], rest]);
            continue;
        }
        assert.deepEqual([report.reached, report.flags, report.unit], [true, [], 'rad']);
        const m = session.world().slice(16 * hand, 16 * hand + 16);
        const carry = (v, one) => [0, 1, 2].map((r) => m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2] + m[12 + r] * one);
        const [from, forward] = [carry(offset, 1), carry([1, 0.2, 0.1], 0)];
        const sight = target.map((x, k) => x - from[k]);
        const across = [0, 1, 2].map((k) => sight[(k + 1) % 3] * forward[(k + 2) % 3] - sight[(k + 2) % 3] * forward[(k + 1) % 3]);
        assert.ok(sight.reduce((sum, x, k) => sum + x * forward[k], 0) > 0);
        assert.ok(Math.hypot(...across) <= 2e-6 * Math.hypot(...forward) * Math.hypot(...sight), `${across}`);
        assert.ok(report.residual <= 2e-6);
    }
    session.dispose();
});

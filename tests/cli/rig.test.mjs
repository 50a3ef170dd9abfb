// `sinew pose --rig`: modifiers on real characters, and files that are no rig.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { armLength, armOf, characters, distance, positionOf, reachable } from '../support/characters.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';

async function pose(...args) {
    const { code, stdout, stderr } = await sinew(['pose', '--json', ...args]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
}

// A pole, since an arm that is straight at rest says no side to bend to.
const reach = ([root, mid, end], target, more = {}) =>
    ({ type: 'two_bone', root, mid, end, target: { position: target }, pole: { direction: [0.3, -1, -0.7] }, ...more });

/** A rig file; resolves what `sinew pose --json` says of the model with it. */
function rigged(t, path) {
    const rig = join(temporaryFolder(t), 'rig.json');
    return (modifiers, ...args) => {
        writeFileSync(rig, JSON.stringify({ modifiers }));
        return pose(path, '--rig', rig, ...args);
    };
}

for (const { name, path, arm, clip, skip } of characters) {
    for (const when of [[], ['--clip', clip, '--time', '0.4']]) {
        if (when.length && clip === null) continue;
        test(`${name}: the wrist is on the target, ${when.length ? 'in a clip' : 'at rest'}`, { skip }, async (t) => {
            const run = rigged(t, path);
            const before = await pose(path, ...when);
            const joints = armOf(before, arm);
            const names = joints.map(({ index }) => index);
            for (const target of reachable(joints, 12)) {
                const after = await run([reach(names, target)], ...when);
                const wrist = positionOf(armOf(after, names)[2]);
                assert.ok(distance(wrist, target) <= 1e-5 * armLength(joints), `${wrist} is not ${target}`);
                const [{ type, reached, flags, residual }] = after.modifiers;
                assert.deepEqual([type, reached, flags], ['two_bone', true, []]);
                assert.ok(residual <= 1e-5 * armLength(joints));
                for (const { index, rotation, translation, scale } of before.nodes) {
                    const own = after.nodes[index];
                    assert.deepEqual([own.translation, own.scale], [translation, scale]);
                    if (!names.slice(0, 2).includes(index)) assert.deepEqual(own.rotation, rotation);
                }
            }
        });
    }
}

const [mannequin] = characters;

test('out of reach: a flag, and how much is missing', { skip: mannequin.skip }, async (t) => {
    const run = rigged(t, mannequin.path);
    const joints = armOf(await pose(mannequin.path), mannequin.arm);
    const shoulder = positionOf(joints[0]);
    const target = [shoulder[0], shoulder[1] + 3, shoulder[2]];
    const { modifiers: [report], nodes } = await run([reach(mannequin.arm, target, { name: 'up' })]);
    assert.deepEqual([report.name, report.weight, report.reached, report.flags], ['up', 1, false, ['too_far']]);
    assert.ok(Math.abs(report.residual - (3 - armLength(joints))) < 1e-4);
    assert.ok(Math.abs(distance(positionOf(armOf({ nodes }, mannequin.arm)[2]), target) - report.residual) < 1e-5);
});

test('--stage N runs the first N modifiers', { skip: mannequin.skip }, async (t) => {
    const run = rigged(t, mannequin.path);
    const [up, forward] = reachable(armOf(await pose(mannequin.path), mannequin.arm), 2);
    const both = [reach(mannequin.arm, up), reach(mannequin.arm, forward)];
    const wristAt = async (target, ...args) => {
        const answer = await run(both, ...args);
        return [answer.modifiers.length, distance(positionOf(armOf(answer, mannequin.arm)[2]), target) < 1e-5];
    };
    assert.deepEqual(await wristAt(up, '--stage', '1'), [1, true]);
    assert.deepEqual(await wristAt(forward, '--stage', '2'), [2, true]);
    assert.deepEqual(await wristAt(forward), [2, true]);
    const none = await run(both, '--stage', '0');
    assert.deepEqual(none.nodes, (await pose(mannequin.path)).nodes);
    const sample = await run(both, '--stage', 'sample');
    assert.deepEqual(sample.modifiers, []);
    assert.deepEqual(sample.nodes, (await pose(mannequin.path, '--stage', 'sample')).nodes);
    const { code, stderr } = await sinew(['pose', mannequin.path, '--stage', '1']);
    assert.deepEqual([code, /--stage 1: there are 0 modifiers/.test(stderr)], [2, true]);
});

test('keys of a modifier follow --time, with a clip and without', { skip: mannequin.skip }, async (t) => {
    const run = rigged(t, mannequin.path);
    const [from, to] = reachable(armOf(await pose(mannequin.path), mannequin.arm), 2);
    const keys = { weight: { times: [0, 2], values: [0, 1] }, target: { times: [0, 1], values: [from, to], interpolation: 'STEP' } };
    const weight = async (...args) => (await run([{ ...reach(mannequin.arm, from), keys }], ...args)).modifiers[0].weight;
    assert.equal(await weight('--time', '0.5'), 0.25);
    assert.equal(await weight('--clip', 'wave', '--time', '0.5'), 0.25);
    const end = await run([{ ...reach(mannequin.arm, from), keys }], '--time', '2');
    assert.ok(distance(positionOf(armOf(end, mannequin.arm)[2]), to) < 1e-5);
});

test('the table says what the modifiers did', { skip: mannequin.skip }, async (t) => {
    const at = writeFiles(temporaryFolder(t), {
        'rig.json': JSON.stringify({ modifiers: [reach(mannequin.arm, [9, 9, 9], { name: 'far' }), reach(mannequin.arm, [0, 0, 0], { weight: 0 })] }),
    });
    const { code, stdout } = await sinew(['pose', mannequin.path, '--rig', at('rig.json')]);
    assert.equal(code, 0);
    assert.match(stdout, /\nmodifier 0, two_bone "far": missed by \d+(\.\d+)? m, too_far\nmodifier 1, two_bone: off\n/);
});

test('rigs that cannot be used: what is wrong, and where', async (t) => {
    const good = { type: 'two_bone', root: 'Root', mid: 'Arm', end: 'Body', target: { position: [0, 0, 0] } };
    const text = (...modifiers) => JSON.stringify({ modifiers });
    const cases = {
        '{"modifiers": [': /\(json\.syntax, line 1, column 16\)/,
        '[]': /\(modifier\.type\)/,
        [text(good)]: /node 2 "Body" does not hang below node 0 "Root" \(chain\.joints, \/modifiers\/0\/end\)/,
        [text({ ...good, root: 'Rot' })]: /close: "Root" \(0\) \(modifier\.name, \/modifiers\/0\/root\)/,
        [text({ type: 'aim' }, good)]: /\/modifiers\/0\//,
        [text({ ...good, wieght: 1 })]: /close: "weight" \(modifier\.field, \/modifiers\/0\/wieght\)/,
        [text({ ...good, weight: -1 })]: /\(modifier\.value, \/modifiers\/0\/weight\)/,
    };
    for (const [rig, expected] of Object.entries(cases)) {
        const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()), 'rig.json': rig });
        const { code, stdout, stderr } = await sinew(['pose', at('a.glb'), '--rig', at('rig.json')]);
        assert.deepEqual([code, stdout], [2, ''], rig);
        assert.ok(stderr.includes('rig.json: '), stderr);
        assert.match(stderr, expected);
    }
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()) });
    const missing = await sinew(['pose', at('a.glb'), '--rig', at('none.json')]);
    assert.deepEqual([missing.code, /none\.json: cannot be read/.test(missing.stderr)], [2, true]);
    const twice = await sinew(['pose', '-', '--rig', '-'], { input: '{}' });
    assert.deepEqual([twice.code, /both want standard input/.test(twice.stderr)], [2, true]);
});

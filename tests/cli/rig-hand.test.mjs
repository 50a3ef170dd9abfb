// `sinew pose --rig` with hands: on the mannequin, whose T-pose has its palms down, and as VRM.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { positionOf } from '../support/characters.mjs';
import { ROOT } from '../support/files.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';

const models = ['glb', 'vrm'].map((kind) => join(ROOT, 'build/samples', `mannequin.${kind}`));
const skip = models.every((model) => existsSync(model)) ? false : `no ${models}`;
const fingers = ['Thumb', 'Index', 'Middle', 'Ring', 'Little'];

/** Poses a model by modifiers: positions by the names of its nodes, and the reports. */
function poser(t) {
    const rig = join(temporaryFolder(t), 'rig.json');
    return async (path, modifiers, ...args) => {
        writeFileSync(rig, JSON.stringify({ modifiers }));
        const { code, stdout, stderr } = await sinew(['pose', path, '--json', '--rig', rig, ...args]);
        assert.equal(code, 0, stderr);
        const answer = JSON.parse(stdout);
        return { at: Object.fromEntries(answer.nodes.map((n) => [n.name, positionOf(n)])), reports: answer.modifiers };
    };
}

test('hand: every finger goes to the palm\'s side, and the right hand is the mirror image', { skip }, async (t) => {
    const pose = poser(t);
    for (const model of models) {
        const { at: rest } = await pose(model, []);
        const { at } = await pose(model, [{ type: 'hand', side: 'left', curl: 0.5 }, { type: 'hand', side: 'right', curl: 0.5 }]);
        for (const finger of fingers) {
            const [left, right] = ['left', 'right'].map((side) => at[`${side}${finger}Distal`]);
            assert.ok(left[1] < rest[`left${finger}Distal`][1] - 0.005, finger);
            left.forEach((x, i) => assert.ok(Math.abs(x - right[i] * (i === 0 ? -1 : 1)) < 1e-5, finger));
        }
    }
});

test('hand: fingers one by one, and keys', { skip }, async (t) => {
    const pose = poser(t);
    const [model] = models;
    const { at: rest } = await pose(model, []);
    const { at: one } = await pose(model, [{ type: 'hand', side: 'left', curl: { ring: 1 } }]);
    for (const finger of fingers) {
        const moved = Math.hypot(...one[`left${finger}Distal`].map((x, i) => x - rest[`left${finger}Distal`][i]));
        assert.equal(moved > 0.02, finger === 'Ring', finger);
    }
    const keyed = { type: 'hand', side: 'left', keys: { curl: { times: [0, 1], values: [0, 1] } } };
    const clip = ['--clip', '0', '--time', '0.25'];
    const { at: quarter } = await pose(model, [keyed], ...clip);
    const { at: same } = await pose(model, [{ type: 'hand', side: 'left', curl: 0.25 }], ...clip);
    assert.deepEqual(quarter, same);
});

test('hand: closed around rods it reports whether it touches', { skip }, async (t) => {
    const pose = poser(t);
    let before = Infinity;
    for (const radius of [0.009, 0.02, 0.03]) {
        const { at, reports: [{ reached, flags, residual }] } = await pose(models[0], [{ type: 'hand', side: 'right', radius }]);
        assert.deepEqual([reached, flags, residual < 1e-5], [true, [], true]);
        const [tip, knuckle] = [at.rightMiddleDistal, at.rightMiddleProximal];
        const reach = -Math.hypot(...tip.map((x, i) => x - knuckle[i]));
        assert.ok(reach < before, 'thicker rods keep the hand more open');
        before = reach;
    }
});

test('hand: a model without a hand is told so', { skip }, async (t) => {
    const rig = join(temporaryFolder(t), 'rig.json');
    writeFileSync(rig, JSON.stringify({ modifiers: [{ type: 'hand', side: 'left', bones: { leftIndexProximal: 'rightHand' } }] }));
    const { code, stderr } = await sinew(['pose', models[0], '--rig', rig]);
    assert.equal(code, 2);
    assert.match(stderr, /chain\.joints, \/modifiers\/0/);
});

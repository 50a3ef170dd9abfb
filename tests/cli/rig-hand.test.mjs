// `sinew pose --rig` with hands and grips: on the mannequin, whose T-pose has its palms down, and as VRM.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { armLength, armOf, characters, distance, positionOf, reachable } from '../support/characters.mjs';
import { ROOT } from '../support/files.mjs';
import { readContainer } from '../support/gltf-file.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { toGlb } from '../support/small-model.mjs';

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
        const world = Object.fromEntries(answer.nodes.map((n) => [n.name, n.world]));
        return { at: Object.fromEntries(answer.nodes.map((n) => [n.name, positionOf(n)])), world, reports: answer.modifiers };
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

/** The mannequin with a node named Rod beside it. */
function withRod(t, rod) {
    const { text, bin } = readContainer(readFileSync(models[0]));
    const json = JSON.parse(text);
    json.scenes[0].nodes.push(json.nodes.push({ name: 'Rod', ...rod }) - 1);
    const path = join(temporaryFolder(t), 'rod.glb');
    writeFileSync(path, toGlb({ json, bin }));
    return path;
}

const column = (m, i) => m.slice(4 * i, 4 * i + 3);
const transform = (m, p, w) => [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r] * w);
const subtract = (a, b) => a.map((x, i) => x - b[i]);
const length = (v) => Math.hypot(...v);
const angle = (a, b) => Math.acos(Math.min(1, Math.max(-1, a.reduce((sum, x, i) => sum + x * b[i], 0) / length(a) / length(b))));

/** A rod across the chest, held from below its ends, palms up. */
const holds = (palm) => [1, -1].map((side, i) => ({
    side: ['left', 'right'][i], position: [0.2 * side, 0, 0], axis: [side, 0, 0], radius: 0.015, ...(palm && { palm: [0, 1, 0] }),
}));

test('grip: the rod lies across both palms, wherever it is', { skip }, async (t) => {
    const pose = poser(t);
    for (const rotation of [[0, 0, 0, 1], [0, 0, 0.2588, 0.9659], [0.1, 0.2, 0, 0.97]]) {
        const path = withRod(t, { translation: [0.05, 1.15, 0.35], rotation });
        const { at, world, reports: [report] } = await pose(path, [{ type: 'grip', prop: 'Rod', hands: holds(true) }]);
        assert.deepEqual([report.type, report.reached, report.flags], ['grip', true, []]);
        assert.ok(report.residual < 1e-5);
        for (const [i, side] of ['left', 'right'].entries()) {
            // The fingers' first bones lie across the rod, knuckles in a line with it.
            const along = subtract(at[`${side}IndexProximal`], at[`${side}LittleProximal`]);
            assert.ok(angle(along, transform(world.Rod, holds()[i].axis, 0)) < 0.35, side);
            // The rod lies within the fist: nearer to each finger's middle bone than a finger is thick.
            const held = transform(world.Rod, holds()[i].position, 1);
            const axis = column(world.Rod, 0);
            for (const finger of ['Index', 'Middle', 'Ring', 'Little']) {
                const from = subtract(at[`${side}${finger}Intermediate`], held);
                const off = axis.reduce((sum, x, k) => sum + x * from[k], 0);
                const distance = length(subtract(from, axis.map((x) => x * off)));
                assert.ok(distance > 0.015 && distance < 0.045, `${side} ${finger}: ${distance}`);
            }
        }
    }
});

// Bones, rest poses and scales of other makers, hands without fingers.
for (const { name, path, arm, clip, skip: missing } of characters)
    for (const when of clip === null ? [[]] : [[], ['--clip', clip, '--time', '0.4']])
        test(`grip, ${name}: the wrist is where the fist holds the rod, ${when.length ? 'in a clip' : 'at rest'}`, { skip: missing }, async (t) => {
            const rig = join(temporaryFolder(t), 'rig.json');
            const pose = async (modifiers) => {
                writeFileSync(rig, JSON.stringify({ modifiers }));
                const { code, stdout, stderr } = await sinew(['pose', path, '--json', '--rig', rig, ...when]);
                assert.equal(code, 0, stderr);
                return JSON.parse(stdout);
            };
            const joints = armOf(await pose([]), arm);
            const [leftUpperArm, leftLowerArm, leftHand] = joints.map(({ index }) => index);
            const shoulder = positionOf(joints[0]);
            const size = armLength(joints);
            let first = null;
            for (const toward of reachable(joints, 8)) {
                // Amid the reach, so that the wrist beside the rod is within it too.
                const way = distance(toward, shoulder);
                const position = shoulder.map((x, i) => x + ((toward[i] - x) * 0.6 * size) / way);
                const hands = [{ side: 'left', position, axis: [0.2, 0.3, 0.9], palm: [0, 1, 0], radius: 0.02 * size }];
                const answer = await pose([{ type: 'grip', hands, bones: { leftUpperArm, leftLowerArm, leftHand } }]);
                const [{ reached, residual }] = answer.modifiers;
                assert.equal(reached, true);
                assert.ok(residual <= 1e-5 * size, `${residual}`);
                // The rod lies at the same place of the hand, wherever that is.
                const m = armOf(answer, arm)[2].world;
                const from = position.map((x, i) => x - m[12 + i]);
                const held = [0, 1, 2].map((k) => from.reduce((sum, x, i) => sum + x * m[4 * k + i], 0) / Math.hypot(m[4 * k], m[4 * k + 1], m[4 * k + 2]));
                first ??= held;
                assert.ok(distance(held, first) <= 1e-5 * size, `${held} is not ${first}`);
            }
            assert.ok(Math.hypot(...first) > 0.01 * size);
        });

test('grip: the same in a clip, and on a node that the clip moves', { skip }, async (t) => {
    const pose = poser(t);
    const grip = { type: 'grip', prop: 'hips', hands: holds(false).map((h) => ({ ...h, position: [h.position[0], 0.15, 0.35] })) };
    for (const time of ['0', '0.2', '0.5']) {
        const { at, world, reports: [report] } = await pose(models[1], [grip], '--clip', 'walk', '--time', time);
        assert.equal(report.reached, true);
        const between = subtract(at.leftHand, at.rightHand);
        assert.ok(Math.abs(length(between) - 0.4) < 0.25);
        for (const side of [0, 1]) {
            const held = transform(world.hips, grip.hands[side].position, 1);
            assert.ok(length(subtract(at[side ? 'rightMiddleProximal' : 'leftMiddleProximal'], held)) < 0.06);
        }
    }
});

test('grip: a rod out of reach gives way as far as it may, its size and the other nodes do not change', { skip }, async (t) => {
    const pose = poser(t);
    const rod = { translation: [0, 1.2, 0.95], scale: [1, 1, 1] };
    const path = withRod(t, rod);
    const grip = { type: 'grip', prop: 'Rod', hands: holds(true) };
    const { world: stiff, reports: [far] } = await pose(path, [grip]);
    assert.deepEqual([far.reached, far.flags], [false, ['too_far']]);
    assert.deepEqual(column(stiff.Rod, 3), rod.translation);
    const { world: moved, reports: [near] } = await pose(path, [{ ...grip, shift: 0.05 }]);
    assert.ok(near.flags.includes('shifted'));
    assert.ok(Math.abs(length(subtract(column(moved.Rod, 3), rod.translation)) - 0.05) < 1e-5);
    assert.ok(Math.abs(far.residual - near.residual - 0.05) < 0.01);
    const { world: reached, reports: [all] } = await pose(path, [{ ...grip, shift: 2 }]);
    assert.ok(all.residual < 0.01);
    for (const name of ['hips', 'head', 'leftUpperArm']) assert.deepEqual(column(reached[name], 3), column(stiff[name], 3));

    const half = (await pose(path, [{ ...grip, shift: 0.05, weight: 0.5 }])).world.Rod;
    assert.ok(Math.abs(length(subtract(column(half, 3), rod.translation)) - 0.025) < 1e-5);
});

test('grip: props and hands that cannot be', { skip }, async (t) => {
    const rig = join(temporaryFolder(t), 'rig.json');
    const [left, right] = holds(true);
    const bad = [
        [{ prop: 'leftHand', hands: [left] }, /chain\.joints, \/modifiers\/0\/prop/],
        [{ prop: 'leftIndexDistal', hands: [left, right] }, /cannot follow a hand/],
        [{ prop: 'hips', shift: 0.1, hands: [left] }, /chain\.joints, \/modifiers\/0\/prop/],
        [{ shift: 0.1, hands: [left] }, /modifier\.field, \/modifiers\/0\/prop/],
        [{ hands: [left, left] }, /modifier\.value, \/modifiers\/0\/hands/],
        [{ hands: [] }, /\/modifiers\/0\/hands/],
        [{ hands: [{ ...left, radius: 0 }] }, /modifier\.value, \/modifiers\/0\/hands\/0\/radius/],
        [{ hands: [{ ...left, axis: [0, 0, 0] }] }, /modifier\.value, \/modifiers\/0\/hands\/0\/axis/],
    ];
    for (const [modifier, message] of bad) {
        writeFileSync(rig, JSON.stringify({ modifiers: [{ type: 'grip', ...modifier }] }));
        const { code, stderr } = await sinew(['pose', models[0], '--rig', rig]);
        assert.equal(code, 2);
        assert.match(stderr, message);
    }
});

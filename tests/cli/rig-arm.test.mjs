// `sinew pose --rig` with arms and twists, on characters of different makers.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { armLength, armOf, characters, distance, positionOf, reachable } from '../support/characters.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';

const [mannequin] = characters;
const { skip } = mannequin;

/** Poses a model by modifiers; resolves what `sinew pose --json` says. */
function poser(t, path) {
    const rig = join(temporaryFolder(t), 'rig.json');
    return async (modifiers, ...args) => {
        writeFileSync(rig, JSON.stringify({ modifiers }));
        const { code, stdout, stderr } = await sinew(['pose', path, '--json', '--rig', rig, ...args]);
        assert.equal(code, 0, stderr);
        return JSON.parse(stdout);
    };
}

const named = (answer, name) => answer.nodes.find((node) => node.name === name);
const at = (answer, name) => positionOf(named(answer, name));
/** The angle of a world matrix's rotation to a quaternion, radians. */
function angleTo({ world: m }, [x, y, z, w]) {
    const expected = [
        1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
        2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
        2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y),
    ];
    const columns = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((i) => m[i]);
    return Math.hypot(...expected.map((e, i) => e - columns[i])) / Math.SQRT2; // for small angles
}

for (const { name, path, arm, clip, skip: missing } of characters) {
    for (const when of [[], ['--clip', clip, '--time', '0.4']]) {
        if (when.length && clip === null) continue;
        test(`arm, ${name}: the wrist is on the target, ${when.length ? 'in a clip' : 'at rest'}`, { skip: missing }, async (t) => {
            const pose = poser(t, path);
            const before = await pose([], ...when);
            const joints = armOf(before, arm);
            const [leftUpperArm, leftLowerArm, leftHand] = joints.map(({ index }) => index);
            const bones = { leftUpperArm, leftLowerArm, leftHand };
            for (const target of reachable(joints, 8)) {
                const more = { clavicle: 0, orientation: [0.1, 0.7, -0.3, 0.6] };
                const after = await pose([{ type: 'arm', side: 'left', target: { position: target }, bones, ...more }], ...when);
                const [{ type, reached, residual }] = after.modifiers;
                const hand = armOf(after, arm)[2];
                assert.deepEqual([type, reached], ['arm', true]);
                assert.ok(Math.max(residual, distance(positionOf(hand), target)) <= 1e-5 * armLength(joints));
                const moved = after.nodes.filter((node, i) => String(node.rotation) !== String(before.nodes[i].rotation));
                for (const { index } of moved) assert.ok(Object.values(bones).includes(index), `${index} moved`);
            }
        });
    }
}

test('arm: the hand takes an orientation, and holds a grip', { skip }, async (t) => {
    const pose = poser(t, mannequin.path);
    const half = Math.SQRT1_2;
    const upright = { side: 'left', orientation: [-0.5, -0.5, -0.5, 0.5], grip: [0.07, -0.03, 0], target: { position: [0.15, 1.2, 0.35] } };
    const answer = await pose([{ type: 'arm', ...upright }]);
    assert.equal(answer.modifiers[0].reached, true);
    const hand = named(answer, 'leftHand');
    assert.ok(angleTo(hand, upright.orientation) < 1e-5);
    const grip = [0, 1, 2].map((i) => hand.world[12 + i] + hand.world[i] * 0.07 + hand.world[4 + i] * -0.03);
    assert.ok(distance(grip, upright.target.position) < 1e-5);

    const rolled = await pose([{ type: 'arm', ...upright, rollAxis: [0, 2, 0] }]);
    const thumb = named(rolled, 'leftHand').world.slice(8, 11);
    assert.ok(distance(thumb, [0, 1, 0]) < 1e-5, 'z of the hand, towards the thumb, stays along the pole');
    assert.ok(angleTo(named(rolled, 'leftHand'), upright.orientation) > 0.05, 'and the hand rolls about it');

    const backwards = [half, 0, half, 0];
    const limited = await pose([{ type: 'arm', ...upright, grip: [0, 0, 0], orientation: backwards, limits: true }]);
    const [{ reached, flags }] = limited.modifiers;
    assert.deepEqual([reached, flags], [true, ['wrist_limited']]);
});

test('arm: right is left in the mirror, and a leg bends its knee forwards', { skip }, async (t) => {
    const pose = poser(t, mannequin.path);
    const both = ['left', 'right'].map((side) => ({
        type: 'arm', side, target: { position: [side === 'left' ? 0.2 : -0.2, 1.1, 0.35] }, limits: true, torso: true,
    }));
    const answer = await pose(both);
    for (const bone of ['LowerArm', 'Hand']) {
        const [x, y, z] = at(answer, `right${bone}`);
        assert.ok(distance(at(answer, `left${bone}`), [-x, y, z]) < 1e-5);
    }
    const rest = at(await pose([]), 'leftFoot');
    const foot = [rest[0], rest[1] + 0.2, rest[2]];
    const leg = await pose([{ type: 'arm', side: 'left', limb: 'leg', target: { position: foot } }]);
    assert.ok(leg.modifiers[0].reached && at(leg, 'leftLowerLeg')[2] > at(leg, 'leftUpperLeg')[2] + 0.1);
});

test('arm: clavicle and spine help with what is far', { skip }, async (t) => {
    const pose = poser(t, mannequin.path);
    const joints = armOf(await pose([]), mannequin.arm);
    const [x, y, z] = positionOf(joints[0]);
    const far = { position: [x, y - 0.1, z + armLength(joints) + 0.05] };
    const run = async (more) => (await pose([{ type: 'arm', side: 'left', target: far, ...more }])).modifiers[0];
    const alone = await run({ clavicle: 0 });
    assert.deepEqual([alone.reached, alone.flags], [false, ['too_far']]);
    const helped = await run({ spine: 1 });
    assert.deepEqual([helped.reached, helped.flags], [true, ['body_moved']]);
});

test('arm: the elbow keeps clear of a capsule that is given', { skip }, async (t) => {
    const pose = poser(t, mannequin.path);
    const arm = { type: 'arm', side: 'left', target: { position: [0.2, 1.1, 0.3] } };
    const elbow = at(await pose([arm]), 'leftLowerArm');
    const ball = { radius: 0.1, from: elbow.map((v, i) => v - (i === 0 ? 0.03 : 0)) };
    const cleared = await pose([{ ...arm, torso: [{ ...ball, to: ball.from }] }]);
    assert.ok(distance(at(cleared, 'leftLowerArm'), ball.from) > 0.13);
    assert.ok(distance(at(cleared, 'leftHand'), arm.target.position) < 1e-5);
});

test('twist: the forearm takes its share of a hand that a modifier turned', { skip }, async (t) => {
    const pose = poser(t, mannequin.path);
    // In the T-pose the forearm is along x: a turn about it is all twist.
    const angle = 1.2;
    const orientation = [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];
    const place = at(await pose([]), 'leftHand');
    const turned = { type: 'arm', side: 'left', target: { position: place.map((v, i) => v - (i === 0 ? 0.05 : 0)) }, orientation, twist: 0 };
    const twist = { type: 'twist', source: 'leftHand', joints: [{ node: 'leftLowerArm', share: 0.5 }] };
    const before = await pose([turned]);
    const after = await pose([turned, twist]);
    assert.deepEqual([after.modifiers[1].type, after.modifiers[1].reached, after.modifiers[1].flags], ['twist', true, []]);
    before.nodes.forEach((node, i) => {
        const moved = distance(positionOf(node), positionOf(after.nodes[i])) > 1e-6;
        assert.equal(moved, false, node.name);
    });
    assert.ok(angleTo(named(after, 'leftHand'), orientation) < 1e-5);
    const halves = await pose([{ ...turned, twist: 0.5 }]);
    for (const bone of ['leftLowerArm', 'leftHand']) {
        named(halves, bone).rotation.forEach((v, i) => assert.ok(Math.abs(v - named(after, bone).rotation[i]) < 1e-5, bone));
        assert.notDeepEqual(named(after, bone).rotation, named(before, bone).rotation);
    }
});

test('arm and twist: what is refused, and where', { skip }, async (t) => {
    const rig = join(temporaryFolder(t), 'rig.json');
    const arm = { type: 'arm', side: 'left', target: { position: [0, 0, 0] } };
    const cases = [
        [{ ...arm, side: 'both' }, /modifier\.type, \/modifiers\/0\/side/],
        [{ ...arm, rollAxis: [0, 1, 0] }, /modifier\.field, \/modifiers\/0\/rollAxis/],
        [{ ...arm, orientation: [0, 0, 0, 1], rollRange: [0, 1] }, /modifier\.field, \/modifiers\/0\/rollRange/],
        [{ ...arm, bend: 'pose', pole: { direction: [0, 1, 0] } }, /modifier\.field, \/modifiers\/0\/bend/],
        [{ ...arm, limits: { elbow: [0, 0] } }, /modifier\.value, \/modifiers\/0\/limits\/elbow/],
        [{ ...arm, limits: { wrist: { flexoin: 1 } } }, /close: "flexion" \(modifier\.field, \/modifiers\/0\/limits\/wrist/],
        [{ ...arm, torso: [{ node: 'chest' }] }, /modifier\.field, \/modifiers\/0\/torso\/0/],
        [{ ...arm, bones: { leftHand: 'rightHand' } }, /chain\.joints, \/modifiers\/0/],
        [{ ...arm, spine: 2 }, /modifier\.value, \/modifiers\/0\/spine/],
        [{ type: 'twist', source: 'leftHand', joints: [] }, /modifier\.type, \/modifiers\/0\/joints/],
        [{ type: 'twist', source: 'leftHand', joints: [{ node: 'leftHand', share: 1 }] }, /chain\.joints, \/modifiers\/0/],
        [{ type: 'twist', source: 'leftHand', end: 'hips', joints: [{ node: 'leftLowerArm', share: 1 }] }, /chain\.joints, \/modifiers\/0/],
    ];
    for (const [modifier, expected] of cases) {
        writeFileSync(rig, JSON.stringify({ modifiers: [modifier] }));
        const { code, stderr } = await sinew(['pose', mannequin.path, '--rig', rig]);
        assert.equal(code, 2, JSON.stringify(modifier));
        assert.match(stderr, expected);
    }
});

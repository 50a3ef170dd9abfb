// The angler's body on the sample mannequin: hands on what they hold, feet on the planks, and no joint
// that jumps or bends as none can.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { Quaternion, Vector3 } from 'three';
import { isLanded, outputsOf, play, session } from '../support/angling.mjs';
import { ROOT } from '../support/files.mjs';
import { rig, rigMissing } from '../support/rig.mjs';
import { importTypeScript } from '../support/typescript.mjs';

const mannequin = join(ROOT, 'build/samples/mannequin.glb');
const skip = rigMissing || (existsSync(mannequin) ? false : 'build/samples/mannequin.glb is not built (make samples)');
const DEGREE = Math.PI / 180;
const ARM = 0.536; // upper and lower arm, metres
const plain = { pole: true, restore: true, beyond: 0 };

let angler, bones, caught;
before(async () => {
    if (skip) return;
    const { drawCharacter, copyCharacter } = await importTypeScript('web/demos/angler/body/mannequin.ts');
    const { Angler } = await importTypeScript('web/demos/angler/body/angler.ts');
    const character = await drawCharacter(new Uint8Array(readFileSync(mannequin)));
    const copy = copyCharacter(character);
    angler = new Angler(rig, character.root, character.bones);
    angler.copy = () => new Angler(rig, copy.root, copy.bones);
    bones = character.bones;
    caught = play(14, isLanded);
});

const place = (bone) => bone.getWorldPosition(new Vector3());

/** The session at this rate, posed. */
function* posed(rate, options = plain) {
    for (let i = 0; i <= caught.end * rate; i++) {
        const state = session.stateAt(caught.session, i / rate);
        const outputs = outputsOf(state);
        angler.pose(outputs, options);
        yield { state, outputs };
    }
}

/** Of a rotation, the angle about an axis and the angle of what is left. */
function split(rotation, axis) {
    const twist = new Quaternion(0, 0, 0, 1);
    const along = new Vector3(rotation.x, rotation.y, rotation.z).dot(axis);
    twist.set(axis.x * along, axis.y * along, axis.z * along, rotation.w).normalize();
    const swing = rotation.clone().multiply(twist.clone().invert());
    return [2 * Math.acos(Math.min(1, Math.abs(twist.w))), 2 * Math.acos(Math.min(1, Math.abs(swing.w)))];
}

test('both wrists are where they have to be, at all times', { skip }, () => {
    for (const { state } of posed(30))
        for (const arm of [angler.right, angler.left]) {
            assert.ok(arm.error < 1e-5 * ARM, `${arm.error} m in ${state.phase}`);
            assert.ok(arm.reached && arm.flags.length === 0, `${arm.flags} in ${state.phase}`);
        }
});

test('what a hand holds runs through the fist, and the fingers are closed about it', { skip }, () => {
    for (const { state, outputs } of posed(15))
        for (const side of ['right', 'left']) {
            const { weights, curl, rod, net } = outputs[side];
            const held = weights.net > 0.999 ? net : weights.rod > 0.999 ? rod : null;
            if (!held || curl < 0.999) continue;
            // A fist about a stick of this size has the bones of its fingers on all sides of the axis.
            const axis = new Vector3(...held.axis);
            const radial = (bone) => {
                const from = place(bone).sub(new Vector3(...held.point));
                return from.addScaledVector(axis, -from.dot(axis));
            };
            for (const finger of ['Index', 'Middle', 'Ring', 'Little']) {
                const joints = ['Proximal', 'Intermediate', 'Distal'].map((part) => radial(bones[`${side}${finger}${part}`]));
                for (const joint of joints)
                    assert.ok(joint.length() > held.radius && joint.length() < 0.045, `${side} ${finger}: ${joint.length()} m in ${state.phase}`);
                assert.ok(joints[0].angleTo(joints[2]) > 100 * DEGREE, `${side} ${finger} wraps ${joints[0].angleTo(joints[2]) / DEGREE}° in ${state.phase}`);
            }
        }
});

test('the seat and the feet stay', { skip }, () => {
    let first = null;
    for (const { state } of posed(10)) {
        const now = ['hips', 'leftFoot', 'rightFoot'].map((name) => place(bones[name]));
        first ??= now;
        now.forEach((at, i) => assert.ok(at.distanceTo(first[i]) < 1e-6, `${i} in ${state.phase}`));
        for (const side of ['left', 'right']) {
            const up = new Vector3(0, 1, 0).applyQuaternion(bones[`${side}Foot`].getWorldQuaternion(new Quaternion()));
            assert.ok(up.y > Math.cos(0.1 * DEGREE), 'the sole is flat');
        }
    }
    // 82 mm is the ankle's height in the rest pose.
    for (const foot of [first[1], first[2]]) assert.ok(Math.abs(foot.y - 0.082) < 1e-4, `${foot.y} m`);
});

test('no wrist bends as none can, and no elbow is in the body', { skip }, () => {
    for (const { state, outputs } of posed(30))
        for (const side of ['left', 'right']) {
            const { weights } = outputs[side];
            const hand = bones[`${side}Hand`];
            const [turned, bent] = split(hand.quaternion, hand.position.clone().normalize());
            // Half of what the hand turns is in the forearm. On the way from one hold to the next all goes.
            const held = weights.rod > 0.999 || weights.net > 0.999;
            assert.ok(bent < (held ? 50 : 75) * DEGREE, `${side} wrist bends ${bent / DEGREE}° in ${state.phase}`);
            assert.ok(2 * turned < 120 * DEGREE, `${side} forearm turns ${(2 * turned) / DEGREE}° in ${state.phase}`);
            const elbow = place(bones[`${side}LowerArm`]);
            const spine = place(bones.chest);
            assert.ok(Math.hypot(elbow.x - spine.x, elbow.z - spine.z) > 0.17, `${side} elbow in ${state.phase}`);
        }
});

test('no joint jumps', { skip }, () => {
    const last = new Map();
    const rate = 120;
    for (const { state } of posed(rate))
        for (const [name, { quaternion }] of Object.entries(bones)) {
            const turned = last.has(name) ? quaternion.angleTo(last.get(name)) * rate : 0;
            assert.ok(turned < 1000 * DEGREE, `${name}: ${turned / DEGREE}° a second at ${state.time} s, ${state.phase}`);
            last.set(name, quaternion.clone());
        }
});

test('a frame depends on nothing before it, and a copy has bones of its own', { skip }, () => {
    const poseAt = (who, time, options = plain) => {
        who.pose(outputsOf(session.stateAt(caught.session, time)), options);
        return Object.values(who.bones).map(({ quaternion }) => quaternion.toArray());
    };
    const times = [3.1, 8, 13.5, 19];
    const first = times.map((time) => poseAt(angler, time));
    poseAt(angler, 5, { ...plain, beyond: 0.5 });
    poseAt(angler, 6, { ...plain, restore: false });
    assert.deepEqual([...times].reverse().map((time) => poseAt(angler, time)), first.toReversed?.() ?? [...first].reverse());
    const other = angler.copy();
    const before = poseAt(angler, 8);
    assert.deepEqual(poseAt(other, 8), before);
    poseAt(other, 19);
    assert.deepEqual(Object.values(angler.bones).map(({ quaternion }) => quaternion.toArray()), before);
});

test('without the base pose the roll creeps, while the wrist stays right', { skip }, () => {
    let most = 0;
    for (const { state } of posed(30, { ...plain, restore: false })) {
        // The law of cosines and setFromUnitVectors are less exact, but no more than this.
        for (const { error } of [angler.right, angler.left]) assert.ok(error < 1e-4, `${error} m in ${state.phase}`);
        most = Math.max(most, Math.abs(angler.right.creep));
    }
    assert.ok(most > 2 * DEGREE, `${most / DEGREE}°`);
});

test('out of reach the arm stays whole and says what is missing', { skip }, () => {
    for (const { state } of posed(5, { ...plain, beyond: 0.5 })) {
        const { shoulder, elbow, wrist, target, error, flags } = angler.right;
        assert.deepEqual(flags, ['too_far'], state.phase);
        assert.ok(Math.abs(shoulder.distanceTo(elbow) + elbow.distanceTo(wrist) - ARM) < 1e-3);
        assert.ok(Math.abs(error - (shoulder.distanceTo(target) - shoulder.distanceTo(wrist))) < 1e-3, 'on the way to the target');
    }
});

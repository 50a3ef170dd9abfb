// TwoBoneIK over many frames: nothing jumps and nothing trembles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Vector3 } from 'three';
import { api, arm, randomFrom, rig, rigMissing as skip, worldPosition } from '../support/rig.mjs';

const { TwoBoneIK } = api;
const DEGREE = Math.PI / 180;

function atMost(value, limit, what) {
    assert.ok(value <= limit, `${what}: ${value}, at most ${limit}`);
}

/** From the line shoulder to target to the elbow, unit. */
function bendOf({ elbow }, target) {
    const line = target.clone().normalize();
    const side = worldPosition(elbow);
    return side.addScaledVector(line, -side.dot(line)).normalize();
}

// The target goes straight past the pole's direction at a distance: the bend has to turn by up to half
// a turn, at 60 frames a second no faster than its rate.
function sweepPastPole(offset, seconds) {
    const limb = arm({ flexion: 1 });
    const pole = new Vector3(0, 0, 1);
    const ik = new TwoBoneIK(rig, limb.chain, { pole: { direction: pole } });
    let largest = 0;
    let before;
    for (let i = 0; i <= 240; i++) {
        ik.target.set(-0.3 + (0.6 * i) / 240, offset, 1).setLength(0.4);
        ik.update(seconds);
        assert.ok(ik.reached);
        const bend = bendOf(limb, ik.target);
        if (before) largest = Math.max(largest, before.angleTo(bend));
        before = bend;
    }
    return largest;
}

test('past the direction of the pole the bend turns at its rate', { skip }, () => {
    const step = (0.6 / 240) * 1.5; // what the line itself turns by in a frame
    for (const offset of [0.1, 0.03, 0.01, 0.003, 0]) {
        atMost(sweepPastPole(offset, 1 / 60), 6 / 60 + step + 0.1 * DEGREE, `offset ${offset}`);
    }
    assert.ok(sweepPastPole(0.003) > 20 * DEGREE, 'without the seconds it jumps, or this test shows nothing');
});

test('a field turns continuously', { skip }, () => {
    for (const offset of [0.1, 0.01, 0]) {
        const limb = arm({ flexion: 1 });
        const ik = new TwoBoneIK(rig, limb.chain, { pole: { reach: new Vector3(1, 0, 0), bend: new Vector3(0, 0, 1) } });
        let before;
        for (let i = 0; i <= 360; i++) {
            ik.target.set(-0.3 + (0.6 * i) / 360, offset, 1).setLength(0.4);
            ik.update();
            const bend = bendOf(limb, ik.target);
            if (before) atMost(before.angleTo(bend), 1 * DEGREE, `offset ${offset}, step ${i}`);
            before = bend;
        }
    }
});

test('softened, the elbow does not snap straight', { skip }, () => {
    const limb = arm();
    const ik = new TwoBoneIK(rig, limb.chain, { soften: 0.97 });
    let flexion;
    for (let distance = 0.5; distance < 0.65; distance += 0.0001) {
        ik.target.set(distance, 0, 0);
        ik.update();
        const now = limb.elbow.quaternion.angleTo(limb.wrist.quaternion);
        if (flexion !== undefined) {
            atMost(flexion - now, 0.1 * DEGREE, `step at ${distance}`);
            atMost(now - flexion, 1e-6, 'it only opens');
        }
        flexion = now;
    }
});

test('nearly straight, noise of the target is not enlarged', { skip }, () => {
    const limb = arm();
    const random = randomFrom(17);
    const ik = new TwoBoneIK(rig, limb.chain);
    const places = [];
    for (let i = 0; i < 200; i++) {
        const ulps = Math.round(random() * 2 - 1);
        ik.target.set(0.55 - 1e-4 + ulps * 2 ** -24, 0, 0);
        ik.update();
        places.push(worldPosition(limb.elbow));
    }
    atMost(Math.max(...places.map((place) => place.distanceTo(places[0]))), 3e-6 * limb.length, 'elbow');
});

test('seconds since the last frame: the bend is where its rate has brought it, at any frame rate', { skip }, () => {
    const ends = [30, 60, 144].map((rate) => {
        const limb = arm({ flexion: 1 });
        const ik = new TwoBoneIK(rig, limb.chain, { target: new Vector3(0.4, 0, 0), pole: { direction: new Vector3(0, 1, 0) }, bendRate: 2 });
        ik.update(0);
        ik.pole.direction.set(0, -1, 1e-3);
        for (let i = 0; i < rate / 2; i++) ik.update(1 / rate);
        return bendOf(limb, ik.target);
    });
    atMost(Math.abs(ends[0].angleTo(new Vector3(0, 1, 0)) - 1), 1e-4, 'half a second at 2 rad a second');
    for (const end of ends.slice(1)) atMost(end.angleTo(ends[0]), 0.1 * DEGREE, 'another frame rate');
});

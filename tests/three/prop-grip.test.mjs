// PropGrip: two hands on a rod, by three.js's own matrices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Line3, Vector3 } from 'three';
import { addArm, gap, pointsOf } from '../support/hands.mjs';
import { api, object, poseOf, randomFrom, randomRotation, rig, rigMissing as skip, worldPosition, worldRotation } from '../support/rig.mjs';

const { PropGrip } = api;
const SIDES = ['left', 'right'];
const ARM = 0.52;

/** A person with two arms and a rod before the chest, whose +x axis goes from the right hand to the left one. */
function makeScene({ seed = 0, scale = 1, far = 0 } = {}) {
    const scene = object('scene', [far, 0, -far]);
    scene.scale.setScalar(scale);
    const root = object('person', [0.2, 0, 0.1], scene);
    root.rotation.y = seed;
    const random = seed ? randomFrom(seed) : null;
    const arms = Object.fromEntries(SIDES.map((side) => [side, addArm(root, side, random)]));
    const rod = object('rod', [0, 1.25, 0.35], root);
    scene.attach(rod);
    scene.updateMatrixWorld(true);
    const rest = Object.fromEntries(SIDES.map((side) => [side, worldRotation(arms[side].hand)]));
    const holds = SIDES.map((side) => ({
        side,
        position: new Vector3(0.2 * arms[side].out, 0, 0),
        axis: new Vector3(-arms[side].out, 0, 0),
        palm: new Vector3(0, -1, 0),
        radius: 0.015 * scale,
    }));
    const bones = { ...arms.left.bones, ...arms.right.bones };
    return { scene, root, arms, rod, rest, holds, scale, model: { root, bones } };
}

const down = ({ root }) => new Vector3(0, -1, 0).transformDirection(root.matrixWorld);

function checkHeld({ scene, arms, rod, rest, scale, root }, grip) {
    scene.updateMatrixWorld(true);
    const axis = new Line3(...[-1, 1].map((x) => rod.localToWorld(new Vector3(x, 0, 0))));
    grip.holds.forEach((hold, i) => {
        const { hand } = arms[hold.side];
        const { position, orientation, residual } = grip.wrists[i];
        const size = ARM * scale;
        assert.ok(worldPosition(hand).distanceTo(position) <= 1e-5 * size, `${hold.side} ${worldPosition(hand).distanceTo(position)}`);
        assert.ok(residual <= 1e-5 * size);
        assert.ok(2 * Math.acos(Math.min(1, Math.abs(worldRotation(hand).dot(orientation)))) < 1e-3);
        // The palm of the rest pose faces down.
        const palm = down({ root }).applyQuaternion(worldRotation(hand).multiply(rest[hold.side].clone().invert()));
        const wanted = hold.palm.clone().transformDirection(rod.matrixWorld);
        assert.ok(palm.dot(wanted) > 0.999, `${hold.side}: the palm is ${palm.dot(wanted)}`);
        for (const finger of ['index', 'middle', 'ring', 'little']) {
            const points = pointsOf(arms[hold.side], finger);
            const gaps = points.slice(1).map((point, k) => gap(points[k], point, axis) - hold.radius);
            assert.ok(Math.min(...gaps) > 0, `${hold.side} ${finger} is in the rod`);
            assert.ok(Math.min(...gaps) < 0.02 * scale, `${hold.side} ${finger} is off the rod by ${Math.min(...gaps)}`);
        }
    });
}

test('both hands hold the rod, palms as wanted, wherever the person stands', { skip }, () => {
    for (const kind of [{}, { seed: 2 }, { seed: 3, scale: 0.01 }, { seed: 4, far: 1e4 }]) {
        const made = makeScene(kind);
        const grip = new PropGrip(rig, made.model, made.rod, { holds: made.holds });
        for (let i = 0; i < 20; i++) {
            made.rod.position.y += 0.004 * Math.sin(i);
            grip.update();
            assert.ok(grip.reached, `${JSON.stringify(kind)} ${grip.residual} ${[...grip.flags]}`);
            assert.equal(grip.flags.has('shifted'), false);
            if (!kind.far) checkHeld(made, grip);
        }
    }
});

test('a rod that one arm cannot reach gives way, and is where it was when that ends', { skip }, () => {
    const made = makeScene({ seed: 5 });
    const { rod } = made;
    const grip = new PropGrip(rig, made.model, rod, { holds: made.holds });
    rod.position.addScaledVector(new Vector3(1, 0, 0).transformDirection(made.root.matrixWorld), 0.3);
    rod.position.addScaledVector(new Vector3(0, 0, 1).transformDirection(made.root.matrixWorld), 0.1);
    const place = () => [...rod.position.toArray(), ...rod.quaternion.toArray()];
    const wanted = place();
    grip.update();
    assert.ok(!grip.reached && grip.flags.has('too_far'));
    assert.deepEqual(place(), wanted);
    const { residual } = grip;
    grip.shift = 0.3;
    grip.update();
    assert.ok(grip.flags.has('shifted'));
    // One arm lacks it all, and its wish counts half.
    assert.ok(Math.abs(grip.residual / residual - 0.5) < 0.05, `${grip.residual} of ${residual}`);
    grip.favour = 0;
    grip.update();
    assert.ok(grip.residual < 0.02 * residual, `${grip.residual} of ${residual}`);
    const moved = place();
    const distance = rod.position.distanceTo(new Vector3().fromArray(wanted));
    assert.ok(distance > 0.5 * residual && distance <= 0.3);
    for (let i = 0; i < 100; i++) grip.update();
    assert.deepEqual(place(), moved, 'it does not creep');
    grip.shift = 0;
    grip.update();
    assert.deepEqual(place(), wanted);
    grip.shift = 0.3;
    grip.update();
    grip.reset();
    assert.deepEqual(place(), wanted);
});

test('one hand lets go: the other stays', { skip }, () => {
    const made = makeScene({ seed: 6 });
    const before = poseOf(made.root);
    const grip = new PropGrip(rig, made.model, made.rod, { holds: made.holds });
    grip.update();
    grip.holds = made.holds.slice(1);
    grip.update();
    assert.ok(grip.reached);
    checkHeld(made, grip);
    const isLeft = ([name]) => name.startsWith('left');
    assert.deepEqual(poseOf(made.root).filter(isLeft), before.filter(isLeft));
    grip.weight = 0;
    grip.update();
    assert.deepEqual(poseOf(made.root), before);
});

test('without a palm the hand takes the natural roll, within its range', { skip }, () => {
    const made = makeScene();
    const [hold] = made.holds;
    const wristOf = (changes) => {
        const grip = new PropGrip(rig, made.model, made.rod, { holds: [{ ...hold, ...changes }] });
        grip.update();
        assert.ok(grip.reached);
        const { orientation } = grip.wrists[0];
        grip.dispose();
        return orientation;
    };
    const fixed = wristOf({ palm: new Vector3(0, 0, 1) });
    const free = wristOf({ palm: null });
    const some = wristOf({ palm: new Vector3(0, 0, 1), roll: 0.2 });
    assert.ok(Math.abs(fixed.angleTo(some) - 0.2) < 1e-4, `${fixed.angleTo(some)}`);
    assert.ok(free.angleTo(fixed) > 0.2);
});

test('elbows go where their poles are', { skip }, () => {
    const made = makeScene({ seed: 7, far: 100 });
    const { root } = made;
    const up = new Vector3(0, 1, 0).transformDirection(root.matrixWorld);
    const above = object('above', [0.3, 8, 0], root);
    const heights = [null, { direction: up }, { object: above }, { position: worldPosition(above) }].map((pole) => {
        const grip = new PropGrip(rig, made.model, made.rod, { holds: [{ ...made.holds[0], pole }] });
        grip.update();
        assert.ok(grip.reached);
        const height = worldPosition(made.arms.left.arm).y;
        grip.dispose();
        return height;
    });
    const [free, ...raised] = heights;
    for (const height of raised) assert.ok(height > free + 0.1, `${heights}`);
    assert.ok(Math.abs(raised[1] - raised[2]) < 1e-6);
});

test('errors name what is wrong and leave everything', { skip }, () => {
    const made = makeScene();
    const { model, rod, holds } = made;
    assert.throws(() => new PropGrip(rig, { ...model, bones: made.arms.left.bones }, rod, { holds }), { id: 'chain.joints', message: /no right hand/ });
    const held = object('held', [0, 0, 0], made.arms.left.hand);
    assert.throws(() => new PropGrip(rig, model, held, { holds }), { id: 'chain.joints', message: /"held" hangs on the hand/ });
    const grip = new PropGrip(rig, model, rod, { holds });
    grip.update();
    const before = poseOf(made.scene);
    const refuse = (id, spoil) => {
        spoil();
        assert.throws(() => grip.update(), { id });
        assert.deepEqual(poseOf(made.scene), before);
        grip.holds = holds;
        grip.weight = 1;
    };
    refuse('chain.value', () => (grip.holds = []));
    refuse('chain.value', () => (grip.holds = [...holds, ...holds]));
    refuse('chain.value', () => (grip.holds = [holds[0], { ...holds[1], side: holds[0].side }]));
    refuse('chain.value', () => (grip.holds = [{ ...holds[0], axis: new Vector3() }]));
    refuse('chain.value', () => (grip.holds = [{ ...holds[0], position: new Vector3(NaN, 0, 0) }]));
    refuse('chain.value', () => (grip.weight = 2));
    const one = new PropGrip(rig, model, rod, { holds: holds.slice(0, 1) });
    one.holds = holds;
    assert.throws(() => one.update(), { id: 'chain.joints', message: /right hand/ });
    grip.dispose();
    grip.dispose();
    assert.throws(() => grip.update(), { id: 'session.disposed' });
});

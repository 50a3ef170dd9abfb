// TwoBoneIK on scenes of three.js: where the joints are is read from three.js's own matrices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matrix4, Quaternion, Vector3 } from 'three';
import {
    api, arm, object, poseOf, randomDirection, randomFrom, randomRotation, rigMissing as skip, worldPosition, worldRotation,
} from '../support/rig.mjs';
import { compareWithNative, nativeMissing, recordingRig } from '../support/rig-native.mjs';

const { TwoBoneIK } = api;
const { rig, calls } = skip ? {} : await recordingRig();
const margin = 1e-4; // of the shorter bone: how near to straight or folded a limb gets

function atMost(value, limit, what) {
    assert.ok(value <= limit, `${what}: ${value}, at most ${limit}`);
}

const near = (actual, expected, tolerance, what) => atMost(actual.distanceTo(expected), tolerance, what);
const miss = ({ wrist }, ik) => worldPosition(wrist).distanceTo(ik.target);
const angleTo = (a, b) => 2 * Math.atan2(Math.hypot(...difference(a, b).slice(0, 3)), Math.abs(difference(a, b)[3]));
const difference = (a, b) => a.clone().multiply(b.clone().invert()).toArray();

/** From the line shoulder to wrist to the elbow. */
function bendOf({ shoulder, elbow, wrist }) {
    const start = worldPosition(shoulder);
    const line = worldPosition(wrist).sub(start).normalize();
    const side = worldPosition(elbow).sub(start);
    return side.addScaledVector(line, -side.dot(line));
}

function flexionOf({ shoulder, elbow, wrist }) {
    const [a, b, c] = [shoulder, elbow, wrist].map(worldPosition);
    return b.clone().sub(a).angleTo(c.sub(b));
}

function assertUnit({ shoulder, elbow, wrist }) {
    for (const { quaternion } of [shoulder, elbow, wrist]) atMost(Math.abs(quaternion.length() - 1), 5e-7, 'length of a rotation');
}

function solve(limb, { target, seconds, ...options }) {
    const ik = new TwoBoneIK(rig, limb.chain, { ...options, target });
    ik.update(seconds);
    return ik;
}

test('reachable targets, wherever the scene and its parents are', { skip }, () => {
    const random = randomFrom(1);
    for (const scale of [1, 0.01, 100, -1, -0.01])
        for (let i = 0; i < 50; i++) {
            const limb = arm();
            const { scene, shoulder, length } = limb;
            const size = Math.abs(scale);
            scene.position.copy(randomDirection(random)).multiplyScalar(5 * size);
            scene.quaternion.copy(randomRotation(random));
            scene.scale.setScalar(size);
            if (scale < 0) scene.scale.x *= -1;
            scene.updateMatrixWorld();
            const pole = scene.localToWorld(randomDirection(random));
            const target = randomDirection(random).multiplyScalar((0.2 + 0.3 * random()) * size).add(worldPosition(shoulder));
            const ik = solve(limb, { target, pole: { position: pole } });
            atMost(miss(limb, ik), 1e-6 * length * size, `scale ${scale}`);
            assert.ok(ik.reached);
            assert.equal(ik.flags.size, 0);
            atMost(ik.residual, 1e-6 * length * size, 'residual');
            assert.ok(bendOf(limb).dot(pole.sub(worldPosition(shoulder))) > 0, 'the elbow is on the side of the pole');
            assertUnit(limb);
        }
});

test('too far: on the line to the target, with the distance that is missing', { skip }, () => {
    const random = randomFrom(2);
    for (let i = 0; i < 50; i++) {
        const limb = arm();
        const direction = randomDirection(random);
        const ik = solve(limb, { target: direction.clone().multiplyScalar(2 * limb.length) });
        const reach = limb.length - margin * 0.25;
        near(worldPosition(limb.wrist), direction.multiplyScalar(reach), 2e-6 * limb.length, 'wrist');
        assert.deepEqual([...ik.flags], ['too_far']);
        assert.equal(ik.reached, false);
        atMost(Math.abs(ik.residual - (2 * limb.length - reach)), 2e-6 * limb.length, 'residual');
    }
});

test('too near, and at the shoulder', { skip }, () => {
    let limb = arm();
    let ik = solve(limb, { target: new Vector3(0.3, 1, -0.4).setLength(0.01) });
    atMost(Math.abs(worldPosition(limb.wrist).length() - (0.05 + margin * 0.25)), 1e-6 * limb.length, 'distance');
    assert.deepEqual([...ik.flags], ['too_near']);
    for (const roll of ['hinge', 'keep'])
        for (const distance of [0, 1e-9, 1e-5]) {
            limb = arm({ flexion: 0, upper: 1, fore: 1 });
            ik = solve(limb, { target: new Vector3(0, distance, 0), roll });
            // https://github.com/mrdoob/three.js/issues/31286: a poor shortest arc gives 0.
            atMost(Math.abs(worldPosition(limb.wrist).length() - margin), 2e-7, `distance at ${distance}`);
            assert.equal(ik.flags.has('no_direction'), distance === 0);
            assert.ok(ik.flags.has('too_near'));
            assertUnit(limb);
        }
    limb = arm({ flexion: Math.PI, upper: 0.5, fore: 0.5 });
    ik = solve(limb, { target: new Vector3() });
    assert.ok(ik.flags.has('no_direction'));
    atMost(worldPosition(limb.wrist).angleTo(new Vector3(1, 0, 0)), 5e-3, 'direction of the upper arm');
    assertUnit(limb);
});

test('a pole that tells no side: the elbow keeps its own', { skip }, () => {
    for (const sign of [-1, 1]) {
        const limb = arm();
        const side = worldPosition(limb.elbow);
        const direction = new Vector3(0.2, 0.9, -0.3);
        const ik = solve(limb, {
            target: direction.clone().multiplyScalar(0.4),
            pole: { position: direction.clone().multiplyScalar(sign * 0.5) },
        });
        assert.deepEqual([...ik.flags], ['no_bend']);
        assert.ok(ik.reached);
        assert.ok(bendOf(limb).dot(side) > 0);
    }
    for (const pole of [new Vector3(0, 0, 0), new Vector3(1, 0, 0)]) {
        const [first, again] = [0, 1].map(() => {
            const limb = arm({ flexion: 0 });
            assert.ok(solve(limb, { target: new Vector3(0.4, 0, 0), pole: { position: pole } }).reached);
            return poseOf(limb.scene);
        });
        assert.deepEqual(first, again);
    }
});

test('a turned and scaled parent changes nothing but the place', { skip }, () => {
    const random = randomFrom(8);
    for (const scale of [1, 0.01, 100])
        for (let i = 0; i < 50; i++) {
            const target = randomDirection(random).multiplyScalar(0.2 + 0.3 * random());
            const pole = randomDirection(random);
            const [plain, moved] = [arm(), arm()];
            moved.scene.quaternion.copy(randomRotation(random));
            moved.scene.scale.setScalar(scale);
            moved.scene.updateMatrixWorld();
            solve(plain, { target, pole: { position: pole } });
            solve(moved, {
                target: moved.scene.localToWorld(target.clone()),
                pole: { position: moved.scene.localToWorld(pole.clone()) },
            });
            for (const joint of ['shoulder', 'elbow'])
                atMost(angleTo(plain[joint].quaternion, moved[joint].quaternion), 1e-5, joint);
        }
});

test('local axes of the bones do not matter', { skip }, () => {
    const random = randomFrom(10);
    for (let i = 0; i < 50; i++) {
        const [upper, fore] = [0.3, 0.25].map((length) => randomDirection(random).multiplyScalar(length));
        const target = randomDirection(random).multiplyScalar(0.35);
        const pole = { direction: randomDirection(random) };
        const places = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, -1)].map((axis) => {
            const limb = arm();
            const along = (bone) => new Quaternion().setFromUnitVectors(axis, bone.clone().normalize());
            limb.shoulder.quaternion.copy(along(upper));
            limb.elbow.position.copy(axis).multiplyScalar(upper.length());
            limb.elbow.quaternion.copy(along(upper)).invert().multiply(along(fore));
            limb.wrist.position.copy(axis).multiplyScalar(fore.length());
            solve(limb, { target, pole });
            return [worldPosition(limb.elbow), worldPosition(limb.wrist)];
        });
        for (const place of places.slice(1)) place.forEach((at, k) => near(at, places[0][k], 2e-6 * 0.55, 'joint'));
    }
});

test('a forearm that turns by nearly half a turn', { skip }, () => {
    for (const roll of ['hinge', 'keep'])
        for (let gap = 0.1; gap > 0.5e-7; gap /= 10) {
            const limb = arm({ flexion: gap, upper: 1, fore: 1 });
            const ik = solve(limb, {
                target: new Vector3(0, 0, -2 * Math.sin(0.01)),
                pole: { direction: new Vector3(1, 0, 0) },
                roll,
            });
            atMost(miss(limb, ik), 2e-6, `gap ${gap}`);
            assert.ok(ik.reached);
        }
});

test('flexion keeps to its range, and the residual says what that costs', { skip }, () => {
    const [a, b] = [0.3, 0.25];
    const [min, max] = [0.4, 2];
    const at = (flexion) => Math.sqrt(a * a + b * b + 2 * a * b * Math.cos(flexion));
    for (let distance = 0.06; distance < 0.7; distance += 0.01) {
        const limb = arm();
        const ik = solve(limb, { target: new Vector3(distance, 0, 0), flexion: { min, max } });
        const flexion = flexionOf(limb);
        atMost(min - flexion, 1e-4, 'below');
        atMost(flexion - max, 1e-4, 'above');
        const predicted = Math.max(0, distance - at(min), at(max) - distance);
        atMost(Math.abs(ik.residual - predicted), 2e-6 * (a + b), `residual at ${distance}`);
        assert.equal(ik.reached, predicted === 0);
        assert.equal(ik.flags.has('limited') || ik.flags.has('too_far'), predicted > 0);
    }
});

test('stretch reaches further, and goes back when it is no longer needed', { skip }, () => {
    const limb = arm();
    const rest = [limb.elbow, limb.wrist].map(({ position }) => position.clone());
    const ik = solve(limb, { target: new Vector3(0, 0.6, 0), stretch: { max: 1.5, start: 0.9 } });
    assert.ok(ik.reached);
    assert.ok(ik.flags.has('stretched'));
    atMost(miss(limb, ik), 2e-6, 'wrist');
    const factor = limb.elbow.position.length() / 0.3;
    assert.ok(factor > 1 && factor <= 1.5);
    atMost(Math.abs(limb.wrist.position.length() / 0.25 - factor), 1e-6, 'both bones alike');
    ik.target.set(0, 0.3, 0);
    ik.update();
    assert.deepEqual([limb.elbow, limb.wrist].map(({ position }) => position.clone()), rest);
});

test('the orientation of the end, of a rotation or an object', { skip }, () => {
    const random = randomFrom(19);
    for (let i = 0; i < 50; i++) {
        const limb = arm();
        limb.scene.quaternion.copy(randomRotation(random));
        if (i % 2) limb.scene.scale.setScalar(0.01);
        limb.scene.updateMatrixWorld();
        const holder = object('holder', [0, 0.3, 0.1], limb.scene);
        holder.quaternion.copy(randomRotation(random));
        const orientation = i % 3 ? worldRotation(holder) : holder;
        const ik = solve(limb, { target: holder, orientation });
        assert.ok(ik.reached);
        atMost(angleTo(worldRotation(limb.wrist), worldRotation(holder)), 1e-5, 'rotation of the wrist');
    }
});

test('weight 0 leaves every bit alone, and between the ends the short way is taken', { skip }, () => {
    const limb = arm();
    // A third is no float: a trip through one would show.
    limb.shoulder.quaternion.set(1 / 3, 1 / 3, 1 / 3, Math.sqrt(2 / 3));
    const before = poseOf(limb.scene);
    const ik = new TwoBoneIK(rig, limb.chain, { target: new Vector3(0.1, -0.3, 0.2), weight: 0, orientation: new Quaternion(0, 1, 0, 0) });
    ik.update();
    assert.deepEqual(poseOf(limb.scene), before);
    const base = limb.shoulder.quaternion.clone();
    ik.weight = 1;
    ik.update();
    const full = limb.shoulder.quaternion.clone();
    const whole = angleTo(base, full);
    assert.ok(whole > 0.1);
    let last = 0;
    for (const weight of [0.25, 0.5, 0.75]) {
        ik.weight = weight;
        ik.update();
        const turned = angleTo(base, limb.shoulder.quaternion);
        assert.ok(turned > last && turned < whole);
        atMost(turned + angleTo(limb.shoulder.quaternion, full) - whole, 1e-5, 'detour');
        last = turned;
    }
    ik.weight = 0;
    ik.update();
    assert.deepEqual(poseOf(limb.scene), before);
});

test('far from the origin of the world nothing is lost', { skip }, () => {
    const solveAt = (distance) => {
        const limb = arm();
        limb.scene.position.set(distance, -distance, distance);
        const target = new Vector3(0.1, 0.3, 0.12).add(limb.scene.position);
        const pole = { position: new Vector3(0, -1, 0.3).add(limb.scene.position) };
        assert.ok(solve(limb, { target, pole }).reached);
        return limb;
    };
    const here = solveAt(0);
    for (const distance of [1e3, 1e5]) {
        const there = solveAt(distance);
        for (const joint of ['shoulder', 'elbow'])
            atMost(angleTo(here[joint].quaternion, there[joint].quaternion), 1e-6, `${joint} at ${distance}`);
    }
});

test('joints between the three are carried along', { skip }, () => {
    const random = randomFrom(24);
    for (let i = 0; i < 50; i++) {
        const limb = arm();
        const twists = [
            [limb.shoulder, limb.elbow],
            [limb.elbow, limb.wrist],
        ].map(([above, below]) => {
            const twist = object('twist', [0.1, 0, 0], above);
            twist.quaternion.copy(randomRotation(random));
            twist.scale.setScalar(1.5);
            twist.add(below);
            return twist;
        });
        const before = twists.map(({ quaternion }) => quaternion.toArray());
        const [a, b, c] = [limb.shoulder, limb.elbow, limb.wrist].map(worldPosition);
        const [upper, fore] = [a.distanceTo(b), b.distanceTo(c)];
        const reach = Math.abs(upper - fore) + (0.2 + 0.6 * random()) * 2 * Math.min(upper, fore);
        const ik = solve(limb, { target: randomDirection(random).multiplyScalar(reach), pole: { direction: randomDirection(random) } });
        atMost(miss(limb, ik), 2e-6 * (upper + fore), 'wrist');
        assert.deepEqual(twists.map(({ quaternion }) => quaternion.toArray()), before);
    }
});

test('scales that differ by axis: above the limb exact, inside it reached or flagged', { skip }, () => {
    const random = randomFrom(25);
    let reached = 0;
    for (let i = 0; i < 100; i++) {
        const limb = arm();
        const scaled = i % 2 ? limb.scene : limb.shoulder;
        scaled.scale.set(1, 2, 1);
        limb.scene.quaternion.copy(randomRotation(random));
        limb.shoulder.quaternion.copy(randomRotation(random));
        limb.scene.updateMatrixWorld();
        const [a, b, c] = [limb.shoulder, limb.elbow, limb.wrist].map(worldPosition);
        const length = a.distanceTo(b) + b.distanceTo(c);
        const target = randomDirection(random).multiplyScalar(0.5 * length).add(a);
        const ik = solve(limb, { target });
        assert.ok(ik.reached || ik.flags.size > 0);
        if (ik.reached) {
            reached++;
            atMost(miss(limb, ik), 1e-4 * length, 'wrist');
        }
        atMost(Math.abs(miss(limb, ik) - ik.residual), 1e-5 * length, 'residual');
        assert.equal(ik.flags.has('sheared'), i % 2 === 0);
    }
    atMost(50, reached, 'most are reached');
});

test('mirrored arms: left is the mirror of right', { skip }, () => {
    const random = randomFrom(27);
    const mirror = new Vector3(-1, 1, 1);
    for (let i = 0; i < 50; i++) {
        const [left, right] = [arm(), arm()];
        right.elbow.position.multiply(mirror);
        right.wrist.position.multiply(mirror);
        right.elbow.quaternion.set(0, -right.elbow.quaternion.y, 0, right.elbow.quaternion.w);
        const target = randomDirection(random).multiplyScalar(0.4);
        const pole = randomDirection(random);
        solve(left, { target, pole: { direction: pole } });
        solve(right, { target: target.clone().multiply(mirror), pole: { direction: pole.clone().multiply(mirror) } });
        for (const joint of ['elbow', 'wrist'])
            near(worldPosition(right[joint]), worldPosition(left[joint]).multiply(mirror), 1e-6 * left.length, joint);
    }
});

test('what cannot be solved is an error and leaves the pose', { skip }, () => {
    const cases = {
        'a target that is NaN': ['chain.value', /target/, (ik) => ik.target.setX(NaN)],
        'a target without end': ['chain.value', /target/, (ik) => ik.target.setX(Infinity)],
        'a pole that is NaN': ['chain.value', /pole/, (ik) => (ik.pole = { position: new Vector3(NaN, 0, 0) })],
        'a direction of no length': ['chain.value', /pole/, (ik) => (ik.pole = { direction: new Vector3() })],
        'a weight above 1': ['chain.value', /weight/, (ik) => (ik.weight = 1.5)],
        'a range that is upside down': ['chain.value', /flexion/, (ik) => (ik.flexion = { min: 2, max: 1 })],
        'a softness below 0': ['chain.value', /soften/, (ik) => (ik.soften = -1)],
        'an orientation of zeros': ['chain.value', /orientation/, (ik) => (ik.orientation = new Quaternion(0, 0, 0, 0))],
        'seconds below 0': ['chain.value', /seconds/, (ik) => void ik, -1],
        'a joint that is NaN': ['chain.value', /joint 1/, (ik, { elbow }) => elbow.position.setX(NaN)],
        'a bone without length': ['chain.length', /no length/, (ik, { wrist }) => wrist.position.set(0, 0, 0)],
        'a scene of scale 0': ['chain.length', /no inverse/, (ik, { scene }) => scene.scale.setScalar(0)],
        'a joint of scale 0': ['chain.length', /scale|length/, (ik, { shoulder }) => shoulder.scale.set(1, 0, 1)],
    };
    for (const [what, [id, message, spoil, seconds]] of Object.entries(cases)) {
        const limb = arm();
        const ik = new TwoBoneIK(rig, limb.chain, { target: new Vector3(0.1, 0.3, 0) });
        ik.update();
        const flags = [...ik.flags];
        spoil(ik, limb);
        const before = poseOf(limb.scene);
        assert.throws(() => ik.update(seconds), (error) => error instanceof api.SinewError && error.id === id && message.test(error.message), what);
        assert.deepEqual(poseOf(limb.scene), before, what);
        assert.deepEqual([...ik.flags], flags, what);
    }
});

test('objects that are no chain are an error that names them', { skip }, () => {
    const limb = arm();
    const { shoulder, elbow, wrist } = limb;
    const stranger = object('stranger');
    const wrong = [
        { root: elbow, mid: shoulder, end: wrist },
        { root: shoulder, mid: shoulder, end: wrist },
        { root: shoulder, mid: wrist, end: wrist },
        { root: stranger, mid: elbow, end: wrist },
        { root: shoulder, mid: stranger, end: wrist },
    ];
    for (const chain of wrong)
        assert.throws(() => new TwoBoneIK(rig, chain), (error) => error.id === 'chain.joints' && error.message.includes(`"${chain.mid.name}"`));
    shoulder.pivot = new Vector3(0, 1, 0);
    for (const joint of ['root', 'mid', 'end'])
        assert.throws(() => new TwoBoneIK(rig, { ...limb.chain, [joint]: undefined }), { id: 'chain.joints', message: new RegExp(`no ${joint};`) });
    assert.throws(() => new TwoBoneIK(rig, limb.chain), { id: 'chain.joints', message: /pivot/ });
    shoulder.pivot = null;
    const ik = new TwoBoneIK(rig, limb.chain);
    stranger.add(elbow);
    assert.throws(() => ik.update(), { id: 'chain.joints', message: /"elbow" got another parent/ });
});

test('poles: a point, an object, a direction and a field agree where they say the same', { skip }, () => {
    const target = new Vector3(0.1, 0.3, 0.1);
    const side = new Vector3(0.3, -0.2, 0.9);
    const holder = object('pole', side.toArray());
    const poles = [{ position: side }, { object: holder }, { direction: side }, { reach: target, bend: side }];
    const places = poles.map((pole) => {
        const limb = arm();
        assert.ok(solve(limb, { target, pole }).reached);
        return worldPosition(limb.elbow);
    });
    for (const place of places.slice(1)) near(place, places[0], 1e-6, 'elbow');
    const limb = arm();
    solve(limb, { target, pole: poles[0], swivel: 1 });
    const turned = places[0].clone().applyAxisAngle(target.clone().normalize(), 1);
    near(worldPosition(limb.elbow), turned, 1e-6, 'the elbow swivels about the line to the target');
});

test('the hinge of the elbow stays the same axis of its bones', { skip }, () => {
    const random = randomFrom(22);
    for (let i = 0; i < 50; i++) {
        const limb = arm();
        const ik = solve(limb, { target: randomDirection(random).multiplyScalar(0.4), pole: { direction: randomDirection(random) } });
        assert.ok(ik.reached);
        // The base pose flexes about -y of the upper arm; so does the solution.
        const rotation = new Matrix4().makeRotationFromQuaternion(limb.elbow.quaternion);
        near(new Vector3(0, 1, 0).applyMatrix4(rotation), new Vector3(0, 1, 0), 1e-5, 'axis of the elbow');
    }
});

test('all of the above natively', { skip: skip || nativeMissing }, (t) => {
    const share = compareWithNative(calls);
    t.diagnostic(`${calls.length} calls, ${(100 * share).toFixed(2)} % of them bit for bit`);
    assert.ok(calls.length > 500);
});

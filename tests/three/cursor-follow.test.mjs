// CursorFollow on scenes of three.js: where the face points, by three.js's own matrices and rays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MathUtils, OrthographicCamera, PerspectiveCamera, Plane, Quaternion, Raycaster, Vector2, Vector3 } from 'three';
import { api, object, poseOf, rig, rigMissing as skip, worldPosition, worldRotation } from '../support/rig.mjs';

const { CursorFollow } = api;
const degrees = MathUtils.radToDeg;
const FRAME = 1 / 60;
const cursors = [[0.5, 0], [-0.5, 0], [0, 0.3], [0, -0.3], [0.3, 0.3], [-0.3, -0.3], [0.001, 0]];

/** A head at (0, 1.4, 0) with rest rotations of its bones, under an armature lying on its back as exporters leave it,
 * that looks at a camera 5 m away; `facing` -1: a model of VRM 0.x, turned about by the page. */
function character(facing = 1) {
    const scene = object('scene');
    const root = object('character', [0, 0, 0], scene);
    if (facing < 0) root.rotation.y = Math.PI;
    const armature = object('armature', [0, 0, 0], root);
    armature.rotation.x = -Math.PI / 2;
    const hips = object('hips', [0, 0, 1.2], armature);
    const neck = object('neck', [0, 0, 0.1], hips);
    neck.rotation.set(0.3, 0.2, 1);
    const head = object('head', [0, 0, 0], neck);
    head.position.set(0, 0, 0.1).applyQuaternion(neck.quaternion.clone().invert());
    head.rotation.set(-1, 0.4, 0.2);
    const eyes = ['leftEye', 'rightEye'].map((name, i) => {
        const eye = object(name, [0, 0, 0], head);
        eye.rotation.set(0.5, i, 0.3);
        return eye;
    });
    scene.updateMatrixWorld(true);
    const rest = new Map([neck, head, ...eyes].map((bone) => [bone, worldRotation(bone)]));
    const camera = new PerspectiveCamera(30, 1920 / 1080, 0.1, 100);
    camera.position.set(0, 1.4, 5);
    camera.updateMatrixWorld();
    return {
        scene, root, neck, head, eyes, camera,
        headAt: worldPosition(head), // of the base pose, from which the angles are taken
        model: { root, bones: { hips, neck, head, leftEye: eyes[0], rightEye: eyes[1] }, facing },
        /** Where a bone has turned the front of the rest to, which is towards the camera: degrees. */
        angles(bone) {
            const turned = worldRotation(bone).multiply(rest.get(bone).clone().invert());
            const { x, y, z } = new Vector3(0, 0, 1).applyQuaternion(turned);
            return [degrees(Math.atan2(x, z)), degrees(Math.atan2(y, Math.hypot(x, z)))];
        },
    };
}

/** By three.js: the ray of the cursor meets the plane that faces the camera, 2.4 m before the head. */
function wanted({ headAt: from, camera }, [x, y]) {
    const towards = camera.getWorldDirection(new Vector3()).negate();
    const plane = new Plane().setFromNormalAndCoplanarPoint(towards, from.clone().addScaledVector(towards, 2.4));
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), camera);
    const d = ray.ray.intersectPlane(plane, new Vector3()).sub(from);
    return [degrees(Math.atan2(d.x, d.z)), degrees(Math.atan2(d.y, Math.hypot(d.x, d.z)))];
}

function near(actual, expected, tolerance, what = '') {
    actual.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < tolerance, `${what} ${actual} is not ${expected}`));
}

function settle(follow, frames = 600) {
    for (let i = 0; i < frames; i++) follow.update(FRAME);
}

for (const facing of [1, -1])
    test(`seven cursors, a model that faces ${facing > 0 ? '+z' : '-z'}`, { skip }, () => {
        for (const cursor of cursors) {
            const c = character(facing);
            const follow = new CursorFollow(rig, c.model, c.camera);
            follow.setPointer(...cursor);
            settle(follow);
            const expected = wanted(c, cursor);
            near(c.angles(c.head), expected, 0.001, 'head');
            near(c.angles(c.neck), expected.map((x) => x * 0.6), 0.001, 'neck');
            near([degrees(follow.head.yaw), degrees(follow.head.pitch)], expected, 0.001);
            assert.ok(Math.abs(follow.currentWeight - 1) < 1e-6);
            follow.dispose();
        }
    });

test('a character and camera somewhere else in the world, an orthographic camera', { skip }, () => {
    const here = character();
    const there = character();
    there.scene.position.set(3000, 200, -5000);
    there.scene.rotation.y = 2;
    there.scene.add(there.camera);
    const follows = [here, there].map((c) => new CursorFollow(rig, c.model, c.camera));
    for (const follow of follows) {
        follow.setPointer(0.4, -0.2);
        settle(follow);
    }
    near([degrees(follows[1].head.yaw), degrees(follows[1].head.pitch)], wanted(here, [0.4, -0.2]), 0.01);

    const c = character();
    c.camera = new OrthographicCamera(-2, 2, 1, -1, 0.1, 100);
    c.camera.position.set(0, 1.4, 5);
    c.camera.updateMatrixWorld();
    const follow = new CursorFollow(rig, c.model, c.camera);
    follow.setPointer(0.3, 0.2);
    settle(follow);
    near(c.angles(c.head), wanted(c, [0.3, 0.2]), 0.001);
});

test('the eyes look at the point, as does eyesTarget for eyes that others turn', { skip }, () => {
    for (const facing of [1, -1])
        for (const cursor of cursors) {
            const c = character(facing);
            const follow = new CursorFollow(rig, c.model, c.camera);
            follow.setPointer(...cursor);
            settle(follow);
            const eyePoint = worldPosition(c.head).add(new Vector3(0, 0.06, 0).applyQuaternion(worldRotation(c.head)));
            const sight = follow.eyesTarget.getWorldPosition(new Vector3()).sub(eyePoint);
            const expected = [degrees(Math.atan2(sight.x, sight.z)), degrees(Math.atan2(sight.y, Math.hypot(sight.x, sight.z)))];
            for (const eye of c.eyes) near(c.angles(eye), expected, 0.001, 'eye');
            const ray = new Raycaster();
            ray.setFromCamera(new Vector2(...cursor), c.camera);
            const point = ray.ray.at((5 - 2.4) / -ray.ray.direction.z, new Vector3());
            assert.ok(degrees(sight.angleTo(point.sub(eyePoint))) < 0.001);
        }
});

test('nothing moves before the first pointer; a scene that nobody animates does not creep', { skip }, () => {
    const c = character();
    const before = poseOf(c.scene);
    const follow = new CursorFollow(rig, c.model, c.camera);
    settle(follow);
    assert.deepEqual(poseOf(c.scene), before);
    follow.setPointer(0.5, 0.2);
    settle(follow);
    const turned = poseOf(c.scene);
    settle(follow, 2000);
    assert.deepEqual(poseOf(c.scene), turned);
    assert.notDeepEqual(turned, before);
    follow.dispose();
    assert.deepEqual(poseOf(c.scene), before);
});

test('it adds to what a clip does with the head', { skip }, () => {
    const c = character();
    const follow = new CursorFollow(rig, c.model, c.camera);
    const rest = c.head.quaternion.clone();
    const [x, y] = [0.3, 0];
    follow.setPointer(x, y);
    const world = worldRotation(c.head);
    const nod = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), 0.1); // 0.1 to the left, of the world
    const below = world.clone().invert().multiply(nod).multiply(world);
    for (let i = 0; i < 600; i++) {
        c.head.quaternion.copy(rest).multiply(below);
        follow.update(FRAME);
    }
    near([c.angles(c.head)[0]], [wanted(c, [x, y])[0] + degrees(0.1)], 0.01);
});

test('frame rates agree, whatever the activity', { skip }, () => {
    const paths = [30, 60, 144].map((rate) => {
        const c = character();
        const follow = new CursorFollow(rig, c.model, c.camera);
        const path = [];
        for (let i = 0; i < rate * 6; i++) {
            const t = i / rate;
            follow.activity = ['still', 'idle', 'drag', 'action', 'idle', 'still'][Math.floor(t)];
            follow.enabled = t < 5.5;
            follow.setPointer(0.6 * Math.sin(2.5 * t), 0.5 * Math.sin(3.7 * t));
            follow.update(1 / rate);
            if (i % (rate / 6) === 0) path.push([...c.angles(c.head), ...c.angles(c.eyes[0])]);
        }
        return path;
    });
    for (const path of paths.slice(0, 2)) path.forEach((look, i) => near(look, paths[2][i], 0.1, `look ${i}`));
    assert.ok(Math.max(...paths[2].map(([yaw]) => yaw)) > 10);
});

test('activities, fading, reset', { skip }, () => {
    const c = character();
    const before = poseOf(c.scene);
    const follow = new CursorFollow(rig, c.model, c.camera, { weights: { drag: 0.3 }, headLimits: { yaw: 0.1 } });
    assert.deepEqual([follow.weights.idle, follow.headLimits.up].map((x) => Math.round(x * 1e4) / 1e4), [0.7, 0.2094]);
    follow.setPointer(0.9, 0.1);
    for (const [activity, weight] of Object.entries({ still: 1, idle: 0.7, drag: 0.3, action: 0 })) {
        follow.activity = activity;
        settle(follow);
        assert.ok(Math.abs(follow.currentWeight - weight) < 1e-6);
        near([c.angles(c.head)[0]], [degrees(0.1) * weight], 0.001);
    }
    follow.activity = 'still';
    settle(follow);
    follow.enabled = false;
    follow.update(FRAME);
    follow.update(FRAME);
    assert.ok(follow.currentWeight > 0.8 && follow.currentWeight < 1, 'it fades');
    settle(follow, 120);
    assert.deepEqual([follow.currentWeight, follow.currentEyesWeight], [0, 0]);
    assert.deepEqual(poseOf(c.scene), before);
    follow.enabled = true;
    settle(follow);
    assert.ok(follow.currentWeight > 0.999);
    follow.reset();
    assert.deepEqual(poseOf(c.scene), before);
    settle(follow);
    assert.deepEqual(poseOf(c.scene), before, 'until the pointer moves');
    assert.deepEqual([follow.currentWeight, follow.head.yaw, follow.eyes.yaw], [0, 0, 0]);
});

test('what cannot be used leaves all as it is', { skip }, () => {
    const c = character();
    const follow = new CursorFollow(rig, c.model, c.camera);
    follow.setPointer(0.5, 0.2);
    settle(follow);
    const before = poseOf(c.scene);
    const head = { ...follow.head };
    const fails = (break_, mend) => {
        break_();
        assert.throws(() => follow.update(FRAME), { id: 'chain.value' });
        mend();
        assert.deepEqual(poseOf(c.scene), before);
    };
    fails(() => follow.setPointer(NaN, 0), () => follow.setPointer(0.5, 0.2));
    fails(() => (follow.neckShare = 2), () => (follow.neckShare = 0.6));
    fails(() => (follow.activity = 'sleep'), () => (follow.activity = 'still'));
    assert.throws(() => follow.update(NaN), { id: 'chain.value' });
    follow.update(0);
    assert.deepEqual(poseOf(c.scene), before);
    assert.deepEqual({ ...follow.head }, head);

    const { neck, head: skull } = c.model.bones;
    const wrong = [
        { root: c.root, bones: { neck } },
        { root: c.root, bones: { neck: skull, head: neck } },
        { root: c.head, bones: c.model.bones },
        { root: c.root, bones: { head: skull, leftEye: neck } },
    ];
    for (const model of wrong) assert.throws(() => new CursorFollow(rig, model, c.camera), { id: 'chain.joints' });
});

test('connect: the pointer over an element, wherever it is on the page', { skip }, () => {
    const c = character();
    const page = new EventTarget();
    const element = { ownerDocument: page, getBoundingClientRect: () => ({ left: 100, top: 50, width: 800, height: 400 }) };
    const follow = new CursorFollow(rig, c.model, c.camera);
    const move = (type, clientX, clientY) => page.dispatchEvent(Object.assign(new Event(type), { clientX, clientY }));
    follow.connect(element);
    move('pointermove', 100 + 800 * 0.65, 50 + 400 * 0.35);
    settle(follow);
    near(c.angles(c.head), wanted(c, [0.3, 0.3]), 0.001);
    move('pointerdown', 100 + 800 * 0.35, 50 + 400 * 0.65); // a finger has no move before
    settle(follow);
    near(c.angles(c.head), wanted(c, [-0.3, -0.3]), 0.001);
    follow.disconnect();
    move('pointermove', 500, 250);
    settle(follow);
    near(c.angles(c.head), wanted(c, [-0.3, -0.3]), 0.001);
});

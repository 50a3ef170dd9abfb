// The parts of the editor that need no page: picking, the gizmo's mathematics, angles, keys, the time scale.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matrix4, PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { importTypeScript } from '../support/typescript.mjs';

const { pickJoint, pickRadius } = await importTypeScript('web/editor/viewport/picking.ts');
const { Gizmo } = await importTypeScript('web/editor/viewport/gizmo.ts');
const { Screen } = await importTypeScript('web/editor/viewport/screen.ts');
const { fromDegrees, toDegrees } = await importTypeScript('web/editor/euler.ts');
const { allTimes, guessFps, keyAt, KeySelection, lowerBound } = await importTypeScript('web/editor/keys.ts');
const { keysWithin, makeRows, nearestKey, treeOrder } = await importTypeScript('web/editor/timeline/rows.ts');
const { Scale } = await importTypeScript('web/editor/timeline/scale.ts');
const { externalImages, matchResource, modelsIn } = await importTypeScript('web/editor/open.ts');
const { savedName } = await importTypeScript('web/editor/save.ts');

// A fixed sequence, so that a failure can be repeated.
let seed = 1;
const random = () => ((seed = (seed * 48271) % 2147483647) / 2147483647) * 2 - 1;
const randomRotation = () => new Quaternion(random(), random(), random(), random()).normalize();

test('picking takes the nearest joint within reach, never one behind the camera', () => {
    const joints = [
        { node: 1, x: 100, y: 100, depth: 5 },
        { node: 2, x: 110, y: 100, depth: 1 },
        { node: 3, x: 100, y: 100, depth: -2 },
    ];
    assert.equal(pickJoint(joints, 101, 100, pickRadius.mouse), 1);
    assert.equal(pickJoint(joints, 108, 100, pickRadius.mouse), 2);
    assert.equal(pickJoint(joints, 100, 113, pickRadius.mouse), null);
    assert.equal(pickJoint(joints, 100, 113, pickRadius.touch), 1);
    assert.equal(pickJoint([joints[2]], 100, 100, 50), null);
    assert.deepEqual(pickRadius, { mouse: 12, touch: 24 });
});

test('of joints that lie over one another the nearer to the camera is picked, in any order', () => {
    const stack = [{ node: 1, x: 50, y: 50, depth: 3 }, { node: 2, x: 50.5, y: 50, depth: 2 }, { node: 3, x: 51, y: 50, depth: 4 }];
    for (const order of [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]])
        assert.equal(pickJoint(order.map((i) => stack[i]), 50, 50, 12), 2);
});

const view = (direction) => {
    const camera = new PerspectiveCamera(35, 1.5, 0.01, 100);
    camera.position.copy(direction).multiplyScalar(4);
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    const screen = new Screen(camera);
    screen.width = 900;
    screen.height = 600;
    screen.update();
    return screen;
};

/** Drags a handle of a joint with this parent and gives the world matrix before and after, and the drag. */
function dragged(tool, axis, space, { mirror = false, plane = false } = {}) {
    const screen = view(new Vector3(0.4, 0.5, 1).normalize());
    const s = 0.5 + Math.abs(random());
    const parent = new Matrix4().compose(new Vector3(random(), random(), random()).multiplyScalar(0.2), randomRotation(), new Vector3(mirror ? -s : s, s, s));
    const local = { translation: [random() * 0.1, random() * 0.1, random() * 0.1], rotation: randomRotation().toArray(), scale: [1, 1, 1] };
    const compose = (t) => new Matrix4().compose(new Vector3(...t.translation), new Quaternion(...t.rotation), new Vector3(...t.scale)).premultiply(parent);
    const before = compose(local);
    const gizmo = new Gizmo();
    gizmo.place(tool, before, parent, space, screen);
    const axes = gizmo.axes.map((a) => a.clone());
    const { x, y } = gizmo.centre;
    gizmo.begin({ tool, axis, plane }, x + 60, y + 10, local, screen);
    const change = gizmo.move(x + 20, y + 65, screen, false, false);
    const after = compose({ ...local, [change.path]: change.value });
    return { before, after, axes, toEye: gizmo.toEye.clone(), amount: gizmo.drag.amount };
}

const rotationOf = (matrix) => {
    const basis = [0, 1, 2].map((i) => new Vector3().setFromMatrixColumn(matrix, i).normalize());
    return basis;
};

test('a ring turns the joint about the axis it is drawn on, under any parent', () => {
    for (let i = 0; i < 200; i++) {
        const axis = [0, 1, 2, 'view'][i % 4];
        const { before, after, axes, toEye, amount } = dragged('rotate', axis, i % 3 ? 'local' : 'world', { mirror: i % 5 === 0 });
        assert.ok(Math.abs(amount) > 1e-4);
        const turn = new Quaternion().setFromAxisAngle(axis === 'view' ? toEye : axes[axis], amount);
        rotationOf(before).forEach((column, k) => {
            const wanted = column.applyQuaternion(turn);
            assert.ok(wanted.distanceTo(rotationOf(after)[k]) < 1e-4, `case ${i}, axis ${axis}`);
        });
    }
});

test('the ring follows the pointer: the point that was taken stays under it', () => {
    for (let i = 0; i < 60; i++) {
        const { amount } = dragged('rotate', 'view', 'world');
        // Along the line of sight the angle on the screen is the angle turned (y points down there), but for
        // the perspective of a joint that is not in the middle of the view.
        const angle = Math.atan2(10, 60) - Math.atan2(65, 20);
        assert.ok(Math.abs(amount - angle) < 0.12, `${amount} against ${angle}`);
    }
});

test('an arrow moves the joint along its axis, a plane across it, the centre across the view', () => {
    for (let i = 0; i < 200; i++) {
        const axis = [0, 1, 2, 'view'][i % 4];
        const plane = axis !== 'view' && i % 8 < 4;
        const { before, after, axes, toEye } = dragged('move', axis, i % 3 ? 'local' : 'world', { mirror: i % 5 === 0, plane });
        const shift = new Vector3().setFromMatrixPosition(after).sub(new Vector3().setFromMatrixPosition(before));
        if (axis === 'view') assert.ok(Math.abs(shift.dot(toEye)) < 1e-5);
        else if (plane) assert.ok(Math.abs(shift.dot(axes[axis])) < 1e-5);
        else assert.ok(shift.clone().cross(axes[axis]).length() < 1e-5);
        rotationOf(before).forEach((column, k) => assert.ok(column.distanceTo(rotationOf(after)[k]) < 1e-9));
    }
});

test('angles come back as the rotation they were, and run on past 180 degrees', () => {
    for (let i = 0; i < 500; i++) {
        const rotation = randomRotation().toArray();
        const back = fromDegrees(toDegrees(rotation));
        const dot = Math.abs(rotation.reduce((sum, value, k) => sum + value * back[k], 0));
        assert.ok(dot > 1 - 1e-9);
    }
    assert.deepEqual(toDegrees(fromDegrees([190, 0, 0]), [190, 0, 0]).map((a) => Math.round(a * 1e6) / 1e6 + 0), [190, 0, 0]);
    // A sweep about one axis never leaps, through the pole of the middle angle included.
    for (const axis of [0, 1, 2]) {
        let near = [0, 0, 0];
        for (let degrees = 0; degrees <= 720; degrees += 5) {
            const angles = [0, 0, 0];
            angles[axis] = degrees;
            near = toDegrees(fromDegrees(angles), near);
            assert.ok(Math.abs(near[axis] - degrees) < 1e-3, `axis ${axis} at ${degrees}: ${near}`);
        }
    }
});

test('keys are found by their time', () => {
    const times = Float32Array.of(0, 0.1, 0.2, 1 / 3, 100.1);
    for (const time of times) assert.equal(times[keyAt(times, time)], time);
    assert.equal(keyAt(times, 1 / 3), 3, 'a double finds the float');
    assert.equal(keyAt(times, 0.15), -1);
    assert.equal(keyAt(times, 0.100001), 1);
    assert.equal(keyAt(times, 0.1001), -1);
    assert.equal(lowerBound(times, 0.15), 2);
    assert.equal(lowerBound(times, 1e9), 5);
});

const track = (node, path, times) => ({ index: 0, node, path, interpolation: 'LINEAR', width: 3, keyCount: times.length, times: Float32Array.from(times) });
const clipOf = (...tracks) => ({ index: 0, name: '', duration: 1, markers: [], tracks: tracks.map((t, index) => ({ ...t, index })) });

test('the frame rate shown is the one that the keys lie on', () => {
    const at = (fps) => clipOf(track(0, 'rotation', Array.from({ length: 20 }, (_, i) => i / fps)));
    for (const fps of [24, 30, 25, 60, 50, 120]) assert.equal(guessFps(at(fps)), fps);
    assert.equal(guessFps(clipOf(track(0, 'rotation', [0, 0.123, 0.4567, 0.777]))), 30);
    assert.deepEqual([...allTimes(clipOf(track(0, 'scale', [0, 1]), track(1, 'scale', [0, 0.5, 1])).tracks)], [0, 0.5, 1]);
});

test('rows follow the tree; boxes and clicks find their keys', () => {
    const nodes = [[1], [2], [], [0]].map((children, index) => ({ index, children, parent: index === 3 ? null : [3, 0, 1][index] }));
    assert.deepEqual(treeOrder(nodes), [1, 2, 3, 0]);
    const clip = clipOf(track(2, 'rotation', [0, 0.5]), track(0, 'scale', [0.5]), track(0, 'translation', [0, 1]));
    const rows = makeRows(clip, treeOrder(nodes), null);
    assert.deepEqual(rows.map((row) => row.track && [row.track.node, row.track.path]), [null, [0, 'translation'], [0, 'scale'], [2, 'rotation']]);
    assert.deepEqual(rows.map((row) => row.first), [true, true, false, true]);
    assert.deepEqual(keysWithin(rows, 0, 3, 0.4, 0.6), [{ node: 0, path: 'scale', time: 0.5 }, { node: 2, path: 'rotation', time: 0.5 }]);
    assert.equal(nearestKey(rows[1], 0.8, 0.3), 1);
    assert.equal(nearestKey(rows[1], 0.5, 0.3), null);
    assert.equal(makeRows(clip, treeOrder(nodes), 1).length, 0);

    const selection = new KeySelection();
    selection.replace(keysWithin(rows, 0, 3, 0, 1));
    assert.equal(selection.size, 5);
    assert.ok(selection.keepThoseIn(clipOf(track(2, 'rotation', [0.5]))));
    assert.deepEqual(selection.list(), [{ node: 2, path: 'rotation', time: 0.5 }]);
});

test('zooming keeps the time under the pointer; ticks are on frames or on round seconds', () => {
    const scale = new Scale();
    scale.width = 1000;
    scale.height = 300;
    scale.fit(2);
    assert.ok(scale.x(0) >= scale.labels && scale.x(2) <= scale.width);
    for (const factor of [1.5, 3, 0.8, 10, 0.5]) {
        const before = scale.time(640);
        scale.zoomAbout(640, factor);
        assert.ok(Math.abs(scale.time(640) - before) < 1e-9);
    }
    for (let zoom = 4; zoom < 20_000; zoom *= 1.3) {
        scale.zoom = zoom;
        const { step, parts } = scale.ticks(24);
        assert.ok(step * zoom >= 84 || step === 600 || step * 24 === 1, `labels at zoom ${zoom} have room`);
        assert.ok(Number.isInteger(parts) && parts >= 1);
        if (step < 0.5) assert.ok(Math.abs(step * 24 - Math.round(step * 24)) < 1e-9);
    }
});

test('files find what belongs to them, and their names', () => {
    const bytes = (n) => Uint8Array.of(n);
    const set = new Map([['model/a.gltf', bytes(1)], ['model/tex/skin 1.png', bytes(2)], ['b.bin', bytes(3)], ['readme.md', bytes(4)], ['x.vrm', bytes(5)]]);
    assert.deepEqual(modelsIn(set), ['x.vrm', 'model/a.gltf']);
    assert.equal(matchResource(set, 'model/tex/../tex/skin 1.png'), set.get('model/tex/skin 1.png'));
    assert.equal(matchResource(set, 'elsewhere/B.BIN'), set.get('b.bin'));
    assert.equal(matchResource(set, 'c.bin'), undefined);
    assert.equal(savedName('walk.glb'), 'walk-edited.glb');
    assert.equal(savedName('walk-edited.glb'), 'walk-edited.glb');
    assert.equal(savedName('My.Avatar.vrm'), 'My.Avatar-edited.vrm');
    assert.equal(savedName('scene.gltf'), 'scene-edited.glb');
    assert.equal(savedName('noext'), 'noext-edited.glb');
});

test('the images that a model names are listed, whatever its container', () => {
    const json = JSON.stringify({ images: [{ uri: 'a%20b.png' }, { uri: 'data:image/png;base64,' }, { bufferView: 0 }, { uri: 'x/c.jpg' }] });
    const text = new TextEncoder().encode(json);
    assert.deepEqual(externalImages(text), ['a b.png', 'x/c.jpg']);
    const glb = new Uint8Array(20 + text.length);
    const data = new DataView(glb.buffer);
    [0x46546c67, 2, glb.length, text.length, 0x4e4f534a].forEach((word, i) => data.setUint32(4 * i, word, true));
    glb.set(text, 20);
    assert.deepEqual(externalImages(glb), ['a b.png', 'x/c.jpg']);
    assert.deepEqual(externalImages(text.subarray(0, 30)), []);
    // As files are named, whatever decodeURIComponent says of it.
    const odd = { images: ['100%.png', '%zz%4', 'a%20%FF.png', '%C3%A9%F0%9F%98%80é', '%EF%BB%BFx'].map((uri) => ({ uri })) };
    assert.deepEqual(externalImages(new TextEncoder().encode(JSON.stringify(odd))),
        ['100%.png', '%zz%4', 'a \ufffd.png', 'é😀é', '\ufeffx']);
});

// A frame makes no objects: what update() allocates, counted by V8's own sampler.
import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Object3D, PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { addArm } from '../support/hands.mjs';
import { api, arm, object, rig, rigMissing } from '../support/rig.mjs';

// The sampler of older V8s leaves out what was collected before it is asked.
const skip = rigMissing || (Number(process.versions.node.split('.')[0]) < 20 ? 'needs Node 20 or newer' : false);

const FRAMES = 50_000;

/** Bytes a call of `f`, those collected meanwhile included. */
async function allocated(f) {
    const session = new Session();
    session.connect();
    const post = promisify(session.post.bind(session));
    for (let i = 0; i < FRAMES / 5; i++) f(i); // until it is compiled
    await post('HeapProfiler.startSampling', {
        samplingInterval: 1024,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
    });
    for (let i = 0; i < FRAMES; i++) f(i);
    const { profile } = await post('HeapProfiler.stopSampling');
    session.disconnect();
    const sum = (node) => node.selfSize + node.children.reduce((bytes, child) => bytes + sum(child), 0);
    return sum(profile.head) / FRAMES;
}

test('update() makes no garbage, and the memory of the module does not grow', { skip }, async (t) => {
    const limb = arm();
    const holder = new Object3D();
    holder.position.set(0.1, 0.3, 0.2);
    limb.scene.add(holder);
    const full = { pole: { object: new Object3D() }, orientation: holder, stretch: { max: 1.2 }, flexion: { min: 0.1, max: 2.5 } };
    const solvers = [
        new api.TwoBoneIK(rig, arm().chain, { target: new Vector3(0.1, 0.3, 0.2) }),
        new api.TwoBoneIK(rig, limb.chain, { target: holder, ...full }),
        new api.TwoBoneIK(rig, limb.chain, { target: new Vector3(0.1, 0.2, 0.3), orientation: new Quaternion(), weight: 0.5 }),
    ];
    const before = rig.exports.memory.buffer.byteLength;
    const bytes = await allocated((i) => {
        holder.position.x = 0.1 * Math.sin(i);
        for (const solver of solvers) solver.update(1 / 60);
    });
    t.diagnostic(`${bytes.toFixed(1)} bytes a frame of three solvers`);
    // V8 puts a number into a box now and then; the smallest array is more.
    assert.ok(bytes < 100, `${bytes} bytes`);
    assert.equal(rig.exports.memory.buffer.byteLength, before);
});

test('nor do hands and gaze', { skip }, async (t) => {
    const root = object('person');
    const { bones } = addArm(root, 'left');
    const head = object('head', [0, 1.5, 0], root);
    const rod = object('rod', [0.2, 1.25, 0.35]);
    const camera = new PerspectiveCamera();
    camera.position.set(0, 1.5, 3);
    const hold = { side: 'left', position: new Vector3(), axis: new Vector3(1, 0, 0), radius: 0.01 };
    const modules = [
        new api.PropGrip(rig, { root, bones }, rod, { holds: [hold], shift: 0.05, turn: 0.1 }),
        new api.HandGrip(rig, { side: 'left', bones }, { curl: 0.5, radius: 0.01, rod: { object: rod } }),
        new api.CursorFollow(rig, { root, bones: { head } }, camera),
    ];
    const bytes = await allocated((i) => {
        rod.position.y = 1.25 + 0.3 * Math.sin(i);
        modules[2].setPointer(Math.sin(i), 0);
        for (const module of modules) module.update(1 / 60);
    });
    t.diagnostic(`${bytes.toFixed(1)} bytes a frame of three modules`);
    assert.ok(bytes < 150, `${bytes} bytes`);
});

test('the count sees an array that is made in each frame', { skip }, async () => {
    let kept;
    const bytes = await allocated((i) => (kept = new Float64Array(4).fill(i)));
    assert.ok(kept && bytes > 100, `${bytes} bytes`);
});

test('dispose gives the memory back', { skip: rigMissing }, () => {
    const use = (count) => {
        const solvers = Array.from({ length: count }, () => new api.TwoBoneIK(rig, arm().chain, { target: new Vector3(0.1, 0.3, 0) }));
        for (const solver of solvers) solver.update();
        for (const solver of solvers) solver.dispose();
        return rig.exports.memory.buffer.byteLength;
    };
    const first = use(1000);
    for (let i = 0; i < 20; i++) assert.equal(use(1000), first);
});

// Every option of TwoBoneIK on random limbs and scenes: WebAssembly gives what the native library does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api, arm, object, randomDirection, randomFrom, randomRotation, rigMissing } from '../support/rig.mjs';
import { compareWithNative, nativeMissing, recordingRig } from '../support/rig-native.mjs';

const skip = rigMissing || nativeMissing;
const ROUNDS = 33_334;

function randomLimb(random) {
    const limb = arm({ flexion: random() < 0.2 ? 0 : random() * 2, upper: 0.1 + random(), fore: 0.1 + random() });
    const { scene, shoulder, elbow, wrist } = limb;
    scene.position.copy(randomDirection(random)).multiplyScalar(random() < 0.1 ? 1e5 : 1);
    scene.quaternion.copy(randomRotation(random));
    scene.scale.setScalar([1, 0.01, 100][Math.floor(random() * 3)]);
    if (random() < 0.2) scene.scale.x *= -1;
    if (random() < 0.1) scene.scale.y *= 2;
    if (random() < 0.1) shoulder.scale.set(1, 1.5, 0.7);
    shoulder.quaternion.copy(randomRotation(random));
    if (random() < 0.3) {
        const twist = object('twist', [0.05, 0, 0], elbow);
        twist.quaternion.copy(randomRotation(random));
        twist.add(wrist);
    }
    return limb;
}

function randomPole(random) {
    const kind = Math.floor(random() * 4);
    if (kind === 0) return { position: randomDirection(random) };
    if (kind === 1) return { direction: randomDirection(random) };
    if (kind === 2) return { reach: randomDirection(random), bend: randomDirection(random) };
    return null;
}

const maybe = (random, make, otherwise = null) => (random() < 0.4 ? make() : otherwise);

function randomOptions(random) {
    return {
        pole: randomPole(random),
        orientation: maybe(random, () => randomRotation(random)),
        weight: maybe(random, random, 1),
        roll: random() < 0.5 ? 'hinge' : 'keep',
        hinge: maybe(random, () => randomDirection(random)),
        swivel: maybe(random, () => random() * 6 - 3, 0),
        soften: maybe(random, () => 0.8 + 0.2 * random(), 1),
        flexion: maybe(random, () => ({ min: random() * 0.3, max: 1 + random() * 2 })),
        stretch: maybe(random, () => ({ max: 1 + random(), start: 0.8 + random() * 0.4 })),
        // Now and then what nothing can be solved with.
        ...(random() < 0.02 ? { swivel: NaN } : {}),
    };
}

test('random jobs with every option: native and WebAssembly agree', { skip }, async (t) => {
    const random = randomFrom(28);
    const { rig, calls } = await recordingRig();
    const seen = new Set();
    for (let i = 0; i < ROUNDS; i++) {
        const { scene, chain, length } = randomLimb(random);
        const ik = new api.TwoBoneIK(rig, chain, randomOptions(random));
        for (let frame = 0; frame < 3; frame++) {
            const reach = randomDirection(random).multiplyScalar(length * random() * 1.5);
            chain.root.localToWorld(ik.target.copy(reach));
            if (random() < 0.02) ik.target.x = Infinity;
            try {
                ik.update(random() < 0.5 ? 1 / 60 : undefined);
                for (const flag of ik.flags) seen.add(flag);
            } catch (error) {
                seen.add(error.id);
            }
        }
        ik.dispose();
        scene.clear();
    }
    assert.equal(calls.length, 3 * ROUNDS);
    const all = ['too_far', 'too_near', 'softened', 'limited', 'stretched', 'no_bend', 'sheared', 'chain.value'];
    assert.deepEqual(all.filter((flag) => !seen.has(flag)), [], 'the jobs meet each of these');
    const share = compareWithNative(calls);
    t.diagnostic(`${calls.length} calls, ${(100 * share).toFixed(2)} % of them bit for bit`);
});

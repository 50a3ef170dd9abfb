// TwoBoneIK on scenes of three.js: where the end is, by three.js's own matrices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quaternion, Vector3 } from 'three';
import {
    api, arm, object, poseOf, randomDirection, randomFrom, randomRotation, rig, rigMissing as skip, worldPosition, worldRotation,
} from '../support/rig.mjs';

const { TwoBoneIK } = api;

function near(actual, expected, tolerance, what) {
    const distance = actual.distanceTo(expected);
    assert.ok(distance <= tolerance, `${what}: ${distance} of ${tolerance}`);
}

test('the end is at the target wherever the scene and its parents are', { skip }, () => {
    const random = randomFrom(1);
    for (const scale of [1, 0.01, 100, -1, -0.01])
        for (let i = 0; i < 50; i++) {
            const { scene, shoulder, elbow, wrist, chain, length } = arm();
            scene.position.copy(randomDirection(random)).multiplyScalar(5);
            scene.quaternion.copy(randomRotation(random));
            scene.scale.setScalar(Math.abs(scale));
            if (scale < 0) scene.scale.x *= -1;
            const size = Math.abs(scale);
            const pole = scene.localToWorld(randomDirection(random));
            const ik = new TwoBoneIK(rig, chain, { pole: { position: pole } });
            ik.target.copy(randomDirection(random)).multiplyScalar((0.2 + 0.3 * random()) * size).add(worldPosition(shoulder));
            ik.update();
            near(worldPosition(wrist), ik.target, 1e-6 * length * size, `scale ${scale}`);
            assert.ok(ik.reached);
            assert.equal(ik.flags.size, 0);
            assert.ok(ik.residual <= 1e-6 * length * size);
            const start = worldPosition(shoulder);
            const side = worldPosition(elbow).sub(start);
            const line = ik.target.clone().sub(start).normalize();
            side.addScaledVector(line, -side.dot(line));
            assert.ok(side.dot(pole.clone().sub(start)) > 0, 'the elbow is on the side of the pole');
            ik.dispose();
        }
});

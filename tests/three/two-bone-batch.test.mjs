// TwoBoneBatch: many limbs as arrays, checked by turning the bones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quaternion, Vector3 } from 'three';
import { api, arm, randomDirection, randomFrom, rig, rigMissing as skip } from '../support/rig.mjs';

const vector = (arrays, i) => new Vector3(...arrays.map((array) => array[i]));
const rotation = (arrays, i) => new Quaternion(...arrays.map((array) => array[i]));
const put = (arrays, i, v) => v.toArray().forEach((value, axis) => (arrays[axis][i] = value));

function fill(batch, random) {
    for (let i = 0; i < batch.count; i++) {
        put(batch.upper, i, randomDirection(random).multiplyScalar(0.3));
        put(batch.fore, i, randomDirection(random).multiplyScalar(0.25));
        put(batch.target, i, randomDirection(random).multiplyScalar(0.1 + 0.4 * random()));
        put(batch.pole, i, randomDirection(random));
    }
}

function check(batch, i) {
    const root = rotation(batch.root, i);
    const upper = vector(batch.upper, i).applyQuaternion(root);
    const fore = vector(batch.fore, i).applyQuaternion(rotation(batch.middle, i)).applyQuaternion(root);
    const target = vector(batch.target, i);
    const miss = upper.clone().add(fore).distanceTo(target);
    assert.ok(miss <= 2e-6 * 0.55, `limb ${i}: ${miss}`);
    assert.ok(Math.abs(batch.residual[i] - miss) <= 2e-6 * 0.55);
    const line = target.normalize();
    const side = upper.addScaledVector(line, -upper.dot(line));
    assert.ok(side.dot(vector(batch.pole, i)) > 0, `limb ${i}: the bend is towards the pole`);
}

test('every limb reaches, for counts of any remainder', { skip }, () => {
    const random = randomFrom(3);
    for (const count of [1, 7, 8, 9, 1000]) {
        const batch = new api.TwoBoneBatch(rig, count);
        fill(batch, random);
        batch.solve();
        assert.equal(batch.residual.length, count);
        for (let i = 0; i < count; i++) check(batch, i);
        batch.dispose();
        assert.throws(() => batch.solve(), { id: 'session.disposed' });
        assert.throws(() => batch.target, { id: 'session.disposed' });
    }
});

test('a limb that cannot be solved stays, and leaves the others alone', { skip }, () => {
    const random = randomFrom(4);
    const batch = new api.TwoBoneBatch(rig, 16);
    fill(batch, random);
    batch.target[1][5] = NaN;
    put(batch.fore, 6, new Vector3());
    batch.solve();
    for (let i = 0; i < 16; i++) {
        if (i !== 5 && i !== 6) {
            check(batch, i);
            continue;
        }
        assert.equal(batch.residual[i], -1);
        assert.deepEqual(rotation(batch.root, i).toArray(), [0, 0, 0, 1]);
        assert.deepEqual(rotation(batch.middle, i).toArray(), [0, 0, 0, 1]);
    }
    batch.dispose();
});

test('the arrays are good after the memory has grown', { skip }, () => {
    const random = randomFrom(5);
    const batch = new api.TwoBoneBatch(rig, 8);
    fill(batch, random);
    const before = rig.exports.memory.buffer.byteLength;
    const large = new api.TwoBoneBatch(rig, 100_000);
    assert.ok(rig.exports.memory.buffer.byteLength > before);
    const limb = arm();
    const ik = new api.TwoBoneIK(rig, limb.chain, { target: new Vector3(0.1, 0.3, 0.2) });
    ik.update();
    assert.ok(ik.reached);
    batch.solve();
    for (let i = 0; i < 8; i++) check(batch, i);
    large.dispose();
    batch.dispose();
});

test('a count that is none says so', { skip }, () => {
    for (const count of [-1, 0.5, NaN, 2 ** 20 + 1])
        assert.throws(() => new api.TwoBoneBatch(rig, count), { id: 'argument' }, `${count}`);
    new api.TwoBoneBatch(rig, 0).dispose();
});

// The same rig on the same characters by web/three and by `sinew pose --rig`: the rotations are the same.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Bone, Group, Matrix4, Vector3 } from 'three';
import { armOf, characters, reachable } from '../support/characters.mjs';
import { readContainer } from '../support/gltf-file.mjs';
import { api, rig, rigMissing } from '../support/rig.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';

/** The nodes of a file as three.js objects, in its rest pose. */
function sceneOf(path) {
    const { nodes, scenes } = JSON.parse(readContainer(readFileSync(path)).text);
    const objects = nodes.map(({ name, matrix, translation, rotation, scale }) => {
        const object = new Bone();
        object.name = name ?? '';
        if (matrix) object.applyMatrix4(new Matrix4().fromArray(matrix));
        if (translation) object.position.fromArray(translation);
        if (rotation) object.quaternion.fromArray(rotation);
        if (scale) object.scale.fromArray(scale);
        return object;
    });
    nodes.forEach(({ children = [] }, i) => children.forEach((child) => objects[i].add(objects[child])));
    const scene = new Group();
    for (const node of scenes[0].nodes) scene.add(objects[node]);
    return { scene, objects };
}

async function poseBy(t, path, modifiers) {
    const file = join(temporaryFolder(t), 'rig.json');
    writeFileSync(file, JSON.stringify({ modifiers }));
    const { code, stdout, stderr } = await sinew(['pose', '--json', path, '--rig', file]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
}

/** Largest difference of rotations and positions, all nodes. */
function difference({ objects }, { nodes }) {
    let largest = 0;
    for (const { index, rotation, translation } of nodes) {
        const { quaternion, position } = objects[index];
        const sign = quaternion.toArray().reduce((sum, value, i) => sum + value * rotation[i], 0) < 0 ? -1 : 1;
        quaternion.toArray().forEach((value, i) => (largest = Math.max(largest, Math.abs(value * sign - rotation[i]))));
        position.toArray().forEach((value, i) => (largest = Math.max(largest, Math.abs(value - translation[i]))));
    }
    return largest;
}

for (const { name, path, arm, skip } of characters)
    test(`${name}: TwoBoneIK turns the arm as the command does`, { skip: rigMissing || skip }, async (t) => {
        const rest = await poseBy(t, path, []);
        const made = sceneOf(path);
        assert.ok(difference(made, rest) < 1e-6, 'the scene is the file');
        const joints = armOf(rest, arm);
        const [root, mid, end] = joints.map(({ index }) => made.objects[index]);
        const direction = [0.3, -1, -0.7];
        const ik = new api.TwoBoneIK(rig, { root, mid, end }, { pole: { direction: new Vector3(...direction) }, soften: 0.97 });
        let moved = 0;
        for (const target of reachable(joints, 6)) {
            ik.target.fromArray(target);
            ik.update();
            const fields = { root: joints[0].index, mid: joints[1].index, end: joints[2].index };
            const answer = await poseBy(t, path, [{ type: 'two_bone', ...fields, target: { position: target }, pole: { direction }, soften: 0.97 }]);
            // What the command writes are positions in float, from which the target is taken.
            assert.ok(difference(made, answer) < 2e-6, `${difference(made, answer)}`);
            moved = Math.max(moved, difference(made, rest));
            const [report] = answer.modifiers;
            assert.equal(ik.reached, report.reached);
            assert.deepEqual([...ik.flags].sort(), [...report.flags].sort());
        }
        assert.ok(moved > 0.1, 'the arm moves');
    });

const [mannequin] = characters;

test('the mannequin: HandGrip bends the fingers as the command does', { skip: rigMissing || mannequin.skip }, async (t) => {
    const made = sceneOf(mannequin.path);
    const bones = {};
    for (const object of made.objects) if (/^left(Hand|LowerArm|Thumb|Index|Middle|Ring|Little)/.test(object.name)) bones[object.name] = object;
    const grip = new api.HandGrip(rig, { side: 'left', bones, root: made.scene });
    const rest = await poseBy(t, mannequin.path, []);
    for (const fields of [{ curl: 0.4 }, { curl: 1, radius: 0.02 }, { curl: 0.3, spread: 0.2 }, { curl: 0.9, weight: 0.5 }]) {
        Object.assign(grip, { radius: 0, spread: 0, weight: 1 }, fields);
        grip.update();
        const answer = await poseBy(t, mannequin.path, [{ type: 'hand', side: 'left', ...fields }]);
        assert.ok(difference(made, answer) < 1e-6, `${JSON.stringify(fields)} ${difference(made, answer)}`);
        assert.ok(difference(made, rest) > 0.05);
        assert.equal(grip.reached, answer.modifiers[0].reached);
    }
});

test('the mannequin: PropGrip takes a bar as the command does', { skip: rigMissing || mannequin.skip }, async (t) => {
    const made = sceneOf(mannequin.path);
    const bones = Object.fromEntries(made.objects.map((object) => [object.name, object]).filter(([name]) => /^(left|right)(Upper|Lower)?(Arm|Hand|Thumb|Index|Middle|Ring|Little)/.test(name)));
    const hands = [
        { side: 'left', position: [0.2, 0.15, 0.4], axis: [-1, 0, 0], palm: [0, -1, 0], roll: 0.6, radius: 0.015 },
        { side: 'right', position: [-0.2, 0.15, 0.4], axis: [1, 0, 0], radius: 0.015, tilt: 0.35, curl: 0.8, pole: { direction: [-1, -1, 0] } },
    ];
    const vector = (values) => new Vector3(...values);
    const holds = hands.map(({ position, axis, palm, pole, ...hold }) => ({
        ...hold,
        position: vector(position),
        axis: vector(axis),
        palm: palm ? vector(palm) : null,
        pole: pole ? { direction: vector(pole.direction) } : null,
    }));
    const hips = made.objects.find(({ name }) => name === 'hips');
    const grip = new api.PropGrip(rig, { root: made.scene, bones }, hips, { holds });
    grip.update();
    const answer = await poseBy(t, mannequin.path, [{ type: 'grip', prop: 'hips', hands }]);
    assert.ok(difference(made, answer) < 2e-6, `${difference(made, answer)}`);
    const [report] = answer.modifiers;
    assert.equal(grip.reached, report.reached);
    assert.deepEqual([...grip.flags].sort(), [...report.flags].sort());
    assert.ok(difference(made, await poseBy(t, mannequin.path, [])) > 0.1);
});

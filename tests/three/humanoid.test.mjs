// findHumanBones on trees of three.js objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bone, Group, Mesh } from 'three';
import { api, rig, rigMissing as skip } from '../support/rig.mjs';

const { findHumanBones, HandGrip } = api;

/** Objects that hang on each other as "name>name>name" says, of the class for their names. */
function tree(texts, make = () => new Bone()) {
    const root = new Group();
    for (const text of texts) {
        let above = root;
        for (const name of text.split('>')) {
            let object = root.getObjectByName(name);
            if (!object) {
                object = make(name);
                object.name = name;
                above.add(object);
            }
            above = object;
        }
    }
    return root;
}

const mixamo = [
    'Armature>mixamorigHips>mixamorigSpine>mixamorigSpine1>mixamorigSpine2>mixamorigNeck>mixamorigHead',
    'mixamorigSpine2>mixamorigLeftShoulder>mixamorigLeftArm>mixamorigLeftForeArm>mixamorigLeftHand>mixamorigLeftHandIndex1>mixamorigLeftHandIndex2',
    'mixamorigSpine2>mixamorigRightShoulder>mixamorigRightArm>mixamorigRightForeArm>mixamorigRightHand',
];

test('the bones of a character as three.js names them', { skip }, () => {
    const root = tree(mixamo, (name) => (name === 'Armature' ? new Group() : new Bone()));
    root.getObjectByName('mixamorigLeftShoulder').position.x = 0.1;
    root.getObjectByName('mixamorigRightShoulder').position.x = -0.1;
    const { bones, facing } = findHumanBones(rig, root);
    assert.equal(facing, 1);
    assert.deepEqual(Object.fromEntries(Object.entries(bones).map(([bone, object]) => [bone, object.name.replace('mixamorig', '')])), {
        hips: 'Hips', spine: 'Spine', chest: 'Spine1', upperChest: 'Spine2', neck: 'Neck', head: 'Head',
        leftShoulder: 'LeftShoulder', leftUpperArm: 'LeftArm', leftLowerArm: 'LeftForeArm', leftHand: 'LeftHand',
        leftIndexProximal: 'LeftHandIndex1', leftIndexIntermediate: 'LeftHandIndex2',
        rightShoulder: 'RightShoulder', rightUpperArm: 'RightArm', rightLowerArm: 'RightForeArm', rightHand: 'RightHand',
    });
});

test('where the scene stands does not count, how the character stands in it does', { skip }, () => {
    const root = tree(mixamo);
    root.getObjectByName('mixamorigLeftShoulder').position.x = 0.1;
    root.rotation.y = Math.PI;
    assert.equal(findHumanBones(rig, root).facing, 1);
    root.getObjectByName('Armature').rotation.y = Math.PI;
    assert.equal(findHumanBones(rig, root).facing, -1);
});

test('meshes beside the bones are not looked at, unless there are no bones', { skip }, () => {
    const texts = ['Hips>Spine>Neck>Head', 'Hips>LeftUpLeg>LeftLeg', 'LeftFoot'];
    const root = tree(texts, (name) => (name === 'Head' ? new Mesh() : new Bone()));
    assert.equal(findHumanBones(rig, root).bones.head, undefined);
    assert.equal(findHumanBones(rig, tree(texts, () => new Mesh())).bones.head.name, 'Head');
});

test('what is no human has no bones, and nothing is left in memory', { skip }, () => {
    assert.deepEqual(findHumanBones(rig, tree(['Lamp>Head', 'Lamp>Füße 足'])), { bones: {}, facing: 1 });
    assert.deepEqual(findHumanBones(rig, new Group()), { bones: {}, facing: 1 });
    const root = tree(mixamo);
    findHumanBones(rig, root);
    const before = rig.exports.memory.buffer.byteLength;
    for (let i = 0; i < 2000; i++) findHumanBones(rig, root);
    assert.equal(rig.exports.memory.buffer.byteLength, before);
});

test('a module takes what was found', { skip }, () => {
    const root = tree(mixamo);
    root.traverse((object) => object.name.includes('Left') && (object.position.x = 0.1));
    const { bones, facing } = findHumanBones(rig, root);
    const grip = new HandGrip(rig, { side: 'left', root, facing, bones: { leftLowerArm: bones.leftLowerArm, leftHand: bones.leftHand, leftIndexProximal: bones.leftIndexProximal } }, { curl: 1 });
    grip.update();
    assert.ok(bones.leftIndexProximal.quaternion.angleTo(new Bone().quaternion) > 1);
});

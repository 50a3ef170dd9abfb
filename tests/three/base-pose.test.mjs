// What a module starts from: the pose of the animation, and never its own result of the frame before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    AnimationClip, AnimationMixer, Bone, BoxGeometry, Float32BufferAttribute, Group, Object3D, PerspectiveCamera, Quaternion,
    QuaternionKeyframeTrack, Skeleton, SkinnedMesh, Uint16BufferAttribute, Vector3,
} from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { api, arm, object, poseOf, randomDirection, randomFrom, randomRotation, rig, rigMissing as skip, worldPosition } from '../support/rig.mjs';

const { CursorFollow, TwoBoneIK } = api;
const DEGREE = Math.PI / 180;

/** Around a circle of 20 cm, 35 cm ahead: the shortest way, taken from its own result in each frame, rolls
 * the upper arm by 37 degrees a loop. */
function onCircle(target, share) {
    const angle = share * 2 * Math.PI;
    return target.set(0.35, 0.2 * Math.cos(angle), 0.2 * Math.sin(angle));
}

test('without an animation nothing creeps: ten loops end where they began', { skip }, () => {
    for (const roll of ['hinge', 'keep']) {
        const limb = arm();
        const ik = new TwoBoneIK(rig, limb.chain, { roll });
        let first;
        for (let i = 0; i <= 3600; i++) {
            onCircle(ik.target, (i % 360) / 360);
            ik.update();
            if (i === 0) first = poseOf(limb.scene);
        }
        assert.deepEqual(poseOf(limb.scene), first, roll);
    }
});

test('the loop would roll the arm, were each frame the base of the next', { skip }, () => {
    const limb = arm();
    let first;
    for (let i = 0; i <= 360; i++) {
        const ik = new TwoBoneIK(rig, limb.chain, { roll: 'keep' });
        onCircle(ik.target, (i % 360) / 360);
        ik.update();
        // A change of no visible size: somebody animated, so this is the next frame's base.
        for (const { quaternion } of [limb.shoulder, limb.elbow]) quaternion.set(quaternion.x, quaternion.y, quaternion.z + 1e-12, quaternion.w);
        first ??= limb.shoulder.quaternion.clone();
    }
    const turned = limb.shoulder.quaternion.angleTo(first) / DEGREE;
    assert.ok(turned > 30, `${turned} degrees`);
});

test('the same target ten thousand times gives the same bits', { skip }, () => {
    const limb = arm();
    const ik = new TwoBoneIK(rig, limb.chain, { target: new Vector3(0.1, 0.3, 0.2) });
    ik.update();
    const first = poseOf(limb.scene);
    for (let i = 0; i < 10_000; i++) ik.update();
    assert.deepEqual(poseOf(limb.scene), first);
});

function mixerOf({ scene, shoulder }) {
    const turns = [0, 0.5, 1].map((angle) => new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), angle));
    const track = new QuaternionKeyframeTrack(`${shoulder.name}.quaternion`, [0, 1, 2], turns.flatMap((turn) => turn.toArray()));
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(new AnimationClip('wave', 2, [track])).play();
    return mixer;
}

test('a mixer that rewrites the base each frame is where each frame starts', { skip }, () => {
    const [limb, plain] = [arm(), arm()];
    const mixers = [limb, plain].map(mixerOf);
    const ik = new TwoBoneIK(rig, limb.chain, { target: new Vector3(0.1, 0.3, 0.2), weight: 0.5 });
    for (let i = 0; i < 300; i++) {
        for (const mixer of mixers) mixer.update(1 / 60);
        ik.update();
        // The same frame from scratch: the mixer's pose, and a solver that has seen nothing.
        const alone = arm();
        alone.shoulder.quaternion.copy(plain.shoulder.quaternion);
        const fresh = new TwoBoneIK(rig, alone.chain, { target: ik.target, weight: 0.5 });
        fresh.update();
        assert.deepEqual(poseOf(limb.scene), poseOf(alone.scene), `frame ${i}`);
        fresh.dispose();
    }
    // A mixer writes only what changed: while it stands still, the base is still its pose.
    mixers[0].update(0);
    const still = poseOf(limb.scene);
    for (let i = 0; i < 10; i++) {
        mixers[0].update(0);
        ik.update();
    }
    assert.deepEqual(poseOf(limb.scene), still);
});

test('reset and dispose put the base pose back, unless somebody animated', { skip }, () => {
    for (const end of ['reset', 'dispose']) {
        const limb = arm();
        limb.shoulder.quaternion.copy(randomRotation(randomFrom(5)));
        const before = poseOf(limb.scene);
        const ik = new TwoBoneIK(rig, limb.chain, { target: new Vector3(0.1, 0.5, 0.2), stretch: { max: 2 } });
        ik.update();
        assert.notDeepEqual(poseOf(limb.scene), before);
        ik[end]();
        assert.deepEqual(poseOf(limb.scene), before);
    }
    const limb = arm();
    const ik = new TwoBoneIK(rig, limb.chain, { target: new Vector3(0.1, 0.3, 0.2) });
    ik.update();
    limb.shoulder.quaternion.set(0, 0, 1, 0);
    ik.reset();
    assert.deepEqual(limb.shoulder.quaternion.toArray(), [0, 0, 1, 0]);
    ik.dispose();
    ik.dispose();
    assert.throws(() => ik.update(), { id: 'session.disposed' });
});

test('reset after dispose throws, and leaves the memory of those that came after', { skip }, () => {
    const limb = arm();
    const camera = new PerspectiveCamera();
    const modules = [
        [new TwoBoneIK(rig, limb.chain), rig.exports.two_bone_size()],
        [new CursorFollow(rig, { root: limb.scene, bones: { head: limb.elbow } }, camera), rig.exports.cursor_follow_state_size()],
    ];
    for (const [module, size] of modules) {
        module.dispose();
        const after = rig.allocate(size); // most likely where the module's memory was
        const bytes = new Uint8Array(rig.exports.memory.buffer, after, size).fill(7);
        assert.throws(() => module.reset(), { id: 'session.disposed' });
        assert.ok(bytes.every((byte) => byte === 7));
        rig.exports.release(after);
    }
});

test('what hangs on the chain may be followed: as it is in the base pose, so that nothing creeps', { skip }, () => {
    const limb = arm();
    const tip = object('tip', [-0.1, 0.05, 0], limb.wrist);
    const wanted = worldPosition(tip);
    const still = (module) => {
        module.update();
        const first = poseOf(limb.scene);
        for (let i = 0; i < 50; i++) module.update();
        assert.deepEqual(poseOf(limb.scene), first);
        module.dispose();
    };
    const ik = new TwoBoneIK(rig, limb.chain, { target: tip });
    ik.update();
    assert.ok(worldPosition(limb.wrist).distanceTo(wanted) < 1e-6);
    still(ik);
    const target = new Vector3(0.2, 0.2, 0.3);
    still(new TwoBoneIK(rig, limb.chain, { target, pole: { object: tip } }));
    still(new TwoBoneIK(rig, limb.chain, { target, orientation: tip }));
});

test('after reset the bend knows nothing of before', { skip }, () => {
    const target = new Vector3(0.4, 0, 0);
    const pole = { direction: new Vector3(0, 1, 0) };
    const [used, fresh] = [arm(), arm()];
    const ik = new TwoBoneIK(rig, used.chain, { target, pole: { direction: new Vector3(0, -1, 0) } });
    for (let i = 0; i < 60; i++) ik.update(1 / 60);
    ik.reset();
    ik.pole = pole;
    ik.update(1 / 60);
    new TwoBoneIK(rig, fresh.chain, { target, pole }).update(1 / 60);
    assert.deepEqual(poseOf(used.scene), poseOf(fresh.scene));
});

test('two solvers on one limb: the second works on the first, and nothing creeps', { skip }, () => {
    const limb = arm();
    const before = poseOf(limb.scene);
    const first = new TwoBoneIK(rig, limb.chain, { target: new Vector3(0.1, 0.3, 0.2) });
    const second = new TwoBoneIK(rig, limb.chain, { target: new Vector3(0.2, -0.3, 0.1), weight: 0.5 });
    const frame = () => {
        first.update();
        second.update();
    };
    frame();
    const pose = poseOf(limb.scene);
    const alone = arm();
    new TwoBoneIK(rig, alone.chain, { target: first.target }).update();
    alone.shoulder.quaternion.set(...alone.shoulder.quaternion.toArray()); // what the first gave
    const both = arm();
    both.shoulder.quaternion.copy(alone.shoulder.quaternion);
    both.elbow.quaternion.copy(alone.elbow.quaternion);
    new TwoBoneIK(rig, both.chain, { target: second.target, weight: 0.5 }).update();
    assert.deepEqual(pose, poseOf(both.scene));
    for (let i = 0; i < 100; i++) frame();
    assert.deepEqual(poseOf(limb.scene), pose);
    // One that pauses takes nothing with it.
    first.update();
    assert.deepEqual(poseOf(limb.scene), poseOf(alone.scene));
    frame();
    assert.deepEqual(poseOf(limb.scene), pose);
    first.reset();
    assert.deepEqual(poseOf(limb.scene), before);
});

/** A skinned arm as GLTFLoader leaves it. */
function skinnedArm() {
    const bones = [];
    for (const [name, x] of [['shoulder', 0], ['elbow', 0.3], ['wrist', 0.25]]) {
        const bone = new Bone();
        bone.name = name;
        bone.position.x = x;
        bones.at(-1)?.add(bone);
        bones.push(bone);
    }
    bones[1].quaternion.setFromAxisAngle(new Vector3(0, -1, 0), 0.3);
    const geometry = new BoxGeometry(0.55, 0.1, 0.1);
    const count = geometry.attributes.position.count;
    geometry.setAttribute('skinIndex', new Uint16BufferAttribute(new Uint16Array(count * 4), 4));
    geometry.setAttribute('skinWeight', new Float32BufferAttribute(new Float32Array(count * 4).fill(0.25), 4));
    const mesh = new SkinnedMesh(geometry);
    mesh.name = 'mesh';
    const group = new Group();
    group.add(mesh, bones[0]);
    group.updateMatrixWorld();
    mesh.bind(new Skeleton(bones));
    return group;
}

const chainOf = (group) => ({
    root: group.getObjectByName('shoulder'),
    mid: group.getObjectByName('elbow'),
    end: group.getObjectByName('wrist'),
});

test('clones are apart: what one does leaves the other as it is, to the byte', { skip }, () => {
    const group = skinnedArm();
    const [first, second] = [clone(group), clone(group)];
    const bytes = (root) => {
        root.updateMatrixWorld(true);
        const mesh = root.getObjectByName('mesh');
        mesh.skeleton.update();
        const worlds = [];
        root.traverse((o) => worlds.push(...o.matrixWorld.elements));
        return [poseOf(root), worlds, [...mesh.skeleton.boneMatrices]];
    };
    const before = [group, second].map(bytes);
    const ik = new TwoBoneIK(rig, chainOf(first), { target: new Vector3(0.1, 0.3, 0.2) });
    const other = new TwoBoneIK(rig, chainOf(second), { target: new Vector3(0.1, 0.3, 0.2), weight: 0 });
    ik.update();
    other.update();
    assert.ok(worldPosition(chainOf(first).end).distanceTo(ik.target) < 1e-6);
    assert.deepEqual([group, second].map(bytes), before);
    const mesh = first.getObjectByName('mesh');
    for (const bone of mesh.skeleton.bones) assert.equal(first.getObjectByName(bone.name), bone, 'a clone has its own bones');
    assert.equal(mesh.geometry, group.getObjectByName('mesh').geometry, 'and shares the geometry');
    ik.dispose();
    other.weight = 1;
    other.update();
    assert.ok(worldPosition(chainOf(second).end).distanceTo(ik.target) < 1e-6, 'disposing one leaves the other working');
});

test('objects that keep their matrices by hand', { skip }, () => {
    const random = randomFrom(6);
    for (const frozen of ['scene', 'shoulder', 'elbow', 'wrist', 'all'])
        for (let i = 0; i < 20; i++) {
            const limb = arm();
            const hand = [limb.scene, limb.shoulder, limb.elbow, limb.wrist];
            const above = new Object3D();
            above.add(limb.scene);
            for (const o of hand)
                if (frozen === 'all' || o.name === frozen) {
                    o.matrixAutoUpdate = false;
                    o.updateMatrix();
                }
            above.updateMatrixWorld(true);
            // Moved after their world matrices were computed: three.js's own updateWorldMatrix misses it.
            above.position.copy(randomDirection(random));
            above.quaternion.copy(randomRotation(random));
            above.updateMatrix();
            const target = randomDirection(random).multiplyScalar(0.4).add(above.position);
            const ik = new TwoBoneIK(rig, limb.chain, { target });
            ik.update();
            above.updateMatrixWorld(true); // as before rendering
            const wrist = new Vector3().setFromMatrixPosition(limb.wrist.matrixWorld);
            assert.ok(wrist.distanceTo(target) < 1e-6, `${frozen}: ${wrist.distanceTo(target)}`);
        }
});

test('targets and poles that are objects are followed in the same frame', { skip }, () => {
    const limb = arm();
    const holder = new Object3D();
    const pole = new Object3D();
    const group = new Group();
    group.add(holder);
    limb.scene.add(group, pole);
    const ik = new TwoBoneIK(rig, limb.chain, { target: holder, pole: { object: pole } });
    for (let i = 0; i < 10; i++) {
        group.position.set(0.1 * Math.sin(i), 0.2, 0.1);
        holder.position.set(0, 0.1, 0.02 * i);
        pole.position.set(Math.cos(i), -1, Math.sin(i));
        ik.update();
        assert.ok(worldPosition(limb.wrist).distanceTo(worldPosition(holder)) < 1e-6);
        assert.ok(ik.target.distanceTo(worldPosition(holder)) < 1e-9);
    }
});

// `sinew info`: everything the file holds, in both forms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';

async function info(t, model, ...args) {
    const path = writeFiles(temporaryFolder(t), { 'a.vrm': toGlb(model) })('a.vrm');
    const { code, stdout, stderr } = await sinew(['info', path, ...args]);
    assert.deepEqual([code, stderr], [0, '']);
    return args.includes('--json') ? JSON.parse(stdout) : stdout;
}

test('nodes, skins, meshes, clips and extensions', async (t) => {
    const model = smallModel();
    model.json.extensionsUsed = ['EXT_that_nobody_knows'];
    const answer = await info(t, model, '--json');
    assert.deepEqual(Object.keys(answer), ['file', 'container', 'generator', 'extensionsUsed', 'extensionsRequired',
        'scenes', 'nodes', 'skins', 'meshes', 'clips', 'vrm', 'humanoid', 'modifiers']);
    assert.deepEqual([answer.container, answer.generator, answer.scenes, answer.vrm, answer.humanoid], ['glb', 'tests', 1, null, null]);
    assert.deepEqual(answer.extensionsUsed, ['EXT_that_nobody_knows']);
    assert.deepEqual(answer.nodes[1], { index: 1, name: 'Arm', parent: 0, mesh: null, skin: null, joint: true });
    assert.deepEqual(answer.nodes[2], { index: 2, name: 'Body', parent: null, mesh: 0, skin: 0, joint: false });
    assert.deepEqual(answer.skins, [{ index: 0, name: '', joints: [0, 1] }]);
    assert.deepEqual(answer.meshes, [{ index: 0, name: '', primitives: 1, vertices: 3, targets: 1 }]);
    assert.deepEqual(answer.clips[0], {
        index: 0, name: 'Bend', duration: 1, keys: 2,
        tracks: [{ node: 1, path: 'rotation', interpolation: 'LINEAR', keys: 2, start: 0, end: 1 }],
    });
    assert.deepEqual(answer.clips[1].tracks[0], { node: 2, path: 'weights', interpolation: 'LINEAR', keys: 2, start: 0, end: 2 });
});

test('the same for people', async (t) => {
    const text = await info(t, smallModel(), '--nodes');
    assert.match(text, /^nodes {6}3, joints 2, scenes 1$/m);
    assert.match(text, /^ {2}0 "Root" joint\n {4}1 "Arm" joint\n {2}2 "Body"$/m);
    assert.match(text, /^ +0 +\(no name\) +joints 2$/m);
    assert.match(text, /^ +0 +\(no name\) +vertices 3, primitives 1, morph targets 1$/m);
    assert.match(text, /^ +0 +"Bend" +1\.000 s +channels +1 +keys +2 +LINEAR 1$/m);
});

test('the humanoid of VRM 1, VRM 0 and a VRM animation', async (t) => {
    const bones = { hips: 0, leftThumbMetacarpal: 1 };
    const byName = { humanBones: { hips: { node: 0 }, leftThumbMetacarpal: { node: 1 } } };
    const kinds = {
        'VRM 1': ['1.0', '+z', { VRMC_vrm: { specVersion: '1.0', humanoid: byName } }],
        'VRM 0': ['0.0', '-z', { VRM: { specVersion: '0.0', humanoid: { humanBones: [{ bone: 'hips', node: 0 }, { bone: 'leftThumbProximal', node: 1 }] } } }],
        'VRM animation': ['1.0', '+z', { VRMC_vrm_animation: { specVersion: '1.0', humanoid: byName } }],
    };
    for (const [kind, [version, facing, extensions]] of Object.entries(kinds)) {
        const model = smallModel();
        model.json.extensions = extensions;
        model.json.extensionsUsed = Object.keys(extensions);
        const answer = await info(t, model, '--json');
        assert.deepEqual(answer.vrm, { kind, version });
        assert.deepEqual(answer.humanoid, { from: kind, facing, bones });
        const text = await info(t, model);
        assert.ok(text.includes(`\nvrm        ${kind}, version "${version}"\nhumanoid   2 bones by VRM, facing ${facing}\n`));
        assert.match(text, /^ {2}leftThumbMetacarpal +node 1 "Arm"$/m);
    }
});

test('the humanoid by the names of the joints', async (t) => {
    const model = smallModel();
    const names = ['Hips', 'LeftUpLeg', 'LeftLeg', 'LeftFoot'];
    const first = model.json.nodes.length;
    names.forEach((name, i) => model.json.nodes.push({ name, ...(i < 3 && { children: [first + i + 1] }) }));
    model.json.skins[0].joints = names.map((_, i) => first + i);
    delete model.json.skins[0].inverseBindMatrices;
    assert.deepEqual((await info(t, model, '--json')).humanoid,
        { from: 'names', facing: '+z', bones: { hips: first, leftUpperLeg: first + 1, leftLowerLeg: first + 2, leftFoot: first + 3 } });
    assert.match(await info(t, model), /^humanoid {3}4 bones by their names, facing \+z$/m);
});

test('a bone that names no node is left out with a warning', async (t) => {
    const model = smallModel();
    model.json.extensions = { VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones: { hips: { node: 99 }, head: { node: 1 } } } } };
    const path = writeFiles(temporaryFolder(t), { 'a.vrm': toGlb(model) })('a.vrm');
    const { code, stdout, stderr } = await sinew(['info', path, '--json']);
    assert.equal(code, 0);
    assert.match(stderr, /warning: .*hips.*\(reference, \/extensions\/VRMC_vrm\/humanoid\/humanBones\/hips\/node\)/);
    assert.deepEqual(JSON.parse(stdout).humanoid.bones, { head: 1 });
});

test('keys: all, of a clip, of a node, by times that commands take', async (t) => {
    const model = smallModel();
    const everything = await info(t, model, '--keys');
    assert.match(everything, /^clip 0 "Bend", node 1 "Arm", rotation, LINEAR\n {2}0 s: 0 0 0 1\n {2}1 s: /);
    assert.equal(everything.match(/^clip /gm).length, model.json.animations.reduce((sum, { channels }) => sum + channels.length, 0));
    assert.deepEqual((await info(t, model, '--keys', '--clip', '1')).match(/^clip \d/gm), ['clip 1']);
    assert.deepEqual((await info(t, model, '--keys', '--node', 'Arm')).match(/node \d/g), ['node 1']);
    assert.equal(await info(t, model, '--keys', '--node', 'Root'), 'no keys\n');

    const { clips: [bend, morph] } = await info(t, model, '--keys', '--clip', 'Bend', '--json');
    const [{ times, values, inTangents }] = bend.tracks;
    assert.deepEqual([times, values[0], values.length, inTangents], [[0, 1], [0, 0, 0, 1], 2, undefined]);
    assert.equal(morph.tracks[0].times, undefined, 'another clip has none');

    const refused = await sinew(['info', 'a.glb', '--clip', '0']);
    assert.deepEqual([refused.code, refused.stderr], [2, 'sinew: info: --clip is for the keys: add --keys\n']);
});

test('tangents of a spline', async (t) => {
    const path = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()) })('a.glb');
    const spline = path.replace('a.glb', 'b.glb');
    const { code } = await sinew(['edit', path, '-o', spline,
        '-e', '{"op": "key.set", "clip": 0, "node": 0, "path": "translation", "time": 0.1, "value": [1, 2, 3], "interpolation": "CUBICSPLINE", "inTangent": [4, 5, 6], "outTangent": [7, 8, 9]}']);
    assert.equal(code, 0);
    const args = ['info', spline, '--keys', '--node', '0'];
    assert.match((await sinew(args)).stdout, /, translation, CUBICSPLINE\n {2}0\.1 s: 1 2 3, in 4 5 6, out 7 8 9\n$/);
    const { tracks } = JSON.parse((await sinew([...args, '--json'])).stdout).clips[0];
    const { times, values, inTangents, outTangents } = tracks.find(({ node }) => node === 0);
    assert.deepEqual([times, values, inTangents, outTangents], [[0.1], [[1, 2, 3]], [[4, 5, 6]], [[7, 8, 9]]]);
});

test('a tree as deep as a file likes', async (t) => {
    const model = smallModel();
    const first = model.json.nodes.length;
    for (let i = 0; i < 20_000; i++) model.json.nodes.push(i < 19_999 ? { children: [first + i + 1] } : { name: 'deepest' });
    assert.match(await info(t, model, '--nodes'), /"deepest"/);
});

test('the modifiers, as far as they are spelt', async (t) => {
    const model = smallModel();
    model.json.extensionsUsed = ['SINEW_modifiers'];
    model.json.extensions = { SINEW_modifiers: { modifiers: [{ type: 'aim', name: 'point', node: 1, target: { node: 0 } }, { type: 7 }, 'x'] } };
    assert.deepEqual((await info(t, model, '--json')).modifiers,
        [{ index: 0, type: 'aim', name: 'point' }, { index: 1, type: null, name: null }, { index: 2, type: null, name: null }]);
    assert.match(await info(t, model), /\nmodifiers {2}3\n {4}0 {2}"aim" +"point"\n/);
    model.json.extensions.SINEW_modifiers.modifiers = { type: 'aim' };
    assert.deepEqual((await info(t, model, '--json')).modifiers, []);
});

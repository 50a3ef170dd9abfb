// Modifiers in a file: the extension SINEW_modifiers, written by commands and read back.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readContainer } from '../support/gltf-file.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';
import { errorsOf, validateFile } from '../support/validator.mjs';

/** The small model with a hand, so that there are three joints in a row. */
function armModel(more = {}) {
    const model = smallModel();
    model.json.nodes[1].children = [3];
    model.json.nodes.push({ name: 'Hand', translation: [0, 0.8, 0.1] });
    Object.assign(model.json, more);
    return model;
}

const reach = { type: 'two_bone', name: 'reach', root: 'Root', mid: 'Arm', end: 'Hand', target: { position: [0.5, 2, 0.5] } };
const add = (modifier = reach) => JSON.stringify({ op: 'modifier.add', modifier });
const files = (t, model) => writeFiles(temporaryFolder(t), { 'a.glb': toGlb(model) });

async function edit(from, to, ...commands) {
    const { code, stderr } = await sinew(['edit', from, '-o', to, ...commands.flatMap((command) => ['-e', command])]);
    return { code, stderr };
}
const jsonOf = (path) => JSON.parse(readContainer(readFileSync(path)).text);

test('a modifier that is added is in the file, and poses it', async (t) => {
    const at = files(t, armModel());
    assert.deepEqual(await edit(at('a.glb'), at('b.glb'), add()), { code: 0, stderr: '' });
    const json = jsonOf(at('b.glb'));
    assert.deepEqual(json.extensions, { SINEW_modifiers: { modifiers: [reach] } });
    assert.deepEqual(json.extensionsUsed, ['SINEW_modifiers']);
    assert.deepEqual(errorsOf(await validateFile(at('b.glb'))), errorsOf(await validateFile(at('a.glb'))));
    const { stdout } = await sinew(['pose', at('b.glb'), '--json']);
    const answer = JSON.parse(stdout);
    assert.deepEqual([answer.modifiers[0].name, answer.modifiers[0].reached], ['reach', true]);
    answer.nodes[3].world.slice(12, 15).forEach((x, i) => assert.ok(Math.abs(x - reach.target.position[i]) < 1e-5));
    // All that is new is new: the rest of the JSON is as it was.
    const before = jsonOf(at('a.glb'));
    delete json.extensions;
    delete json.extensionsUsed;
    assert.deepEqual(json, before);
});

test('adding and removing gives the file as it was, beside other extensions too', async (t) => {
    for (const more of [{}, { extensionsUsed: ['X_other'], extensions: { X_other: { kept: 1 } } }]) {
        const at = files(t, armModel(more));
        await edit(at('a.glb'), at('b.glb'), add());
        const used = jsonOf(at('b.glb')).extensionsUsed;
        assert.deepEqual(used, [...(more.extensionsUsed ?? []), 'SINEW_modifiers']);
        await edit(at('b.glb'), at('c.glb'), JSON.stringify({ op: 'modifier.remove', modifier: 'reach' }));
        assert.deepEqual(jsonOf(at('c.glb')), jsonOf(at('a.glb')));
        await edit(at('a.glb'), at('d.glb'), add(), JSON.stringify({ op: 'modifier.remove', modifier: 0 }));
        assert.deepEqual(readFileSync(at('d.glb')), readFileSync(at('a.glb')));
    }
});

test('an extension that no command touches comes back byte by byte', async (t) => {
    const text = '{ "modifiers" : [ ' + JSON.stringify(reach, null, 3) + ' ] }';
    const model = armModel({ extensionsUsed: ['SINEW_modifiers'], extensions: { SINEW_modifiers: 'HERE' } });
    model.json.buffers[0].uri = 'a.bin';
    const at = writeFiles(temporaryFolder(t), { 'a.gltf': JSON.stringify(model.json).replace('"HERE"', text), 'a.bin': model.bin });
    assert.deepEqual(await edit(at('a.gltf'), at('b.gltf'), '{"op":"clip.rename","clip":0,"name":"Other"}'), { code: 0, stderr: '' });
    assert.ok(readFileSync(at('b.gltf'), 'utf8').includes(text));
    assert.equal(jsonOf(at('b.gltf')).animations[0].name, 'Other');
});

test('an extension that is broken: a warning, kept as it is, and no command on it', async (t) => {
    const broken = { modifiers: [{ ...reach, mid: 'Body' }] };
    const at = files(t, armModel({ extensionsUsed: ['SINEW_modifiers'], extensions: { SINEW_modifiers: broken } }));
    const where = /chain\.joints, \/extensions\/SINEW_modifiers\/modifiers\/0\/mid\)/;
    const posed = await sinew(['pose', at('a.glb'), '--json']);
    assert.equal(posed.code, 0);
    assert.match(posed.stderr, /warning: its modifiers cannot be used/);
    assert.match(posed.stderr, where);
    assert.equal(JSON.parse(posed.stdout).modifiers, undefined);
    const renamed = await edit(at('a.glb'), at('b.glb'), '{"op":"clip.rename","clip":0,"name":"Other"}');
    assert.equal(renamed.code, 0);
    assert.match(renamed.stderr, where);
    assert.deepEqual(jsonOf(at('b.glb')).extensions, { SINEW_modifiers: broken });
    const changed = await edit(at('a.glb'), at('c.glb'), add());
    const checked = JSON.parse((await sinew(['check', '--json', at('a.glb')])).stdout).files[0].findings;
    assert.deepEqual(checked.filter(({ id }) => id === 'chain.joints').map(({ severity, pointer }) => [severity, pointer]),
        [['warning', '/extensions/SINEW_modifiers/modifiers/0/mid']]);
    assert.equal(changed.code, 2);
    assert.match(changed.stderr, /cannot be used, and so not be changed: /);
});

test('--rig stands in for the modifiers of the file', async (t) => {
    const at = files(t, armModel({ extensionsUsed: ['SINEW_modifiers'], extensions: { SINEW_modifiers: { modifiers: [reach] } } }));
    const rig = writeFiles(at(''), { 'none.json': '{"modifiers": []}' })('none.json');
    const own = JSON.parse((await sinew(['pose', at('a.glb'), '--json'])).stdout);
    const none = JSON.parse((await sinew(['pose', at('a.glb'), '--json', '--rig', rig])).stdout);
    assert.deepEqual([own.modifiers.length, none.modifiers.length], [1, 0]);
    assert.notDeepEqual(own.nodes[1].rotation, none.nodes[1].rotation);
    assert.deepEqual(none.nodes[1].rotation, [0, 0, 0, 1]);
});

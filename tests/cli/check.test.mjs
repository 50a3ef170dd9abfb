// `sinew check`: the shape of its document, its exit codes, several files at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';

const sound = () => toGlb(smallModel());

function withWeights(...weights) {
    const model = smallModel();
    const view = model.json.bufferViews[model.json.accessors[model.json.meshes[0].primitives[0].attributes.WEIGHTS_0].bufferView];
    weights.forEach((weight, i) => model.bin.writeFloatLE(weight, view.byteOffset + 4 * i));
    return toGlb(model);
}

function broken() {
    const model = smallModel();
    model.json.nodes[0].children = [0];
    return toGlb(model);
}

const idsOf = (document) => document.files.map(({ findings }) => findings.map(({ id }) => id));

test('a sound file has no finding', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': sound() });
    const { code, stdout, stderr } = await sinew(['check', '--json', at('a.glb')]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(JSON.parse(stdout), { files: [{ file: at('a.glb'), findings: [] }] });
});

test('a warning is told and does not change the exit code; an error does', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'sum.glb': withWeights(0.5), 'zero.glb': withWeights(0) });
    const sum = await sinew(['check', '--json', at('sum.glb')]);
    assert.equal(sum.code, 0);
    assert.deepEqual(JSON.parse(sum.stdout).files[0].findings, [{
        id: 'weights.sum', severity: 'warning', pointer: '/meshes/0/primitives/0/attributes/WEIGHTS_0',
        message: '1 of 3 vertices have weights that do not add up to 1, the first is vertex 0, the worst sum is 0.5',
        fix: "divide each vertex's weights by their sum",
    }]);
    const zero = await sinew(['check', '--json', at('zero.glb')]);
    assert.equal(zero.code, 1);
    assert.deepEqual(idsOf(JSON.parse(zero.stdout)), [['weights.zero']]);
});

test('what the reader refuses is a finding; what cannot be opened is not checked', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'cycle.glb': broken(), 'text.glb': 'not a model', 'a.glb': sound(), 'json.gltf': '{"asset": ' });
    const refused = await sinew(['check', '--json', at('cycle.glb'), at('text.glb'), at('json.gltf')]);
    assert.deepEqual([refused.code, refused.stderr], [1, '']);
    const { files } = JSON.parse(refused.stdout);
    assert.deepEqual(files.map(({ findings }) => findings.length), [1, 1, 1]);
    assert.equal(files[0].findings[0].severity, 'error');
    assert.match(files[0].findings[0].pointer, /^\/nodes\/0/);
    assert.match(files[2].findings[0].message, /line 1, column \d+/);
    const missing = await sinew(['check', '--json', at('none.glb'), at('a.glb'), at('cycle.glb')]);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /^sinew: [^\n]*none\.glb: [^\n]*\(io\.read\)\n$/);
    assert.deepEqual(idsOf(JSON.parse(missing.stdout)).map((ids) => ids.length), [1, 0, 1]);
});

test('a buffer that is not beside its file is a finding of the file', async (t) => {
    const { json } = smallModel();
    json.buffers[0].uri = 'lost.bin';
    const at = writeFiles(temporaryFolder(t), { 'a.gltf': JSON.stringify(json) });
    const { code, stdout } = await sinew(['check', '--json', at('a.gltf')]);
    assert.equal(code, 1);
    const [finding] = JSON.parse(stdout).files[0].findings;
    assert.deepEqual([finding.id, finding.severity], ['io.read', 'error']);
    assert.match(finding.pointer, /^\/buffers\/0/);
});

test('many files give the same document whatever the number of jobs, in the order given', async (t) => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) =>
        [`${i}.glb`, [sound, broken, () => withWeights(0), () => withWeights(i / 100)][i % 4]()]));
    const at = writeFiles(temporaryFolder(t), files);
    const paths = Object.keys(files).map(at);
    const answers = [];
    for (const jobs of ['1', '2', '7', '100']) answers.push(await sinew(['check', '--json', '--jobs', jobs, ...paths]));
    assert.deepEqual(JSON.parse(answers[0].stdout).files.map(({ file }) => file), paths);
    assert.equal(answers[0].code, 1);
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test('for people: a line with totals, three findings of a kind, and all on demand', async (t) => {
    const model = smallModel();
    for (let i = 0; i < 5; i++) {
        model.json.nodes.push({ name: `Extra ${i}` });
        model.json.animations[0].channels.push({ sampler: 0, target: { node: 3 + i, path: 'rotation' } });
    }
    const sampler = model.json.animations[0].samplers.push({ ...model.json.animations[0].samplers[0] }) - 1;
    model.json.animations[0].channels.forEach((channel) => (channel.sampler = sampler));
    const view = model.json.bufferViews[model.json.accessors[model.json.animations[0].samplers[0].output].bufferView];
    model.bin.writeFloatLE(-1, view.byteOffset + 12); // the first key becomes -1: the second flips
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(model) });
    const { code, stdout } = await sinew(['check', at('a.glb')]);
    assert.equal(code, 0);
    assert.match(stdout, /a\.glb: errors 0, warnings 0, notes 6\n/);
    assert.equal(stdout.match(/ info +key\.flip +\/animations\/0\/channels\/\d: /g).length, 3);
    assert.match(stdout, / info +key\.flip +3 more \(--all shows them\)\n/);
    const all = await sinew(['check', '--all', at('a.glb')]);
    assert.equal(all.stdout.match(/key\.flip /g).length, 6);
});

// `sinew pose` on a model whose poses can be worked out on paper.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';

const write = (t, model = smallModel()) => writeFiles(temporaryFolder(t), { 'a.glb': toGlb(model) })('a.glb');

async function pose(path, ...args) {
    const { code, stdout, stderr } = await sinew(['pose', path, '--json', ...args]);
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout);
}

function close(actual, expected, message) {
    assert.equal(actual.length, expected.length, message);
    actual.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-6, `${message ?? ''} ${actual} is not ${expected}`));
}

const translation = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

test('the rest pose: every node in the order of the file', async (t) => {
    const path = write(t);
    const answer = await pose(path);
    assert.deepEqual(Object.keys(answer), ['file', 'clip', 'time', 'nodes', 'weights']);
    assert.deepEqual([answer.file, answer.clip, answer.time], [path, null, 0]);
    assert.deepEqual(answer.nodes.map(({ index, name, parent }) => [index, name, parent]),
        [[0, 'Root', null], [1, 'Arm', 0], [2, 'Body', null]]);
    assert.deepEqual(Object.keys(answer.nodes[0]), ['index', 'name', 'parent', 'translation', 'rotation', 'scale', 'world']);
    assert.deepEqual(answer.nodes[1].translation, [0, 1, 0]);
    assert.deepEqual(answer.nodes[1].rotation, [0, 0, 0, 1]);
    assert.deepEqual(answer.nodes[1].scale, [1, 1, 1]);
    close(answer.nodes[1].world, translation(0, 2, 0));
    assert.deepEqual(answer.weights, [{ node: 2, weights: [0] }]);
});

test('a clip turns the arm and what hangs on it', async (t) => {
    const path = write(t);
    const half = await pose(path, '--clip', 'Bend', '--time', '0.5', '--skin');
    assert.deepEqual([half.clip, half.time], [{ index: 0, name: 'Bend' }, 0.5]);
    const turn = Math.PI / 4;
    close(half.nodes[1].rotation, [0, 0, Math.sin(turn / 2), Math.cos(turn / 2)]);
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    close(half.nodes[1].world, [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1]);
    // Vertex 2 is 1 above the arm's joint.
    assert.deepEqual(half.skinned.map(({ node, mesh, primitive }) => [node, mesh, primitive]), [[2, 0, 0]]);
    close(half.skinned[0].positions, [0, 0, 0, 0, 1, 0, -s, 2 + c, 0]);
});

test('a morph target moves its vertex before skinning', async (t) => {
    const answer = await pose(write(t), '--clip', '1', '--time', '1.5', '--skin');
    close(answer.weights[0].weights, [0.75]);
    close(answer.skinned[0].positions, [0, 0, 0.75, 0, 1, 0, 0, 3, 0]);
});

test('a primitive without positions has nothing to skin', async (t) => {
    const model = smallModel();
    model.json.meshes[0].primitives.unshift({ attributes: {}, targets: [{}] });
    const answer = await pose(write(t, model), '--skin');
    assert.deepEqual(answer.skinned.map(({ primitive }) => primitive), [1]);
});

test('past the end the last key holds, with --loop the time wraps', async (t) => {
    const path = write(t);
    const at = (...args) => pose(path, '--clip', 'Bend', ...args);
    assert.equal((await at('--time', '7.25')).time, 1);
    assert.equal((await at('--time', '7.25', '--loop')).time, 0.25);
    assert.equal((await at('--time', '-1')).time, 0);
    assert.deepEqual((await at('--time', '7.25', '--loop')).nodes, (await at('--time', '0.25')).nodes);
});

test('--stage stops the line where it says', async (t) => {
    const path = write(t);
    const sample = await pose(path, '--clip', '0', '--time', '1', '--stage', 'sample');
    assert.equal(sample.nodes[1].world, undefined);
    close(sample.nodes[1].rotation, [0, 0, Math.SQRT1_2, Math.SQRT1_2]);
    const hierarchy = await pose(path, '--clip', '0', '--time', '1', '--stage', 'hierarchy');
    assert.equal(hierarchy.nodes[1].world.length, 16);
    assert.equal(hierarchy.skinned, undefined);
    assert.deepEqual(await pose(path, '--clip', '0', '--stage', 'skin'), await pose(path, '--clip', '0', '--skin'));
});

test('--node gives this node alone, as it is among all', async (t) => {
    const path = write(t);
    const all = await pose(path, '--clip', '0', '--time', '0.3');
    const one = await pose(path, '--clip', '0', '--time', '0.3', '--node', 'Arm');
    assert.deepEqual(one.nodes, [all.nodes[1]]);
    assert.deepEqual(one.weights, []);
});

test('numbers are the shortest that read back as the same float', async (t) => {
    const model = smallModel();
    model.json.nodes[0].translation = [0.1, 1e-7, 16777216];
    const path = write(t, model);
    const { stdout } = await sinew(['pose', path, '--json', '--stage', 'sample']);
    assert.match(stdout, /"translation": \[0\.1, 1e-?0?7, 16777216(\.0)?\]/);
    for (const x of JSON.parse(stdout).nodes.flatMap((node) => node.rotation)) assert.equal(Math.fround(x), x);
});

test('however long the running time is, it is mapped into the clip', async (t) => {
    const path = write(t);
    const time = async (...args) => (await pose(path, '--clip', 'Blend', ...args)).time;
    assert.equal(await time('--time', '1e300'), 2); // no float
    assert.equal(await time('--time=-1e300'), 0);
    assert.equal(await time('--time', '1000000000.25', '--loop'), 0.25);
});

test('a matrix without translation, rotation and scale is kept', async (t) => {
    const model = smallModel();
    const sheared = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1];
    model.json.nodes.push({ name: 'Sheared', matrix: sheared });
    const { code, stdout, stderr } = await sinew(['pose', write(t, model), '--json']);
    assert.equal(code, 0);
    assert.match(stderr, /^sinew: [^\n]*: warning: [^\n]* \(node\.matrix, \/nodes\/3\/matrix\)\n$/);
    const { nodes } = JSON.parse(stdout);
    close(nodes[3].world, sheared);
    close(nodes[3].matrix, sheared);
    assert.equal(nodes[0].matrix, undefined);
});

test('from standard input, and as a table for people', async (t) => {
    const path = write(t);
    const args = ['pose', '-', '--clip', 'Bend', '--time', '0.5'];
    const piped = await sinew([...args, '--json'], { input: readFileSync(path) });
    assert.equal(piped.code, 0, piped.stderr);
    assert.deepEqual({ ...JSON.parse(piped.stdout), file: path }, await pose(path, '--clip', 'Bend', '--time', '0.5'));
    const table = await sinew([...args, '--skin'], { input: readFileSync(path) });
    assert.match(table.stdout, /^standard input, clip 0 "Bend" at 0\.5 s of 1\n/);
    assert.match(table.stdout, /^ +1 +"Arm" .* 0\.3827 +0\.9239 /m);
    assert.match(table.stdout, /morph weights of node 2: 0\n/);
    assert.match(table.stdout, /node 2, mesh 0, primitive 0: 3 vertices, x -0\.7071 to 0\.0000, y 0\.0000 to 2\.7071/);
});

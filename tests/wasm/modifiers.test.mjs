// The document's modifiers in the module: applied by evaluate, told of by modifiers().
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { armLength, armOf, characters, distance, positionOf, reachable } from '../support/characters.mjs';
import { core, coreMissing } from '../support/core.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb } from '../support/small-model.mjs';

const pole = { direction: [0.3, -1, -0.7] };
const worldOf = (session, node) => Array.from(session.world().subarray(node * 16, node * 16 + 16));

async function pose(...args) {
    const { code, stdout, stderr } = await sinew(['pose', '--json', ...args]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
}

for (const { name, path, arm, skip } of characters)
    test(`${name}: the module and the command give the same pose`, { skip: coreMissing || skip }, async (t) => {
        const rig = join(temporaryFolder(t), 'rig.json');
        const rest = await pose(path);
        const joints = armOf(rest, arm);
        const [root, mid, end] = joints.map(({ index }) => index);
        const session = core.open(readFileSync(path));
        for (const [i, position] of reachable(joints, 6).entries()) {
            const modifier = { type: 'two_bone', root, mid, end, pole, target: { position }, orientation: [0, 0.6, 0, 0.8] };
            session.apply(i ? { op: 'modifier.set', modifier: 0, fields: { target: { position } } } : { op: 'modifier.add', modifier });
            session.evaluate(null, 0);
            const { error, modifiers: [{ source, report }] } = session.modifiers();
            assert.deepEqual([error, source, report.reached, report.unit], [null, modifier, true, 'm']);
            assert.ok(distance(worldOf(session, end).slice(12), position) <= 1e-5 * armLength(joints));
            writeFileSync(rig, JSON.stringify({ modifiers: [modifier] }));
            const native = await pose(path, '--rig', rig);
            assert.equal(report.residual, native.modifiers[0].residual);
            for (const node of native.nodes)
                assert.deepEqual(worldOf(session, node.index), node.world.map(Math.fround), `node ${node.index}`);
        }
        session.dispose();
    });

const [mannequin] = characters;
const skip = coreMissing || mannequin.skip;
const reach = { type: 'two_bone', name: 'reach', root: 'leftUpperArm', mid: 'leftLowerArm', end: 'leftHand', pole, target: { position: [0.35, 1.2, 0.3] } };

test('a drag of the target, undo and redo show at once', { skip }, () => {
    const session = core.open(readFileSync(mannequin.path));
    const hand = session.model.nodes.findIndex(({ name }) => name === 'leftHand');
    const at = (position) => (session.evaluate(null, 0), distance(worldOf(session, hand).slice(12), position) < 1e-5);
    session.apply({ op: 'modifier.add', modifier: reach });
    session.begin();
    for (const x of [0.3, 0.32, 0.34]) {
        session.apply({ op: 'modifier.set', modifier: 'reach', fields: { target: { position: [x, 1.2, 0.3] } } });
        assert.ok(at([x, 1.2, 0.3]));
    }
    session.end();
    session.undo();
    assert.ok(at(reach.target.position));
    session.undo();
    assert.ok(!at(reach.target.position));
    assert.deepEqual(session.modifiers(), { error: null, modifiers: [] });
    session.redo();
    assert.ok(at(reach.target.position));
    assert.deepEqual(session.commands(), [{ op: 'modifier.add', modifier: reach }]);
    session.dispose();
});

test('seeking is a function of the time; playing passes the pole at a limited rate', { skip }, () => {
    const session = core.open(readFileSync(mannequin.path));
    const [upper, lower] = ['leftUpperArm', 'leftLowerArm'].map((name) => session.model.nodes.findIndex((node) => node.name === name));
    session.evaluate(null, 0);
    const [x, y, z] = worldOf(session, upper).slice(12);
    const passing = {
        ...reach, pole: { position: [x, y, z + 0.8] }, bendRate: 1,
        keys: { target: { times: [0, 1], values: [[x - 0.02, y, z + 0.4], [x + 0.02, y, z + 0.4]] } },
    };
    session.apply({ op: 'modifier.add', modifier: passing });
    const elbow = (...args) => (session.evaluate(null, ...args), worldOf(session, lower).slice(12, 15));
    const [before, after] = [elbow(0.49), elbow(0.51)];
    assert.ok(distance(before, after) > 0.05);
    assert.deepEqual(elbow(0.49), before);
    assert.ok(distance(before, elbow(0.51, 1 / 60)) < 0.01);
    assert.deepEqual(elbow(0.51), after);
    assert.throws(() => session.evaluate(null, 0, -1), /cannot have passed/);
    assert.throws(() => session.evaluate(null, 0, NaN), /cannot have passed/);
    session.dispose();
});

test('a sample is the pose before the modifiers', { skip }, () => {
    const session = core.open(readFileSync(mannequin.path));
    const upper = session.model.nodes.findIndex(({ name }) => name === 'leftUpperArm');
    session.evaluate(0, 0.5);
    const { rotation } = session.local(upper);
    session.apply({ op: 'modifier.add', modifier: reach });
    session.evaluate(0, 0.5);
    const world = session.world().slice();
    assert.notDeepEqual(session.local(upper).rotation, rotation);
    session.sample(0, 0.5);
    assert.deepEqual(session.local(upper).rotation, rotation);
    assert.deepEqual(session.world().slice(), world);
    assert.throws(() => session.sample(0, NaN), /no time/);
    assert.throws(() => session.sample(99, 0), /no clip 99/);
    session.dispose();
});

test('playing allocates nothing', { skip }, () => {
    const session = core.open(readFileSync(mannequin.path));
    session.apply({ op: 'modifier.add', modifier: reach });
    for (let i = 0; i < 3; i++) session.evaluate(0, i / 60, 1 / 60);
    const { used } = session.memory();
    for (let i = 0; i < 60; i++) session.evaluate(0, i / 60, 1 / 60);
    assert.equal(session.memory().used, used);
    session.dispose();
});

test('modifiers that fail in a pose leave it without them, and say why', { skip }, () => {
    const session = core.open(readFileSync(mannequin.path));
    session.apply({ op: 'clip.add', name: 'flat' });
    const flat = session.clips().findIndex(({ name }) => name === 'flat');
    session.apply({ op: 'key.set', clip: flat, node: 'leftLowerArm', path: 'scale', time: 0, value: [0, 0, 0] });
    session.evaluate(flat, 0);
    const without = session.world().slice();
    session.apply({ op: 'modifier.add', modifier: reach });
    session.evaluate(flat, 0);
    assert.deepEqual(session.world().slice(), without);
    const { error, modifiers: [{ report }] } = session.modifiers();
    assert.deepEqual([error.id, error.pointer, report], ['chain.length', '/modifiers/0', undefined]);
    session.evaluate(null, 0);
    assert.equal(session.modifiers().error, null);
    session.dispose();
});

test('a file whose modifiers cannot be used opens with a warning', { skip: coreMissing }, () => {
    const model = smallModel();
    model.json.extensionsUsed = ['SINEW_modifiers'];
    model.json.extensions = { SINEW_modifiers: { modifiers: [{ type: 'later' }] } };
    const bytes = toGlb(model);
    const session = core.open(bytes);
    const pointer = '/extensions/SINEW_modifiers/modifiers/0/type';
    assert.deepEqual(session.model.warnings.map(({ id, severity, pointer: at }) => [id, severity, at]), [['modifier.unknown', 'warning', pointer]]);
    session.evaluate(0, 0.5);
    assert.deepEqual([session.modifiers().error.pointer, session.modifiers().modifiers], [pointer, []]);
    assert.throws(() => session.apply({ op: 'modifier.add', modifier: reach }), { id: 'modifier.unknown', pointer });
    assert.deepEqual(Buffer.from(session.save('glb')[0].bytes), bytes);
    session.dispose();
});

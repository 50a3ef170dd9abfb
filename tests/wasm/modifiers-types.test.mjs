// Each type of modifier, by the example of its documentation: the module and the command give the same
// pose, and playing allocates nothing. Their libraries of mathematics round differently, so to 1e-6.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { characters } from '../support/characters.mjs';
import { core, coreMissing } from '../support/core.mjs';
import { ROOT } from '../support/files.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';

const [mannequin] = characters;
const skip = coreMissing || mannequin.skip;

/** The examples of docs/modifiers.md: those with a type, one of each. */
const examples = [...readFileSync(join(ROOT, 'docs/modifiers.md'), 'utf8').matchAll(/^```json\n(.*?)^```/gms)]
    .map(([, text]) => JSON.parse(text))
    .filter(({ type }) => type);
const schema = JSON.parse(readFileSync(join(ROOT, 'docs/modifiers.schema.json'), 'utf8'));

test('the examples are of every type', () => {
    const types = schema.$defs.modifier.oneOf.map(({ $ref }) => $ref.replace('#/$defs/', ''));
    assert.deepEqual([...new Set(examples.map(({ type }) => type))].sort(), types.sort());
});

for (const example of examples) {
    const { type } = example;
    test(`${type}: the module and the command give the same pose`, { skip }, async (t) => {
        const rig = join(temporaryFolder(t), 'rig.json');
        const session = core.open(readFileSync(mannequin.path));
        const clip = session.clips().findIndex(({ name }) => name === 'walk');
        writeFileSync(rig, JSON.stringify({ modifiers: [example] }));
        session.evaluate(clip, 0.4);
        const before = session.world().slice();
        session.apply({ op: 'modifier.add', modifier: example });
        let moved = 0;
        for (const time of [0, 0.3, 0.4, 0.9]) {
            const { code, stdout, stderr } = await sinew(['pose', mannequin.path, '--json', '--clip', 'walk', '--time', String(time), '--rig', rig]);
            assert.equal(code, 0, stderr);
            const native = JSON.parse(stdout);
            session.evaluate(clip, time);
            const { error, modifiers: [{ report }] } = session.modifiers();
            assert.equal(error, null);
            assert.equal(report.reached, native.modifiers[0].reached);
            assert.deepEqual(report.flags, native.modifiers[0].flags);
            const world = session.world();
            for (const node of native.nodes)
                node.world.forEach((value, i) => assert.ok(Math.abs(value - world[16 * node.index + i]) <= 1e-6, `${node.name} at ${time}`));
            if (time === 0.4) moved = Math.max(...before.map((value, i) => Math.abs(value - world[i])));
        }
        // The clip's hands do not twist, so that a twist has nothing to do.
        if (type !== 'twist') assert.ok(moved > 0.005, `${type} moves ${moved}`);
        session.dispose();
    });

    test(`${type}: playing allocates nothing`, { skip }, () => {
        const session = core.open(readFileSync(mannequin.path));
        session.apply({ op: 'modifier.add', modifier: example });
        const play = () => {
            for (let i = 0; i < 30; i++) session.evaluate(0, i / 60, 1 / 60);
            return session.memory();
        };
        assert.deepEqual(play(), play());
        assert.equal(session.modifiers().error, null);
        session.dispose();
    });
}

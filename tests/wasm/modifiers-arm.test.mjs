// An arm with all that it does, in the module and by the command: the same pose. Their libraries of
// mathematics round differently, so to 1e-6 and not bit for bit.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { armOf, characters, positionOf, reachable } from '../support/characters.mjs';
import { core, coreMissing } from '../support/core.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';

const [mannequin] = characters;

test('arm and twist: the module and the command give the same pose', { skip: coreMissing || mannequin.skip }, async (t) => {
    const rig = join(temporaryFolder(t), 'rig.json');
    const pose = async (modifiers) => {
        writeFileSync(rig, JSON.stringify({ modifiers }));
        const { code, stdout, stderr } = await sinew(['pose', mannequin.path, '--json', '--rig', rig]);
        assert.equal(code, 0, stderr);
        return JSON.parse(stdout);
    };
    const session = core.open(readFileSync(mannequin.path));
    const targets = reachable(armOf(await pose([]), mannequin.arm), 24);
    targets.push([0.2, 1.3, 0.9], [-0.5, 1.4, 0.4], [0.25, 2.2, 0]); // and some that are too far
    const twist = { type: 'twist', name: 'twist', source: 'leftHand', joints: [{ node: 'leftLowerArm', share: 0.2 }] };
    for (const [i, position] of targets.entries()) {
        const grips = { orientation: [-0.5, -0.5, -0.5, 0.5], rollAxis: [0, 1, 0], grip: [0.07, -0.03, 0] };
        const arm = { type: 'arm', name: 'arm', side: 'left', target: { position }, spine: 1, limits: true, torso: true, ...(i % 2 ? grips : {}) };
        const before = session.modifiers().modifiers.length;
        for (let k = 0; k < before; k++) session.apply({ op: 'modifier.remove', modifier: 0 });
        for (const modifier of [arm, twist]) session.apply({ op: 'modifier.add', modifier });
        session.evaluate(null, 0);
        const { error, modifiers: [{ report }] } = session.modifiers();
        const native = await pose([arm, twist]);
        assert.equal(error, null);
        assert.deepEqual(report.flags, native.modifiers[0].flags);
        assert.ok(Math.abs(report.residual - native.modifiers[0].residual) <= 1e-6);
        for (const node of native.nodes) {
            const at = session.world().subarray(node.index * 16 + 12, node.index * 16 + 15);
            positionOf(node).forEach((v, axis) => assert.ok(Math.abs(v - at[axis]) <= 1e-6, `${node.name} of ${position}`));
        }
    }
    session.dispose();
});

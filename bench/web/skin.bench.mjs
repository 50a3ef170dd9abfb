// CPU skinning in one node process: Sinew's WebAssembly core against three.js' applyBoneTransform.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Vector3 } from 'three';
import { ROOT } from '../../tests/support/files.mjs';
import { core } from '../../tests/support/core.mjs';
import { makeCharacter } from './character.mjs';
import { compare, time } from './measure.mjs';
import { loadThree, makeThreeCharacter, REVISION } from './three.mjs';

function threePositions(mesh, out, vector) {
    const { position } = mesh.geometry.attributes;
    for (let i = 0; i < position.count; i++) {
        vector.fromBufferAttribute(position, i);
        mesh.applyBoneTransform(i, vector);
        vector.applyMatrix4(mesh.matrixWorld).toArray(out, i * 3);
    }
    return out;
}

async function bench(title, glb) {
    const character = makeThreeCharacter(await loadThree(glb), 0);
    const session = core.open(glb);
    const { duration } = session.clips()[0];
    character.mixer.setTime(duration * 0.37);
    character.advance(0);
    session.evaluate(0, duration * 0.37);

    const node = session.model.nodes.find((candidate) => candidate.mesh !== null && candidate.skin !== null).index;
    const mesh = character.meshes[0];
    const count = mesh.geometry.attributes.position.count;
    const out = new Float32Array(count * 3);
    const own = new Float32Array(count * 3);
    const vector = new Vector3();
    const ours = session.skin(node, 0);
    const theirs = threePositions(mesh, out, vector);
    assert.equal(ours.length, theirs.length);
    for (let i = 0; i < ours.length; i++)
        assert.ok(Math.abs(ours[i] - theirs[i]) < 1e-4, `element ${i}: ${ours[i]}, three.js ${theirs[i]}`);

    const { sinew, three } = compare({
        sinew: () => session.skin(node, 0, own),
        three: () => threePositions(mesh, out, vector),
    }, { rounds: 61 });
    console.log(`${title}: ${count} vertices\n  ${(three / sinew).toFixed(1)} x   ` +
        `sinew ${time(sinew / count)}, three.js ${time(three / count)} a vertex; copying out of the module is included`);
    session.dispose();
}

console.log(`CPU skinning, positions, WebAssembly (${core.kernel}) against three.js r${REVISION}`);
await bench('4 influences at every vertex', makeCharacter());
const mannequin = join(ROOT, 'build/samples/mannequin.glb');
if (existsSync(mannequin)) await bench('the sample mannequin', new Uint8Array(readFileSync(mannequin)));

// A whole frame in one node process: Sinew's WebAssembly core against three.js. Sampling the clip, local to
// world, joint matrices; one character and a thousand.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../tests/support/files.mjs';
import { core } from '../../tests/support/core.mjs';
import { makeCharacter } from './character.mjs';
import { bytes, compare, memoryInUse, time } from './measure.mjs';
import { loadThree, makeThreeCharacter, REVISION } from './three.mjs';

const CROWD = 1000;
const STEP = 1 / 60;

// Both sides must have computed the same before a time means anything.
function assertSame(session, character, clipTime) {
    character.mixer.setTime(clipTime);
    character.advance(0);
    session.evaluate(0, clipTime);
    session.model.skins.forEach((_, skin) => {
        const skeleton = character.skeletons[skin];
        // three.js keeps room for a square texture behind the last joint.
        const theirs = skeleton.boneMatrices.subarray(0, skeleton.bones.length * 16);
        const ours = session.jointMatrices(skin);
        assert.equal(ours.length, theirs.length);
        for (let i = 0; i < ours.length; i++)
            assert.ok(Math.abs(ours[i] - theirs[i]) < 1e-4, `skin ${skin}, element ${i}: ${ours[i]}, three.js ${theirs[i]}`);
    });
}

// Playing forward at 60 Hz, over and over.
function clock(duration) {
    let now = 0;
    return () => (now = now + STEP > duration ? 0 : now + STEP);
}

async function bench(title, glb) {
    const gltf = await loadThree(glb);
    const session = core.open(glb);
    const { duration, tracks } = session.clips()[0];
    const next = clock(duration);
    const joints = session.model.skins.reduce((sum, skin) => sum + skin.joints.length, 0);
    const one = makeThreeCharacter(gltf, 0);
    assertSame(session, makeThreeCharacter(gltf, 0), duration * 0.37);
    console.log(`${title}: ${joints} joints, ${tracks.length} tracks`);
    const line = (what, { sinew, three }, memory) =>
        console.log(`  ${what.padEnd(17)} ${(three / sinew).toFixed(1).padStart(5)} x   ` +
            `sinew ${time(sinew)}, three.js ${time(three)}${memory}`);
    line('1 character', compare({
        sinew: () => session.evaluate(0, next()),
        three: () => one.advance(STEP),
    }), '');

    let before = memoryInUse();
    const theirs = Array.from({ length: CROWD }, () => makeThreeCharacter(gltf, 0));
    theirs.forEach((character, i) => character.advance((i / CROWD) * duration));
    const theirBytes = memoryInUse() - before;
    before = session.memory().used;
    const crowd = session.crowd(CROWD);
    crowd.clips().fill(0);
    crowd.evaluate();
    const ourBytes = session.memory().used - before;
    line(`${CROWD} characters`, compare({
        sinew() {
            const now = next();
            const times = crowd.times();
            for (let i = 0; i < CROWD; i++) times[i] = (now + (i / CROWD) * duration) % duration;
            crowd.evaluate();
        },
        three() {
            for (const character of theirs) character.advance(STEP);
        },
    }, { rounds: 31 }), `   a character: sinew ${bytes(ourBytes / CROWD)}, three.js ${bytes(theirBytes / CROWD)}`);
    console.log(`  memory of the module ${bytes(session.memory().reserved)}`);
    session.dispose();
}

console.log(`whole frame, WebAssembly (${core.kernel}) against three.js r${REVISION}, medians of alternating samples`);
await bench('translation, rotation and scale of every joint', makeCharacter());
const mannequin = join(ROOT, 'build/samples/mannequin.glb');
if (existsSync(mannequin)) await bench('the sample mannequin', new Uint8Array(readFileSync(mannequin)));

// Kernel by kernel: the native core against what does the same work in three.js, in turns. A humanoid
// of 68 joints whose every joint turns, moves and scales, 30 keys a second; 10,000 vertices.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { AnimationMixer, Vector3 } from 'three';
import { ROOT } from '../../tests/support/files.mjs';
import { makeCharacter } from './character.mjs';
import { compare, median } from './measure.mjs';
import { loadThree, makeThreeCharacter, REVISION } from './three.mjs';

const JOINTS = 68;
const VERTICES = 10_000;
const ROUNDS = 5; // of medians of 41, as the native program prints
const program = join(ROOT, 'build/bench/bench_kernels');

const nanoseconds = (f, units) => compare({ f }, { rounds: 41 }).f / units;

/** What three.js does for each kernel, a joint or vertex at a time. */
async function threeStages() {
    const short = await loadThree(makeCharacter());
    const long = await loadThree(makeCharacter({ seconds: 20, vertices: 3 }));
    const character = makeThreeCharacter(short, 0);
    const { mixer, meshes: [mesh], skeletons: [skeleton] } = character;
    const longMixer = makeThreeCharacter(long, 0).mixer;
    const root = mixer.getRoot();

    const blended = makeThreeCharacter(short, 0);
    const two = new AnimationMixer(blended.mixer.getRoot());
    const other = short.animations[0].clone();
    other.name = 'other';
    two.clipAction(short.animations[0]).setEffectiveWeight(0.5).play();
    two.clipAction(other).setEffectiveWeight(0.5).play();

    const vector = new Vector3();
    const duration = short.animations[0].duration;
    const random = (mix, length) => () => mix.setTime(Math.random() * length);
    character.advance(0.1);
    return {
        'sample forward 60 Hz, 1.2 s': () => nanoseconds(() => mixer.update(1 / 60), JOINTS),
        'sample random, 1.2 s': () => nanoseconds(random(mixer, duration), JOINTS),
        'sample random, 20 s': () => nanoseconds(random(longMixer, 20), JOINTS),
        // The mixer blends while it samples: two clips, less the sampling of two.
        'blend two': () => {
            const both = nanoseconds(() => two.update(1 / 60), JOINTS);
            return Math.max(0, both - 2 * nanoseconds(() => mixer.update(1 / 60), JOINTS));
        },
        'local to world': () => nanoseconds(() => root.updateMatrixWorld(true), JOINTS),
        'joint matrices': () => nanoseconds(() => skeleton.update(), JOINTS),
        'skin 4 influences, P': () => nanoseconds(() => {
            const { position } = mesh.geometry.attributes;
            for (let i = 0; i < VERTICES; i++) mesh.applyBoneTransform(i, vector.fromBufferAttribute(position, i));
        }, VERTICES),
    };
}

/** The native figures: { kernels: ["scalar", …], rows: { name: [ns, …] }, memory: ["…"] }. */
function native() {
    const { stdout, status, error } = spawnSync(program, [], { encoding: 'utf8' });
    if (status !== 0) throw error ?? new Error(`${program} exited with ${status}`);
    const lines = stdout.trimEnd().split('\n');
    const kernels = lines[1].trim().split(/\s+/);
    const rows = {};
    for (const line of lines.slice(2)) {
        const row = /^(.+?)\s{2,}([\d.\s]+?)\s+a (?:joint|vertex)$/.exec(line);
        if (row) rows[row[1]] = row[2].trim().split(/\s+/).map(Number);
    }
    return { kernels, rows, memory: lines.filter((line) => line.includes(': pose ')) };
}

const stages = await threeStages();
const theirs = Object.fromEntries(Object.keys(stages).map((name) => [name, []]));
const ours = {};
let last;
for (let round = 0; round < ROUNDS; round++) {
    last = native();
    for (const name of Object.keys(stages)) {
        theirs[name].push(stages[name]());
        last.rows[name].forEach((value, i) => ((ours[name] ??= [])[i] ??= []).push(value));
    }
}
console.log(`kernels of the native core against three.js r${REVISION}: times faster, a joint or vertex`);
console.log(`${''.padEnd(30)}${last.kernels.map((kernel) => kernel.padStart(10)).join('')}   three.js`);
for (const name of Object.keys(stages)) {
    const three = median(theirs[name]);
    const ratios = ours[name].map((list) => (three / median(list)).toFixed(1).padStart(10)).join('');
    console.log(`${name.padEnd(30)}${ratios}   ${three.toFixed(1)} ns`);
}
console.log(`memory, native: ${last.memory.at(-1)}`);

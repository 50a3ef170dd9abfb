// The WebAssembly core against the native one, on the same work: what a page pays for being a page.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../tests/support/files.mjs';
import { core } from '../../tests/support/core.mjs';
import { makeCharacter } from './character.mjs';
import { median, time } from './measure.mjs';

const CROWD = 100;
const program = join(ROOT, 'build/bench/frame');
const dir = mkdtempSync(join(tmpdir(), 'sinew-bench-'));
const file = join(dir, 'character.glb');
const glb = makeCharacter();
writeFileSync(file, glb);

/** For each kernel of this machine: nanoseconds a character and frame, one by one and side by side; a vertex. */
function native() {
    const { stdout, status, error } = spawnSync(program, [file, String(CROWD)], { encoding: 'utf8' });
    if (status !== 0) throw error ?? new Error(`${program} exited with ${status}`);
    return stdout.trim().split('\n').map((line) => line.split(' '));
}

const session = core.open(glb);
const { duration } = session.clips()[0];
const node = session.model.nodes.find(({ skin }) => skin !== null).index;
const positions = session.skin(node, 0);
const vertices = positions.length / 3;
const crowd = session.crowd(CROWD);
crowd.clips().fill(0);
let now = 0;

function frame() {
    now += 1 / 60;
    const times = crowd.times();
    for (let i = 0; i < CROWD; i++) times[i] = (now + (i / CROWD) * duration) % duration;
    crowd.evaluate();
}

function nanoseconds(f, calls) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) f();
    return ((performance.now() - start) * 1e6) / calls;
}

function oneFrame() {
    now += 1 / 60;
    session.evaluate(0, now % duration);
}

const skin = () => session.skin(node, 0, positions);
nanoseconds(frame, 500);
nanoseconds(oneFrame, 50000);
nanoseconds(skin, 500);
const ones = { wasm: [] };
const frames = { wasm: [] };
const skins = { wasm: [] };
for (let round = 0; round < 11; round++) {
    for (const [kernel, alone, together, skinTime] of native()) {
        (ones[kernel] ??= []).push(Number(alone));
        (frames[kernel] ??= []).push(Number(together));
        (skins[kernel] ??= []).push(Number(skinTime));
    }
    for (let i = 0; i < 20; i++) {
        ones.wasm.push(nanoseconds(oneFrame, 1000));
        frames.wasm.push(nanoseconds(frame, 10) / CROWD);
        skins.wasm.push(nanoseconds(skin, 10) / vertices);
    }
}

function report(what, { wasm, ...kernels }) {
    const own = median(wasm);
    console.log(`${what}: ${time(own)}`);
    for (const [kernel, list] of Object.entries(kernels))
        console.log(`  ${(own / median(list)).toFixed(2).padStart(5)} x the time of ${kernel}, ${time(median(list))}`);
}

console.log(`WebAssembly (${core.kernel}) against the native core`);
const joints = session.model.skins[0].joints.length;
report(`whole frame of ${joints} joints, one character`, ones);
report(`whole frame of ${joints} joints, a character of ${CROWD} side by side`, frames);
report('skinning with 4 influences, a vertex (WebAssembly also copies the result out)', skins);
session.dispose();
rmSync(dir, { recursive: true });

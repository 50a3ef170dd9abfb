// The kernels keep to their instruction budgets. Counts repeat exactly, whatever else the machine
// does. A kernel runs a few times, then some times more: the difference is its own, without set-up.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../support/files.mjs';
import { inParallel } from '../support/parallel.mjs';

const run = promisify(execFile);

// Instructions a joint or vertex, as counted plus a few percent: AVX2, SSE2.
const BUDGETS = {
    'sample forward 60 Hz, 1.2 s': [19, 33],
    'sample random, 1.2 s': [19, 33],
    'sample random, 20 s': [19, 33],
    'sample private times random, 1.2 s': [165, 230],
    'blend two': [13, 25],
    'local to world': [60, 86],
    'joint matrices': [41, 65],
    'skin 1 influence, P': [17, 23],
    'skin 4 influences, P': [39, 76],
    'skin 4 influences, P N': [70, 121],
};
const KERNELS = ['avx2', 'sse2'];

async function instructions(kernel, name, times) {
    const { stdout, stderr } = await run('valgrind', ['--tool=callgrind', '--callgrind-out-file=/dev/null',
        join(ROOT, 'build/bench/bench_kernels'), '--run', kernel, name, String(times)]);
    return { count: Number(/Collected : (\d+)/.exec(stderr)[1]), units: Number(stdout) };
}

async function instructionsAUnit(kernel, name) {
    const [few, many] = name.startsWith('skin') ? [1, 3] : [20, 220];
    const before = await instructions(kernel, name, few);
    const after = await instructions(kernel, name, many);
    return (after.count - before.count) / (many - few) / after.units;
}

test('kernels keep to their instruction budgets', { skip: process.arch !== 'x64' && 'counted on x86-64' }, async (t) => {
    const cases = Object.entries(BUDGETS).flatMap(([name, budgets]) =>
        KERNELS.map((kernel, i) => ({ name, kernel, budget: budgets[i] })));
    const counts = await inParallel(cases, ({ kernel, name }) => instructionsAUnit(kernel, name));
    cases.forEach(({ name, kernel, budget }, i) => t.diagnostic(`${name}, ${kernel}: ${counts[i].toFixed(1)} of ${budget}`));
    const over = cases.filter(({ budget }, i) => !(counts[i] > 1 && counts[i] <= budget))
        .map(({ name, kernel, budget }) => `${name}, ${kernel}: more than ${budget}`);
    assert.deepEqual(over, []);
});

// How many instructions the kernels take, counted by callgrind: unlike times they repeat exactly, on
// whatever machine. A change that costs more than its budget fails here before anyone measures it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/files.mjs';
import { temporaryFolder } from '../support/sinew.mjs';

const program = join(ROOT, 'build/bench/bench_kernels');
const RUNS = 20;

// Instructions a joint, vertex or limb, everything from the public function down. About 3 % above what is
// reached, so that another version of the compiler does not fail.
const budgets = {
    'sample forward 60 Hz, 1.2 s': { avx2: 18, sse2: 33 },
    'sample random, 20 s': { avx2: 18, sse2: 33 },
    'sample private times random, 1.2 s': { avx2: 160, sse2: 226 },
    'sample private times random, 20 s': { avx2: 160, sse2: 226 },
    'blend two': { avx2: 12, sse2: 24 },
    'local to world': { avx2: 48.5, sse2: 78 },
    'joint matrices': { avx2: 34.5, sse2: 57.5 },
    'skin 1 influence, P': { avx2: 17, sse2: 22 },
    'skin 4 influences, P': { avx2: 38.5, sse2: 74.5 },
    'skin 4 influences, P N': { avx2: 68.5, sse2: 119 },
    'skin 4 influences, P N T': { avx2: 79, sse2: 138 },
    'two-bone IK, a batch of 64': { avx2: 54.5, sse2: 144 },
    'two-bone IK of a chain, in double': { avx2: 3650, sse2: 3650 },
};

const run = (command, args) => {
    const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
    assert.equal(status, 0, `${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
    return stdout;
};

const skip = !existsSync(program) ? 'build/bench/bench_kernels is not built'
    : process.arch !== 'x64' ? 'budgets are for x86-64'
    : spawnSync('valgrind', ['--version']).status !== 0 ? 'valgrind is not installed' : false;

for (const kernel of ['avx2', 'sse2']) {
    test(`instructions of the ${kernel} kernels`, { skip }, (t) => {
        const benches = new Map(run(program, ['--list']).trim().split('\n').map((line) => {
            const [name, symbol, units] = line.split('\t');
            return [name, { symbol, units: Number(units) }];
        }));
        const counts = join(temporaryFolder(t), 'callgrind.out');
        const names = Object.keys(budgets);
        const { status, stderr } = spawnSync('valgrind', ['--tool=callgrind', `--callgrind-out-file=${counts}`,
            program, '--run', kernel, String(RUNS), ...names], { encoding: 'utf8' });
        if (stderr.includes(`no kernel ${kernel}`)) return t.skip(`this machine has no ${kernel}`);
        assert.equal(status, 0, stderr);
        // Inclusive costs: "1,234,567 (12.34%)  file:symbol [object]".
        const inclusive = new Map(run('callgrind_annotate', ['--inclusive=yes', '--threshold=100', counts]).split('\n')
            .map((line) => /^\s*([\d,]+)\s.*:(\w+)(?: \[|$)/.exec(line)).filter(Boolean)
            .map(([, cost, symbol]) => [symbol, Number(cost.replaceAll(',', ''))]));
        const over = names.flatMap((name) => {
            const { symbol, units } = benches.get(name);
            assert.ok(inclusive.has(symbol), `callgrind saw no ${symbol}`);
            const each = inclusive.get(symbol) / RUNS / units;
            assert.ok(each > 1, `${name}: ${each} instructions cannot be all of them`);
            t.diagnostic(`${name}: ${each.toFixed(2)}, budget ${budgets[name][kernel]}`);
            return each <= budgets[name][kernel] ? [] : [`${name}: ${each.toFixed(2)} instructions, budget ${budgets[name][kernel]}`];
        });
        assert.deepEqual(over, []);
    });
}

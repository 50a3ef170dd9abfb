// Builds and runs the tests, and ends with one line `N passed, N failed` over all of them.
//   node tools/run-tests.mjs [PART…]
// Without names every part runs, in the order below. Nothing is listed by hand: tests are found.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { CORPUS, GOLDEN, ROOT, walk } from '../tests/support/files.mjs';

process.chdir(ROOT);
const jobs = Math.max(1, cpus().length);
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

function pass(n = 1) {
    total.passed += n;
}

function fail(what, output = '', n = 1) {
    total.failed += n;
    failures.push(what);
    console.log(`FAILED ${what}${output ? `\n${output.trimEnd()}` : ''}`);
}

// Runs a command to its end; its output is captured, or shown as it comes with `show`.
function run(command, args, { env = {}, show = false, timeout = 0 } = {}) {
    return new Promise((done) => {
        const child = spawn(command, args, {
            env: { ...process.env, ...env },
            stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
            timeout,
            killSignal: show ? 'SIGTERM' : 'SIGKILL',
        });
        let output = '';
        child.stdout?.on('data', (chunk) => (output += chunk));
        child.stderr?.on('data', (chunk) => (output += chunk));
        child.on('error', (error) => done({ code: 127, output: `${command}: ${error.message}` }));
        child.on('close', (code, signal) => {
            if (signal) output += `\nended by ${signal}`;
            done({ code: code ?? 1, output });
        });
    });
}

async function inParallel(items, work) {
    const queue = [...items];
    await Promise.all(Array.from({ length: jobs }, async () => {
        while (queue.length) await work(queue.shift());
    }));
}

// One check that is a command: passes when it exits with 0.
async function check(what, command, args, options) {
    const { code, output } = await run(command, args, options);
    if (code === 0) pass();
    else fail(what, output.split('\n').filter((line) => !/^\[\d+\/\d+\] /.test(line)).join('\n'));
    return code === 0;
}

async function build(preset, targets = [], defines = []) {
    const configured = await run('cmake', ['--preset', preset, '--log-level=WARNING', ...defines]);
    if (configured.code !== 0) return fail(`configure ${preset}`, configured.output), false;
    const list = targets.length ? ['--target', ...targets] : [];
    return check(`build ${preset} ${targets.join(' ')}`.trim(), 'cmake',
        // One broken file must not hide what else is broken.
        ['--build', '--preset', preset, ...list, '--', '-k', '0']);
}

const programs = (dir) => (existsSync(dir) ? readdirSync(dir) : [])
    .filter((name) => !name.includes('.'))
    .map((name) => join(dir, name));

// Only programs whose source is still there: a build folder outlives a renamed file.
const unitPrograms = (dir) => programs(dir).filter((p) => existsSync(`tests/unit/${basename(p)}.c`));

async function runUnit(dir, label, env = {}) {
    await inParallel(unitPrograms(dir), async (program) => {
        const name = `${label} ${basename(program)}`;
        const { code, output } = await run(resolve(program), [], { env: { ...filesEnv, ...env }, timeout: 300_000 });
        const count = (word) => Number(new RegExp(`\\[\\s*${word}\\s*\\] (\\d+) test`).exec(output)?.[1] ?? 0);
        pass(count('PASSED'));
        total.skipped += count('SKIPPED');
        const failed = count('FAILED');
        if (code !== 0 || failed) fail(name, output, Math.max(1, failed));
        else if (!count('PASSED') && !count('SKIPPED')) fail(`${name}: ran no test`, output);
    });
}

const filesEnv = { SINEW_CORPUS: CORPUS, SINEW_GOLDEN: GOLDEN };
const sanitizerEnv = {
    ASAN_OPTIONS: 'detect_leaks=1:abort_on_error=0:allocator_may_return_null=1',
    UBSAN_OPTIONS: 'print_stacktrace=1',
    ASAN_SYMBOLIZER_PATH: '/usr/bin/llvm-symbolizer-19',
};

// Small files to start a fuzz target from: tests/fuzz/seeds/NAME/, and corpus files of the kinds that
// the target's source names in a line `// seeds: .glb .gltf`.
function seedsFor(name) {
    const dir = join('build/fuzz', name, 'seeds');
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    const own = join('tests/fuzz/seeds', name);
    if (existsSync(own)) cpSync(own, dir, { recursive: true });
    const kinds = /^\/\/ seeds:(.*)$/m.exec(readFileSync(`tests/fuzz/${name}.c`, 'utf8'))?.[1].trim().split(/\s+/) ?? [];
    for (const path of walk(CORPUS)) {
        if (!kinds.includes(extname(path)) || statSync(path).size > 64 * 1024) continue;
        cpSync(path, join(dir, relative(CORPUS, path).replaceAll('/', '_')));
    }
    return dir;
}

const parts = {
    async layers() {
        await check('layers', process.execPath, ['tools/check-layers.mjs']);
    },

    async format() {
        const files = ['include', 'src', 'cli', 'server', 'wasm', 'samples', 'tests', 'bench']
            .flatMap((dir) => walk(dir)).filter((path) => /\.[ch]$/.test(path));
        if (files.length) await check('format (make format mends it)', 'clang-format-19', ['--dry-run', '--Werror', ...files]);
    },

    // Every public header alone, as C and as C++.
    async headers() {
        const unit = 'build/headers/unit.c';
        mkdirSync(dirname(unit), { recursive: true });
        writeFileSync(unit, 'typedef int not_empty;\n');
        const headers = walk('include').filter((path) => path.endsWith('.h'));
        const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror', '-Iinclude', '-fsyntax-only'];
        const tries = headers.flatMap((header) => [[header, 'c', '-std=c17'], [header, 'c++', '-std=c++17']]);
        await inParallel(tries, ([header, language, standard]) =>
            check(`${header} alone as ${language}`, 'clang-19',
                [...warnings, standard, '-x', language, '-include', header, unit]));
    },

    async gcc() {
        await build('gcc', ['all', 'tests', 'benches']);
    },

    async build() {
        await build('release', ['all', 'samples', 'tests', 'benches'], ['-DSINEW_TESTS=ON']);
        await build('wasm');
        await check('bundle', process.execPath, ['tools/bundle.mjs']);
        await check('packages', process.execPath, ['tools/packages.mjs']);
    },

    async types() {
        const projects = walk('web').filter((path) => basename(path) === 'tsconfig.json').map(dirname)
            .filter((dir) => walk(dir).some((path) => path.endsWith('.ts')));
        await inParallel(projects, (dir) => check(`types ${dir}`, 'node_modules/.bin/tsc', ['--noEmit', '-p', dir]));
    },

    async unit() {
        if (!(await build('release', ['tests'], ['-DSINEW_TESTS=ON']))) return;
        await runUnit('build/tests/unit', 'unit');
    },

    async sanitize() {
        await build('sanitize', ['tests', 'sinew']);
        await runUnit('build/sanitize/tests/unit', 'sanitize', sanitizerEnv);
    },

    async fuzz() {
        if (!(await build('sanitize', ['tests']))) return;
        const seconds = Number(process.env.FUZZ_SECONDS ?? 60);
        const targets = programs('build/sanitize/tests/fuzz').filter((p) => existsSync(`tests/fuzz/${basename(p)}.c`));
        await inParallel(targets, async (program) => {
            const name = basename(program);
            const seeds = seedsFor(name);
            const found = join('build/fuzz', name, 'found');
            const crashes = join('build/fuzz', name, 'crashes');
            for (const dir of [found, crashes]) mkdirSync(dir, { recursive: true });
            const words = `tests/fuzz/${name}.dict`;
            const { code, output } = await run(resolve(program), [`-max_total_time=${seconds}`, '-timeout=10',
                '-rss_limit_mb=3072', '-print_final_stats=1', '-verbosity=0', `-artifact_prefix=${crashes}/`,
                ...(existsSync(words) ? [`-dict=${words}`] : []), found, seeds],
            { env: sanitizerEnv, timeout: (seconds + 120) * 1000 });
            if (code !== 0) return fail(`fuzz ${name}`, output.slice(-8000));
            pass();
            const runs = /number_of_executed_units:\s*(\d+)/.exec(output)?.[1];
            console.log(`fuzz ${name}: ${runs ?? '?'} inputs in ${seconds} s`);
        });
    },

    // Every *.test.mjs below tests/: command line, corpus, WebAssembly, browser.
    async node() {
        const files = walk('tests').filter((path) => path.endsWith('.test.mjs')).sort();
        if (!files.length) return;
        const only = process.env.TESTS ? files.filter((path) => path.includes(process.env.TESTS)) : files;
        if (!only.length) return fail(`no node test has "${process.env.TESTS}" in its path`);
        mkdirSync('build', { recursive: true });
        const tap = 'build/node-tests.tap';
        rmSync(tap, { force: true });
        const { code } = await run(process.execPath, ['--test',
            '--test-reporter=spec', '--test-reporter-destination=stdout',
            '--test-reporter=tap', `--test-reporter-destination=${tap}`, ...only],
        { show: true, timeout: 1_800_000, env: { SINEW_BIN: process.env.SINEW_BIN ?? resolve('build/sinew'), ...filesEnv } });
        const text = existsSync(tap) ? readFileSync(tap, 'utf8') : '';
        const count = (word) => Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
        pass(count('pass'));
        total.skipped += count('skipped');
        const failed = count('fail') + count('cancelled');
        if (failed || code !== 0) fail('node tests (see above)', '', Math.max(1, failed));
    },
};

const wanted = process.argv.slice(2);
for (const name of wanted) {
    if (!parts[name]) {
        console.error(`no part ${name}; there are: ${Object.keys(parts).join(' ')}`);
        process.exit(2);
    }
}
console.log(existsSync(CORPUS) ? `corpus: ${CORPUS}` : `corpus: none at ${CORPUS}, tests on it are skipped (SINEW_CORPUS)`);
for (const [name, part] of Object.entries(parts)) {
    if (wanted.length && !wanted.includes(name)) continue;
    const before = { ...total };
    const start = Date.now();
    console.log(`== ${name}`);
    await part();
    console.log(`== ${name}: ${total.passed - before.passed} passed, ${total.failed - before.failed} failed ` +
        `in ${((Date.now() - start) / 1000).toFixed(1)} s`);
}
if (failures.length) console.log(`\nfailed:\n${failures.map((what) => `  ${what}`).join('\n')}`);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed || !total.passed ? 1 : 0);

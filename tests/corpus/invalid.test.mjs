// Whatever the bytes, the command ends by itself, with an exit code it documents and one clear line.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { test } from 'node:test';
import { corpusFiles, corpusMissing, ROOT } from '../support/files.mjs';
import { externalFiles, readContainer } from '../support/gltf-file.mjs';
import { inParallel } from '../support/parallel.mjs';
import { SINEW, sinew, temporaryFolder } from '../support/sinew.mjs';

const files = corpusFiles(['.gltf', '.glb', '.vrm', '.vrma']);

// The sanitizer build reports what would go unnoticed otherwise; it is there after `make test`.
const sanitized = join(ROOT, 'build/sanitize/sinew');
const programs = [SINEW, ...(existsSync(sanitized) ? [sanitized] : [])];
const sanitizerEnv = {
    ASAN_OPTIONS: 'detect_leaks=1:allocator_may_return_null=1:exitcode=99',
    UBSAN_OPTIONS: 'print_stacktrace=1:exitcode=99',
};

/** What is wrong with the way a run ended, or null. */
function complaint({ code, stdout, stderr }, path, json) {
    if (![0, 1, 2].includes(code)) return `exit code ${code}: ${stderr.slice(0, 2000)}`;
    const lines = stderr.split('\n').filter((line) => line);
    const errors = lines.filter((line) => !line.includes(': warning: '));
    if (lines.some((line) => !line.startsWith('sinew: '))) return `says "${stderr}"`;
    if (code === 2 && errors.length !== 1) return `exit code 2 with ${errors.length} lines: "${stderr}"`;
    if (code !== 2 && errors.length) return `exit code ${code}, but says "${stderr}"`;
    if (code === 2 && !errors[0].startsWith(`sinew: ${path}: `)) return `does not name the file: "${stderr}"`;
    if (json && code === 2 && stdout) return 'prints a document although it failed';
    if (json && code !== 2) JSON.parse(stdout);
    return null;
}

const run = (program, args) => sinew(args, { program, env: sanitizerEnv });

async function evaluate(program, path) {
    const first = complaint(await run(program, ['pose', path, '--skin', '--json']), path, true);
    // The middle of the first clip, when there is one.
    return first ?? complaint(await run(program, ['pose', path, '--clip', '0', '--time', '0.3', '--skin', '--json']), path, true);
}

for (const program of programs)
    test(`${program === SINEW ? 'native' : 'sanitizers'}: every corpus file is evaluated or refused`, { skip: corpusMissing, timeout: 900_000 }, async (t) => {
        const codes = {};
        const problems = (await inParallel(files, async ({ path, name }) => {
            const found = await evaluate(program, path).catch((error) => error.message);
            return found ? [`${name}: ${found}`] : [];
        })).flat();
        t.diagnostic(`${files.length} files`);
        assert.deepEqual(problems.slice(0, 10), [], `${problems.length} problems; codes ${JSON.stringify(codes)}`);
    });

for (const program of programs)
    test(`${program === SINEW ? 'native' : 'sanitizers'}: every corpus file is checked`, { skip: corpusMissing, timeout: 900_000 }, async (t) => {
        const paths = files.map(({ path }) => path);
        const result = await run(program, ['check', '--json', ...paths]);
        assert.ok([0, 1].includes(result.code), `exit code ${result.code}: ${result.stderr.slice(0, 4000)}`);
        const document = JSON.parse(result.stdout);
        assert.deepEqual(document.files.map(({ file }) => file), paths);
        const kinds = new Set();
        for (const { file, findings } of document.files)
            for (const finding of findings) {
                kinds.add(finding.id);
                assert.deepEqual(Object.keys(finding), ['id', 'severity', 'pointer', 'message', 'fix'], file);
                assert.match(finding.id, /^[a-zA-Z]+(\.[a-z_]+)?$/, file);
                assert.ok(['error', 'warning', 'info'].includes(finding.severity));
                assert.match(finding.pointer, /^(\/.*)?$/s);
                assert.ok(finding.message.length > 10 && !finding.message.includes('\n'), finding.message);
            }
        t.diagnostic(`${kinds.size} kinds of findings in ${paths.length} files`);
    });

/** Twenty files of every container and source, the same ones each time. */
function chooseForTruncation() {
    const small = files.filter(({ path }) => {
        const size = readFileSync(path).length;
        return size > 500 && size < 400_000;
    });
    const wanted = { '.gltf': 8, '.glb': 8, '.vrm': 3, '.vrma': 1 };
    return Object.entries(wanted).flatMap(([extension, count]) => {
        const kind = small.filter(({ path }) => extname(path) === extension);
        return Array.from({ length: count }, (_, i) => kind[Math.floor(i * kind.length / count)]);
    });
}

test('20 files cut off at 50 places each are refused or evaluated', { skip: corpusMissing, timeout: 900_000 }, async (t) => {
    const chosen = chooseForTruncation();
    assert.equal(new Set(chosen.map(({ path }) => path)).size, 20);
    const cuts = [];
    for (const [i, { path, name }] of chosen.entries()) {
        const root = temporaryFolder(t);
        const bytes = readFileSync(path);
        const container = readContainer(bytes);
        for (const resource of externalFiles(JSON.parse(container.text), ['buffers'])) {
            const source = join(path, '..', resource);
            if (existsSync(source) && !resource.includes('/')) writeFileSync(join(root, resource), readFileSync(source));
        }
        // Evenly over the whole, and densely over the start, where the headers are.
        const dense = [0, 1, 3, 4, 8, 11, 12, 16, 19, 20, 21, 24];
        for (let k = 0; k < 50; k++) {
            const length = k < dense.length ? dense[k] : Math.floor((k - dense.length + 1) * bytes.length / (50 - dense.length + 1));
            const cut = join(root, `${k}-${i}${extname(basename(path))}`);
            writeFileSync(cut, bytes.subarray(0, length));
            cuts.push({ cut, name: `${name} cut at ${length}` });
        }
    }
    let refused = 0;
    for (const program of programs) {
        const problems = (await inParallel(cuts, async ({ cut, name }) => {
            const result = await run(program, ['pose', cut, '--skin', '--json']).catch((error) => ({ code: error.message, stdout: '', stderr: '' }));
            refused += result.code === 2;
            const found = complaint(result, cut, true);
            return found ? [`${name}: ${found}`] : [];
        })).flat();
        assert.deepEqual(problems.slice(0, 10), [], `${problems.length} problems`);
    }
    t.diagnostic(`${cuts.length} cut files, ${refused / programs.length} refused, with ${programs.length} programs`);
    assert.equal(refused, cuts.length * programs.length, 'a file without its end cannot be whole');
});

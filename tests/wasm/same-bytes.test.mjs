// One file and one script: the command line and the browser write the same bytes.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { test } from 'node:test';
import { makeCharacter } from '../../bench/web/character.mjs';
import { applyRandom } from '../support/commands.mjs';
import { api, coreMissing, openFile } from '../support/core.mjs';
import { corpusFiles, corpusMissing } from '../support/files.mjs';
import { inParallel } from '../support/parallel.mjs';
import { SINEW, sinew, temporaryFolder } from '../support/sinew.mjs';

const skip = coreMissing || (existsSync(SINEW) ? false : `${SINEW} is not built (make build)`);

/** Edits a file here and there, and gives what differs. */
async function compare(source, dir, seed) {
    let session;
    try {
        session = openFile(source);
    } catch (error) {
        if (error instanceof api.SinewError) return null;
        throw error;
    }
    applyRandom(session, 15, seed);
    const script = join(dir, 'script.jsonl');
    writeFileSync(script, session.commands().map((command) => `${JSON.stringify(command)}\n`).join(''));
    mkdirSync(join(dir, 'out'));
    const out = join(dir, 'out', basename(source));
    const { code, stderr } = await sinew(['edit', source, '-o', out, '--script', script]);
    if (code !== 0) return [stderr.trim()];
    const files = session.save(extname(source) === '.gltf' ? 'gltf' : 'glb');
    session.dispose();
    return files.filter(({ path, bytes }) => !readFileSync(path ? join(dir, 'out', path) : out).equals(Buffer.from(bytes)))
        .map(({ path }) => `${path || 'the main file'} differs`);
}

test('a generated file', { skip }, async (t) => {
    const dir = temporaryFolder(t);
    const source = join(dir, 'character.glb');
    writeFileSync(source, makeCharacter({ joints: 12, vertices: 50, seconds: 0.5, fps: 10 }));
    assert.deepEqual(await compare(source, dir, 1), []);
});

test('every corpus file that opens', { skip: skip || corpusMissing, timeout: 600_000 }, async (t) => {
    const root = temporaryFolder(t);
    let edited = 0;
    const problems = (await inParallel([...corpusFiles(['.gltf', '.glb', '.vrm', '.vrma']).entries()], async ([i, { path, name }]) => {
        const dir = join(root, String(i));
        mkdirSync(dir);
        const found = await compare(path, dir, i);
        if (found) edited++;
        return (found ?? []).map((text) => `${name}: ${text}`);
    })).flat();
    t.diagnostic(`${edited} files edited`);
    assert.deepEqual(problems.slice(0, 20), [], `${problems.length} problems`);
    assert.ok(edited > 400);
});

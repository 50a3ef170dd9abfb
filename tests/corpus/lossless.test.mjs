// Opened and saved without an edit, a file comes back as it was; after one key, the rest of it does,
// and the official validator finds nothing new.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { corpusFiles, corpusMissing } from '../support/files.mjs';
import { bufferBytes, externalFiles, readContainer } from '../support/gltf-file.mjs';
import { diffJson, parseJsonText } from '../support/json-text.mjs';
import { inParallel } from '../support/parallel.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { errorsOf, validateFile } from '../support/validator.mjs';

const files = corpusFiles(['.gltf', '.glb', '.vrm', '.vrma']);

/** The validator's errors; null when it cannot even parse the file. */
const errorsIn = (path) => validateFile(path).then(errorsOf, () => null);

/** Refused for an extension, or a version of glTF, that the file requires and Sinew does not know. */
const requiresMore = ({ code, stderr }) => code === 2 && /\((extension\.required|asset\.version), /.test(stderr);

/** What differs between a file and its copy: JSON text, buffer bytes, files beside them. */
function compareFiles(path, copy) {
    const before = readContainer(readFileSync(path));
    const after = readContainer(readFileSync(copy));
    const found = diffJson(parseJsonText(before.text), parseJsonText(after.text));
    const json = JSON.parse(before.text);
    for (let i = 0; i < (json.buffers ?? []).length; i++) {
        const wanted = bufferBytes(path, before, json, i);
        if (!wanted) continue;
        const own = bufferBytes(copy, after, JSON.parse(after.text), i);
        if (!own || !wanted.equals(own)) found.push(`/buffers/${i}: other bytes`);
    }
    for (const name of new Set(externalFiles(json))) {
        const original = join(dirname(path), name);
        const beside = join(dirname(copy), name);
        if (!existsSync(original)) continue;
        if (!existsSync(beside)) found.push(`${name} is not beside the copy`);
        else if (!readFileSync(original).equals(readFileSync(beside))) found.push(`${name}: other bytes`);
    }
    return found;
}

/** A folder of its own for each copy, so that what lies beside them does not mix. */
function placeFor(root, i, file) {
    mkdirSync(join(root, String(i)));
    return join(root, String(i), basename(file.path));
}

test('saving without an edit changes nothing', { skip: corpusMissing, timeout: 900_000 }, async (t) => {
    const root = temporaryFolder(t);
    let accepted = 0;
    let unknown = 0;
    const problems = (await inParallel([...files.entries()], async ([i, file]) => {
        const copy = placeFor(root, i, file);
        const result = await sinew(['edit', file.path, '--script', '/dev/null', '-o', copy]);
        if (result.code !== 0) {
            if (requiresMore(result)) unknown++;
            else if ((await errorsIn(file.path))?.length === 0) return [`${file.name} is valid but refused: ${result.stderr.trim()}`];
            return [];
        }
        accepted++;
        const found = compareFiles(file.path, copy).map((text) => `${file.name}: ${text}`);
        // Equal bytes get equal verdicts.
        if (readFileSync(file.path).equals(readFileSync(copy))) return found;
        const before = new Set(await errorsIn(file.path));
        const errors = (await errorsIn(copy)) ?? ['it cannot be parsed'];
        return [...found, ...errors.filter((text) => !before.has(text)).map((text) => `${file.name}: new error ${text}`)];
    })).flat();
    t.diagnostic(`${accepted} of ${files.length} files saved; ${unknown} require what Sinew does not know`);
    assert.deepEqual(problems.slice(0, 30), [], `${problems.length} problems`);
    assert.ok(accepted > 400, `only ${accepted} files are accepted`);
});

/** A command that sets a key inside the first track. */
function keyCommand({ clips, nodes, meshes }) {
    const clip = clips.find(({ tracks }) => tracks.length);
    if (!clip) return null;
    const [track] = clip.tracks;
    const values = {
        translation: () => [0.5, 1.5, -0.5],
        rotation: () => [0, 0, 0.6, 0.8],
        scale: () => [1, 2, 1],
        weights: () => Array(meshes[nodes[track.node].mesh].targets).fill(0.5),
    };
    return {
        op: 'key.set', clip: clip.index, node: track.node, path: track.path,
        time: Math.fround(track.start + (track.end - track.start) * 0.4375 + 0.015625),
        value: values[track.path](),
    };
}

/** What an edit changed beside the track it was for. */
function compareClips(before, after, command) {
    const found = [];
    before.clips.forEach((clip, c) => clip.tracks.forEach((track, k) => {
        const own = after.clips[c]?.tracks[k];
        const edited = c === command.clip && track.node === command.node && track.path === command.path;
        if (!edited && JSON.stringify(own) !== JSON.stringify(track)) found.push(`track ${k} of clip ${c} changed`);
        if (edited && own?.keys !== track.keys + 1 && own?.keys !== track.keys) found.push(`track ${k} of clip ${c} has ${own?.keys} keys`);
    }));
    return found;
}

/** What an edit of keys changed beside animations and what holds their keys. */
function compareRest(path, copy) {
    const rest = (file) => {
        const tree = parseJsonText(readContainer(readFileSync(file)).text);
        tree.members = tree.members.filter(([name]) => !['animations', 'accessors', 'bufferViews', 'buffers'].includes(name));
        return tree;
    };
    return diffJson(rest(path), rest(copy));
}

// An edit may move what was wrong before to another index.
const withoutNumbers = (text) => text.replace(/\d+/g, 'N');

test('after one key the validator finds no new error, and the other tracks are as they were', { skip: corpusMissing, timeout: 900_000 }, async (t) => {
    const root = temporaryFolder(t);
    let edited = 0;
    const problems = (await inParallel([...files.entries()], async ([i, file]) => {
        const before = await sinew(['info', file.path, '--json']);
        const command = before.code === 0 && keyCommand(JSON.parse(before.stdout));
        if (!command) return [];
        edited++;
        const copy = placeFor(root, i, file);
        const { code, stderr } = await sinew(['edit', file.path, '-e', JSON.stringify(command), '-o', copy]);
        if (code !== 0) return [`${file.name}: ${JSON.stringify(command)}: ${stderr.trim()}`];
        const known = new Set((await errorsIn(file.path))?.map(withoutNumbers));
        const errors = ((await errorsIn(copy)) ?? ['it cannot be parsed']).filter((text) => !known.has(withoutNumbers(text)));
        const after = await sinew(['info', copy, '--json']);
        return [
            ...errors.map((text) => `${file.name}: new error ${text}`),
            ...compareRest(file.path, copy).map((text) => `${file.name}: ${text}`),
            ...compareClips(JSON.parse(before.stdout), JSON.parse(after.stdout), command).map((text) => `${file.name}: ${text}`),
        ];
    })).flat();
    t.diagnostic(`${edited} files edited`);
    assert.deepEqual(problems.slice(0, 30), [], `${problems.length} problems`);
    assert.ok(edited > 100, `only ${edited} files could be edited`);
});

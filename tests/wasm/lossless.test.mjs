// Opening and saving in the browser changes nothing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { api, core, coreMissing, openFile } from '../support/core.mjs';
import { corpusFiles, corpusMissing } from '../support/files.mjs';

const skip = coreMissing || corpusMissing;
const { SinewError } = api;

function assertUnchanged(session, path, resources) {
    const [main, ...others] = session.save(session.isBinary ? 'glb' : 'gltf');
    assert.equal(main.path, '');
    assert.ok(readFileSync(path).equals(Buffer.from(main.bytes)), 'the bytes differ');
    for (const { path: name, bytes } of others)
        assert.ok(Buffer.from(resources.get(name) ?? []).equals(Buffer.from(bytes)), `${name} differs`);
    return others.length;
}

test('every file of the corpus that opens is saved as it was', { skip }, (t) => {
    let same = 0;
    let beside = 0;
    let refused = 0;
    for (const { path, name } of corpusFiles(['.gltf', '.glb', '.vrm', '.vrma'])) {
        let session;
        try {
            session = openFile(path);
        } catch (error) {
            assert.ok(error instanceof SinewError, `${name}: ${error.stack}`);
            assert.notEqual(error.id, 'session.broken', name);
            refused++;
            continue;
        }
        try {
            const resources = new Map(core.listResources(readFileSync(path)).map((file) => [file, readFileSync(join(dirname(path), file))]));
            beside += assertUnchanged(session, path, resources);
            same++;
        } catch (error) {
            error.message = `${name}: ${error.message}`;
            throw error;
        } finally {
            session.dispose();
        }
    }
    t.diagnostic(`${same} files unchanged, with ${beside} buffers beside them; ${refused} refused`);
    assert.ok(same > 300, `only ${same} files opened`);
});

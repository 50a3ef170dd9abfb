// Files that are no files, names that are no names: nothing hangs, nothing is lost, and one line
// says what is wrong.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';

const quick = { timeout: 10_000 };
const rename = ['-e', '{"op": "clip.rename", "clip": 0, "name": "x"}'];
const withImages = (...uris) => {
    const model = smallModel();
    model.json.images = uris.map((uri) => ({ uri }));
    return toGlb(model);
};

test('names of any length are told apart in time, and cut where they are shown', async (t) => {
    const model = smallModel();
    const long = 'N'.repeat(1_000_000);
    model.json.animations[0].name = model.json.animations[1].name = long;
    const remove = (clip) => JSON.stringify({ op: 'clip.remove', clip });
    const at = writeFiles(temporaryFolder(t), {
        'a.glb': toGlb(model), 'other.jsonl': remove(long.slice(0, 300_000) + 'x'), 'both.jsonl': remove(long), 'nul.jsonl': remove('x\0y'),
    });
    const edit = async (script) => {
        const { code, stderr } = await sinew(['edit', at('a.glb'), '-o', at('b.glb'), '--script', at(script)], quick);
        assert.equal(code, 2);
        return stderr;
    };
    assert.match(await edit('other.jsonl'), /: no clip is named "N{64}…"; close: "N{64}…" \(0\), "N{64}…" \(1\) \(command\.name, \/clip\)\n$/);
    assert.match(await edit('both.jsonl'), /: 2 clips have this name, give the index of one: "N{64}…" \(0\), "N{64}…" \(1\) /);
    assert.match(await edit('nul.jsonl'), /: no clip can be named like this: what follows a NUL is not read \(command\.name, \/clip\)\n$/);
});

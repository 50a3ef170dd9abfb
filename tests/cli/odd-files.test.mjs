// Files that are no files, names that are no names: nothing hangs, nothing is lost, and one line
// says what is wrong.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readContainer } from '../support/gltf-file.mjs';
import { SINEW, sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';

const quick = { timeout: 10_000 };
const rename = ['-e', '{"op": "clip.rename", "clip": 0, "name": "x"}'];
const withImages = (...uris) => {
    const model = smallModel();
    model.json.images = uris.map((uri) => ({ uri }));
    return toGlb(model);
};

test('a device without an end is refused by its beginning', { skip: existsSync('/dev/zero') ? false : 'no /dev/zero' }, async (t) => {
    const { code, stderr } = await sinew(['info', '/dev/zero'], quick);
    assert.equal(code, 2);
    assert.match(stderr, /^sinew: \/dev\/zero: [^\n]* \(json\.syntax, line 1, column 1\)\n$/);
    // Noise that begins as JSON might.
    const start = performance.now();
    const noise = execFileSync('sh', ['-c', '(printf "{\\n"; cat /dev/zero) | "$0" info - 2>&1; echo $?', SINEW], { encoding: 'utf8' });
    assert.match(noise, /^sinew: standard input: [^\n]* \(json\.syntax, line 2, column 1\)\n2\n$/);
    assert.ok(performance.now() - start < 2000);
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()) });
    const script = await sinew(['edit', at('a.glb'), '-o', at('b.glb'), '--script', '/dev/zero'], quick);
    assert.equal(script.code, 2);
    assert.match(script.stderr, /^sinew: \/dev\/zero: cannot be read: it is longer than 256 MiB\n$/);
    assert.ok(!existsSync(at('b.glb')));
});

test('a stream of more than one block is read whole, JSON with space before it too', async () => {
    const model = smallModel();
    model.json.extras = 'long '.repeat(100_000);
    const plain = await sinew(['info', '--json', '-'], { input: toGlb(model) });
    assert.equal(plain.code, 0, plain.stderr);
    model.json.buffers[0].uri = `data:;base64,${model.bin.toString('base64')}`;
    const text = await sinew(['info', '--json', '-'], { input: ' \n' + JSON.stringify(model.json) });
    assert.equal(text.code, 0, text.stderr);
    assert.deepEqual(JSON.parse(text.stdout).clips, JSON.parse(plain.stdout).clips);
});

test('an image that is a pipe, a device or called "-" is not read', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': withImages('pipe', '-', 'device'), 'out/keep': '' });
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('/dev/zero', at('device'));
    const { code, stderr } = await sinew(['edit', 'a.glb', '-o', 'out/b.glb', ...rename], { ...quick, cwd: at(''), input: 'no image' });
    assert.equal(code, 0);
    assert.match(stderr, /image pipe is not copied: it is no regular file\n/);
    assert.match(stderr, /image - is not copied: No such file/);
    assert.match(stderr, /image device is not copied: it is no regular file\n/);
    assert.deepEqual(readdirSync(at('out')).sort(), ['b.glb', 'keep']);
});

test('a model does not overwrite its own images', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': withImages('b.bin', '_b.bin', './c.glb'), 'b.bin': 'one', '_b.bin': 'two', 'c.glb': 'three' });
    const loose = await sinew(['edit', at('a.glb'), '-o', at('b.gltf'), ...rename]);
    assert.equal(loose.code, 0, loose.stderr);
    assert.equal(JSON.parse(readFileSync(at('b.gltf'))).buffers[0].uri, '__b.bin');
    const over = await sinew(['edit', at('a.glb'), '-o', at('c.glb'), ...rename]);
    assert.equal(over.code, 2);
    assert.match(over.stderr, /^sinew: [^\n]*c\.glb: this is an image of [^\n]*a\.glb, which would be lost\n$/);
    for (const [name, text] of [['b.bin', 'one'], ['_b.bin', 'two'], ['c.glb', 'three']])
        assert.equal(readFileSync(at(name), 'utf8'), text);
});

test('an output that is a link to nothing stays one', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()) });
    symlinkSync('missing.glb', at('link.glb'));
    symlinkSync('circle.glb', at('circle.glb'));
    for (const name of ['link.glb', 'circle.glb']) {
        const { code, stderr } = await sinew(['edit', at('a.glb'), '-o', at(name), ...rename]);
        assert.equal(code, 2);
        assert.match(stderr, /it is a link that leads nowhere \(io\.write\)\n$/);
        assert.ok(lstatSync(at(name)).isSymbolicLink());
    }
});

test('chunks that a .gltf cannot hold are not left out silently', async (t) => {
    const glb = toGlb(smallModel());
    const chunk = Buffer.from('\x08\0\0\0XXXXunknown!', 'latin1');
    glb.writeUInt32LE(glb.length + chunk.length, 8);
    const at = writeFiles(temporaryFolder(t), { 'a.glb': Buffer.concat([glb, chunk]), 'plain.glb': toGlb(smallModel()) });
    const rename = ['-e', '{"op": "clip.rename", "clip": "Bend", "name": "Fold"}'];
    const lost = await sinew(['edit', at('a.glb'), '-o', at('b.gltf'), ...rename]);
    assert.equal(lost.code, 0);
    assert.match(lost.stderr, /a\.glb: warning: 16 bytes of chunks of unknown types[^\n]* not written\n/);
    for (const [from, to] of [['a.glb', 'b.glb'], ['plain.glb', 'c.gltf']]) {
        const kept = await sinew(['edit', at(from), '-o', at(to), ...rename]);
        assert.deepEqual([kept.code, /not written/.test(kept.stderr)], [0, false]);
    }
});

test('a clip that glTF cannot hold is not left out silently', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()) });
    const add = (name) => ['-e', JSON.stringify({ op: 'clip.add', name })];
    const one = await sinew(['edit', at('a.glb'), '-o', at('b.glb'), ...add('Jump')]);
    assert.equal(one.code, 0);
    assert.match(one.stderr, /^sinew: [^\n]*a\.glb: warning: 1 clip has no key [^\n]*not written\n$/);
    const two = await sinew(['edit', at('a.glb'), '-o', at('b.glb'), ...add('Jump'), ...add('Fall'),
        '-e', '{"op": "track.remove", "clip": "Bend", "node": "Arm", "path": "rotation"}']);
    assert.match(two.stderr, /warning: 3 clips have no key/);
    assert.deepEqual(JSON.parse(readContainer(readFileSync(at('b.glb'))).text).animations.map(({ name }) => name), ['Blend']);
});

test('what drives a terminal or turns its order does not reach it', async (t) => {
    const model = smallModel();
    const name = 'Arm\u009b31m\u202eevil\u2066\u2028\u200f é';
    model.json.nodes[1].name = name;
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(model) });
    for (const args of [['info', '--nodes'], ['pose'], ['pose', '--node', 'x']]) {
        const { stdout, stderr } = await sinew([...args, at('a.glb')]);
        assert.ok((stdout + stderr).includes('Arm?31m?evil??? é'), stdout + stderr);
        assert.doesNotMatch(stdout + stderr, /[\u0080-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
    }
    const { stdout } = await sinew(['info', '--json', at('a.glb')]); // JSON has it as it is
    assert.equal(JSON.parse(stdout).nodes[1].name, name);
});

test('a long path leaves room for what is wrong with it', async (t) => {
    const path = join(temporaryFolder(t), ...Array(20).fill('ü'.repeat(100)), 'end.glb');
    const { code, stderr } = await sinew(['info', path]);
    assert.equal(code, 2);
    assert.match(stderr, /^sinew: …ü+\/.*end\.glb: .* \(io\.read\)\n$/);
    assert.ok(!stderr.includes('\ufffd'));
});

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
    assert.match(await edit('nul.jsonl'), /: no clip is named "x", a NUL and more: names are read up to a NUL \(command\.name, \/clip\)\n$/);
});

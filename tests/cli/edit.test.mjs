// `sinew edit`: what it writes, where, and what it leaves alone when something fails.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readContainer } from '../support/gltf-file.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';

const rename = (name) => JSON.stringify({ op: 'clip.rename', clip: 0, name });
const key = (time, value) => JSON.stringify({ op: 'key.set', clip: 'Bend', node: 'Arm', path: 'rotation', time, value });

/** A .gltf with its buffer and images beside it. */
function looseFiles() {
    const { json, bin } = smallModel();
    json.buffers[0].uri = 'data%20files/motion.bin';
    json.images = [{ uri: 'tex%20tures/skin.png' }, { uri: './skin2.png' }, { uri: 'data:image/png;base64,AAAA' }];
    return { 'a.gltf': JSON.stringify(json, null, 2), 'data files/motion.bin': bin, 'tex tures/skin.png': 'one', 'skin2.png': 'two' };
}

async function clipsOf(path) {
    const { code, stdout, stderr } = await sinew(['info', '--json', path]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout).clips;
}

test('commands run in the order of the options, -e and --script mixed', async (t) => {
    const at = writeFiles(temporaryFolder(t), {
        'a.glb': toGlb(smallModel()),
        'one.jsonl': `\n${rename('second')}\r\n\n  ${rename('third')}`,
    });
    const { code, stdout, stderr } = await sinew(['edit', at('a.glb'), '-e', rename('first'), '--script', at('one.jsonl'),
        `--command=${rename('fourth')}`, '-o', at('b.glb')]);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /b\.glb: 4 commands, \d+ bytes\n$/);
    assert.equal((await clipsOf(at('b.glb')))[0].name, 'fourth');
    await sinew(['edit', at('a.glb'), '-e', rename('last'), '-o', at('c.glb')]);
    const reversed = await sinew(['edit', at('a.glb'), '--script', at('one.jsonl'), '-e', rename('last'), '-o', at('b.glb')]);
    assert.equal(reversed.code, 0);
    assert.deepEqual(readFileSync(at('b.glb')), readFileSync(at('c.glb')));
});

test('a script from standard input, a file from standard input, a file to standard output', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()) });
    const glb = readFileSync(at('a.glb'));
    const script = await sinew(['edit', at('a.glb'), '--script', '-', '-o', at('b.glb')], { input: rename('piped') });
    assert.equal(script.code, 0, script.stderr);
    const piped = await sinew(['edit', '-', '-e', rename('piped'), '-o', '-'], { input: glb, binary: true });
    assert.equal(piped.code, 0, piped.stderr);
    assert.deepEqual(piped.stdout, readFileSync(at('b.glb')));
});

test('one wrong command and nothing is written', async (t) => {
    const at = writeFiles(temporaryFolder(t), {
        'a.glb': toGlb(smallModel()),
        'kept.glb': 'precious',
        'bad.jsonl': `${rename('x')}\n${rename('y')}\n{"op": "key.set", "clip": 0, "node": "Leg", "path": "rotation", "time": 0, "value": [0, 0, 0, 1]}\n`,
        'broken.jsonl': `${rename('x')}\n{"op": \n`,
    });
    const before = readdirSync(at('')).sort();
    const cases = [
        [['--script', at('bad.jsonl')], /^sinew: .*bad\.jsonl: line 3: .*Leg.* \(command\.name, \/node\)\n$/],
        [['--script', at('broken.jsonl')], /^sinew: .*broken\.jsonl: line 2: .*\(json\.syntax, line 1, column \d+\)\n$/],
        [['-e', rename('x'), '-e', '{"op": "key.sett"}'], /^sinew: -e 2: .*key\.set.*\(command\.operation, \/op\)\n$/],
        [['-e', '[]'], /^sinew: -e 1: /],
        [['--script', at('none.jsonl')], /^sinew: .*none\.jsonl: cannot be read/],
    ];
    for (const [args, message] of cases)
        for (const out of ['new.glb', 'kept.glb', 'a.glb']) {
            const { code, stdout, stderr } = await sinew(['edit', at('a.glb'), ...args, '-o', at(out)]);
            assert.deepEqual([code, stdout], [2, ''], stderr);
            assert.match(stderr, message);
        }
    assert.deepEqual(readdirSync(at('')).sort(), before);
    assert.equal(readFileSync(at('kept.glb'), 'utf8'), 'precious');
    assert.deepEqual(readFileSync(at('a.glb')), toGlb(smallModel()));
});

test('an output that cannot be written leaves nothing behind', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()), 'folder.glb/x': '' });
    const before = readdirSync(at('')).sort();
    for (const out of [at('none/b.glb'), at('folder.glb')]) {
        const { code, stderr } = await sinew(['edit', at('a.glb'), '-e', rename('x'), '-o', out]);
        assert.equal(code, 2);
        assert.match(stderr, /^sinew: [^\n]*\(io\.write\)\n$/);
    }
    assert.deepEqual(readdirSync(at('')).sort(), before);
});

test('the output may be the input itself', async (t) => {
    const at = writeFiles(temporaryFolder(t), { ...looseFiles(), 'a.glb': toGlb(smallModel()) });
    for (const name of ['a.glb', 'a.gltf']) {
        const { code, stderr } = await sinew(['edit', at(name), '-e', key(0.5, [0, 0, 0, 1]), '-o', at(name)]);
        assert.deepEqual([code, stderr], [0, '']);
        assert.equal((await clipsOf(at(name)))[0].tracks[0].keys, 3);
    }
    assert.deepEqual(readdirSync(at('')).sort(), ['a.glb', 'a.gltf', 'data files', 'skin2.png', 'tex tures']);
});

test('the extension says which container is written', async (t) => {
    const at = writeFiles(temporaryFolder(t), { ...looseFiles(), 'out/keep': '' });
    for (const name of ['b.glb', 'b.vrm', 'b.vrma', 'b.GLB']) {
        const { code, stderr } = await sinew(['edit', at('a.gltf'), '-e', rename('x'), '-o', at(`out/${name}`)]);
        assert.equal(code, 0, stderr);
        assert.ok(readContainer(readFileSync(at(`out/${name}`))).binary, name);
        assert.equal((await clipsOf(at(`out/${name}`)))[0].name, 'x');
    }
    const glb = await sinew(['edit', at('out/b.glb'), '-e', rename('y'), '-o', at('out/c.gltf')]);
    assert.equal(glb.code, 0, glb.stderr);
    assert.ok(!readContainer(readFileSync(at('out/c.gltf'))).binary);
    assert.equal((await clipsOf(at('out/c.gltf')))[0].name, 'y');
    for (const name of ['b.fbx', 'b', 'b.glb.bak']) {
        const { code, stderr } = await sinew(['edit', at('a.gltf'), '-e', rename('x'), '-o', at(`out/${name}`)]);
        assert.equal(code, 2);
        assert.match(stderr, /\.glb, \.vrm, \.vrma or \.gltf/);
        assert.ok(!existsSync(at(`out/${name}`)));
    }
});

test('buffers and images go along into another folder', async (t) => {
    const files = looseFiles();
    const at = writeFiles(temporaryFolder(t), { ...files, 'out/keep': '' });
    const { code, stdout, stderr } = await sinew(['edit', at('a.gltf'), '--script', '/dev/null', '-o', at('out/b.gltf'), '--json']);
    assert.deepEqual([code, stderr], [0, '']);
    const answer = JSON.parse(stdout);
    assert.deepEqual([answer.file, answer.commands, answer.output], [at('a.gltf'), 0, at('out/b.gltf')]);
    assert.deepEqual(answer.files.map(({ path }) => path).sort(), ['', 'data files/motion.bin', 'skin2.png', 'tex tures/skin.png']);
    assert.equal(readFileSync(at('out/b.gltf'), 'utf8'), files['a.gltf']);
    for (const name of ['data files/motion.bin', 'skin2.png', 'tex tures/skin.png'])
        assert.deepEqual(readFileSync(at(`out/${name}`)), readFileSync(at(name)), name);
});

test('images that cannot be had are named in a warning, and never written outside the folder', async (t) => {
    const files = looseFiles();
    const json = JSON.parse(files['a.gltf']);
    json.images = ['missing.png', '../secret.png', 'x/../../secret.png', '%2e%2e/secret.png', '/etc/hostname', 'https://example.org/x.png']
        .map((uri) => ({ uri }));
    const root = temporaryFolder(t);
    const at = writeFiles(join(root, 'model'), { ...files, 'a.gltf': JSON.stringify(json), '../secret.png': 'secret', '../out/in/keep': '' });
    const { code, stderr } = await sinew(['edit', at('a.gltf'), '--script', '/dev/null', '-o', join(root, 'out/in/b.gltf')]);
    assert.equal(code, 0);
    const lines = stderr.trimEnd().split('\n');
    assert.equal(lines.length, 4, stderr);
    for (const [i, name] of ['missing.png', '../secret.png', '../secret.png', '../secret.png'].entries())
        assert.match(lines[i], new RegExp(`^sinew: .*a\\.gltf: warning: image ${name.replaceAll('.', '\\.')} `));
    assert.deepEqual(readdirSync(join(root, 'out')), ['in']);
    assert.deepEqual(readdirSync(join(root, 'out/in')).sort(), ['b.gltf', 'data files', 'keep']);
    const piped = await sinew(['edit', at('a.gltf'), '-e', rename('x'), '-o', join(root, 'out/in/c.glb')]);
    assert.equal(piped.code, 0);
    assert.match(piped.stderr, /missing\.png/);
});

test('a read-only folder is an error, not a lost file', { skip: process.getuid?.() === 0 ? 'root may write everywhere' : false }, async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()) });
    mkdirSync(at('locked'), { mode: 0o500 });
    const { code, stderr } = await sinew(['edit', at('a.glb'), '-e', rename('x'), '-o', at('locked/b.glb')]);
    assert.equal(code, 2);
    assert.match(stderr, /\(io\.write\)/);
});

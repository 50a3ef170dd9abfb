// What every verb has in common: help, options, messages, exit codes.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/files.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';

const verbs = ['info', 'check', 'pose', 'edit', 'serve'];

test('--version prints the version of the project', async () => {
    const { code, stdout } = await sinew(['--version']);
    assert.equal(code, 0);
    assert.match(stdout, /^sinew \d+\.\d+\.\d+\n$/);
});

test('--help lists every verb', async () => {
    const { code, stdout, stderr } = await sinew(['--help']);
    assert.deepEqual([code, stderr], [0, '']);
    for (const verb of verbs) assert.match(stdout, new RegExp(`^  ${verb} `, 'm'));
});

for (const verb of verbs)
    test(`${verb} --help describes every option and shows an example`, async () => {
        for (const flag of ['--help', '-h']) {
            const { code, stdout, stderr } = await sinew([verb, flag]);
            assert.deepEqual([code, stderr], [0, '']);
            assert.match(stdout, new RegExp(`^usage: sinew ${verb} `));
            assert.match(stdout, /\nexample .*:\n {2}sinew /);
            for (const line of stdout.split('\n').filter((text) => text.includes('--') && text.startsWith('  ')))
                if (!line.includes('sinew ')) assert.match(line, /^ {2}(-\w, | {4})--[a-z]+( \S+)? +\S/);
        }
    });

// The examples name the sample that `make samples` makes.
const sample = join(ROOT, 'build/samples/mannequin.glb');
const shellWords = (line) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2]);
for (const verb of verbs.filter((name) => name !== 'serve'))
    test(`the example of ${verb} works`, { skip: existsSync(sample) ? false : 'no build/samples/mannequin.glb' }, async (t) => {
        const { stdout } = await sinew([verb, '--help']);
        const example = /\nexample .*:\n([^]*)$/.exec(stdout)[1];
        const folder = temporaryFolder(t);
        const words = shellWords(example).map((word) => (word.endsWith('.glb') && !word.includes('/') ? join(folder, word) : word));
        const [command, ...args] = words;
        assert.equal(command, 'sinew');
        const result = await sinew(args, { cwd: ROOT });
        assert.equal(result.code, 0, result.stderr);
        assert.equal(result.stderr, '');
        assert.ok(result.stdout.length > 20);
    });

const failures = {
    'no verb': [[], /^sinew: arguments: .*--help/],
    'an unknown verb': [['pos'], /there is no verb pos; did you mean `sinew pose`\?/],
    'an unknown verb that is like none': [['frobnicate'], /--help/],
    'an unknown option before the verb': [['--verbose'], /there is no option --verbose/],
    'an unknown option': [['pose', 'a.glb', '--tme', '1'], /^sinew: pose: unknown option --tme; did you mean --time\?/],
    'an unknown option with a value': [['pose', 'a.glb', '--clipp=Walk'], /did you mean --clip\?/],
    'an unknown option that is like none': [['info', '--frobnicate'], /`sinew info --help` lists/],
    'an unknown letter': [['info', '-z', 'a.glb'], /unknown option -z/],
    'a missing value': [['pose', 'a.glb', '--time'], /--time wants a value/],
    'a value for a switch': [['info', '--json=yes', 'a.glb'], /--json takes no value/],
    'no number': [['pose', 'a.glb', '--clip', '0', '--time', 'soon'], /--time wants a number, not "soon"/],
    'half a number': [['pose', 'a.glb', '--clip', '0', '--time', '1s'], /--time wants a number, not "1s"/],
    'an endless number': [['pose', 'a.glb', '--clip', '0', '--time', 'inf'], /--time wants a number/],
    'a negative count': [['check', 'a.glb', '--jobs', '-1'], /--jobs wants a whole number/],
    'a huge count': [['check', 'a.glb', '--jobs', '99999999999999999999'], /--jobs wants a whole number/],
    'an option given twice': [['pose', 'a.glb', '--clip', '0', '--clip=1'], /--clip is given twice/],
    'no file': [['info'], /^sinew: info: FILE is missing/],
    'a file too many': [['info', 'a.glb', 'b.glb'], /"b\.glb" is one argument too many/],
    'a time without a clip': [['pose', 'a.glb', '--time', '1'], /--clip/],
    'a stage that is none': [['pose', 'a.glb', '--stage', 'bake'], /sample, hierarchy, skin/],
    'stages that contradict each other': [['pose', 'a.glb', '--stage', 'sample', '--skin'], /--skin wants the last stage/],
    'no output': [['edit', 'a.glb', '-e', '{}'], /-o OUT is missing/],
    'no command': [['edit', 'a.glb', '-o', 'b.glb'], /there is no command/],
    'standard input twice': [['edit', '-', '--script', '-', '-o', 'b.glb'], /standard input/],
    'standard output twice': [['edit', 'a.glb', '-e', '{}', '-o', '-', '--json'], /standard output/],
};
for (const [what, [args, message]] of Object.entries(failures))
    test(`${what} ends with 2 and one line`, async (t) => {
        const { code, stdout, stderr } = await sinew(args, { cwd: temporaryFolder(t), input: '' });
        assert.equal(code, 2);
        assert.equal(stdout, '');
        assert.match(stderr, message);
        assert.match(stderr, /^sinew: [^\n]*\n$/);
    });

test('a file that is not there, or is no file, is named', async (t) => {
    const folder = temporaryFolder(t);
    for (const args of [['info'], ['pose', '--json'], ['edit', '-e', '{}', '-o', join(folder, 'out.glb')]])
        for (const path of [join(folder, 'none.glb'), folder]) {
            const { code, stdout, stderr } = await sinew([...args, path]);
            assert.deepEqual([code, stdout], [2, '']);
            assert.ok(stderr.startsWith(`sinew: ${path}: `), stderr);
            assert.match(stderr, /\(io\.read\)\n$/);
        }
});

test('options may stand before files, after them, and end with --', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()), '-odd.glb': toGlb(smallModel()) });
    const plain = await sinew(['pose', at('a.glb'), '--clip', 'Bend', '--time', '0.5', '--json']);
    const mixed = await sinew(['pose', '--time=0.5', '--json', at('a.glb'), '--clip=Bend']);
    assert.deepEqual(mixed, plain);
    const odd = await sinew(['info', '--', '-odd.glb'], { cwd: at('') });
    assert.equal(odd.code, 0);
});

test('a clip is found by name or index; else the message says what there is', async (t) => {
    const model = smallModel();
    model.json.animations.push({ ...model.json.animations[0], name: 'Bend' }, { ...model.json.animations[0] });
    delete model.json.animations[3].name;
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(model) });
    const pose = (clip) => sinew(['pose', at('a.glb'), '--clip', clip, '--json']);
    assert.deepEqual(JSON.parse((await pose('Blend')).stdout).clip, { index: 1, name: 'Blend' });
    assert.deepEqual(JSON.parse((await pose('3')).stdout).clip, { index: 3, name: '' });
    assert.match((await pose('Bend')).stderr, /2 clips are named "Bend": 0 "Bend", 2 "Bend"; give the index/);
    assert.match((await pose('Blemd')).stderr, /there is no clip "Blemd"; did you mean "Blend"\?/);
    assert.match((await pose('Somersault')).stderr, /there are 0 "Bend", 1 "Blend", 2 "Bend", 3 \(no name\)/);
    assert.match((await pose('4')).stderr, /there is no clip 4; the last is 3/);
});

test('control characters of a file do not reach the terminal', async (t) => {
    const model = smallModel();
    model.json.nodes[1].name = 'Arm\u001b[31m\n';
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(model) });
    for (const args of [['info', '--nodes'], ['pose'], ['pose', '--node', 'x']]) {
        const { stdout, stderr } = await sinew([...args, at('a.glb')]);
        assert.ok(!(stdout + stderr).includes('\u001b'));
        assert.match(stdout + stderr, /Arm\?\[31m\?/);
    }
});

test('standard output that cannot be written is an error', async (t) => {
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()) });
    if (!existsSync('/dev/full')) return t.skip('no /dev/full');
    const { spawnSync } = await import('node:child_process');
    const { openSync } = await import('node:fs');
    const { SINEW } = await import('../support/sinew.mjs');
    const { status, stderr } = spawnSync(SINEW, ['info', '--json', at('a.glb')], { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
    assert.equal(status, 2);
    assert.match(stderr.toString(), /^sinew: standard output: .*\n$/);
});

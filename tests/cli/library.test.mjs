// The programs of docs/library.md compile against the library as `make build` leaves it, and do what the page says.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../support/files.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';

const MANNEQUIN = join(ROOT, 'build/samples/mannequin.glb');

const programs = new Map(
    [...readFileSync(join(ROOT, 'docs/library.md'), 'utf8').matchAll(/```c\n(\/\* (\w+)\.c:[^]*?)```/g)]
        .map(([, source, name]) => [name, source]));

function compile(t, name) {
    const folder = temporaryFolder(t);
    const program = join(folder, name);
    writeFileSync(`${program}.c`, programs.get(name));
    execFileSync('cc', ['-std=c17', '-Wall', '-Wextra', '-Wpedantic', '-Werror', `${program}.c`, '-I', join(ROOT, 'include'),
        join(ROOT, 'build/libsinew.a'), '-lmeshoptimizer', '-lm', '-o', program], { stdio: ['ignore', 'inherit', 'inherit'] });
    return (...args) => execFileSync(program, args, { encoding: 'utf8' });
}

test('every program of the page is tried here', () => {
    assert.deepEqual([...programs.keys()], ['play', 'nod', 'greet', 'reach']);
});

test('play: the hips are where `sinew pose` has them', async (t) => {
    const lines = compile(t, 'play')(MANNEQUIN, 'walk', 'hips').trim().split('\n');
    assert.equal(lines.length, 5);
    for (const [frame, line] of lines.entries()) {
        const [time, ...position] = line.match(/-?[\d.]+/g).map(Number);
        const { stdout } = await sinew(['pose', MANNEQUIN, '--json', '--clip', 'walk', '--node', 'hips', '--time', String(frame / 4), '--loop']);
        const { nodes: [{ world }], ...pose } = JSON.parse(stdout);
        assert.ok(Math.abs(time - pose.time) < 1e-3, `frame ${frame}: ${time} s, not ${pose.time}`);
        position.forEach((x, i) => assert.ok(Math.abs(x - world[12 + i]) < 1e-4, `frame ${frame}: ${position}`));
    }
    assert.notEqual(lines[0].slice(9), lines[2].slice(9), 'the hips move');
});

test('nod: the saved file has the clip', async (t) => {
    const out = join(temporaryFolder(t), 'nod.glb');
    compile(t, 'nod')(MANNEQUIN, 'head', out);
    const { stdout } = await sinew(['pose', out, '--json', '--clip', 'nod', '--node', 'head', '--time', '0.5']);
    const { nodes: [{ rotation }] } = JSON.parse(stdout);
    rotation.forEach((x, i) => assert.ok(Math.abs(x - [0.2588, 0, 0, 0.9659][i]) < 1e-4, `${rotation}`));
});

test('greet: the hand is on the point of the modifier, wherever the character stands', (t) => {
    const lines = compile(t, 'greet')(MANNEQUIN).trim().split('\n');
    assert.equal(lines.length, 5);
    for (const line of lines) {
        assert.match(line, /, reached, /);
        const [, ...position] = line.match(/-?\d+\.\d+/g).map(Number);
        [1.3, 1.3, 0.35].forEach((x, i) => assert.ok(Math.abs(position[i] - x) <= 1e-4, line));
    }
});

test('reach: the wrist is on the target, the elbow on the side of the pole', (t) => {
    const text = compile(t, 'reach')();
    const numbers = text.match(/-?\d+\.\d+/g).map(Number);
    assert.match(text, /, reached, /);
    numbers.slice(3, 6).forEach((x, i) => assert.equal(Math.abs(x), [0, 0, 0.5][i]));
    assert.ok(numbers[1] < -0.1 && numbers[2] > 0, text);
});

test('installed, it is found by pkg-config', (t) => {
    const folder = temporaryFolder(t);
    execFileSync('cmake', ['--install', join(ROOT, 'build'), '--prefix', join(folder, 'there')]);
    const env = { ...process.env, PKG_CONFIG_PATH: join(folder, 'there/lib/pkgconfig') };
    const flags = execFileSync('pkg-config', ['--cflags', '--libs', 'sinew'], { env, encoding: 'utf8' }).trim().split(/\s+/);
    writeFileSync(join(folder, 'reach.c'), programs.get('reach'));
    execFileSync('cc', ['-std=c17', join(folder, 'reach.c'), ...flags, '-o', join(folder, 'reach')]);
    assert.match(execFileSync(join(folder, 'reach'), { encoding: 'utf8' }), /reached/);
});

// `sinew bake`: without its modifiers the file shows what it showed with them.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { armOf, characters, distance, reachable } from '../support/characters.mjs';
import { readContainer } from '../support/gltf-file.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';
import { errorsOf, validateFile } from '../support/validator.mjs';

async function json(...args) {
    const { code, stdout, stderr } = await sinew([...args, '--json']);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
}
const jsonOf = (path) => JSON.parse(readContainer(readFileSync(path)).text);

/** Half the diagonal of the box about all joints at rest. */
function sizeOf({ nodes }) {
    const extent = (axis) => {
        const values = nodes.map(({ world }) => world[12 + axis]);
        return Math.max(...values) - Math.min(...values);
    };
    return Math.hypot(extent(0), extent(1), extent(2)) / 2;
}

/** The largest step between the same points of two poses, metres: each node, and what is 1 beside it. */
function farthest(a, b) {
    let most = 0;
    a.nodes.forEach((node, i) => {
        const [m, n] = [node.world, b.nodes[i].world];
        for (let column = 0; column < 4; column++)
            most = Math.max(most, distance(m.slice(column * 4, column * 4 + 3), n.slice(column * 4, column * 4 + 3)));
    });
    return most;
}

for (const { name, path, arm, clip, skip } of characters) {
    test(`${name}: the baked file moves as the file with its rig`, { skip }, async (t) => {
        const folder = temporaryFolder(t);
        const [rig, out] = [join(folder, 'rig.json'), join(folder, `baked${path.endsWith('.vrm') ? '.vrm' : '.glb'}`)];
        const rest = await json('pose', path);
        const joints = armOf(rest, arm);
        const [root, mid, end] = joints.map(({ index }) => index);
        const [from, to] = reachable(joints, 5);
        writeFileSync(rig, JSON.stringify({
            modifiers: [{
                type: 'two_bone', root, mid, end, pole: { direction: [0.3, -1, -0.7] }, orientation: [0, 0.6, 0, 0.8],
                keys: { target: { times: [0, 0.5], values: [from, to] }, weight: { times: [0, 0.2], values: [0, 1] } },
            }],
        }));
        const report = await json('bake', path, '--rig', rig, '-o', out, '--fps', '20');
        const { clips } = await json('info', out);
        assert.equal(report.clips, Math.max(1, (await json('info', path)).clips.length));
        assert.equal(clips.length, report.clips);
        const index = clip === null ? 0 : clips.findIndex((entry, i) => entry.name === clip || String(i) === clip);
        const { duration } = clips[index];
        const instant = (t_) => ['--clip', String(index), '--time', String(t_)];
        for (const time of [0, 0.05, 0.1, 0.35, 0.5, duration].filter((at) => at <= duration)) {
            const baked = await json('pose', out, ...instant(time));
            const rigged = await json('pose', path, ...(clip === null ? ['--time', String(time)] : instant(time)), '--rig', rig);
            assert.ok(farthest(baked, rigged) <= 1e-5 * Math.max(1, sizeOf(rest)), `${time} s: ${farthest(baked, rigged)}`);
            assert.equal(baked.modifiers, undefined);
        }
        const known = errorsOf(await validateFile(path)).map((line) => line.split(' ')[0]);
        const fresh = errorsOf(await validateFile(out)).filter((line) => !known.includes(line.split(' ')[0]));
        assert.deepEqual(fresh, []);
    });
}

const [mannequin] = characters;
const reach = { type: 'two_bone', root: 'leftUpperArm', mid: 'leftLowerArm', end: 'leftHand', target: { position: [0.35, 1.2, 0.3] } };
const rigFile = (t, ...modifiers) => writeFiles(temporaryFolder(t), { 'rig.json': JSON.stringify({ modifiers }) });

test('only what is moved gets keys, every other track is as it was', { skip: mannequin.skip }, async (t) => {
    const at = rigFile(t, reach);
    const report = await json('bake', mannequin.path, '--rig', at('rig.json'), '-o', at('b.glb'), '--clip', 'walk');
    const [before, after] = [await json('info', mannequin.path), await json('info', at('b.glb'))];
    assert.deepEqual([report.clips, report.tracks], [1, 2]);
    const walk = before.clips.findIndex(({ name }) => name === 'walk');
    const moved = ['leftUpperArm', 'leftLowerArm'].map((name) => after.nodes.find((node) => node.name === name).index);
    before.clips.forEach((clip, i) => {
        const isMoved = ({ node, path }) => i === walk && path === 'rotation' && moved.includes(node);
        assert.deepEqual(after.clips[i].tracks.filter((track) => !isMoved(track)), clip.tracks.filter((track) => !isMoved(track)));
        assert.equal(after.clips[i].duration, clip.duration);
        for (const track of after.clips[i].tracks.filter(isMoved))
            assert.deepEqual([track.keys, track.interpolation, track.start, track.end],
                [Math.ceil(clip.duration * 30) + 1, 'LINEAR', 0, clip.duration]);
    });
});

test('rotations go from key to key the short way', { skip: mannequin.skip }, async (t) => {
    const at = rigFile(t, { ...reach, orientation: undefined, keys: { target: { times: [0, 1], values: [[0.35, 1.2, 0.3], [0.3, 1.7, -0.2]] } } });
    await json('bake', mannequin.path, '--rig', at('rig.json'), '-o', at('b.gltf'));
    const { animations, accessors, bufferViews, buffers } = JSON.parse(readFileSync(at('b.gltf'), 'utf8'));
    const bytes = readFileSync(at(buffers[0].uri));
    for (const { channels, samplers } of animations)
        for (const { sampler, target } of channels.filter(({ target: { path } }) => path === 'rotation')) {
            const { bufferView, byteOffset = 0, count, componentType } = accessors[samplers[sampler].output];
            if (componentType !== 5126) continue;
            const start = (bufferViews[bufferView].byteOffset ?? 0) + byteOffset;
            const key = (i) => [0, 1, 2, 3].map((k) => bytes.readFloatLE(start + (i * 4 + k) * 4));
            for (let i = 1; i < count; i++)
                assert.ok(key(i).reduce((sum, x, k) => sum + x * key(i - 1)[k], 0) >= 0, `node ${target.node}, key ${i}`);
        }
});

test('the modifiers of the file are baked and leave it', async (t) => {
    const model = smallModel();
    model.json.nodes[1].children = [3];
    model.json.nodes.push({ name: 'Hand', translation: [0, 0.8, 0.1] });
    model.json.extensionsUsed = ['SINEW_modifiers'];
    model.json.extensions = { SINEW_modifiers: { modifiers: [{ type: 'two_bone', root: 'Root', mid: 'Arm', end: 'Hand', target: { position: [0.5, 2, 0.5] } }] } };
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(model) });
    await json('bake', at('a.glb'), '-o', at('b.glb'));
    assert.deepEqual([jsonOf(at('b.glb')).extensions, jsonOf(at('b.glb')).extensionsUsed], [undefined, undefined]);
    const [a, b] = [await json('pose', at('a.glb'), '--clip', '0', '--time', '0.5'), await json('pose', at('b.glb'), '--clip', '0', '--time', '0.5')];
    assert.ok(farthest(a, b) < 1e-5);
    assert.deepEqual(b.weights, a.weights);
});

test('what cannot be baked: nothing is written', async (t) => {
    const model = smallModel();
    model.json.nodes[1].children = [3];
    model.json.nodes.push({ name: 'Hand', translation: [0, 0.8, 0.1] });
    const matrixed = structuredClone(model.json);
    delete matrixed.nodes[0].translation;
    matrixed.nodes[0].matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1];
    const at = writeFiles(temporaryFolder(t), {
        'a.glb': toGlb(model),
        'm.glb': toGlb({ ...model, json: matrixed }),
        'rig.json': JSON.stringify({ modifiers: [{ type: 'two_bone', root: 'Root', mid: 'Arm', end: 'Hand', target: { position: [0.5, 2, 0.5] } }] }),
        'none.json': '{"modifiers": []}',
        'kept.glb': 'precious',
    });
    const cases = [
        [['a.glb', '--rig', at('none.json')], /none\.json: there is no modifier to bake/],
        [['a.glb'], /a\.glb: there is no modifier to bake/],
        [['m.glb', '--rig', at('rig.json')], /node 0 "Root", which the file gives by a matrix.*\(node\.matrix, \/nodes\/0\/matrix\)/],
        [['a.glb', '--rig', at('rig.json'), '--fps', '0'], /--fps 0: this must be above 0/],
        [['a.glb', '--rig', at('rig.json'), '--clip', 'Bned'], /did you mean "Bend"/],
    ];
    for (const [[file, ...args], expected] of cases) {
        const { code, stdout, stderr } = await sinew(['bake', at(file), ...args, '-o', at('kept.glb')]);
        assert.deepEqual([code, stdout], [2, ''], stderr);
        assert.match(stderr, expected);
        assert.equal(readFileSync(at('kept.glb'), 'utf8'), 'precious');
    }
    const { code, stderr } = await sinew(['bake', at('a.glb'), '--rig', at('rig.json')]);
    assert.deepEqual([code, /-o OUT is missing/.test(stderr)], [2, true]);
});

test('--play: what modifiers smooth over time, in a loop that closes', async (t) => {
    const folder = temporaryFolder(t);
    const mannequin = characters.find(({ name }) => name === 'mannequin');
    const write = (name, modifiers) => {
        writeFileSync(join(folder, name), JSON.stringify({ modifiers }));
        return join(folder, name);
    };
    const trackOf = async (rig, ...options) => {
        const out = join(folder, 'out.glb');
        await json('bake', mannequin.path, '--clip', 'walk', '--rig', rig, '-o', out, ...options);
        const { duration } = (await json('info', out)).clips.find(({ name }) => name === 'walk');
        const heights = [];
        for (let time = 0; time < duration - 1e-4; time += 1 / 30)
            heights.push((await json('pose', out, '--clip', 'walk', '--time', String(time), '--node', 'leftFoot')).nodes[0].world[13]);
        return heights;
    };
    // A step that comes under the left foot in the middle of the clip, and leaves it again.
    const step = write('step.json', [{
        type: 'feet', ground: { heights: [0, 0, 0.1, 0.1], columns: 2, spacing: 4, origin: [-2, 0, -2], stepped: true },
        keys: { offset: { times: [0, 0.4, 0.41, 0.8, 0.81, 1.1], values: [[0, 0, 2], [0, 0, 2], [0, 0, -1], [0, 0, -1], [0, 0, 2], [0, 0, 2]] } },
    }]);
    const rate = (heights) => Math.max(...heights.map((y, i) => Math.abs(y - heights.at(i - 1)))); // round the loop's seam too
    const [apart, played] = [await trackOf(step), await trackOf(step, '--play')];
    assert.ok(rate(apart) > 0.08, `by itself each frame is on the ground at once: ${rate(apart)}`);
    assert.ok(rate(played) < 0.6 * rate(apart), `${rate(played)} a frame, ${rate(apart)} without --play`);

    const plain = write('plain.json', [{ type: 'hand', side: 'left', curl: 0.7 }]);
    const files = [];
    for (const options of [[], ['--play']]) {
        await json('bake', mannequin.path, '--clip', 'walk', '--rig', plain, '-o', join(folder, 'out.glb'), ...options);
        files.push(readFileSync(join(folder, 'out.glb')));
    }
    assert.ok(files[0].equals(files[1]), 'what smooths nothing is baked as it was');
});

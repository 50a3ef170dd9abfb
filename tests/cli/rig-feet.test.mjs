// `sinew pose --rig` with feet: the skin of the mannequin's soles in its walk, over slopes and steps.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { characters, distance, positionOf } from '../support/characters.mjs';
import { sinew, temporaryFolder } from '../support/sinew.mjs';
import { smallModel, toGlb, writeFiles } from '../support/small-model.mjs';

const [{ path: model, skip }] = characters;
const times = [0, 0.12, 0.25, 0.37, 0.5, 0.62, 0.75, 0.87, 1];

async function pose(...args) {
    const { code, stdout, stderr } = await sinew(['pose', '--json', model, ...args]);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
}

function rigged(t) {
    const rig = join(temporaryFolder(t), 'rig.json');
    return (modifiers, ...args) => {
        writeFileSync(rig, JSON.stringify({ modifiers }));
        return pose('--rig', rig, ...args);
    };
}

const walk = (time) => ['--clip', 'walk', '--time', String(time)];
const named = ({ nodes }, name) => nodes.find((node) => node.name === name);

/** How far the lowest vertex of the skin is over the ground, a height at z; vertically. */
function clearance({ skinned }, ground = () => 0) {
    let least = Infinity;
    for (const { positions } of skinned)
        for (let i = 0; i < positions.length; i += 3) least = Math.min(least, positions[i + 1] - ground(positions[i + 2]));
    return least;
}

test('feet: ground where the floor of the clip is changes nothing', { skip }, async (t) => {
    const run = rigged(t);
    for (const time of times) {
        const before = await pose(...walk(time));
        const after = await run([{ type: 'feet' }], ...walk(time));
        for (const [i, node] of before.nodes.entries())
            assert.ok(distance(positionOf(node), positionOf(after.nodes[i])) < 1e-5, node.name);
        const { type, reached, flags } = after.modifiers[0];
        assert.deepEqual([type, reached, flags], ['feet', true, []]);
    }
});

test('feet: up and down hill the soles are on the slope as they are on the floor', { skip }, async (t) => {
    const run = rigged(t);
    for (const time of times) {
        const before = clearance(await pose('--skin', ...walk(time)));
        for (const slope of [-0.35, -0.15, 0.2, 0.4]) {
            const after = await run([{ type: 'feet', ground: { normal: [0, 1, -slope] }, hips: { drop: 0.5 } }], '--skin', ...walk(time));
            const over = clearance(after, (z) => slope * z) / Math.hypot(1, slope);
            assert.ok(Math.abs(over - before) < 3e-4, `slope ${slope} at ${time} s: ${over}, on the floor ${before}`);
            const [{ reached, flags }] = after.modifiers;
            assert.deepEqual([reached, flags], [true, []]);
        }
    }
});

// Three steps up, under the two steps of the walk, which is made on the spot.
const [rise, run, edge] = [0.12, 0.6325, 0.12];
const grid = (count) => Array.from({ length: 2 * count }, (_, i) => rise * (Math.floor(i / 2) - 2));
const stairs = { heights: grid(7), columns: 2, spacing: run, origin: [-run / 2, 0, edge - 2.5 * run], stepped: true };

test('feet: over steps the skin stays out of them, and both feet reach', { skip }, async (t) => {
    const rig = rigged(t);
    const keys = { offset: { times: [0, 1.1], values: [[0, 0, 0], [0, -2 * rise, -2 * run]] } };
    const left = {}; // of the foot, seen from the stairs
    for (const time of times) {
        const moved = (time / 1.1) * 2;
        const height = (z) => rise * (Math.floor((z + moved * run - edge) / run + 1) - moved);
        const answer = await rig([{ type: 'feet', ground: stairs, hips: { drop: 0.5 }, keys }], '--skin', ...walk(time));
        assert.deepEqual([answer.modifiers[0].reached, answer.modifiers[0].flags], [true, []]);
        // A heel that comes down at an edge reaches 1 cm behind the sole that the skeleton tells of.
        assert.ok(clearance(answer, height) > -0.015, `at ${time} s: ${clearance(answer, height)}`);
        left[time] = positionOf(named(answer, 'leftFoot'))[1] + rise * moved;
    }
    // It stands two steps higher in the end; all but what is left of the cycle.
    assert.ok(left[1] - left[0.25] > 1.5 * rise, `${left[0.25]} to ${left[1]} is no climbing`);
});

test('feet: hips go down no further than they may, and what is missing is said', { skip }, async (t) => {
    const run = rigged(t);
    const rest = await pose();
    const answer = await run([{ type: 'feet', ground: { point: [0, -0.3, 0] }, hips: { drop: 0.1 } }]);
    const [{ reached, flags, residual }] = answer.modifiers;
    assert.deepEqual([reached, flags], [false, ['left_too_far', 'right_too_far']]);
    assert.ok(Math.abs(positionOf(named(rest, 'hips'))[1] - positionOf(named(answer, 'hips'))[1] - 0.1) < 1e-6);
    const wanted = positionOf(named(rest, 'leftFoot'))[1] - 0.3;
    assert.ok(Math.abs(positionOf(named(answer, 'leftFoot'))[1] - wanted - residual) < 1e-4);
    const steep = await run([{ type: 'feet', ground: { normal: [0, 1, -0.5] }, slope: 0.2 }]);
    assert.deepEqual(steep.modifiers[0].flags, ['left_slope_limited', 'right_slope_limited']);
    const edge = await run([{ type: 'feet', ground: { heights: [0, 0, 0, 0], columns: 2, spacing: 1, origin: [0, 0, -0.5] } }]);
    assert.deepEqual([edge.modifiers[0].reached, edge.modifiers[0].flags], [true, ['right_no_ground']]);
});

test('feet: bones by hand are those of the names', { skip }, async (t) => {
    const run = rigged(t);
    const ground = { point: [0, 0.1, 0] };
    const found = await run([{ type: 'feet', ground }]);
    const index = (name) => named(found, name).index;
    const bones = { hips: 'hips', leftUpperLeg: index('leftUpperLeg'), leftToes: 'leftToes' };
    assert.deepEqual((await run([{ type: 'feet', ground, bones }])).nodes, found.nodes);
});

test('feet: what cannot be used, and where', async (t) => {
    const cases = [
        [{}, /no bone "hips".*\(modifier\.bone, \/modifiers\/0\/bones\)/],
        [{ ground: { normal: [1, 0, 0] } }, /upwards.*\(modifier\.value, \/modifiers\/0\/ground\/normal\)/],
        [{ ground: { heights: [1, 2, 3, 4] } }, /"columns".*\(modifier\.field, \/modifiers\/0\/ground\)/],
        [{ ground: { heights: [1, 2, 3, 4], columns: 2 } }, /"spacing".*\(modifier\.field, \/modifiers\/0\/ground\)/],
        [{ ground: { heights: [1, 2, 3], columns: 2, spacing: 1 } }, /3 heights.*\(modifier\.value, \/modifiers\/0\/ground\/heights\)/],
        [{ ground: { heights: [1, 2], columns: 2, spacing: 1 } }, /2 rows.*\(modifier\.value, \/modifiers\/0\/ground\/heights\)/],
        [{ ground: { heights: [1, 2, 3, 4, 5], columns: 2.5, spacing: 1 } }, /whole.*\(modifier\.value, \/modifiers\/0\/ground\/columns\)/],
        [{ ground: { heights: [], columns: 2, spacing: 1 } }, /\(modifier\.type, \/modifiers\/0\/ground\/heights\)/],
        [{ ground: { heights: [1, 'x'] } }, /\(modifier\.type, \/modifiers\/0\/ground\/heights\/1\)/],
        [{ ground: { heights: [1, 1e39] } }, /\(modifier\.value, \/modifiers\/0\/ground\/heights\/1\)/],
        [{ ground: { heights: [1, 2, 3, 4], columns: 2, spacing: 1, point: [0, 0, 0] } }, /"point".*\(modifier\.field, \/modifiers\/0\/ground\)/],
        [{ ground: { stepped: true } }, /"stepped" goes with "heights".*\(modifier\.field, \/modifiers\/0\/ground\)/],
        [{ slope: 0 }, /\(modifier\.value, \/modifiers\/0\/slope\)/],
        [{ hips: { drop: -1 } }, /\(modifier\.value, \/modifiers\/0\/hips\/drop\)/],
    ];
    const at = writeFiles(temporaryFolder(t), { 'a.glb': toGlb(smallModel()) });
    for (const [fields, expected] of cases) {
        writeFileSync(at('rig.json'), JSON.stringify({ modifiers: [{ type: 'feet', ...fields }] }));
        const { code, stdout, stderr } = await sinew(['pose', at('a.glb'), '--rig', at('rig.json')]);
        assert.deepEqual([code, stdout], [2, ''], JSON.stringify(fields));
        assert.match(stderr, expected);
    }
});

test('feet: a floor above the ankles, and bones in the wrong order', { skip }, async (t) => {
    const at = writeFiles(temporaryFolder(t), {});
    for (const [fields, expected] of [
        [{ sole: { floor: 0.5 } }, /the left ankle is -0\.4\d* m above the floor.*\(chain\.value, \/modifiers\/0\/sole\)/],
        [{ bones: { leftFoot: 'head' } }, /leftFoot is not below leftLowerLeg \(chain\.joints, \/modifiers\/0\/bones\)/],
    ]) {
        writeFileSync(at('rig.json'), JSON.stringify({ modifiers: [{ type: 'feet', ...fields }] }));
        const { code, stderr } = await sinew(['pose', model, '--rig', at('rig.json')]);
        assert.equal(code, 2);
        assert.match(stderr, expected);
    }
});

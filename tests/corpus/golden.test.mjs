// Poses against an independent answer: what three.js computes for the same file and time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpusMissing, GOLDEN, walk } from '../support/files.mjs';
import { checkPose, DEPARTING, goldenFiles, posesOf, REFUSED } from '../support/golden.mjs';
import { inParallel } from '../support/parallel.mjs';
import { sinew } from '../support/sinew.mjs';

const evaluate = (file, { clip = null, time }) =>
    sinew(['pose', file.path, ...(clip === null ? [] : ['--clip', String(clip), '--time', String(time)]), '--skin', '--json']);

async function check(file, pose) {
    const { code, stdout, stderr } = await evaluate(file, pose);
    return code === 0 ? checkPose(file, pose, JSON.parse(stdout)) : { problems: [`exit code ${code}: ${stderr.trim()}`] };
}

const accepted = goldenFiles.filter((file) => !REFUSED[file.name]);

test('every pose agrees with three.js, or with the specification where they differ', { skip: corpusMissing }, async (t) => {
    const wanted = walk(GOLDEN).filter((path) => path.endsWith('.json')).length;
    assert.equal(goldenFiles.length, wanted, 'every reference belongs to one corpus file');
    const poses = accepted.flatMap((file) => posesOf(file).map((pose) => ({ file, pose })));
    const departed = new Set();
    const problems = (await inParallel(poses, async ({ file, pose }) => {
        const result = await check(file, pose);
        if (result.departs) departed.add(file.name);
        return result.problems.map((text) => `${file.name}, ${pose.title}: ${text}`);
    })).flat();
    const count = (what) => poses.reduce((sum, { pose }) => sum + what(pose), 0);
    t.diagnostic(`${accepted.length} files, ${poses.length} poses, ${count((pose) => Object.keys(pose.world).length)} world matrices, ` +
        `${count((pose) => (pose.skinned ?? []).reduce((sum, { vertices }) => sum + vertices.length, 0))} vertices`);
    assert.deepEqual(problems.slice(0, 20), [], `${problems.length} differences`);
    assert.deepEqual([...departed].sort(), DEPARTING, 'a file that no longer departs goes off its list');
});

for (const [name, [id]] of Object.entries(REFUSED))
    test(`refused: ${name}`, { skip: corpusMissing }, async () => {
        const file = goldenFiles.find((entry) => entry.name === name);
        const { code, stderr } = await evaluate(file, {});
        assert.equal(code, 2);
        assert.ok(stderr.includes(`(${id}`), stderr);
    });

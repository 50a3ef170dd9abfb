// Where the official validator has a rule of the same meaning, `sinew check` finds it in the same files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpusFiles, corpusMissing } from '../support/files.mjs';
import { inParallel } from '../support/parallel.mjs';
import { sinew } from '../support/sinew.mjs';
import { validateFile } from '../support/validator.mjs';

// A channel that cannot be used is left out by the reader, which says so as animation.channel; the rules
// on tracks are for models that come from elsewhere.
const SAME = {
    'animation.channel': ['ANIMATION_DUPLICATE_TARGETS', 'ANIMATION_CHANNEL_TARGET_NODE_MATRIX'],
    'node.skin_transform': ['NODE_SKINNED_MESH_LOCAL_TRANSFORMS'],
    'node.skin_without_weights': ['NODE_SKIN_WITH_NON_SKINNED_MESH'],
    'node.weights_without_skin': ['NODE_SKINNED_MESH_WITHOUT_SKIN'],
    'skin.no_common_root': ['SKIN_NO_COMMON_ROOT'],
    'skin.skeleton': ['SKIN_SKELETON_INVALID'],
    'weights.duplicate': ['ACCESSOR_JOINTS_INDEX_DUPLICATE'],
    'weights.joint': ['ACCESSOR_JOINTS_INDEX_OOB'],
    'weights.negative': ['ACCESSOR_WEIGHTS_NEGATIVE'],
};

/** Found for reasons that the validator has no code for, or that are not reasons to it. */
const ONLY_OURS = { 'animation.channel': 'also a channel without a node, or with an extension as its target' };
const ONLY_THEIRS = { 'magnum-gltf/GltfImporter/Test/scene.gltf': 'a skinned mesh without a single vertex' };

test('verdicts agree with the official validator', { skip: corpusMissing, timeout: 600_000 }, async (t) => {
    const files = corpusFiles(['.gltf', '.glb', '.vrm', '.vrma']);
    const { stdout } = await sinew(['check', '--json', ...files.map(({ path }) => path)]);
    const documents = new Map(JSON.parse(stdout).files.map(({ file, findings }) => [file, findings]));
    const agreed = {};
    const problems = (await inParallel(files, async ({ path, name }) => {
        if ((await sinew(['info', path])).code !== 0) return []; // refused: the rules did not run
        const ids = new Set(documents.get(path).map(({ id }) => id));
        const report = await validateFile(path).catch(() => null);
        const codes = new Set(report?.issues.messages.map(({ code }) => code));
        return Object.entries(SAME).flatMap(([id, equal]) => {
            const theirs = equal.find((code) => codes.has(code));
            if (ids.has(id) && theirs) agreed[id] = (agreed[id] ?? 0) + 1;
            if (ids.has(id) && !theirs && !ONLY_OURS[id]) return [`${name}: ${id}, but the validator has none of ${equal}`];
            if (!ids.has(id) && theirs && !ONLY_THEIRS[name]) return [`${name}: ${theirs}, but no ${id}`];
            return [];
        });
    })).flat();
    t.diagnostic(`files in which both find it: ${JSON.stringify(agreed)}`);
    assert.deepEqual(problems, []);
    assert.deepEqual(Object.keys(SAME).filter((id) => !agreed[id]), [], 'no file for these');
});

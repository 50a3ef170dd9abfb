// Reference poses and how Sinew's answers are compared with them. three.js is the reference, not the
// law: where the glTF 2.0 specification says otherwise, a file stands on one of the lists below with
// the sentence that says so, and is held to that sentence.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { corpusFiles } from './files.mjs';
import { readAccessor, readContainer } from './gltf-file.mjs';

const TOLERANCE = 1e-5;

/** Files that three.js shows although they break the specification: why Sinew refuses them. */
export const REFUSED = {
    'asset-generator/Positive/Compatibility/Compatibility_04.gltf':
        ['asset.version', 'clients should ensure that both its major and minor versions can be supported (3.2, minVersion); this file wants 2.1'],
    'asset-generator/Positive/Compatibility/Compatibility_05.gltf':
        ['extension.required', 'extensions required to load and/or render an asset MUST be listed in extensionsRequired (3.12); nobody knows this one'],
    'assimp-testmodels/glTF2/IncorrectVertexArrays/Cube.gltf':
        ['bufferView.bounds', 'a buffer view reaches 422 bytes beyond its buffer (3.6.1)'],
    'assimp-testmodels/glTF2/TestNoRootNode/NoScene.gltf':
        ['reference', 'scene is an index into scenes, and there are none (3.5.1)'],
    'draco-testdata/CubeScaledInstances/glTF/cube_att.gltf':
        ['node.parent', 'each node MUST have zero or one parent node (3.5.2)'],
    'magnum-gltf/GltfImporter/Test/mesh-buffers.gltf':
        ['member.missing', 'a primitive without attributes, which are required (5.24.1)'],
    'magnum-gltf/GltfImporter/Test/mesh-custom-attributes.gltf':
        ['accessor.type', 'a component type that is none of the six (3.6.2.2)'],
    'magnum-gltf/GltfImporter/Test/mesh-duplicate-attributes.gltf':
        ['json.duplicate', 'property names within JSON objects SHOULD be unique (2.7); nobody can tell which of two an edit is about'],
    'magnum-gltf/GltfImporter/Test/mesh-skin-attributes.gltf':
        ['accessor.type', 'JOINTS_n: unsigned byte or unsigned short (3.7.3.3)'],
    'magnum-gltf/GltfImporter/Test/mesh-sparse.gltf':
        ['json.duplicate', 'property names within JSON objects SHOULD be unique (2.7); nobody can tell which of two an edit is about'],
    'magnum-gltf/TinyGltfImporter/Test/mesh-duplicate-attributes.gltf':
        ['json.duplicate', 'property names within JSON objects SHOULD be unique (2.7); nobody can tell which of two an edit is about'],
};

/**
 * "When any of the vertices are influenced by more than four joints, the additional joint and weight
 * information are stored in subsequent sets" (3.7.3.3). three.js takes the first set only.
 *
 * The vertices of these files are held to the formula itself, on three.js's own world matrices.
 */
const SKINNED_BY_FORMULA = [
    'derived/blender/synth_tube12_allinf.glb',
    'derived/blender/synth_tube12_embedded.gltf',
];

/**
 * "Buffer views with other types of data MUST NOT define byteStride" (3.6.1), and this one does, for
 * key values. Sinew follows the stride, three.js reads over it.
 */
const STRIDED_KEYS = { 'magnum-gltf/AssimpImporter/Test/animation.gltf': ['2'] };

/** The corpus files that have a reference, with it. */
export const goldenFiles = corpusFiles(['.gltf', '.glb', '.vrm', '.vrma'])
    .filter((file) => file.golden)
    .map((file) => ({ ...file, reference: JSON.parse(readFileSync(file.golden, 'utf8')) }))
    .filter((file) => file.reference.file === basename(file.path));

/** Every pose that a reference holds; `clip` is null for the rest pose. */
export function posesOf(file) {
    const poses = [{ clip: null, title: 'rest', ...file.reference.rest, time: 0 }];
    for (const animation of file.reference.animations ?? [])
        for (const sample of animation.samples)
            poses.push({ clip: animation.index, title: `animation ${animation.index} at ${sample.time} s`, ...sample });
    return poses;
}

/** The largest extent, on any axis, of the origin, all node positions and all vertices. */
function sizeOf(pose) {
    const low = [0, 0, 0];
    const high = [0, 0, 0];
    const add = (point) => point.forEach((x, axis) => {
        low[axis] = Math.min(low[axis], x);
        high[axis] = Math.max(high[axis], x);
    });
    for (const matrix of Object.values(pose.world)) add(matrix.slice(12, 15));
    for (const { vertices } of pose.skinned ?? []) for (const vertex of vertices) add(vertex.slice(1));
    return Math.max(...high.map((x, axis) => x - low[axis]), Number.MIN_VALUE);
}

const worst = (a, b) => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
const LINEAR = [0, 1, 2, 4, 5, 6, 8, 9, 10];

/** A column-major 4×4 times a column-major 4×4, or times a point. */
const multiply = (a, b) => Array.from({ length: 16 }, (_, i) => {
    const [row, column] = [i % 4, i - (i % 4)];
    return a[row] * b[column] + a[row + 4] * b[column + 1] + a[row + 8] * b[column + 2] + a[row + 12] * b[column + 3];
});
const transform = (m, [x, y, z]) => [0, 1, 2].map((row) => m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12]);

/** The vertices of a reference pose again, by the formula of the specification, all sets of joints included. */
function skinByFormula(file, pose) {
    const container = readContainer(readFileSync(file.path));
    const json = JSON.parse(container.text);
    const read = (index) => readAccessor(file.path, container, json, index);
    return pose.skinned.map(({ node, mesh, primitive, vertices }) => {
        const skin = json.skins[json.nodes[node].skin];
        const inverseBind = read(skin.inverseBindMatrices);
        const matrices = skin.joints.map((joint, i) => multiply(pose.world[joint], inverseBind[i]));
        const { attributes } = json.meshes[mesh].primitives[primitive];
        const positions = read(attributes.POSITION);
        const sets = Object.keys(attributes).filter((name) => name.startsWith('JOINTS_'))
            .map((name) => [read(attributes[name]), read(attributes[name.replace('JOINTS', 'WEIGHTS')])]);
        return {
            node, mesh, primitive,
            vertices: vertices.map(([v]) => {
                const point = [0, 0, 0];
                const sum = sets.flatMap(([, weights]) => weights[v]).reduce((a, b) => a + b);
                for (const [joints, weights] of sets)
                    joints[v].forEach((joint, k) => transform(matrices[joint], positions[v])
                        .forEach((x, axis) => (point[axis] += weights[v][k] / sum * x)));
                return [v, ...point];
            }),
        };
    });
}

/** The differences between a reference and Sinew's answer beyond the tolerance, in words. */
function compare(pose, answer, tolerance) {
    const size = sizeOf(pose);
    const found = [];
    for (const [index, matrix] of Object.entries(pose.world)) {
        const own = answer.nodes[index].world;
        const scale = Math.max(...LINEAR.map((i) => Math.abs(matrix[i])), Number.MIN_VALUE);
        const turned = worst(LINEAR.map((i) => matrix[i]), LINEAR.map((i) => own[i])) / scale;
        const moved = worst(matrix.slice(12, 15), own.slice(12, 15)) / size;
        if (!(turned <= tolerance && moved <= tolerance))
            found.push(`node ${index}: axes off by ${turned.toExponential(1)}, position by ${moved.toExponential(1)} of the size`);
    }
    for (const { node, mesh, primitive, vertices } of pose.skinned ?? []) {
        const where = `node ${node}, mesh ${mesh}, primitive ${primitive}`;
        const own = answer.skinned.find((entry) => entry.node === node && entry.mesh === mesh && entry.primitive === primitive);
        const off = own && Math.max(...vertices.map(([v, ...point]) => worst(point, own.positions.slice(3 * v, 3 * v + 3)) / size));
        if (!own) found.push(`${where} is missing`);
        else if (!(off <= tolerance)) found.push(`${where}: off by ${off.toExponential(1)} of the size`);
    }
    return found;
}

/**
 * What is wrong with an answer, `{ nodes: [{ world }], skinned: [{ node, mesh, primitive, positions }] }`;
 * `departs` when it is held to another sentence than "as three.js".
 */
export function checkPose(file, pose, answer) {
    const plain = compare(pose, answer, TOLERANCE);
    if (!plain.length) return { problems: [] };
    if (SKINNED_BY_FORMULA.includes(file.name))
        return { departs: true, problems: compare({ ...pose, skinned: skinByFormula(file, pose) }, answer, TOLERANCE) };
    if (STRIDED_KEYS[file.name]) {
        const world = Object.fromEntries(Object.entries(pose.world).filter(([index]) => !STRIDED_KEYS[file.name].includes(index)));
        return { departs: true, problems: compare({ ...pose, world }, answer, TOLERANCE) };
    }
    return { problems: plain };
}

/** The files that are held to another sentence, and must differ from three.js. */
export const DEPARTING = [...SKINNED_BY_FORMULA, ...Object.keys(STRIDED_KEYS)].sort();

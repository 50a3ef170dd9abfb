// A character to measure with, as a GLB: a tree of joints, one skinned mesh, one clip that moves every
// joint in translation, rotation and scale. Everything from a fixed seed.

function random(seed) {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
}

function unitQuaternion(x, y, z, w) {
    const length = Math.hypot(x, y, z, w);
    return [x / length, y / length, z / length, w / length];
}

/** joints: how many; vertices: of the mesh, 4 influences each; seconds, fps: of the clip. */
export function makeCharacter({ joints = 68, vertices = 10000, seconds = 1.2, fps = 30 } = {}) {
    const next = random(7);
    const between = (low, high) => low + (high - low) * next();
    const chunks = [];
    let length = 0;
    const json = {
        asset: { version: '2.0', generator: 'bench/web/character.mjs' },
        scene: 0,
        scenes: [{ nodes: [0, joints] }],
        nodes: [],
        meshes: [],
        skins: [],
        animations: [],
        accessors: [],
        bufferViews: [],
    };
    const accessor = (array, componentType, type, width, extra = {}) => {
        const data = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
        json.bufferViews.push({ buffer: 0, byteOffset: length, byteLength: data.length });
        const padded = Buffer.alloc((data.length + 3) & ~3);
        data.copy(padded);
        chunks.push(padded);
        length += padded.length;
        json.accessors.push({ bufferView: json.bufferViews.length - 1, componentType, type, count: array.length / width, ...extra });
        return json.accessors.length - 1;
    };
    const floats = (values, type, width, extra) => accessor(Float32Array.from(values), 5126, type, width, extra);

    // Limbs of up to eight joints that start somewhere on what is there: about as deep as a body.
    const parents = [null];
    for (let i = 1; i < joints; i++) parents.push(i % 8 === 1 && i > 1 ? Math.floor(next() * i) : i - 1);
    const world = [];
    for (let i = 0; i < joints; i++) {
        const translation = i ? [between(-0.05, 0.05), 0.1, between(-0.05, 0.05)] : [0, 0.9, 0];
        const at = world[parents[i]] ?? [0, 0, 0];
        world.push(at.map((value, axis) => value + translation[axis]));
        const children = parents.flatMap((parent, child) => (parent === i ? [child] : []));
        json.nodes.push({ name: `joint${i}`, translation, ...(children.length ? { children } : {}) });
    }
    json.nodes.push({ name: 'body', mesh: 0, skin: 0 });
    const inverseBinds = world.flatMap(([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]);
    json.skins.push({ joints: parents.map((_, i) => i), inverseBindMatrices: floats(inverseBinds, 'MAT4', 16) });

    const positions = [];
    const jointIndices = [];
    const weights = [];
    for (let i = 0; i < vertices; i++) {
        const first = Math.floor(next() * joints);
        positions.push(...world[first].map((value) => value + between(-0.05, 0.05)));
        const shares = [1, next(), next(), next()];
        const sum = shares.reduce((a, b) => a + b);
        for (let k = 0; k < 4; k++) {
            jointIndices.push((first + k) % joints);
            weights.push(shares[k] / sum);
        }
    }
    const axes = [0, 1, 2].map((axis) => positions.filter((_, i) => i % 3 === axis));
    const bound = (pick) => axes.map((axis) => Math.fround(axis.reduce((a, b) => pick(a, b))));
    json.meshes.push({
        primitives: [{
            attributes: {
                POSITION: floats(positions, 'VEC3', 3, { min: bound(Math.min), max: bound(Math.max) }),
                JOINTS_0: accessor(Uint16Array.from(jointIndices), 5123, 'VEC4', 4),
                WEIGHTS_0: floats(weights, 'VEC4', 4),
            },
        }],
    });

    const keys = Math.round(seconds * fps) + 1;
    const times = Array.from({ length: keys }, (_, i) => Math.fround(i / fps));
    const input = floats(times, 'SCALAR', 1, { min: [0], max: [times[keys - 1]] });
    const animation = { name: 'move', samplers: [], channels: [] };
    const channel = (node, path, type, width, value) => {
        const values = times.flatMap((time) => value((time / seconds) * 2 * Math.PI));
        animation.samplers.push({ input, output: floats(values, type, width), interpolation: 'LINEAR' });
        animation.channels.push({ sampler: animation.samplers.length - 1, target: { node, path } });
    };
    for (let i = 0; i < joints; i++) {
        const phase = between(0, 6);
        const rest = json.nodes[i].translation;
        channel(i, 'translation', 'VEC3', 3, (t) => rest.map((value) => value + 0.01 * Math.sin(t + phase)));
        channel(i, 'rotation', 'VEC4', 4, (t) =>
            unitQuaternion(0.3 * Math.sin(t + phase), 0.2 * Math.cos(t), 0.1 * Math.sin(2 * t), 1));
        channel(i, 'scale', 'VEC3', 3, (t) => [1, 1, 1].map(() => 1 + 0.02 * Math.sin(t - phase)));
    }
    json.animations.push(animation);

    json.buffers = [{ byteLength: length }];
    let text = JSON.stringify(json);
    text += ' '.repeat(-Buffer.byteLength(text) & 3);
    const head = Buffer.alloc(20);
    head.write('glTF');
    head.writeUInt32LE(2, 4);
    head.writeUInt32LE(20 + text.length + 8 + length, 8);
    head.writeUInt32LE(text.length, 12);
    head.write('JSON', 16);
    const binary = Buffer.alloc(8);
    binary.writeUInt32LE(length, 0);
    binary.write('BIN\0', 4);
    return new Uint8Array(Buffer.concat([head, Buffer.from(text), binary, ...chunks]));
}

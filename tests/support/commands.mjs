// Random edits, from a seed.
import assert from 'node:assert/strict';

/** A function that gives numbers in 0 … 1, the same ones for the same seed. */
export function randomSource(seed) {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
}

/**
 * A command for the session as it is now, of any operation; most can be carried out, some cannot:
 * a key that falls on another, a name that is taken, a node that the file gives by a matrix.
 */
export function randomCommand(session, random) {
    const below = (count) => Math.floor(random() * count);
    const pick = (list) => list[below(list.length)];
    const number = () => Math.round((random() * 4 - 2) * 1000) / 1000;
    const numbers = (count) => Array.from({ length: count }, number);
    const time = () => Math.fround(Math.round(random() * 200) / 100);
    const name = () => `clip ${below(1e6)}`;

    const clips = session.clips();
    if (!clips.length) return { op: 'clip.add', name: name() };
    const clip = pick(clips);
    const tracks = clip.tracks;
    const track = tracks.length ? pick(tracks) : undefined;
    const at = track && { clip: clip.index, node: track.node, path: track.path };
    const key = (of = track) => ({ node: of.node, path: of.path, time: pick([...of.times]) });
    const keys = () => {
        const found = new Map();
        for (let i = 1 + below(5); i > 0; i--) {
            const one = key(pick(tracks));
            found.set(JSON.stringify(one), one);
        }
        return [...found.values()];
    };
    const value = (path, node) => {
        const { weightCount } = session.model.nodes[node];
        return { translation: () => numbers(3), rotation: () => numbers(4), scale: () => numbers(3),
            weights: () => numbers(Math.max(1, weightCount)) }[path]();
    };
    const anywhere = () => {
        const node = below(session.model.nodes.length);
        const path = pick(['translation', 'rotation', 'scale', ...(session.model.nodes[node].weightCount ? ['weights'] : [])]);
        return { node, path, value: value(path, node) };
    };

    const onTracks = [
        () => ({ op: 'key.set', ...at, time: time(), value: value(track.path, track.node) }),
        () => ({ op: 'key.set', ...at, time: pick([...track.times]), value: value(track.path, track.node) }),
        () => ({ op: 'key.remove', clip: clip.index, ...key() }),
        () => ({ op: 'key.move', clip: clip.index, ...key(), to: time() }),
        () => ({ op: 'keys.move', clip: clip.index, keys: keys(), by: Math.round((random() - 0.3) * 100) / 100 }),
        () => ({ op: 'keys.remove', clip: clip.index, keys: keys() }),
        () => ({ op: 'keys.scale', clip: clip.index, pivot: time(), factor: pick([0.5, 0.9, 1.1, 2, -1]), keys: keys() }),
        () => ({ op: 'keys.scale', clip: clip.index, pivot: 0, factor: pick([0.8, 1.25]) }),
        () => ({ op: 'pose.key', clip: clip.index, time: time(), ...(random() < 0.5 ? { nodes: [track.node] } : {}) }),
        () => ({ op: 'track.interpolation', ...at, interpolation: pick(['STEP', 'LINEAR', 'CUBICSPLINE']) }),
        () => ({ op: 'track.remove', ...at }),
    ];
    const onNodes = [
        () => ({ op: 'key.set', clip: clip.index, time: time(), ...anywhere() }),
        () => ({ op: 'keys.paste', clip: clip.index, at: time(), keys: [0, 0.125].map((offset) => ({ ...anywhere(), time: offset })) }),
    ];
    const onClips = [
        () => ({ op: 'clip.rename', clip: clip.index, name: name() }),
        () => ({ op: 'clip.copy', clip: clip.index, name: name() }),
        () => ({ op: 'clip.add', name: name() }),
        () => ({ op: 'clip.remove', clip: clip.index }),
        () => ({ op: 'marker.set', clip: clip.index, time: time(), name: pick(['left', 'right', 'hit', null]) }),
        () => ({ op: 'batch', commands: [{ op: 'clip.add', name: 'short' }, { op: 'clip.remove', clip: 'short' },
            { op: 'marker.set', clip: clip.index, time: time(), name: 'batch' }] }),
    ];
    // Keys are edited more often than clips, and clips do not become ever more.
    if (track && random() < 0.7) return pick(onTracks)();
    if (session.model.nodes.length && random() < 0.4) return pick(onNodes)();
    return pick(onClips.filter((_, i) => clips.length < 6 || (i !== 1 && i !== 2)))();
}

/** Applies random commands until `count` of them have changed something; one that is refused must change nothing. */
export function applyRandom(session, count, seed) {
    const random = randomSource(seed);
    const refused = {};
    let steps = 0;
    for (let tries = 0; steps < count; tries++) {
        assert.ok(tries < count * 4, `only ${steps} of ${tries} commands did something; refused: ${JSON.stringify(refused)}`);
        const before = session.clips();
        const { undoCount } = session;
        const command = randomCommand(session, random);
        try {
            session.apply(command);
        } catch (error) {
            assert.match(error.id, /^command\./, `${JSON.stringify(command)}: ${error.stack}`);
            refused[error.id] = (refused[error.id] ?? 0) + 1;
            assert.equal(session.clips(), before);
            assert.equal(session.undoCount, undoCount);
            continue;
        }
        if (session.undoCount > undoCount) steps++;
        else assert.equal(session.clips(), before, `${JSON.stringify(command)} left no step and changed something`);
    }
}

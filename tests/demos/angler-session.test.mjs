// The angler's session: the same at any time in any order, and without jumps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLanded, outputsOf, play, session } from '../support/angling.mjs';
import { importTypeScript } from '../support/typescript.mjs';

const { stateAt, withEvent, extend } = session;
const { readAddress, writeAddress } = await importTypeScript('web/demos/angler/address.ts');
const caught = play(7, isLanded);
const missed = play(7, ({ phase, since, casts }) => phase === 'ready' && casts === 1 && since > 0.5, { strikes: false });

/** A session of its own, of which no state has been made yet. */
const afresh = ({ seed, events }) => ({ seed, events: [...events] });

test('from cast to catch, and back to the seat', () => {
    const phases = [];
    for (let i = 0; i <= caught.end * 60; i++) {
        const { phase } = stateAt(caught.session, i / 60);
        if (phase !== phases.at(-1)) phases.push(phase);
    }
    assert.deepEqual(phases, ['sit', 'reach', 'grip', 'raise', 'ready', 'backcast', 'forward', 'flight', 'settle', 'wait', 'bite',
        'strike', 'fight', 'netReach', 'netGrip', 'scoop', 'lift', 'show', 'free', 'stow', 'sit']);
});

test('a bite slept through, a strike too early and a line pulled too hard lose the fish', () => {
    const ends = stateAt(missed.session, missed.end);
    assert.equal(ends.landed, 0);
    assert.equal(ends.fish, null);
    const wait = play(7, ({ phase, since }) => phase === 'wait' && since > 0.5);
    const early = withEvent(wait.session, { time: wait.end, kind: 'strike' });
    assert.match(stateAt(early, wait.end + 0.1).message, /Too early/);
    assert.equal(stateAt(early, wait.end + 0.5).phase, 'reelIn');
    const seeds = Array.from({ length: 10 }, (_, i) => i + 1);
    const breaks = seeds.filter((seed) => /broke/.test(stateAt(...Object.values(play(seed, ({ phase }) => phase === 'reelIn' || phase === 'netReach', { careful: false }))).message));
    assert.ok(breaks.length > 0, `reeling without care breaks the leader in ${breaks.length} of ${seeds.length}`);
    const saved = breaks.filter((seed) => isLanded(stateAt(...Object.values(play(seed, (state) => isLanded(state) || state.phase === 'reelIn')))));
    assert.ok(saved.length > 0, `care lands ${saved.length} of these ${breaks.length}`);
});

test('a longer hold throws further', () => {
    const thrown = [0.6, 1.1, 1.8].map((held) => {
        const { session: played, end } = play(7, ({ phase }) => phase === 'wait', { held });
        const { bobber } = stateAt(played, end);
        return Math.hypot(bobber[0], bobber[2]);
    });
    assert.ok(thrown[0] + 0.4 < thrown[1] && thrown[1] + 1 < thrown[2], `${thrown} m`);
});

test('the same session gives the same states, whatever was asked before', () => {
    const times = Array.from({ length: 400 }, (_, i) => ((i * 0.6180339887) % 1) * caught.end);
    const forward = afresh(caught.session);
    const inOrder = new Map([...times].sort((a, b) => a - b).map((time) => [time, stateAt(forward, time)]));
    const backward = afresh(caught.session);
    for (const time of [...times].sort((a, b) => b - a)) assert.deepEqual(stateAt(backward, time), inOrder.get(time));
    const astray = afresh(caught.session);
    for (const time of times) assert.deepEqual(stateAt(astray, time), inOrder.get(time));
    assert.notDeepEqual(stateAt({ ...caught.session, seed: 8 }, caught.end / 2), stateAt(forward, caught.end / 2), 'another seed is another session');
});

test('the frame rate changes nothing', () => {
    for (const rate of [24, 30, 60, 144]) {
        const watched = afresh(caught.session);
        for (let i = 0; i < 12 * rate; i++) stateAt(watched, i / rate);
        for (const time of [3.7, 7.25, 11.9]) assert.deepEqual(stateAt(watched, time), stateAt(afresh(caught.session), time));
    }
});

test('what is done live is what is replayed', () => {
    let live = { seed: 7, events: [] };
    for (const event of caught.session.events) {
        for (let time = Math.max(0, event.time - 0.3); time < event.time; time += 1 / 60) stateAt(live, time);
        live = extend(live, event);
    }
    assert.deepEqual(live.events, caught.session.events);
    for (const time of [1, 3.6, 12, caught.end]) assert.deepEqual(stateAt(live, time), stateAt(afresh(caught.session), time));
});

test('what is done in the past makes what came after undone', () => {
    const turned = extend(caught.session, { time: 2.5, kind: 'release', aim: -0.3 });
    assert.equal(turned.events.at(-1).aim, -0.3);
    assert.deepEqual(stateAt(turned, 2.4), stateAt(caught.session, 2.4));
    assert.deepEqual(stateAt(turned, 8), stateAt(afresh(turned), 8));
});

test('an address holds the session', () => {
    const kept = readAddress(`#${writeAddress(caught.session)}`);
    assert.equal(kept.seed, 7);
    assert.deepEqual(kept.events.map(({ kind }) => kind), caught.session.events.map(({ kind }) => kind));
    assert.ok(isLanded(stateAt(kept, caught.end + 0.05)));
    for (const nonsense of ['', '#', '#seed=x', '#seed=1&events=;;q9;h', '#events=h1e999,2', '#events=r9,0;h3,0', `#seed=${'9'.repeat(400)}`])
        assert.doesNotThrow(() => stateAt(readAddress(nonsense), 5), nonsense);
});

// No output may move faster than this, a second, at the border of two phases or anywhere else; metres,
// unless said. A tip at full cast moves at some 25 m/s, a hand at 3.
const LIMITS = {
    'the hand on the rod': [4, (o) => o.rod.gripRight],
    'the axis of the rod, radians': [14, (o) => o.rod.axis],
    'the tip': [40, (o) => o.rod.tip],
    'the net': [4, (o) => o.net.grip],
    'the hoop': [8, (o) => o.net.hoop],
    'weights of the hands': [9, (o) => [o.right.weights.rod, o.left.weights.rod, o.left.weights.net]],
    curl: [9, (o) => [o.right.curl, o.left.curl]],
    'lean and twist, radians': [3, (o) => [o.lean, o.twist]],
    'the bobber': [30, (o) => o.bobber],
    'the middle of the line': [45, (o) => o.line[12]],
    'what is looked at': [60, (o) => o.look],
    'the fish': [4, (o) => o.fish?.place],
};

for (const [name, { session: played, end }] of Object.entries({ caught, missed }))
    test(`nothing jumps: ${name}`, () => {
        const fastest = Object.fromEntries(Object.keys(LIMITS).map((what) => [what, { rate: 0 }]));
        let before = null;
        const rate = 480;
        for (let i = 0; i <= end * rate; i++) {
            const state = stateAt(played, i / rate);
            const outputs = outputsOf(state);
            for (const [what, [, of]] of Object.entries(LIMITS)) {
                const [a, b] = [before && of(before), of(outputs)];
                if (!a || !b) continue;
                const moved = Math.hypot(...b.map((x, k) => x - a[k])) * rate;
                assert.ok(Number.isFinite(moved), `${what} at ${state.time}`);
                if (moved > fastest[what].rate) fastest[what] = { rate: moved, phase: state.phase, time: state.time };
            }
            before = outputs;
        }
        for (const [what, [limit]] of Object.entries(LIMITS))
            assert.ok(fastest[what].rate < limit, `${what}: ${fastest[what].rate} a second at ${fastest[what].time} s, ${fastest[what].phase}`);
    });

test('the hands hold the rod, or the net, or rest', () => {
    for (let i = 0; i <= caught.end * 60; i++) {
        const { right, left, rod, lean } = outputsOf(stateAt(caught.session, i / 60));
        for (const { weights } of [right, left]) assert.ok(weights.rod >= 0 && weights.net >= 0 && weights.rod + weights.net < 1.2);
        // The grips stay where they are on the rod.
        const apart = Math.hypot(...rod.gripRight.map((x, k) => x - rod.gripLeft[k]));
        assert.ok(Math.abs(apart - 0.23) < 1e-9);
        assert.ok(Math.abs(lean) < (20 * Math.PI) / 180, 'the torso leans by 20° at most');
    }
});

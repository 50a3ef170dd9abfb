// Rod and line of the angler against what is known of beams and chains.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importTypeScript } from '../support/typescript.mjs';

const { elastica, bendRod } = await importTypeScript('web/demos/angler/session/rod.ts');
const { catenary, hangLine } = await importTypeScript('web/demos/angler/session/line.ts');
const { decay, minimumJerk } = await importTypeScript('web/demos/angler/session/ease.ts');
const { largestMiss } = await importTypeScript('web/demos/angler/from-to.ts');

const tipOf = (points) => [points.at(-2), points.at(-1)];
const length = (points) => {
    let sum = 0;
    for (let i = 2; i < points.length; i += 2) sum += Math.hypot(points[i] - points[i - 2], points[i + 1] - points[i - 1]);
    return sum;
};

test('a uniform rod bends as the elastica', () => {
    // Tip deflection of a cantilever under a load P across its base, P·L²/EI: the elliptic integrals of
    // Bisshopp and Drucker, "Large deflection of cantilever beams", 1945.
    for (const [load, deflection] of [[1, 0.3017], [2, 0.4935], [5, 0.7138], [10, 0.8106]]) {
        const points = elastica({ length: 1, stiffness: 1, taper: 0 }, 0, load);
        const [, y] = tipOf(points);
        assert.ok(Math.abs(y - deflection) < 2e-3, `${load}: ${y}, not ${deflection}`);
        assert.ok(Math.abs(length(points) - 1) < 1e-12, 'and keeps its length');
    }
});

test('a tapered rod under a small load bends by F L³ / 3 E I (1 - taper)', () => {
    for (const taper of [0, 0.3, 0.62]) {
        const blank = { length: 1.63, stiffness: 16, taper };
        const [, y] = tipOf(elastica(blank, 0, 1e-3));
        const wanted = (1e-3 * blank.length ** 3) / (3 * blank.stiffness * (1 - taper));
        assert.ok(Math.abs(y / wanted - 1) < 3e-3, `${taper}: ${y}, not ${wanted}`);
    }
});

test('in space the rod bends in the plane of its axis and the force, towards the force', () => {
    const axis = [0, 0.6, 0.8];
    for (const force of [[3, -4, 5], [-6, 0, 1], [0, -9, 0]]) {
        const points = bendRod({ length: 1.6, stiffness: 16, taper: 0.6 }, [1, 2, 3], axis, force);
        const normal = [axis[1] * force[2] - axis[2] * force[1], axis[2] * force[0] - axis[0] * force[2], axis[0] * force[1] - axis[1] * force[0]];
        const from = (p) => p.map((x, k) => x - [1, 2, 3][k]);
        const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
        for (const point of points) assert.ok(Math.abs(dot(from(point), normal)) < 1e-9 * Math.hypot(...normal));
        const straight = axis.map((x) => x * 1.6);
        const moved = from(points.at(-1)).map((x, k) => x - straight[k]);
        assert.ok(dot(moved, force) > 0);
    }
    const still = bendRod({ length: 1.6, stiffness: 16, taper: 0.6 }, [0, 0, 0], axis, [0, 0, 0]);
    assert.ok(Math.hypot(...still.at(-1).map((x, k) => x - axis[k] * 1.6)) < 1e-12, 'no force, no bend');
});

test('a line hangs as a catenary of its length', () => {
    for (const slack of [1e-6, 1e-3, 0.05, 1, 9])
        for (const [across, rise] of [[1, 0], [3, -2], [0.2, 1.5], [8, 0.4]]) {
            const line = Math.hypot(across, rise) * (1 + slack);
            const { scale, lowest } = catenary(across, rise, line);
            const y = (u) => scale * Math.cosh((u - lowest) / scale);
            const s = (u) => scale * Math.sinh((u - lowest) / scale);
            // The nearly taut line's scale is large: of its height only the difference has a meaning.
            assert.ok(Math.abs(y(across) - y(0) - rise) < 1e-9 * Math.max(1, scale), `ends: ${slack}, ${across}, ${rise}`);
            assert.ok(Math.abs(s(across) - s(0) - line) < 1e-9 * Math.max(1, scale), `length: ${slack}, ${across}, ${rise}`);
        }
});

test('points along a line are evenly spaced, end to end', () => {
    for (const [a, b, line] of [[[0, 2, 0], [3, -0.3, 5], 7], [[0, 2, 0], [0, 1, 0], 3], [[0, 0, 0], [2, 0, 1], 1], [[1, 1, 1], [1, 1, 1], 2]]) {
        const points = hangLine(a, b, line, 200);
        assert.ok(Math.hypot(...points[0].map((x, k) => x - a[k])) < 1e-9);
        assert.ok(Math.hypot(...points.at(-1).map((x, k) => x - b[k])) < 2e-3 * line);
        const steps = points.slice(1).map((p, i) => Math.hypot(...p.map((x, k) => x - points[i][k])));
        assert.ok(points.flat().every(Number.isFinite));
        const whole = Math.max(line, Math.hypot(...b.map((x, k) => x - a[k])));
        assert.ok(Math.abs(steps.reduce((x, y) => x + y, 0) - whole) < 0.01 * whole);
    }
});

test('what is left of a difference goes without a jump', () => {
    for (const [from, rate] of [[1, 0], [0, 2], [-0.7, 3]]) {
        const h = 1e-5;
        assert.ok(Math.abs(decay(from, rate, 0) - from) < 1e-12);
        assert.ok(Math.abs((decay(from, rate, h) - decay(from, rate, 0)) / h - rate) < 1e-3);
        assert.equal(decay(from, rate, 1), 0);
        assert.ok(Math.abs(decay(from, rate, 1 - h)) < 1e-8, 'and it ends at rest');
    }
    for (const u of [0.1, 0.5, 0.93]) assert.ok(Math.abs(1 - decay(1, 0, u) - minimumJerk(u)) < 1e-12);
});

test('near 180° the half vector is exact, where three.js gives up and acos is coarse', () => {
    assert.ok(largestMiss('half', 1e-4) < 1e-14);
    assert.ok(Math.abs(largestMiss('three', 1e-4) - 1e-4) < 1e-6, 'three.js takes 1e-4 for opposite');
    assert.ok(largestMiss('acos', 1e-6) > 1e3 * largestMiss('half', 1e-6));
    for (let power = 0; power <= 8; power++) assert.ok(largestMiss('half', 10 ** -power) < 1e-14, `1e-${power}`);
});

// What the angler's cameras show, for windows from tall to wide.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PerspectiveCamera, Vector3 } from 'three';
import { outputsOf, play, session } from '../support/angling.mjs';
import { importTypeScript } from '../support/typescript.mjs';

const { CAMERAS, viewFrom } = await importTypeScript('web/demos/angler/scene/cameras.ts');
const FOV = 38;

function cameraAt(name, aspect) {
    const camera = new PerspectiveCamera(FOV, aspect, 0.05, 120);
    const { position, target } = viewFrom(name, aspect, (FOV * Math.PI) / 180);
    camera.position.copy(position);
    camera.lookAt(target);
    camera.updateMatrixWorld();
    return camera;
}

test('from behind angler and rod tip are seen from sitting to the bite, and the bobber but in its swing, in any window', () => {
    for (const held of [0.6, 1.2, 2]) {
        const { session: played, end } = play(14, ({ phase }) => phase === 'bite', { held });
        for (const aspect of [0.5, 0.97, 1.4, 2.2]) {
            const camera = cameraAt('behind', aspect);
            for (let time = 0; time <= end; time += 0.1) {
                const state = session.stateAt(played, time);
                const { rod, bobber } = outputsOf(state);
                // Swung on its short line it passes over the picture.
                const swings = ['backcast', 'forward', 'flight'].includes(state.phase);
                for (const [what, place] of Object.entries({ tip: rod.tip, bobber: swings ? rod.tip : bobber, head: [0, 1.3, 0], feet: [0, 0, 0.4], stool: [0, 0, -0.2] })) {
                    const { x, y, z } = new Vector3(...place).project(camera);
                    assert.ok(Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < 1,
                        `${what} at ${time.toFixed(1)} s, held for ${held} s, in a window of ${aspect}: ${x.toFixed(2)} ${y.toFixed(2)}`);
                }
            }
        }
    }
});

test('no nearer than the rod and the bobber allow: something that must be seen is near an edge', () => {
    for (const aspect of [0.5, 0.97, 1.4, 2.2]) {
        const camera = cameraAt('behind', aspect);
        const edges = CAMERAS.behind.seen.map((place) => {
            const { x, y } = new Vector3(...place).project(camera);
            return Math.max(Math.abs(x), Math.abs(y));
        });
        assert.ok(Math.abs(Math.max(...edges) - 0.94) < 1e-9, `${Math.max(...edges)} in a window of ${aspect}`);
    }
});

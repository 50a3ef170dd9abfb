// Characters for the tests of rigs: different makers, bone axes, rest poses, scales.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CORPUS, ROOT } from './files.mjs';

/** { name, path, arm: [upper arm, lower arm, hand] by name or index, clip: one to pose it with, or null }. */
export const characters = [
    { name: 'mannequin', path: join(ROOT, 'build/samples/mannequin.glb'), arm: ['leftUpperArm', 'leftLowerArm', 'leftHand'], clip: 'wave' },
    { name: 'Quaternius robot', path: join(CORPUS, 'raylib/models/gltf/robot.glb'), arm: ['UpperArm.L', 'LowerArm.L', 'Palm2.L'], clip: 'Robot_Dance' },
    { name: 'CesiumMan', path: join(CORPUS, 'khronos-sample-models/CesiumMan/glTF-Binary/CesiumMan.glb'), arm: [13, 14, 15], clip: '0' },
    { name: 'VRM debug robot', path: join(CORPUS, 'vrm/blender-addon/debug_robot.vrm'), arm: ['upper_arm.L', 'lower_arm.L', 'hand.L'], clip: null },
].map((character) => ({ ...character, skip: existsSync(character.path) ? false : `no ${character.path}` }));

export const positionOf = (node) => node.world.slice(12, 15);
export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** The nodes of an arm in the answer of `sinew pose --json`. */
export const armOf = (answer, arm) => arm.map((joint) => answer.nodes.find(({ index, name }) => joint === index || joint === name));

/** `count` points that the arm reaches, the same ones each time: every direction, near and far. */
export function reachable([upper, lower, hand], count) {
    const a = distance(positionOf(upper), positionOf(lower));
    const b = distance(positionOf(lower), positionOf(hand));
    const [near, far] = [Math.abs(a - b) + 0.05 * (a + b), 0.95 * (a + b)];
    return Array.from({ length: count }, (_, i) => {
        // A spiral from pole to pole (Swinbank and Purser, "Fibonacci grids", 2006).
        const z = 1 - (2 * i + 1) / count;
        const turn = i * Math.PI * (3 - Math.sqrt(5));
        const ring = Math.sqrt(1 - z * z);
        const length = near + ((far - near) * ((i * 7) % count)) / Math.max(1, count - 1);
        const along = [ring * Math.cos(turn), ring * Math.sin(turn), z];
        return positionOf(upper).map((x, axis) => x + along[axis] * length);
    });
}

export const armLength = ([upper, lower, hand]) =>
    distance(positionOf(upper), positionOf(lower)) + distance(positionOf(lower), positionOf(hand));

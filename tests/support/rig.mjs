// web/three and sinew_rig.wasm as a page has them, and limbs made of three.js objects.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Object3D, Quaternion, Vector3 } from 'three';
import { ROOT } from './files.mjs';
import { importTypeScript } from './typescript.mjs';

export const rigFile = join(ROOT, 'build/wasm/sinew_rig.wasm');

/** For node:test: `{ skip: rigMissing }`; false when the module is built. */
export const rigMissing = existsSync(rigFile) ? false : 'build/wasm/sinew_rig.wasm is not built (make web)';

/** What web/three exports; loadRig() of it with the built module is `rig`. It uses the test's three.js. */
export const api = rigMissing ? {} : await importTypeScript('web/three/index.ts', { external: ['three'] });
export const rig = rigMissing ? null : await api.loadRig(readFileSync(rigFile));

export function object(name, position = [0, 0, 0], parent = null) {
    const made = new Object3D();
    made.name = name;
    made.position.fromArray(position);
    parent?.add(made);
    return made;
}

/** An arm of 0.30 and 0.25 m along +x, flexed by `flexion` towards +z, in a scene of its own. */
export function arm({ flexion = 0.3, upper = 0.3, fore = 0.25 } = {}) {
    const scene = object('scene');
    const shoulder = object('shoulder', [0, 0, 0], scene);
    const elbow = object('elbow', [upper, 0, 0], shoulder);
    const wrist = object('wrist', [fore, 0, 0], elbow);
    elbow.quaternion.setFromAxisAngle(new Vector3(0, -1, 0), flexion);
    return { scene, shoulder, elbow, wrist, chain: { root: shoulder, mid: elbow, end: wrist }, length: upper + fore };
}

export const worldPosition = (of) => of.getWorldPosition(new Vector3());
export const worldRotation = (of) => of.getWorldQuaternion(new Quaternion());

/** Rotations and positions of a tree, to compare bit for bit. */
export function poseOf(root) {
    const pose = [];
    root.traverse((o) => pose.push([o.name, ...o.position.toArray(), ...o.quaternion.toArray(), ...o.scale.toArray()]));
    return pose;
}

/** Numbers in [0, 1) from a seed: mulberry32, by Tommy Ettinger. */
export function randomFrom(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
}

export function randomDirection(random) {
    for (;;) {
        const v = new Vector3(random() * 2 - 1, random() * 2 - 1, random() * 2 - 1);
        if (v.length() > 0.1 && v.length() < 1) return v.normalize();
    }
}

export function randomRotation(random) {
    return new Quaternion().setFromAxisAngle(randomDirection(random), random() * 2 * Math.PI);
}

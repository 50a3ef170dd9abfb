// Arms with hands, made of three.js objects, and how far their fingers are from a rod.
import { Vector3 } from 'three';
import { object, randomFrom, randomRotation, worldPosition } from './rig.mjs';

export const FINGERS = {
    thumb: ['Metacarpal', 'Proximal', 'Distal'],
    index: ['Proximal', 'Intermediate', 'Distal'],
    middle: ['Proximal', 'Intermediate', 'Distal'],
    ring: ['Proximal', 'Intermediate', 'Distal'],
    little: ['Proximal', 'Intermediate', 'Distal'],
};
const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** Adds an arm of a T-pose to an object whose axes are the model's: 0.52 m from shoulder to wrist, fingers to the
 * side, palm down, thumb to +z. With `random` its joints have local axes of any kind. */
export function addArm(root, side, random = null) {
    const out = side === 'left' ? 1 : -1;
    const bones = {};
    const joint = (name, [x, y, z], parent) => {
        const made = object(name, [0, 0, 0], parent);
        if (random) made.quaternion.copy(randomRotation(random));
        made.position.copy(parent.worldToLocal(root.localToWorld(new Vector3(x * out, y, z))));
        made.updateMatrixWorld();
        return made;
    };
    root.updateWorldMatrix(true, false);
    const upper = (bones[`${side}UpperArm`] = joint(`${side}UpperArm`, [0.15, 1.4, 0], root));
    const arm = (bones[`${side}LowerArm`] = joint(`${side}LowerArm`, [0.42, 1.4, 0], upper));
    const hand = (bones[`${side}Hand`] = joint(`${side}Hand`, [0.67, 1.4, 0], arm));
    const tips = {};
    Object.keys(FINGERS).forEach((finger, f) => {
        let above = hand;
        let at = finger === 'thumb' ? [0.7, 1.395, 0.025] : [0.76, 1.4, 0.05 - 0.02 * f];
        const step = finger === 'thumb' ? [0.02, -0.005, 0.025] : [0.04 - 0.004 * f, 0, 0];
        for (const part of FINGERS[finger]) {
            const name = `${side}${capital(finger)}${part}`;
            above = bones[name] = joint(name, at, above);
            at = at.map((value, axis) => value + step[axis]);
        }
        tips[finger] = joint(`${side}${finger}Tip`, at, above);
    });
    return { side, out, bones, tips, upper, arm, hand };
}

/** One arm in a scene of its own. */
export function makeHand(side = 'left', { seed = 0, scale = 1 } = {}) {
    const scene = object('scene');
    scene.scale.setScalar(scale);
    const made = addArm(scene, side, seed ? randomFrom(seed) : null);
    return { scene, ...made, model: { side, bones: made.bones } };
}

/** From the joints of a finger to its tip, world. */
export const pointsOf = ({ side, bones, tips }, finger) =>
    [...FINGERS[finger].map((part) => bones[`${side}${capital(finger)}${part}`]), tips[finger]].map(worldPosition);

/** Between a segment and a line, by sampling and refining. */
export function gap(from, to, rod) {
    const along = rod.delta(new Vector3()).normalize();
    const at = (t) => {
        const v = from.clone().lerp(to, t).sub(rod.start);
        return v.addScaledVector(along, -v.dot(along)).length();
    };
    let best = 0;
    for (let i = 0; i <= 1000; i++) if (at(i / 1000) < at(best)) best = i / 1000;
    return at(best);
}

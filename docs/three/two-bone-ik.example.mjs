// An arm follows a target round a circle, part of which is out of reach:
//   make web && node docs/three/two-bone-ik.example.mjs
import { Object3D, Vector3 } from 'three';
import { loadRig, TwoBoneIK } from '../../build/npm/three/index.js';

const [scene, upperArm, lowerArm, hand] = Array.from({ length: 4 }, () => new Object3D());
scene.add(upperArm);
upperArm.add(lowerArm);
lowerArm.add(hand);
upperArm.position.set(0.2, 1.4, 0);
lowerArm.position.set(0.3, 0, 0);
hand.position.set(0.25, 0, 0);

const rig = await loadRig(); // sinew_rig.wasm beside index.js
const ik = new TwoBoneIK(rig, { root: upperArm, mid: lowerArm, end: hand }, {
    pole: { direction: new Vector3(0, -1, -1) },
    soften: 0.97,
});

for (let i = 0; i < 8; i++) {
    const angle = (i / 8) * 2 * Math.PI;
    ik.target.set(0.4 + 0.3 * Math.cos(angle), 1.4 + 0.3 * Math.sin(angle), 0.3);
    ik.update();
    const { x, y, z } = hand.getWorldPosition(new Vector3());
    const place = [x, y, z].map((value) => value.toFixed(3).padStart(6)).join(' ');
    console.log(`${place}  ${ik.reached ? 'reached' : `${(1000 * ik.residual).toFixed(1)} mm short: ${[...ik.flags].join(', ')}`}`);
}
ik.dispose();

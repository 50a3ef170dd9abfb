// Two-bone inverse kinematics in one node process: web/three against three.js's CCDIKSolver with ten
// iterations, on the same arms and the same moving targets. CCDIKSolver starts from its own result of the
// frame before, which is nearly there, or, as after a mixer, from the base pose; TwoBoneIK always from that.
import assert from 'node:assert/strict';
import { Bone, BufferGeometry, Skeleton, SkinnedMesh, Vector3 } from 'three';
import { CCDIKSolver } from 'three/addons/animation/CCDIKSolver.js';
import { api, rig, worldPosition } from '../../tests/support/rig.mjs';
import { bytes, compare, memoryInUse, time } from './measure.mjs';
import { REVISION } from './three.mjs';

const BATCH = 1024;
const ITERATIONS = 10;

/** Shoulder, elbow, wrist and the target, as bones of one skinned mesh, as CCDIKSolver wants them. */
function makeArm() {
    const [shoulder, elbow, wrist, target] = Array.from({ length: 4 }, () => new Bone());
    shoulder.add(elbow);
    elbow.add(wrist);
    elbow.position.set(0.3, 0, 0);
    wrist.position.set(0.25, 0, 0);
    elbow.quaternion.setFromAxisAngle(new Vector3(0, -1, 0), 0.3);
    const mesh = new SkinnedMesh(new BufferGeometry());
    mesh.add(shoulder, target);
    mesh.updateMatrixWorld();
    mesh.bind(new Skeleton([shoulder, elbow, wrist, target]));
    return { mesh, shoulder, elbow, wrist, target, frame: 0 };
}

function moveTarget(arm) {
    const angle = arm.frame++ * 0.02;
    arm.target.position.set(0.3, 0.2 * Math.cos(angle), 0.2 * Math.sin(angle));
}

const miss = ({ wrist, target }) => worldPosition(wrist).distanceTo(worldPosition(target));

const ours = makeArm();
const ik = new api.TwoBoneIK(rig, { root: ours.shoulder, mid: ours.elbow, end: ours.wrist }, { target: ours.target });
const theirs = makeArm();
const ccd = new CCDIKSolver(theirs.mesh, [{ target: 3, effector: 2, links: [{ index: 1 }, { index: 0 }], iteration: ITERATIONS }]);
const sinew = () => {
    moveTarget(ours);
    ik.update();
};
const base = [theirs.shoulder, theirs.elbow].map(({ quaternion }) => quaternion.clone());
const animated = () => {
    theirs.shoulder.quaternion.copy(base[0]);
    theirs.elbow.quaternion.copy(base[1]);
    three();
};
const three = () => {
    moveTarget(theirs);
    theirs.mesh.updateMatrixWorld(); // the solver reads the target's world matrix
    ccd.update();
};

const batch = new api.TwoBoneBatch(rig, BATCH);
for (let i = 0; i < BATCH; i++) {
    const angle = i * 0.02;
    const limb = { upper: [0.3, 0, 0], fore: [0.25 * Math.cos(0.3), 0, 0.25 * Math.sin(0.3)], pole: [0, -1, 0] };
    limb.target = [0.3, 0.2 * Math.cos(angle), 0.2 * Math.sin(angle)];
    for (const [name, values] of Object.entries(limb)) values.forEach((value, axis) => (batch[name][axis][i] = value));
}

// Both have to have solved it before a time means anything.
sinew();
batch.solve();
assert.ok(miss(ours) < 1e-6);
assert.ok(batch.residual.every((residual) => residual >= 0 && residual < 2e-6));
animated();
const left = miss(theirs);
assert.ok(left < 0.01);

const result = compare({ three, animated, sinew, batch: () => batch.solve() });
const millimetres = (1000 * left).toFixed(2);
console.log(`one arm: CCDIKSolver of three.js r${REVISION}, ${ITERATIONS} iterations: from its own result ${time(result.three)}, ` +
    `from the base pose ${time(result.animated)} with ${millimetres} mm left`);
const line = (what, ours) => {
    const ratios = [result.three, result.animated].map((theirs) => (theirs / ours).toFixed(1).padStart(7)).join(' x');
    console.log(`  ${what.padEnd(22)}${ratios} x   ${time(ours)} a limb`);
};
line('TwoBoneIK.update', result.sinew);
line(`TwoBoneBatch of ${BATCH}`, result.batch / BATCH);

// Of a limb in a batch: 4 vectors and 2 quaternions of floats, and a residual; of an arm, the solver and its bones.
const COUNT = 200;
const memoryOf = (make) => {
    const before = memoryInUse();
    const kept = Array.from({ length: COUNT }, make);
    return (memoryInUse() - before) / kept.length;
};
const makeCcd = () => {
    const arm = makeArm();
    return [arm, new CCDIKSolver(arm.mesh, [{ target: 3, effector: 2, links: [{ index: 1 }, { index: 0 }], iteration: ITERATIONS }])];
};
const limbBytes = (4 * 3 + 2 * 4 + 1) * Float32Array.BYTES_PER_ELEMENT;
console.log(`  memory a limb: TwoBoneBatch ${limbBytes} bytes, an arm of bones with its CCDIKSolver ${bytes(memoryOf(makeCcd))}`);

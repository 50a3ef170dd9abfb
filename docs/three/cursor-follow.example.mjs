// A head follows a pointer that goes from the middle of the view to its upper right:
//   make web && node docs/three/cursor-follow.example.mjs
import { MathUtils, Object3D, PerspectiveCamera } from 'three';
import { CursorFollow, loadRig } from '../../build/npm/three/index.js';

const [model, neck, head] = Array.from({ length: 3 }, () => new Object3D());
model.add(neck);
neck.add(head);
neck.position.set(0, 1.45, 0);
head.position.set(0, 0.1, 0);
const camera = new PerspectiveCamera(30, 16 / 9, 0.1, 100);
camera.position.set(0, 1.5, 3);

const rig = await loadRig(); // sinew_rig.wasm beside index.js
const follow = new CursorFollow(rig, { root: model, bones: { head, neck } }, camera);
follow.setPointer(0, 0); // in a page: follow.connect(renderer.domElement)

for (let frame = 0; frame <= 120; frame++) {
    if (frame === 10) follow.setPointer(0.8, 0.6);
    follow.update(1 / 60);
    const { yaw, pitch } = follow.head;
    const degrees = [yaw, pitch].map((angle) => MathUtils.radToDeg(angle * follow.currentWeight).toFixed(1).padStart(5));
    if (frame % 10 === 0) console.log(`${(frame / 60).toFixed(2)} s  ${degrees[0]}° to its left, ${degrees[1]}° up`);
}
follow.dispose();

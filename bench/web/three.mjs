// The same characters in three.js, as a page would have them.
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';

export { REVISION } from 'three';

/** The model in a GLB without images. */
export async function loadThree(glb) {
    const buffer = glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.byteLength);
    return new GLTFLoader().parseAsync(buffer, '');
}

/** One character: `advance(seconds)` does all that a frame needs before it is drawn. */
export function makeThreeCharacter(gltf, clip, root = clone(gltf.scene)) {
    const mixer = new AnimationMixer(root);
    mixer.clipAction(gltf.animations[clip]).play();
    const meshes = [];
    root.traverse((object) => {
        if (object.isSkinnedMesh) meshes.push(object);
    });
    // GLTFLoader makes a skeleton for each primitive; one for each skin does all the work there is.
    const key = ({ bones }) => bones.map(({ uuid }) => uuid).join();
    const skeletons = [...new Map(meshes.map(({ skeleton }) => [key(skeleton), skeleton])).values()];
    return {
        mixer,
        meshes,
        skeletons,
        advance(seconds) {
            mixer.update(seconds);
            root.updateMatrixWorld();
            for (const skeleton of skeletons) skeleton.update();
        },
    };
}

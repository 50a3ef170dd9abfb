/** The sample mannequin: its file, its drawing, and which of its objects are the human bones. */
import { SkinnedMesh, type Object3D } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import type { HumanBone, HumanBones } from "../../../three/index.ts";

export interface Character {
  readonly root: Object3D;
  readonly bones: HumanBones;
}

export async function fetchModel(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(`the mannequin could not be read: the server answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

export async function drawCharacter(bytes: Uint8Array<ArrayBuffer>): Promise<Character> {
  const { scene } = await new GLTFLoader().parseAsync(bytes.slice().buffer, "");
  return characterOf(scene);
}

/** Another one, with bones of its own; geometry and materials are shared. */
export const copyCharacter = ({ root }: Character): Character => characterOf(clone(root));

function characterOf(root: Object3D): Character {
  const bones: Record<string, Object3D> = {};
  root.traverse((object) => {
    // The mannequin's joints have the names of VRM 1.0, beginning with "hips".
    if (object.name === "hips")
      object.traverse((bone) => {
        bones[bone.name] = bone;
      });
    if (object instanceof SkinnedMesh) {
      object.frustumCulled = false;
      object.castShadow = object.receiveShadow = true;
    }
  });
  return { root, bones: bones as Partial<Record<HumanBone, Object3D>> };
}

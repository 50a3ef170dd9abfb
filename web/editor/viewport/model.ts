/** The three.js objects of the open file. three.js reads meshes and materials from the same bytes as
 * the core; it evaluates nothing: write() puts the core's matrices and weights into its objects. */
import {
  Box3,
  Group,
  LoadingManager,
  Matrix4,
  Mesh,
  type Object3D,
  Scene,
  type Skeleton,
  SkinnedMesh,
  type Material,
  type Texture,
} from "three";
import { GLTFLoader, type GLTFParser } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "meshoptimizer/decoder";
import type { OpenedFile } from "../editor.ts";
import { matchResource } from "../open.ts";
import { decodePath } from "../uri.ts";
import type { Pose } from "./pose.ts";

interface Follower {
  object: Object3D;
  parent: Object3D;
}

export class DrawnModel {
  readonly root = new Scene();
  /** What could not be drawn, in words. */
  readonly problems: string[] = [];
  readonly skinned: SkinnedMesh[] = [];
  private readonly nodes = new Map<number, Object3D>();
  private readonly nodeOf = new Map<Object3D, number>();
  /** Objects that stand for no node (primitives of a mesh, say) and keep their place under one. */
  private readonly followers: Follower[] = [];
  private readonly morphed: { node: number; meshes: Mesh[] }[] = [];
  private readonly urls: string[] = [];

  constructor() {
    this.root.matrixWorldAutoUpdate = false;
    this.root.matrixAutoUpdate = false;
  }

  get isEmpty(): boolean {
    return this.root.children.length === 0;
  }

  static async load(file: OpenedFile): Promise<DrawnModel> {
    const model = new DrawnModel();
    try {
      await model.read(file);
    } catch (error) {
      model.root.clear();
      model.problems.push(`The meshes cannot be drawn: ${reason(error)} The skeleton is shown.`);
    }
    return model;
  }

  private async read(file: OpenedFile): Promise<void> {
    const manager = new LoadingManager();
    manager.setURLModifier((url) => this.resolve(url, file));
    const loader = new GLTFLoader(manager);
    loader.setMeshoptDecoder(MeshoptDecoder);
    loader.register((parser) => {
      // Clips are the core's: three.js need not even read them.
      delete (parser.json as { animations?: unknown }).animations;
      return { name: "SINEW_no_animations" };
    });
    const buffer = file.bytes.slice().buffer;
    const gltf = await loader.parseAsync(buffer, "");
    // glTF leaves it open what a file without scenes shows; its author will want to see all.
    this.root.add(gltf.scene ?? gltf.scenes[0] ?? (await allRoots(gltf.parser)));
    await this.adopt(gltf.parser);
  }

  /** The bytes of a file beside the .gltf; nothing is ever asked of the network. */
  private resolve(url: string, file: OpenedFile): string {
    if (/^(data|blob):/.test(url)) return url;
    const bytes = matchResource(file.resources, decodePath(url));
    if (!bytes) {
      this.problems.push(`${decodePath(url)} was not opened with the file.`);
      return missingImage;
    }
    const blob = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
    this.urls.push(blob);
    return blob;
  }

  private async adopt(parser: GLTFParser): Promise<void> {
    const json = parser.json as { nodes?: { skin?: number }[]; skins?: { joints: number[] }[] };
    for (const [object, reference] of parser.associations) {
      // three.js keeps the objects it shares in this list, some without a reference.
      const index = (reference as { nodes?: number } | undefined)?.nodes;
      if (index !== undefined && (object as Object3D).isObject3D)
        this.bind(index, object as Object3D);
    }
    this.root.traverse((object) => {
      object.matrixAutoUpdate = object.matrixWorldAutoUpdate = false;
      if ((object as { isLight?: boolean }).isLight) object.visible = false;
      if (object instanceof SkinnedMesh) {
        this.skinned.push(object);
        // Its bounds move with the pose.
        object.frustumCulled = false;
        const node = this.nodeAbove(object);
        const skin = node === null ? undefined : json.nodes?.[node]?.skin;
        const joints = skin === undefined ? [] : (json.skins?.[skin]?.joints ?? []);
        // Joints outside the drawn scene move vertices all the same.
        (object.skeleton as Skeleton).bones.forEach((bone, i) => {
          bone.matrixAutoUpdate = bone.matrixWorldAutoUpdate = false;
          const joint = joints[i];
          if (joint !== undefined) this.bind(joint, bone);
        });
      }
      if (object instanceof Mesh) object.castShadow = object.receiveShadow = true;
    });
    const scene = this.root.children[0];
    this.root.traverse((object) => {
      if (object === this.root || object === scene || this.nodeOf.has(object) || !object.parent)
        return;
      object.updateMatrix();
      this.followers.push({ object, parent: object.parent });
    });
    for (const [node, object] of this.nodes) {
      const meshes = this.meshesOf(object).filter((mesh) => mesh.morphTargetInfluences?.length);
      if (meshes.length) this.morphed.push({ node, meshes });
    }
  }

  private bind(node: number, object: Object3D): void {
    this.nodes.set(node, object);
    this.nodeOf.set(object, node);
  }

  /** The meshes that a node itself draws, not those of its children. */
  private meshesOf(object: Object3D): Mesh[] {
    const meshes = object instanceof Mesh ? [object] : [];
    for (const child of object.children)
      if (!this.nodeOf.has(child)) meshes.push(...this.meshesOf(child));
    return meshes;
  }

  /** The node that an object is drawn for. */
  nodeAbove(object: Object3D | null): number | null {
    for (let at = object; at; at = at.parent) {
      const node = this.nodeOf.get(at);
      if (node !== undefined) return node;
    }
    return null;
  }

  /** The node that joint `bone` of a skinned mesh follows. */
  nodeOfBone(mesh: SkinnedMesh, bone: number): number | null {
    const object = mesh.skeleton.bones[bone];
    return object ? (this.nodeOf.get(object) ?? null) : null;
  }

  write(pose: Pose): void {
    for (const [node, object] of this.nodes) object.matrixWorld.fromArray(pose.worlds, node * 16);
    for (const { object, parent } of this.followers)
      object.matrixWorld.multiplyMatrices(parent.matrixWorld, object.matrix);
    for (const { node, meshes } of this.morphed) {
      const weights = pose.weights(node);
      for (const mesh of meshes) {
        const influences = mesh.morphTargetInfluences!;
        for (let i = 0; i < influences.length; i++) influences[i] = weights[i] ?? 0;
      }
    }
  }

  /** The box about what is drawn, in the pose last written. */
  bounds(): Box3 {
    const box = new Box3();
    const inverse = new Matrix4();
    this.root.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      if (object instanceof SkinnedMesh) {
        object.skeleton.update();
        object.bindMatrixInverse.copy(inverse.copy(object.matrixWorld).invert());
        object.computeBoundingBox();
        if (object.boundingBox)
          box.union(object.boundingBox.clone().applyMatrix4(object.matrixWorld));
        return;
      }
      object.geometry.computeBoundingBox();
      if (object.geometry.boundingBox)
        box.union(object.geometry.boundingBox.clone().applyMatrix4(object.matrixWorld));
    });
    return box;
  }

  dispose(): void {
    this.root.traverse((object) => {
      if (!(object instanceof Mesh)) return;
      object.geometry.dispose();
      if (object instanceof SkinnedMesh) object.skeleton.dispose();
      for (const material of [object.material].flat() as Material[]) {
        for (const value of Object.values(material))
          if ((value as Texture | null)?.isTexture) (value as Texture).dispose();
        material.dispose();
      }
    });
    this.urls.forEach((url) => URL.revokeObjectURL(url));
  }
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes("DRACOLoader"))
    return "they are compressed with Draco, which this editor does not unpack.";
  if (message.includes("KTX2Loader"))
    return "their textures are KTX2, which this editor does not unpack.";
  return `${message.replace(/^THREE\.\w+: /, "").replace(/\.$/, "")}.`;
}

async function allRoots(parser: GLTFParser): Promise<Group> {
  const nodes = (parser.json as { nodes?: { children?: number[] }[] }).nodes ?? [];
  const children = new Set(nodes.flatMap((node) => node.children ?? []));
  const roots = nodes.map((_, index) => index).filter((index) => !children.has(index));
  const group = new Group();
  for (const index of roots) group.add((await parser.getDependency("node", index)) as Object3D);
  return group;
}

/** One grey pixel. */
const missingImage =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNYAAAAogCh3I2xzAAAAABJRU5ErkJggg==";

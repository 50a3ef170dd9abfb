import { Matrix4, Quaternion, Vector3, type Object3D } from "three";
import { SinewError } from "../core/error.ts";
import { Layer } from "./layer.ts";
import { noMemory, type Address, type Rig } from "./rig.ts";

const NONE = 0xffffffff;
const TRANSFORM = 10; // floats: translation, rotation, scale

/** Brings an object's world matrix up to date with all above it, as rendering will. three.js's own
 * updateWorldMatrix leaves an object without matrixAutoUpdate where it was when its parent moved. */
export function updateWorldMatrix(object: Object3D): void {
  const { parent } = object;
  if (parent) updateWorldMatrix(parent);
  if (object.matrixAutoUpdate) object.updateMatrix();
  if (!object.matrixWorldAutoUpdate) return;
  if (parent) object.matrixWorld.multiplyMatrices(parent.matrixWorld, object.matrix);
  else object.matrixWorld.copy(object.matrix);
}

export function nameOf(object: Object3D): string {
  return object.name ? `"${object.name}"` : `one without a name (${object.type})`;
}

/** From the top of the scene to the object. */
function pathTo(object: Object3D): Object3D[] {
  const path: Object3D[] = [];
  for (let at: Object3D | null = object; at; at = at.parent) path.unshift(at);
  return path;
}

/** The wanted objects and what lies between them, parents first, and the object that they stand on:
 * `above`, or their nearest common parent. */
function subtree(
  wanted: readonly Object3D[],
  above?: Object3D,
): { objects: Object3D[]; above: Object3D | null } {
  const paths = wanted.map(pathTo);
  let shared = above ? pathTo(above) : paths[0]!;
  const outside = above && wanted.find((object, i) => object === above || !paths[i]!.includes(above));
  if (outside)
    throw new SinewError("chain.joints", `${nameOf(outside)} is not below ${nameOf(above)}`);
  for (const path of paths.slice(1)) {
    const end = shared.findIndex((object, i) => path[i] !== object);
    if (end >= 0) shared = shared.slice(0, end);
  }
  if (shared.length === 0)
    throw new SinewError("chain.joints", `${wanted.map(nameOf).join(", ")} are not in one scene`);
  let depth = shared.length;
  if (wanted.includes(shared[depth - 1]!)) depth--;
  const longest = Math.max(...paths.map((path) => path.length));
  const objects = new Set<Object3D>();
  for (let i = depth; i < longest; i++)
    for (const path of paths) if (path[i]) objects.add(path[i]!);
  return { objects: [...objects], above: depth > 0 ? shared[depth - 1]! : null };
}

/** What a module changes. */
export interface Written {
  rotations: readonly Object3D[];
  translations?: readonly Object3D[];
}

/** Objects of a scene as an sn_joints of the rig: read before the module's call, written after.
 *
 * Positions are relative to `origin`, which is where the objects' common parent is, so that a scene
 * far from the world's origin loses no digits to float. */
export class Joints {
  readonly address: Address;
  /** Parents first; the index in here is the joint's. */
  readonly objects: readonly Object3D[];
  /** World, of this frame; read() sets it. */
  readonly origin = new Vector3();

  readonly #rig: Rig;
  readonly #above: Object3D | null;
  readonly #parents: readonly (Object3D | null)[];
  readonly #rotations: readonly (Layer | undefined)[];
  readonly #translations: readonly (Layer | undefined)[];
  readonly #moved: ReadonlySet<Object3D>;
  readonly #rest: number; // indices in rig.floats
  readonly #local: number;
  readonly #root: number;
  readonly #position = new Vector3();
  readonly #rotation = new Quaternion();
  readonly #scale = new Vector3();
  readonly #values = new Float64Array(4);
  #isDisposed = false;

  /** The pose that the objects stand in becomes the rest pose. With `root` they stand on that
   * object, whose axes are then the model's; without, on their nearest common parent. */
  constructor(rig: Rig, wanted: readonly Object3D[], written: Written, root?: Object3D) {
    const { objects, above } = subtree(wanted, root);
    const { rotations, translations = [] } = written;
    this.#moved = new Set([...rotations, ...translations]);
    const pivoted = [...this.#moved].find((object) => object.pivot != null);
    if (pivoted)
      throw new SinewError("chain.joints", `${nameOf(pivoted)} turns about a pivot; it has to be null`);
    this.#rig = rig;
    this.objects = objects;
    this.#above = above;
    this.#parents = objects.map(({ parent }) => parent);
    this.#rotations = objects.map((o) => (rotations.includes(o) ? new Layer(o.quaternion) : undefined));
    this.#translations = objects.map((o) =>
      translations.includes(o) ? new Layer(o.position) : undefined,
    );
    const x = rig.exports;
    this.address = x.joints_create(objects.length);
    if (!this.address) throw noMemory();
    this.#rest = x.joints_rest(this.address) / 4;
    this.#local = x.joints_local(this.address) / 4;
    this.#root = x.joints_root(this.address) / 4;
    const parents = x.joints_parents(this.address) / 4;
    objects.forEach(({ parent }, i) => {
      const index = parent ? objects.indexOf(parent) : -1;
      rig.words[parents + i] = index < 0 ? NONE : index;
    });
    this.bindRest();
  }

  /** Index of an object; throws where it is none of these. */
  indexOf(object: Object3D): number {
    const index = this.objects.indexOf(object);
    if (index < 0) throw new SinewError("chain.joints", `${nameOf(object)} is none of these joints`);
    return index;
  }

  /** Makes the pose that the objects stand in, but for what modules wrote, the rest pose. */
  bindRest(): void {
    this.read();
    const end = this.#local + this.objects.length * TRANSFORM;
    this.#rig.floats.copyWithin(this.#rest, this.#local, end);
  }

  #check(): void {
    if (this.#isDisposed) throw new SinewError("session.disposed", "this module was disposed");
  }

  /** The base pose, and where the objects' common parent is now. */
  read(): void {
    this.#check();
    this.#readRoot();
    const { floats } = this.#rig;
    for (let i = 0; i < this.objects.length; i++) {
      const object = this.objects[i]!;
      if (object.parent !== this.#parents[i])
        throw new SinewError("chain.joints", `${nameOf(object)} got another parent; bind it anew`);
      this.#readJoint(floats, this.#local + i * TRANSFORM, object, i);
    }
  }

  #readRoot(): void {
    const above = this.#above;
    if (above) {
      updateWorldMatrix(above);
      this.origin.setFromMatrixPosition(above.matrixWorld);
    }
    const m = above ? above.matrixWorld.elements : IDENTITY;
    const { floats } = this.#rig;
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++)
        floats[this.#root + row * 4 + column] = m[column * 4 + row]!;
      floats[this.#root + row * 4 + 3] = 0;
    }
  }

  #readJoint(floats: Float32Array, at: number, object: Object3D, i: number): void {
    let { position, quaternion, scale } = object;
    const rotation = this.#rotations[i];
    const translation = this.#translations[i];
    if (!rotation && !translation && (!object.matrixAutoUpdate || object.pivot != null)) {
      if (object.matrixAutoUpdate) object.updateMatrix();
      position = this.#position;
      quaternion = this.#rotation;
      scale = this.#scale;
      object.matrix.decompose(position, quaternion, scale);
    }
    if (translation) {
      translation.read();
      for (let k = 0; k < 3; k++) floats[at + k] = translation.start[k]!;
    } else {
      floats[at] = position.x;
      floats[at + 1] = position.y;
      floats[at + 2] = position.z;
    }
    if (rotation) {
      rotation.read();
      for (let k = 0; k < 4; k++) floats[at + 3 + k] = rotation.start[k]!;
    } else {
      floats[at + 3] = quaternion.x;
      floats[at + 4] = quaternion.y;
      floats[at + 5] = quaternion.z;
      floats[at + 6] = quaternion.w;
    }
    floats[at + 7] = scale.x;
    floats[at + 8] = scale.y;
    floats[at + 9] = scale.z;
  }

  /** What the module changed goes to the objects; what it left keeps every digit. */
  write(): void {
    const { floats } = this.#rig;
    for (let i = 0; i < this.objects.length; i++) {
      const object = this.objects[i]!;
      const at = this.#local + i * TRANSFORM;
      const moved = this.#writeLayer(floats, this.#translations[i], at, 3);
      const turned = this.#writeLayer(floats, this.#rotations[i], at + 3, 4);
      if ((moved || turned) && !object.matrixAutoUpdate) object.updateMatrix();
    }
  }

  #writeLayer(floats: Float32Array, layer: Layer | undefined, at: number, count: number): boolean {
    if (!layer) return false;
    let changed = false;
    for (let k = 0; k < count; k++) changed ||= floats[at + k] !== Math.fround(layer.start[k]!);
    if (!changed && !layer.isHeld) return false;
    for (let k = 0; k < count; k++) this.#values[k] = changed ? floats[at + k]! : layer.start[k]!;
    layer.write(this.#values);
    return true;
  }

  /** A world point into three floats of a block. After read(). */
  setPoint(index: number, world: Vector3): void {
    const { floats } = this.#rig;
    floats[index] = world.x - this.origin.x;
    floats[index + 1] = world.y - this.origin.y;
    floats[index + 2] = world.z - this.origin.z;
  }

  /** Puts the base pose back, where nobody animated since. */
  restore(): void {
    this.#check();
    this.objects.forEach((object, i) => {
      this.#translations[i]?.restore();
      this.#rotations[i]?.restore();
      if ((this.#translations[i] || this.#rotations[i]) && !object.matrixAutoUpdate)
        object.updateMatrix();
    });
  }

  /** Before read(), for an object that is followed: if it hangs on what this module moves, the base pose
   * is put back, or the module would creep after its own result. */
  restoreUnder(followed: Object3D | null): void {
    for (let at = followed; at; at = at.parent) if (this.#moved.has(at)) return this.restore();
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.restore();
    this.#isDisposed = true;
    this.#rig.exports.release(this.address);
  }
}

/** Three floats of a block; null: zeros. */
export function setVector(floats: Float32Array, index: number, v: Vector3 | null): void {
  floats[index] = v?.x ?? 0;
  floats[index + 1] = v?.y ?? 0;
  floats[index + 2] = v?.z ?? 0;
}

const IDENTITY = new Matrix4().elements;

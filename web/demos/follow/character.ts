/** The sample mannequin, and the clips that move it. */
import {
  AnimationMixer,
  Group,
  LoopRepeat,
  SkinnedMesh,
  type AnimationAction,
  type Object3D,
} from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { Activity, HumanBone } from "../../three/index.ts";

/** Seconds from one clip to the next. */
const CROSSFADE = 0.35;

export class Character {
  /** Moved by dragging; the clips move what is below. */
  readonly root = new Group();
  readonly #mixer: AnimationMixer;
  readonly #idle: AnimationAction;
  readonly #wave: AnimationAction;

  static async load(url: URL): Promise<Character> {
    const { scene, animations } = await new GLTFLoader().loadAsync(url.href);
    const clip = (name: string) => animations.find((animation) => animation.name === name)!;
    const mixer = new AnimationMixer(scene);
    return new Character(
      scene,
      mixer,
      mixer.clipAction(clip("idle")),
      mixer.clipAction(clip("wave")),
    );
  }

  private constructor(
    scene: Object3D,
    mixer: AnimationMixer,
    idle: AnimationAction,
    wave: AnimationAction,
  ) {
    this.root.add(scene);
    this.#mixer = mixer;
    this.#idle = idle;
    this.#wave = wave.setLoop(LoopRepeat, Infinity);
    scene.traverse((object) => {
      if (!(object instanceof SkinnedMesh)) return;
      object.frustumCulled = false; // its bounds are those of the rest pose
      object.castShadow = object.receiveShadow = true;
    });
  }

  /** Joints of the mannequin have the names of VRM 1.0. */
  bone(name: HumanBone): Object3D {
    return this.root.getObjectByName(name)!;
  }

  /** From the rest pose to the first picture of the idle clip, in which it then stands still. */
  stand(): void {
    this.#idle.play();
    this.#mixer.update(0);
  }

  do(activity: Activity): void {
    const isWaving = activity === "action";
    if (isWaving !== this.#wave.isRunning()) {
      const [from, to] = isWaving ? [this.#idle, this.#wave] : [this.#wave, this.#idle];
      to.reset().play();
      from.crossFadeTo(to, CROSSFADE, false);
    }
    // Who stands still stands in the idle clip, stopped where it was.
    this.#idle.timeScale = activity === "still" ? 0 : 1;
  }

  update(seconds: number): void {
    this.#mixer.update(seconds);
  }
}

/** Renderer, camera and the canvas's size. Pictures are drawn when something asks for one. */
import {
  ACESFilmicToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { reducedMotion } from "../../../ui/dom.ts";
import { Pace } from "../../../editor/viewport/pace.ts";
import { drawsInSoftware } from "../../../editor/viewport/software.ts";

export const CAMERAS = {
  side: { name: "Side", from: [2.75, 1.62, 3.2], to: [0.12, 0.66, 0.62] },
  behind: { name: "Behind", from: [-1.75, 1.95, -2.5], to: [0.15, 0.75, 1.5] },
  hands: { name: "Hands", from: [0.82, 1.38, 0.92], to: [-0.02, 0.82, 0.3] },
} as const;
export type CameraName = keyof typeof CAMERAS;

export class View {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(38, 1, 0.05, 120);
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #controls: OrbitControls;
  /** Pixels a pixel of the page, at rest. A processor smooths edges by drawing more of them once. */
  readonly #fine: number;
  readonly #pace = new Pace(() => this.#askForSize());
  #isAsked = false;
  #isSizeStale = false;

  constructor(
    private readonly host: HTMLElement,
    /** Called for each picture that was asked for, before it is drawn. */
    private readonly prepare: (now: number) => void,
  ) {
    // Antialiasing is chosen with the context, so another one has to tell what draws here.
    const probe = document.createElement("canvas").getContext("webgl2");
    const isSlow = probe !== null && drawsInSoftware(probe);
    probe?.getExtension("WEBGL_lose_context")?.loseContext();
    this.#renderer = new WebGLRenderer({ antialias: !isSlow });
    this.#fine = isSlow ? Math.max(devicePixelRatio, 1.25) : Math.min(devicePixelRatio, 2);
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.toneMapping = ACESFilmicToneMapping;
    this.#renderer.toneMappingExposure = 1.12;
    this.canvas = this.#renderer.domElement;
    this.canvas.setAttribute("aria-label", "The angler on the dock; drag to look around");
    this.canvas.setAttribute("role", "img");
    host.append(this.canvas);
    this.#controls = new OrbitControls(this.camera, this.canvas);
    this.#controls.maxPolarAngle = Math.PI * 0.56;
    this.#controls.minDistance = 0.5;
    this.#controls.maxDistance = 12;
    this.#controls.enableDamping = !reducedMotion();
    this.#controls.addEventListener("change", () => this.ask());
    this.#resize();
    this.look("side");
    new ResizeObserver(() => this.#askForSize()).observe(host);
  }

  look(name: CameraName): void {
    const { from, to } = CAMERAS[name];
    const target = new Vector3().fromArray(to);
    this.#controls.target.copy(target);
    // A tall window sees less to the sides: further back there.
    const back = Math.max(1, 1.05 / Math.max(this.camera.aspect, 0.45));
    this.camera.position.fromArray(from).sub(target).multiplyScalar(back).add(target);
    this.#controls.update();
    this.ask();
  }

  /** One more picture; any number of times a frame. */
  ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#pace.asked();
    requestAnimationFrame((now) => {
      this.#isAsked = false;
      if (this.#isSizeStale) this.#resize();
      this.prepare(now);
      this.#controls.update();
      this.#renderer.render(this.scene, this.camera);
      this.#pace.drew();
    });
  }

  /** Another size empties the canvas, so it is taken on only where a picture follows at once. */
  #askForSize(): void {
    this.#isSizeStale = true;
    this.ask();
  }

  #resize(): void {
    this.#isSizeStale = false;
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return;
    const { coarse } = this.#pace;
    this.#renderer.setPixelRatio(coarse ? 0.6 : this.#fine);
    // While pictures come late the shadow stays as it is; it is drawn again when things come to rest.
    this.#renderer.shadowMap.autoUpdate = !coarse;
    this.#renderer.shadowMap.needsUpdate = true;
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
  }
}

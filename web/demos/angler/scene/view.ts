/** Renderer, camera and the canvas's size. Pictures are drawn when something asks for one. */
import {
  ACESFilmicToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { reducedMotion } from "../../../ui/dom.ts";
import { Pace } from "../../../editor/viewport/pace.ts";
import { drawsInSoftware } from "../../../editor/viewport/software.ts";
import { degrees } from "../session/vec.ts";
import { viewFrom, type CameraName } from "./cameras.ts";

export class View {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(38, 1, 0.05, 120);
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #controls: OrbitControls;
  /** Pixels a pixel of the page, at rest. A processor smooths edges by drawing more of them once. */
  readonly #fine: number;
  readonly #pace = new Pace(() => this.#askForSize());
  /** Until somebody looks around. */
  #looksFrom: CameraName | null = "behind";
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
    this.#controls.addEventListener("start", () => (this.#looksFrom = null));
    this.#resize();
    new ResizeObserver(() => this.#askForSize()).observe(host);
  }

  look(name: CameraName): void {
    this.#looksFrom = name;
    const { position, target } = viewFrom(name, this.camera.aspect, degrees(this.camera.fov));
    this.camera.position.copy(position);
    this.#controls.target.copy(target);
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
    if (this.#looksFrom) this.look(this.#looksFrom);
  }
}

/** Renderer, camera, light, and the canvas's size. Draws without end: a clip or the pointer may move. */
import {
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { Pace } from "../../editor/viewport/pace.ts";
import { Stage } from "../../editor/viewport/stage.ts";
import { CAMERAS, FIELD_OF_VIEW, stepBack, type CameraName } from "./cameras.ts";

/** A page that was away for longer does not catch up; seconds. */
const LONGEST_FRAME = 0.1;

const lightTheme = matchMedia("(prefers-color-scheme: light)");

export class View {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.05, 60);
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #stage: Stage;
  readonly #pace = new Pace(() => this.#resize());
  #name: CameraName = "portrait";

  constructor(private readonly host: HTMLElement) {
    // What is behind the character is the page's own background.
    this.#renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.toneMapping = NeutralToneMapping;
    this.canvas = this.#renderer.domElement;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute(
      "aria-label",
      "A mannequin that looks at the pointer; arrow keys move where it looks",
    );
    host.prepend(this.canvas);
    this.#stage = new Stage(this.scene, this.#renderer);
    this.#stage.fit(0.9, { x: 0, y: 0.9, z: 0 });
    const showTheme = (): void => this.#stage.show(true, !lightTheme.matches);
    lightTheme.addEventListener("change", showTheme);
    showTheme();
    new ResizeObserver(() => this.#resize()).observe(host);
    this.#resize();
  }

  look(name: CameraName): void {
    this.#name = name;
    const { from, to } = CAMERAS[name];
    const target = new Vector3().fromArray(to);
    this.camera.position
      .fromArray(from)
      .sub(target)
      .multiplyScalar(stepBack(this.camera.aspect))
      .add(target);
    this.camera.lookAt(target);
  }

  /** Calls `frame` before each picture with the seconds since the last one. */
  run(frame: (seconds: number) => void): void {
    let last = performance.now();
    this.#renderer.setAnimationLoop(() => {
      const now = performance.now();
      this.#pace.asked();
      frame(Math.min((now - last) / 1000, LONGEST_FRAME));
      last = now;
      this.#renderer.render(this.scene, this.camera);
      this.#pace.drew();
    });
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2) * (this.#pace.coarse ? 0.5 : 1));
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.look(this.#name);
  }
}

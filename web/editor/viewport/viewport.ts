/** The view of the model: three.js below, skeleton and gizmo on a canvas above it. Draws when something
 * changed, not otherwise. */
import {
  Matrix4,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
  Box3,
  Sphere,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { h, oncePerFrame } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { nodeName } from "../format.ts";
import { Gizmo } from "./gizmo.ts";
import { drawGizmo } from "./gizmo-draw.ts";
import { ViewportInput } from "./input.ts";
import { DrawnModel } from "./model.ts";
import { Overlay } from "./overlay.ts";
import { Pace } from "./pace.ts";
import { onThemeChange, readPalette } from "./palette.ts";
import { Pose } from "./pose.ts";
import { Screen } from "./screen.ts";
import { Stage } from "./stage.ts";

export interface CameraState {
  position: number[];
  target: number[];
}

export class Viewport {
  readonly element = h("div", { class: "viewport-surface" });
  readonly camera = new PerspectiveCamera(35, 1, 0.01, 100);
  readonly screen = new Screen(this.camera);
  readonly pose: Pose;
  readonly overlay: Overlay;
  readonly gizmo = new Gizmo();
  model: DrawnModel | null = null;
  /** What of the open file cannot be drawn, in words. */
  problems: readonly string[] = [];

  readonly controls: OrbitControls;
  private readonly renderer: WebGLRenderer | null;
  private readonly scene = new Scene();
  /** Made with the first file: its light takes a moment. */
  private stage: Stage | null = null;
  private readonly canvas = h("canvas", { class: "viewport-overlay", "aria-hidden": "true" });
  private readonly selectedTag = h("div", { class: "joint-tag joint-tag-selected", hidden: true });
  private readonly hoverTag = h("div", { class: "joint-tag", hidden: true });
  private palette = readPalette();
  private readonly world = new Matrix4();
  private readonly parent = new Matrix4();
  private loading = 0;

  private sceneIsStale = true;
  private readonly pace = new Pace(() => this.resize());
  private readonly schedule = oncePerFrame(() => this.draw());

  /** Asks for a new picture in the next frame. */
  readonly invalidate = (): void => {
    this.sceneIsStale = true;
    this.pace.asked();
    this.schedule();
  };

  /** As invalidate, where only the skeleton, the gizmo or the tags look different: meshes stay as drawn. */
  readonly invalidateOverlay = (): void => this.schedule();

  constructor(readonly editor: Editor) {
    this.pose = new Pose(editor);
    this.overlay = new Overlay(editor);
    this.renderer = createRenderer();
    const surface = this.renderer?.domElement ?? document.createElement("canvas");
    surface.className = "viewport-canvas";
    surface.tabIndex = 0;
    surface.setAttribute("role", "application");
    surface.setAttribute(
      "aria-label",
      "3D view. Drag to orbit, right-drag to pan, wheel to zoom, click a joint to select it. The node tree selects joints by keyboard.",
    );
    this.element.append(surface, this.canvas, this.hoverTag, this.selectedTag);
    if (!this.renderer)
      this.element.append(
        h(
          "p",
          { class: "viewport-message" },
          "This browser gives no WebGL, so meshes are not drawn.",
        ),
      );

    this.controls = new OrbitControls(this.camera, surface);
    this.controls.zoomToCursor = true;
    this.controls.screenSpacePanning = true;
    this.controls.addEventListener("change", this.invalidate);
    this.camera.position.set(1.6, 1.4, 3.4);
    this.controls.target.set(0, 0.8, 0);
    this.controls.update();

    new ViewportInput(this, surface);
    new ResizeObserver(() => this.resize()).observe(this.element);
    onThemeChange(() => {
      this.palette = readPalette();
      this.showStage();
    });
    editor.on(["document", "clip", "time"], this.invalidate);
    editor.on(["node", "hover", "pending", "playing"], this.invalidateOverlay);
    editor.on(["settings"], () => this.showStage());
    editor.on(["file"], () => void this.load());
    this.showStage();
  }

  // ---- the file ----

  private async load(): Promise<void> {
    const turn = ++this.loading;
    const { file, session } = this.editor;
    this.model?.dispose();
    if (this.model) this.scene.remove(this.model.root);
    this.model = null;
    this.problems = [];
    if (!file || !session) return this.invalidate();
    if (this.renderer) this.stage ??= new Stage(this.scene, this.renderer);
    this.pose.refresh();
    this.frame(null, false);
    const model = await DrawnModel.load(file);
    if (turn !== this.loading) return model.dispose();
    this.model = model;
    this.scene.add(model.root);
    this.problems = [...new Set(model.problems)];
    this.writePose(true);
    if (!this.cameraWasSet) this.frame(null, false);
    this.cameraWasSet = false;
    this.showStage();
    this.element.dispatchEvent(new CustomEvent("drawn"));
  }

  private cameraWasSet = false;

  get cameraState(): CameraState {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }

  /** Stands where a draft stood; call right after the file is shown. */
  set cameraState(state: CameraState) {
    this.cameraWasSet = true;
    this.camera.position.fromArray(state.position);
    this.controls.target.fromArray(state.target);
    this.controls.update();
  }

  // ---- looking ----

  /** Fits the view to a node and its children, or to everything. */
  frame(node: number | null, keepDirection = true): void {
    if (!this.editor.session) return;
    this.pose.refresh();
    const box = new Box3();
    const point = new Vector3();
    if (node === null) {
      if (this.model) box.copy(this.model.bounds());
      for (const joint of this.editor.jointNodes)
        box.expandByPoint(this.pose.position(joint, point));
    } else {
      box.expandByPoint(this.pose.position(node, point));
      for (const child of this.editor.nodes[node]?.children ?? [])
        box.expandByPoint(this.pose.position(child, point));
    }
    if (box.isEmpty() || !Number.isFinite(box.min.length() + box.max.length()))
      box.setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1));
    const sphere = box.getBoundingSphere(new Sphere());
    const whole = this.editor.session.model.size || sphere.radius || 1;
    const radius = Math.max(sphere.radius, node === null ? 1e-4 : whole * 0.08);
    if (node === null) this.fitDepth(radius, sphere.center);

    const direction = keepDirection
      ? this.camera.position.clone().sub(this.controls.target).normalize()
      : new Vector3(0.42, 0.2, 1).normalize();
    const half = (this.camera.fov * Math.PI) / 360;
    // On a phone the tools cover more of the view.
    const room = this.screen.width < 520 ? 1.3 : 1.08;
    const distance =
      (radius * room) / Math.sin(Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect)));
    this.controls.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(direction, distance);
    this.controls.update();
    this.invalidate();
  }

  /** Looks along an axis of the world. */
  lookFrom(direction: Vector3): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.position
      .copy(this.controls.target)
      .addScaledVector(direction.normalize(), distance);
    this.controls.update();
  }

  private fitDepth(radius: number, centre: Vector3): void {
    this.camera.near = radius / 200;
    this.camera.far = radius * 200;
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = radius / 50;
    this.controls.maxDistance = radius * 60;
    this.stage?.fit(radius, centre);
  }

  private showStage(): void {
    const { settings } = this.editor;
    this.stage?.show(settings.grid, this.palette.dark);
    if (this.model) this.model.root.visible = settings.mesh;
    this.invalidate();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const ratio = Math.min(devicePixelRatio, 2);
    this.renderer?.setPixelRatio(this.pace.coarse ? Math.min(ratio, 1) * 0.5 : ratio);
    this.renderer?.setSize(width, height, false);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.screen.width = width;
    this.gizmo.radius = width < 520 ? 66 : 82;
    this.screen.height = height;
    // Drawn at once: a resized canvas is empty until then.
    this.sceneIsStale = true;
    this.draw();
  }

  // ---- drawing ----

  private writePose(force = false): void {
    if (this.pose.refresh() || force) this.model?.write(this.pose);
  }

  private draw(): void {
    if (!this.element.clientWidth) return;
    if (this.editor.session) this.writePose();
    this.screen.update();
    if (this.sceneIsStale) {
      this.sceneIsStale = false;
      this.renderer?.render(this.scene, this.camera);
      this.pace.drew();
    }

    const context = this.canvas.getContext("2d")!;
    const ratio = this.canvas.width / Math.max(1, this.screen.width);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.screen.width, this.screen.height);
    if (!this.editor.session) return this.hideTags();
    this.projectJoints();
    if (this.editor.settings.skeleton) this.overlay.draw(context, this.palette);
    this.placeGizmo();
    drawGizmo(context, this.gizmo, this.screen, this.palette);
    this.placeTags();
  }

  /** Brings the joints' places on the screen up to date, for drawing or for picking before that. */
  projectJoints(): void {
    this.writePose();
    this.overlay.project(this.pose, this.screen);
  }

  private placeGizmo(): void {
    const { node, nodeInfo, settings, posing } = this.editor;
    const able =
      node !== null && nodeInfo !== null && posing.obstacle(node) === "" && !this.editor.playing;
    const tool = able && settings.tool !== "select" ? settings.tool : null;
    this.pose.matrix(node ?? 0, this.world);
    this.pose.matrix(nodeInfo?.parent ?? null, this.parent);
    this.gizmo.place(tool, this.world, this.parent, settings.space, this.screen);
  }

  private placeTags(): void {
    const { node, hover } = this.editor;
    this.placeTag(this.selectedTag, node);
    this.placeTag(this.hoverTag, hover === node ? null : hover);
  }

  private placeTag(tag: HTMLElement, node: number | null): void {
    const info = node === null ? undefined : this.editor.nodes[node];
    const at = info ? this.screen.project(this.pose.position(info.index, new Vector3())) : null;
    tag.hidden = !at || at.depth <= 0 || this.editor.playing;
    if (!info || !at || tag.hidden) return;
    if (tag.textContent !== nodeName(info)) tag.textContent = nodeName(info);
    tag.style.transform = `translate(${Math.round(at.x)}px, ${Math.round(at.y)}px)`;
  }

  private hideTags(): void {
    this.selectedTag.hidden = this.hoverTag.hidden = true;
  }
}

function createRenderer(): WebGLRenderer | null {
  try {
    const renderer = new WebGLRenderer({
      antialias: true,
      alpha: true,
      powerPreference: "high-performance",
    });
    // Asking would wait for each shader; a failing one shows as a missing mesh.
    renderer.debug.checkShaderErrors = false;
    renderer.toneMapping = NeutralToneMapping;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    return renderer;
  } catch {
    return null;
  }
}

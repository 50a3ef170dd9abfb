/** What stands about the model: light, ground grid and the shadow on the ground. */
import {
  Color,
  DirectionalLight,
  DoubleSide,
  HemisphereLight,
  Mesh,
  PlaneGeometry,
  type Scene,
  ShaderMaterial,
  ShadowMaterial,
  type WebGLRenderer,
} from "three";
import { studio } from "./environment.ts";
import { drawsInSoftware } from "./software.ts";

const gridVertex = /* glsl */ `
  varying vec2 ground;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    ground = world.xz;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;

// Lines one pixel wide at any distance, from screen-space derivatives; the finer of the two grids
// fades out before it would turn into a grey sheet.
const gridFragment = /* glsl */ `
  varying vec2 ground;
  uniform float cell;
  uniform float reach;
  uniform vec3 color;
  uniform float strength;

  float lines(float size) {
    vec2 at = ground / size;
    vec2 width = fwidth(at);
    vec2 distance = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
    float fade = 1.0 - smoothstep(0.15, 0.5, max(width.x, width.y));
    return (1.0 - min(min(distance.x, distance.y), 1.0)) * fade;
  }

  float axis(float at) {
    return 1.0 - min(abs(at) / max(fwidth(at), 1e-6), 1.0);
  }

  void main() {
    float far = 1.0 - smoothstep(0.2, 1.0, length(ground) / reach);
    float amount = max(lines(cell) * 0.35, lines(cell * 10.0) * 0.8);
    vec3 tint = color;
    float x = axis(ground.y), z = axis(ground.x);
    if (x > 0.0) { tint = mix(tint, vec3(0.86, 0.33, 0.33), x); amount = max(amount, x); }
    if (z > 0.0) { tint = mix(tint, vec3(0.34, 0.55, 0.92), z); amount = max(amount, z); }
    gl_FragColor = vec4(tint, amount * far * strength);
    #include <colorspace_fragment>
  }`;

export class Stage {
  readonly grid: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly sun = new DirectionalLight(0xffffff, 1.6);
  private readonly shadow: Mesh<PlaneGeometry, ShadowMaterial>;

  constructor(scene: Scene, renderer: WebGLRenderer) {
    if (drawsInSoftware(renderer.getContext())) {
      // Compiling the shaders that prefilter an environment takes such a machine many seconds.
      const fill = new DirectionalLight(0xdfe8ff, 0.9);
      fill.position.set(-3, 2, -2.5);
      scene.add(new HemisphereLight(0xf3f6ff, 0x6b6660, 1.9), fill);
    } else {
      scene.environment = studio(renderer);
      scene.environmentIntensity = 0.6;
    }

    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.radius = 4;
    this.sun.shadow.intensity = 0.9;
    scene.add(this.sun, this.sun.target);

    this.grid = new Mesh(
      new PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
      new ShaderMaterial({
        vertexShader: gridVertex,
        fragmentShader: gridFragment,
        uniforms: {
          cell: { value: 0.1 },
          reach: { value: 5 },
          color: { value: new Color(0x8a93a3) },
          strength: { value: 0.5 },
        },
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
      }),
    );
    this.grid.renderOrder = -1;
    this.shadow = new Mesh(
      new PlaneGeometry(1, 1).rotateX(-Math.PI / 2),
      new ShadowMaterial({ opacity: 0.28 }),
    );
    this.shadow.receiveShadow = true;
    scene.add(this.grid, this.shadow);
  }

  /** Fits light and grid to a model of this radius about this centre. */
  fit(radius: number, centre: { x: number; y: number; z: number }): void {
    const cell = 10 ** Math.floor(Math.log10(radius * 0.6));
    const { uniforms } = this.grid.material;
    uniforms["cell"]!.value = cell;
    uniforms["reach"]!.value = radius * 9;
    this.grid.scale.setScalar(radius * 20);
    this.shadow.scale.setScalar(radius * 12);
    this.shadow.position.set(centre.x, -radius * 2e-4, centre.z);

    this.sun.target.position.set(centre.x, centre.y, centre.z);
    this.sun.position.set(
      centre.x + radius * 1.6,
      centre.y + radius * 3.2,
      centre.z + radius * 2.1,
    );
    const { camera } = this.sun.shadow;
    camera.left = camera.bottom = -radius * 1.8;
    camera.right = camera.top = radius * 1.8;
    camera.near = radius * 0.5;
    camera.far = radius * 8;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = radius * 0.012;
  }

  show(grid: boolean, dark: boolean): void {
    this.grid.visible = grid;
    const { uniforms } = this.grid.material;
    (uniforms["color"]!.value as Color).set(dark ? 0x8f98a8 : 0x5d6675);
    uniforms["strength"]!.value = dark ? 0.42 : 0.5;
    this.shadow.material.opacity = dark ? 0.34 : 0.2;
  }
}

/** What stays: sky, water, hills, the dock and what stands on it. Modest geometry in plain colours, so
 * that it is drawn on a CPU too. */
import {
  BackSide,
  BoxGeometry,
  BufferAttribute,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  DoubleSide,
  Fog,
  Group,
  HemisphereLight,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
  Quaternion,
  RingGeometry,
  type Scene,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import { DOCK, HOLDER, NET_REST, ROD, SEAT_HEIGHT, WATER } from "../session/layout.ts";
import { random } from "../session/random.ts";
import { addScaled, direction, type Vec } from "../session/vec.ts";

const COLORS = {
  zenith: new Color(0x5d93b8),
  sky: new Color(0xa9cbd8),
  horizon: new Color(0xf3dfc4),
  deep: new Color(0x1f5a66),
  shallow: new Color(0x6fb0ac),
  wood: new Color(0x8d6a4a),
  darkWood: new Color(0x6a4d36),
  canvas: new Color(0x2f4858),
  steel: new Color(0x5c656d),
};

const lambert = (color: Color): MeshLambertMaterial => new MeshLambertMaterial({ color });

export class World {
  readonly #water: ShaderMaterial;
  readonly #rings: Mesh<RingGeometry, MeshBasicMaterial>[];

  constructor(scene: Scene) {
    scene.fog = new Fog(COLORS.horizon, 14, 46);
    scene.add(sky(), ...light(), hills(), reeds());
    this.#water = waterMaterial();
    const water = new Mesh(new PlaneGeometry(120, 120).rotateX(-Math.PI / 2), this.#water);
    water.position.y = WATER;
    water.renderOrder = 1;
    scene.add(water);
    this.#rings = [0, 1, 2].map(() => {
      const ring = new Mesh(
        new RingGeometry(0.9, 1, 40).rotateX(-Math.PI / 2),
        new MeshBasicMaterial({ color: 0xffffff, transparent: true, depthWrite: false }),
      );
      ring.visible = false;
      ring.renderOrder = 2;
      scene.add(ring);
      return ring;
    });
  }

  /** Waves at a time, and rings about a place that something disturbs, 0 … 1. */
  update(time: number, place: Vec, disturbance: number): void {
    this.#water.uniforms["time"]!.value = time;
    this.#rings.forEach((ring, i) => {
      const age = (time * 0.9 + i / this.#rings.length) % 1;
      ring.visible = disturbance > 0.01;
      ring.position.set(place[0], WATER + 0.012, place[2]);
      ring.scale.setScalar(0.06 + age * 0.75);
      ring.material.opacity = disturbance * (1 - age) * 0.55;
    });
  }
}

/** A dock with a stool and the stand of the rod: the place of one angler. */
export function seat(): Group {
  const group = new Group();
  group.add(dock());
  const top = box(0.4, 0.035, 0.34, COLORS.canvas, [0, SEAT_HEIGHT - 0.018, 0.0]);
  group.add(top);
  for (const [x, z] of [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ] as const)
    group.add(
      pole([x * 0.17, 0, z * 0.15], [x * 0.15, SEAT_HEIGHT - 0.03, z * 0.12], 0.014, COLORS.steel),
    );
  const axis = direction(HOLDER.yaw, HOLDER.elevation);
  const butt = addScaled(HOLDER.grip, axis, -ROD.right);
  const low = addScaled(butt, axis, -0.02);
  const cup = addScaled(butt, axis, 0.12);
  group.add(pole(low, cup, 0.023, COLORS.steel));
  const under = addScaled(butt, axis, 0.03);
  group.add(pole([under[0], 0, under[2]], under, 0.011, COLORS.steel));
  const crate = box(0.26, 0.5, 0.22, COLORS.darkWood, [0.42, 0.25, 0.0]);
  group.add(crate, box(0.27, 0.03, 0.23, COLORS.wood, [0.42, 0.515, 0.0]));
  const along = new Vector3(...NET_REST.hoop).sub(new Vector3(...NET_REST.grip)).normalize();
  const fork = new Vector3(...NET_REST.grip).addScaledVector(along, 0.46);
  group.add(pole([fork.x, 0, fork.z], [fork.x, fork.y - 0.012, fork.z], 0.012, COLORS.steel));
  return group;
}

function box(x: number, y: number, z: number, color: Color, at: Vec): Mesh {
  const mesh = new Mesh(new BoxGeometry(x, y, z), lambert(color));
  mesh.position.set(...at);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

export function pole(from: Vec, to: Vec, radius: number, color: Color): Mesh {
  const [a, b] = [new Vector3(...from), new Vector3(...to)];
  const mesh = new Mesh(new CylinderGeometry(radius, radius, a.distanceTo(b), 10), lambert(color));
  mesh.position.copy(a).lerp(b, 0.5);
  mesh.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), b.sub(a).normalize());
  mesh.castShadow = true;
  return mesh;
}

function light(): [HemisphereLight, DirectionalLight, DirectionalLight] {
  const sun = new DirectionalLight(0xfff0d8, 2.1);
  sun.position.set(3.2, 5.5, 3.4);
  sun.target.position.set(0, 0.6, 0.4);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  sun.shadow.radius = 3;
  sun.shadow.normalBias = 0.015;
  sun.shadow.intensity = 0.75;
  const { camera } = sun.shadow;
  camera.left = camera.bottom = -2.4;
  camera.right = camera.top = 2.4;
  camera.near = 1;
  camera.far = 14;
  sun.target.updateMatrixWorld();
  const back = new DirectionalLight(0xbcd8ea, 0.7);
  back.position.set(-3, 2.5, -3);
  return [new HemisphereLight(0xdfeefa, 0x6f6a58, 1.5), sun, back];
}

function sky(): Mesh {
  const dome = new SphereGeometry(70, 24, 16);
  const place = dome.getAttribute("position");
  const colors = new Float32Array(place.count * 3);
  const color = new Color();
  for (let i = 0; i < place.count; i++) {
    const up = Math.max(0, place.getY(i) / 70);
    color
      .copy(COLORS.horizon)
      .lerp(COLORS.sky, Math.min(1, up * 4))
      .lerp(COLORS.zenith, Math.max(0, up * 1.4 - 0.2));
    color.toArray(colors, i * 3);
  }
  dome.setAttribute("color", new BufferAttribute(colors, 3));
  return new Mesh(dome, new MeshBasicMaterial({ vertexColors: true, side: BackSide, fog: false }));
}

function hills(): Group {
  const group = new Group();
  for (let i = 0; i < 26; i++) {
    const angle = (i / 26) * Math.PI * 2;
    const far = 40 + 14 * random(3, i);
    const height = 2 + 5.5 * random(5, i);
    const tint = new Color(0x7c9c96).lerp(new Color(0xc3cfc6), (far - 40) / 14);
    const hill = new Mesh(
      new ConeGeometry(9 + 7 * random(7, i), height, 7, 1),
      new MeshBasicMaterial({ color: tint, fog: false }),
    );
    hill.position.set(Math.sin(angle) * far, WATER + height / 2 - 0.2, Math.cos(angle) * far);
    hill.rotation.y = random(9, i) * 6;
    group.add(hill);
  }
  return group;
}

function dock(): Group {
  const group = new Group();
  const { front, left, right, back } = DOCK;
  const pitch = 0.153;
  const count = Math.floor((front - back) / pitch);
  const planks = new InstancedMesh(
    new BoxGeometry(left - right, 0.045, 0.145),
    lambert(new Color(0xffffff)),
    count,
  );
  const matrix = new Matrix4();
  for (let i = 0; i < count; i++) {
    const turn = new Quaternion().setFromAxisAngle(
      new Vector3(0, 1, 0),
      (random(11, i) - 0.5) * 0.008,
    );
    const place = new Vector3(
      (left + right) / 2 + (random(12, i) - 0.5) * 0.05,
      -0.0225 - random(13, i) * 0.004,
      front - 0.0725 - i * pitch,
    );
    matrix.compose(place, turn, new Vector3(1, 1, 1));
    planks.setMatrixAt(i, matrix);
    planks.setColorAt(i, COLORS.wood.clone().lerp(COLORS.darkWood, random(14, i) * 0.6));
  }
  planks.receiveShadow = planks.castShadow = true;
  group.add(planks);
  for (const x of [left - 0.25, right + 0.25]) {
    group.add(box(0.14, 0.14, front - back, COLORS.darkWood, [x, -0.12, (front + back) / 2]));
    for (const z of [front - 0.2, front - 2])
      group.add(pole([x, -2, z], [x, -0.02, z], 0.075, COLORS.darkWood));
  }
  for (const [x, z] of [
    [left - 0.09, front - 1.5],
    [right + 0.1, front - 0.12],
    [right + 0.1, front - 1.6],
  ] as const)
    group.add(pole([x, -0.1, z], [x, 0.2, z], 0.06, COLORS.darkWood));
  return group;
}

function reeds(): InstancedMesh {
  const count = 80;
  const mesh = new InstancedMesh(
    new ConeGeometry(0.014, 1, 4).translate(0, 0.5, 0),
    new MeshLambertMaterial({ color: 0x7f9a5a, side: DoubleSide }),
    count,
  );
  const matrix = new Matrix4();
  for (let i = 0; i < count; i++) {
    const left = random(21, i) < 0.5 ? 1 : -1;
    const x = left * (left > 0 ? 2.4 : 4.6) + left * 2.6 * random(22, i) ** 2;
    const z = -0.5 + 4.5 * random(23, i) * (left > 0 ? 0.6 : 1);
    const lean = new Quaternion().setFromAxisAngle(
      new Vector3(random(24, i) - 0.5, 0, random(25, i) - 0.5).normalize(),
      0.28 * random(26, i),
    );
    const tall = 0.5 + 0.9 * random(27, i);
    matrix.compose(new Vector3(x, WATER - 0.15, z), lean, new Vector3(1, tall, 1));
    mesh.setMatrixAt(i, matrix);
  }
  return mesh;
}

function waterMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    uniforms: {
      time: { value: 0 },
      deep: { value: COLORS.deep },
      shallow: { value: COLORS.shallow },
      horizon: { value: COLORS.horizon },
      sky: { value: COLORS.sky },
    },
    vertexShader: /* glsl */ `
      varying vec3 place;
      void main() {
        vec4 world = modelMatrix * vec4(position, 1.0);
        place = world.xyz;
        gl_Position = projectionMatrix * viewMatrix * world;
      }`,
    // The slope of a few sines stands for waves; the sky is seen in them as Schlick has it.
    fragmentShader: /* glsl */ `
      varying vec3 place;
      uniform float time;
      uniform vec3 deep, shallow, horizon, sky;
      void main() {
        vec2 p = place.xz;
        vec2 slope = vec2(0.0);
        slope += vec2(0.9, 0.3) * cos(dot(p, vec2(2.1, 0.7)) + time * 1.3);
        slope += vec2(-0.4, 0.9) * cos(dot(p, vec2(-1.3, 2.9)) + time * 1.7);
        slope += vec2(0.7, -0.7) * cos(dot(p, vec2(5.1, -4.7)) + time * 2.3) * 0.6;
        slope += vec2(0.3, 0.95) * cos(dot(p, vec2(2.7, 9.3)) - time * 3.1) * 0.4;
        vec3 toEye = cameraPosition - place;
        float far = length(toEye);
        // Far waves are finer than a pixel.
        slope *= 0.055 / (1.0 + 0.05 * far);
        vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
        float facing = max(dot(normalize(toEye), normal), 0.0);
        float mirror = 0.04 + 0.96 * pow(1.0 - facing, 5.0);
        vec3 seen = reflect(-normalize(toEye), normal);
        vec3 above = mix(horizon, sky, smoothstep(0.0, 0.35, seen.y));
        vec3 below = mix(shallow, deep, smoothstep(0.15, 0.75, facing) * 0.6 + 0.4 * smoothstep(2.0, 12.0, length(p)));
        float glint = pow(max(dot(seen, normalize(vec3(3.2, 5.5, 3.4))), 0.0), 90.0);
        vec3 color = mix(below, above, mirror) + vec3(1.0, 0.9, 0.7) * glint * 0.5;
        color = mix(color, horizon, smoothstep(16.0, 46.0, far));
        gl_FragColor = vec4(color, mix(0.74, 0.97, mirror + smoothstep(3.0, 14.0, far)));
        #include <colorspace_fragment>
      }`,
  });
}

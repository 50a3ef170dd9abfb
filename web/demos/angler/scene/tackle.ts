/** Rod, line, bobber, net and fish, put where the outputs say. */
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import { NET, ROD } from "../session/layout.ts";
import type { Outputs } from "../session/outputs.ts";
import type { Fish } from "../session/state.ts";
import type { Vec } from "../session/vec.ts";

const CORK = new Color(0xc79a63);
const CARBON = new Color(0x23282e);
const ACCENT = new Color(0xe8743b);

const lambert = (color: Color | number): MeshLambertMaterial => new MeshLambertMaterial({ color });
const UP = new Vector3(0, 1, 0);
const vector = (v: Vec): Vector3 => new Vector3(v[0], v[1], v[2]);

export class Tackle {
  readonly group = new Group();
  readonly #rod = new Rod();
  readonly #net = new Net();
  readonly #fish = fishMesh();
  readonly #bobber = bobberMesh();
  readonly #line = new Thread(24 + Rod.guides + 1, 0xf7fbff, 0.85);
  readonly #leader = new Thread(6, 0xf7fbff, 0.5);

  constructor() {
    this.group.add(
      this.#rod.group,
      this.#net.group,
      this.#fish,
      this.#bobber,
      this.#line.line,
      this.#leader.line,
    );
  }

  show(outputs: Outputs, time: number): void {
    this.#rod.show(outputs);
    this.#net.show(
      outputs.net.grip,
      outputs.net.axis,
      outputs.fish && time >= 0 ? outputs.fish : null,
    );
    this.#bobber.position.copy(vector(outputs.bobber));
    this.#line.show([...this.#rod.run, ...outputs.line]);
    this.#leader.show(outputs.leader);
    showFish(this.#fish, outputs.fish, time);
  }
}

class Rod {
  static readonly guides = 5;
  readonly group = new Group();
  /** The line from reel to tip, through the guides. */
  run: Vec[] = [];
  readonly #handle = new Group();
  readonly #blank: Tube;
  readonly #guides: Mesh[];

  constructor() {
    const along = (from: number, to: number, radius: number, color: Color): void => {
      const mesh = new Mesh(new CylinderGeometry(radius, radius, to - from, 14), lambert(color));
      mesh.position.y = (from + to) / 2;
      mesh.castShadow = true;
      this.#handle.add(mesh);
    };
    along(0, ROD.stiff, 0.0075, CARBON);
    along(0, 0.16, ROD.radius, CORK);
    along(0.2, 0.38, ROD.radius, CORK);
    along(0.475, 0.55, 0.0115, CORK);
    along(-0.012, 0.004, 0.0155, ACCENT);
    this.#handle.add(reel());
    this.#blank = new Tube(17, 7, 0.0068, 0.0016);
    this.#guides = Array.from({ length: Rod.guides }, (_, i) => {
      const guide = new Mesh(
        new TorusGeometry(0.014 - i * 0.0021, 0.0016, 6, 14),
        lambert(0x9aa3ab),
      );
      this.group.add(guide);
      return guide;
    });
    this.group.add(this.#handle, this.#blank.mesh);
  }

  show({ rod }: Outputs): void {
    const axis = vector(rod.axis);
    this.#handle.position.copy(vector(rod.butt));
    this.#handle.quaternion.copy(upright(axis));
    this.#blank.show(rod.blank);
    const below = new Vector3(0, 0, -1).applyQuaternion(this.#handle.quaternion);
    const points = rod.blank;
    const reelAt = vector(rod.butt).addScaledVector(axis, ROD.reel).addScaledVector(below, 0.06);
    this.run = [[reelAt.x, reelAt.y, reelAt.z]];
    this.#guides.forEach((guide, i) => {
      const at = Math.round(1 + ((points.length - 2) * (i + 0.3)) / (Rod.guides - 0.4));
      const here = vector(points[at]!);
      const forward = here
        .clone()
        .sub(vector(points[at - 1]!))
        .normalize();
      const down = below.clone().addScaledVector(forward, -below.dot(forward)).normalize();
      guide.position.copy(here).addScaledVector(down, 0.018 - i * 0.002);
      guide.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), forward);
      this.run.push([guide.position.x, guide.position.y, guide.position.z]);
    });
  }
}

/** +y along `axis`, and -z as far down as that leaves. */
function upright(axis: Vector3): Quaternion {
  const side = new Vector3().crossVectors(axis, UP);
  // Straight up, the reel looks ahead.
  if (side.lengthSq() < 1e-4) side.set(-1, 0, 0);
  side.normalize();
  const aim = new Quaternion().setFromUnitVectors(UP, axis);
  const now = new Vector3(1, 0, 0).applyQuaternion(aim);
  const angle = Math.atan2(new Vector3().crossVectors(now, side).dot(axis), now.dot(side));
  return aim.premultiply(new Quaternion().setFromAxisAngle(axis, angle));
}

function reel(): Group {
  const group = new Group();
  group.position.y = ROD.reel;
  const part = (
    geometry: CylinderGeometry | SphereGeometry,
    color: Color | number,
    x: number,
    y: number,
    z: number,
  ): Mesh => {
    const mesh = new Mesh(geometry, lambert(color));
    mesh.position.set(x, y, z);
    mesh.castShadow = true;
    group.add(mesh);
    return mesh;
  };
  part(new CylinderGeometry(0.006, 0.008, 0.05, 8), 0x30363d, 0, 0, -0.03).rotation.x = Math.PI / 2;
  part(new CylinderGeometry(0.024, 0.027, 0.05, 16), 0x3a424b, 0, 0.005, -0.066);
  part(new CylinderGeometry(0.028, 0.028, 0.012, 16), ACCENT, 0, 0.034, -0.066);
  part(new CylinderGeometry(0.004, 0.004, 0.05, 8), 0xb8c0c8, -0.038, -0.005, -0.066).rotation.z =
    Math.PI / 2;
  part(new SphereGeometry(0.012, 10, 8), 0x30363d, -0.066, -0.005, -0.05);
  return group;
}

/** A round bar through points, thinner towards its end. */
class Tube {
  readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  readonly #places: BufferAttribute;
  readonly #normals: BufferAttribute;

  constructor(
    private readonly rings: number,
    private readonly sides: number,
    private readonly thick: number,
    private readonly thin: number,
  ) {
    const geometry = new BufferGeometry();
    this.#places = new BufferAttribute(new Float32Array(rings * sides * 3), 3);
    this.#normals = new BufferAttribute(new Float32Array(rings * sides * 3), 3);
    geometry.setAttribute("position", this.#places);
    geometry.setAttribute("normal", this.#normals);
    const faces: number[] = [];
    for (let ring = 0; ring + 1 < rings; ring++)
      for (let side = 0; side < sides; side++) {
        const [a, b] = [ring * sides + side, ring * sides + ((side + 1) % sides)];
        faces.push(a, b, a + sides, b, b + sides, a + sides);
      }
    geometry.setIndex(faces);
    this.mesh = new Mesh(geometry, new MeshLambertMaterial({ color: CARBON, side: DoubleSide }));
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
  }

  show(points: readonly Vec[]): void {
    const around = new Vector3();
    const across = new Vector3(1, 0, 0);
    for (let ring = 0; ring < this.rings; ring++) {
      const here = vector(points[ring]!);
      const ahead = vector(points[Math.min(ring + 1, this.rings - 1)]!)
        .sub(vector(points[Math.max(ring - 1, 0)]!))
        .normalize();
      // Carried along without turning about the bar.
      across.addScaledVector(ahead, -across.dot(ahead));
      if (across.lengthSq() < 1e-6) across.set(0, 0, 1).addScaledVector(ahead, -ahead.z);
      across.normalize();
      const other = new Vector3().crossVectors(ahead, across);
      const radius = this.thick + ((this.thin - this.thick) * ring) / (this.rings - 1);
      for (let side = 0; side < this.sides; side++) {
        const angle = (side / this.sides) * Math.PI * 2;
        around.copy(across).multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
        const index = ring * this.sides + side;
        this.#normals.setXYZ(index, around.x, around.y, around.z);
        this.#places.setXYZ(
          index,
          here.x + around.x * radius,
          here.y + around.y * radius,
          here.z + around.z * radius,
        );
      }
    }
    this.#places.needsUpdate = this.#normals.needsUpdate = true;
  }
}

class Thread {
  readonly line: Line<BufferGeometry, LineBasicMaterial>;
  readonly #places: BufferAttribute;

  constructor(count: number, color: number, opacity: number) {
    this.#places = new BufferAttribute(new Float32Array(count * 3), 3);
    const geometry = new BufferGeometry().setAttribute("position", this.#places);
    this.line = new Line(geometry, new LineBasicMaterial({ color, transparent: true, opacity }));
    this.line.frustumCulled = false;
    this.line.renderOrder = 3;
  }

  show(points: readonly Vec[]): void {
    points.forEach((point, i) => this.#places.setXYZ(i, ...point));
    this.line.geometry.setDrawRange(0, points.length);
    this.#places.needsUpdate = true;
  }
}

class Net {
  readonly group = new Group();
  readonly #bag: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly #places: BufferAttribute;

  constructor() {
    const handle = new Mesh(
      new CylinderGeometry(0.011, 0.011, NET.reach + NET.behind - NET.hoop, 10),
      lambert(0x4d5a50),
    );
    handle.position.y = (NET.reach - NET.behind - NET.hoop) / 2;
    const grip = new Mesh(
      new CylinderGeometry(NET.radius + 0.001, NET.radius + 0.001, 0.3, 12),
      lambert(CARBON),
    );
    grip.position.y = -NET.behind + 0.17;
    const hoop = new Mesh(new TorusGeometry(NET.hoop, 0.009, 8, 36), lambert(0x4d5a50));
    hoop.position.y = NET.reach;
    for (const mesh of [handle, grip, hoop]) mesh.castShadow = true;
    const count = Net.meridians * Net.rows * 4;
    this.#places = new BufferAttribute(new Float32Array(count * 3), 3);
    this.#bag = new LineSegments(
      new BufferGeometry().setAttribute("position", this.#places),
      new LineBasicMaterial({ color: 0xdce8df, transparent: true, opacity: 0.75 }),
    );
    this.#bag.frustumCulled = false;
    this.group.add(handle, grip, hoop, this.#bag);
  }

  static readonly meridians = 18;
  static readonly rows = 6;

  show(at: Vec, axis: Vec, fish: Fish | null): void {
    this.group.position.copy(vector(at));
    this.group.quaternion.copy(upright(vector(axis)));
    this.group.updateMatrixWorld();
    const middle = new Vector3(0, NET.reach, 0).applyMatrix4(this.group.matrixWorld);
    // The bag hangs straight down whichever way the hoop is turned, deeper with a fish in it.
    const loaded = fish && vector(fish.place).distanceTo(middle) < 0.3 ? 1 : 0;
    const down = new Vector3(0, -0.24 - 0.07 * loaded, 0).applyQuaternion(
      this.group.quaternion.clone().invert(),
    );
    const node = (row: number, meridian: number): Vector3 => {
      const depth = row / Net.rows;
      const size = NET.hoop * Math.sqrt(Math.max(0, 1 - depth * depth * 0.93));
      const angle = (meridian / Net.meridians) * Math.PI * 2;
      return new Vector3(
        Math.cos(angle) * size,
        NET.reach + Math.sin(angle) * size,
        0,
      ).addScaledVector(down, depth);
    };
    let at2 = 0;
    const put = (point: Vector3): void => {
      this.#places.setXYZ(at2++, point.x, point.y, point.z);
    };
    for (let row = 0; row < Net.rows; row++)
      for (let meridian = 0; meridian < Net.meridians; meridian++) {
        put(node(row, meridian));
        put(node(row + 1, meridian + 0.5));
        put(node(row, meridian));
        put(node(row + 1, meridian - 0.5));
      }
    this.#places.needsUpdate = true;
  }
}

function bobberMesh(): Group {
  const group = new Group();
  const upper = new Mesh(
    new SphereGeometry(0.032, 16, 8, 0, Math.PI * 2, 0, Math.PI / 2),
    lambert(0xe0442f),
  );
  const lower = new Mesh(
    new SphereGeometry(0.032, 16, 8, 0, Math.PI * 2, Math.PI / 2, Math.PI / 2),
    lambert(0xf7f3ea),
  );
  const stick = new Mesh(new CylinderGeometry(0.0045, 0.0045, 0.1, 8), lambert(0xe0442f));
  stick.position.y = 0.06;
  group.add(upper, lower, stick);
  return group;
}

/** A perch of some kind: a spindle with fins; its head is +z. */
function fishMesh(): Group {
  const group = new Group();
  const body = new SphereGeometry(1, 20, 14);
  const place = body.getAttribute("position");
  const colors = new Float32Array(place.count * 3);
  const color = new Color();
  const [back, side, belly] = [new Color(0x3f5e4b), new Color(0x8aa27a), new Color(0xf0e6cc)];
  for (let i = 0; i < place.count; i++) {
    const [x, y, z] = [place.getX(i), place.getY(i), place.getZ(i)];
    // Thick behind the head, thin at the tail.
    const girth = z > 0 ? 1 - 0.15 * z : 1 - 0.62 * z * z;
    place.setXYZ(i, x * 0.036 * girth, y * 0.062 * girth, z * 0.17);
    color.copy(y > 0 ? back : belly).lerp(side, 1 - Math.min(1, Math.abs(y) * 1.5));
    // Bars across the back.
    if (y > -0.2 && Math.sin(z * 16) > 0.35) color.multiplyScalar(0.62);
    color.toArray(colors, i * 3);
  }
  body.setAttribute("color", new BufferAttribute(colors, 3));
  body.computeVertexNormals();
  const mesh = new Mesh(body, new MeshLambertMaterial({ vertexColors: true }));
  const fin = new MeshLambertMaterial({ color: 0xd0713f, side: DoubleSide });
  const tail = new Mesh(new ConeGeometry(0.075, 0.1, 3), fin);
  tail.scale.set(0.14, 1, 1);
  tail.rotation.x = Math.PI / 2;
  tail.position.z = -0.2;
  const top = new Mesh(new ConeGeometry(0.075, 0.07, 3), fin);
  top.scale.set(0.1, 1, 1.2);
  top.position.set(0, 0.072, 0);
  const under = new Mesh(new ConeGeometry(0.035, 0.05, 3), fin);
  under.scale.set(0.14, -1, 1);
  under.position.set(0, -0.062, -0.03);
  group.add(mesh, tail, top, under);
  for (const x of [-1, 1]) {
    const eye = new Mesh(new SphereGeometry(0.009, 8, 6), lambert(0x14171a));
    eye.position.set(x * 0.027, 0.014, 0.125);
    group.add(eye);
  }
  for (const child of group.children) child.castShadow = true;
  group.userData["tail"] = tail;
  return group;
}

function showFish(group: Group, fish: Fish | null, time: number): void {
  group.visible = fish !== null;
  if (!fish) return;
  group.position.copy(vector(fish.place));
  const beat = Math.sin(time * (6 + 9 * fish.pull)) * (0.12 + 0.25 * fish.pull);
  group.rotation.set(0, fish.yaw + beat * 0.5, 0);
  (group.userData["tail"] as Mesh).rotation.z = beat * 1.6;
  // It comes out of the deep as a small shade.
  group.scale.setScalar(1.12 * (0.25 + 0.75 * fish.presence));
}

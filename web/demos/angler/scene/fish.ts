import {
  BufferAttribute,
  Color,
  ConeGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshLambertMaterial,
  SphereGeometry,
} from "three";
import type { Fish } from "../session/state.ts";
import { lambert, vector } from "./shapes.ts";

/** A perch of some kind: a spindle with fins; its head is +z. */
export function fishMesh(): Group {
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

export function showFish(group: Group, fish: Fish | null, time: number): void {
  group.visible = fish !== null;
  if (!fish) return;
  group.position.copy(vector(fish.place));
  const beat = Math.sin(time * (6 + 9 * fish.pull)) * (0.12 + 0.25 * fish.pull);
  group.rotation.set(0, fish.yaw + beat * 0.5, 0);
  (group.userData["tail"] as Mesh).rotation.z = beat * 1.6;
  // It comes out of the deep as a small shade.
  group.scale.setScalar(1.12 * (0.25 + 0.75 * fish.presence));
}

/** The light from all around: a studio of plain colours and a few bright panels, made into a prefiltered
 * environment once. Nothing in it is lit, so that it costs a slow machine next to nothing. */
import {
  BackSide,
  BufferAttribute,
  Color,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  PMREMGenerator,
  Scene,
  SphereGeometry,
  type Texture,
  Vector3,
  type WebGLRenderer,
} from "three";

/** Where a panel hangs about the centre, how large, how bright. */
const panels: { at: [number, number, number]; size: [number, number]; light: number }[] = [
  { at: [-2.5, 5, 3], size: [4.5, 3], light: 9 },
  { at: [5, 3, 1.5], size: [2, 4], light: 4.5 },
  { at: [-5, 2, -2], size: [1.6, 4], light: 4 },
  { at: [1.5, 3.2, -5], size: [5, 1.6], light: 6 },
];

export function studio(renderer: WebGLRenderer): Texture {
  const scene = new Scene();
  const dome = new SphereGeometry(8, 24, 16);
  const height = dome.getAttribute("position");
  const colors = new Float32Array(height.count * 3);
  const [ground, horizon, sky] = [
    new Color(0.16, 0.155, 0.15),
    new Color(0.42, 0.43, 0.45),
    new Color(0.95, 0.97, 1),
  ];
  const color = new Color();
  for (let i = 0; i < height.count; i++) {
    const up = height.getY(i) / 8;
    color.copy(horizon).lerp(up > 0 ? sky : ground, Math.abs(up) ** 0.7);
    color.toArray(colors, i * 3);
  }
  dome.setAttribute("color", new BufferAttribute(colors, 3));
  scene.add(new Mesh(dome, new MeshBasicMaterial({ vertexColors: true, side: BackSide })));
  for (const { at, size, light } of panels) {
    const panel = new Mesh(
      new PlaneGeometry(...size),
      new MeshBasicMaterial({ color: new Color(light, light, light) }),
    );
    panel.position.set(...at);
    panel.lookAt(new Vector3());
    scene.add(panel);
  }
  const generator = new PMREMGenerator(renderer);
  const { texture } = generator.fromScene(scene, 0.03, 0.1, 100, { size: 128 });
  generator.dispose();
  scene.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    object.geometry.dispose();
    (object.material as MeshBasicMaterial).dispose();
  });
  return texture;
}

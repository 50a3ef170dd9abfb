/** World to screen and back, in CSS pixels of the viewport. */
import { Matrix4, type PerspectiveCamera, Ray, Vector3 } from "three";

export interface ScreenPoint {
  x: number;
  y: number;
  /** Distance in front of the camera, metres; not positive behind it. */
  depth: number;
}

export class Screen {
  width = 1;
  height = 1;
  readonly eye = new Vector3();
  private readonly view = new Matrix4();
  private readonly point = new Vector3();

  constructor(readonly camera: PerspectiveCamera) {}

  /** Call when the camera moved. */
  update(): void {
    this.camera.updateMatrixWorld();
    this.view.copy(this.camera.matrixWorldInverse);
    this.eye.setFromMatrixPosition(this.camera.matrixWorld);
  }

  project(position: Vector3, out: ScreenPoint = { x: 0, y: 0, depth: 0 }): ScreenPoint {
    const p = this.point.copy(position).applyMatrix4(this.view);
    out.depth = -p.z;
    p.applyMatrix4(this.camera.projectionMatrix);
    out.x = (p.x * 0.5 + 0.5) * this.width;
    out.y = (0.5 - p.y * 0.5) * this.height;
    return out;
  }

  ray(x: number, y: number, out = new Ray()): Ray {
    out.origin.copy(this.eye);
    out.direction
      .set((x / this.width) * 2 - 1, 1 - (y / this.height) * 2, 0.5)
      .unproject(this.camera)
      .sub(this.eye)
      .normalize();
    return out;
  }

  /** Length in metres of one pixel at this depth. */
  pixel(depth: number): number {
    return (2 * Math.tan((this.camera.fov * Math.PI) / 360) * Math.max(depth, 1e-9)) / this.height;
  }
}

/** The handles about the selected joint: rings that rotate, arrows that move, boxes that scale. Drawn
 * and hit in screen space, so that they have one size and crisp lines at every zoom. */
import { Matrix3, Matrix4, Quaternion, type Ray, Vector3 } from "three";
import type { Transform } from "../../core/types.ts";
import type { PosePath } from "../posing.ts";
import type { Space } from "../settings.ts";
import type { Screen, ScreenPoint } from "./screen.ts";

export type GizmoTool = "rotate" | "move" | "scale";
/** 0, 1, 2: an axis; "view": about or across the line of sight, for scale all axes at once. */
export type Axis = 0 | 1 | 2 | "view";

export interface Handle {
  tool: GizmoTool;
  axis: Axis;
  /** With move: across the plane that this axis is the normal of. */
  plane: boolean;
}

export interface GizmoDrag {
  handle: Handle;
  /** Radians turned, metres moved or factor scaled, for the read-out. */
  amount: number;
  /** Where the pointer took hold and where it is, as angles about the axis. */
  fromAngle: number;
}

export interface PoseChange {
  path: PosePath;
  value: number[];
}

/** How things stood when a drag began. */
interface Start {
  local: Transform;
  /** Directions from world to the parent's space. */
  toParent: Matrix3;
  /** The parent's space is left-handed. */
  mirrored: boolean;
  origin: Vector3;
  toEye: Vector3;
  hit: Vector3;
  /** The pointer's last angle and the sum of its steps, radians. */
  angle: number;
  turned: number;
  x: number;
  y: number;
}

export const viewRing = 1.2;
const arrowStart = 14;
const planeAt = 30;
const planeSize = 9;
const segments = 72;

export class Gizmo {
  /** Of the rings, and the length of the arrows; CSS pixels. */
  radius = 82;
  tool: GizmoTool | null = null;
  hovered: Handle | null = null;
  drag: GizmoDrag | null = null;
  /** Centre on the screen; null when there is nothing to draw. */
  centre: ScreenPoint | null = null;
  readonly axes = [new Vector3(), new Vector3(), new Vector3()] as const;
  readonly position = new Vector3();
  readonly toEye = new Vector3();
  /** Metres of one pixel at the joint. */
  pixel = 1;

  private readonly parent = new Matrix4();
  private start: Start | null = null;
  private space: Space = "local";

  /** Puts the gizmo on a joint of the pose that is shown. While dragging in local space the axes stay. */
  place(
    tool: GizmoTool | null,
    world: Matrix4,
    parent: Matrix4,
    space: Space,
    screen: Screen,
  ): void {
    this.tool = tool;
    if (!this.drag) this.space = space;
    this.parent.copy(parent);
    this.position.setFromMatrixPosition(world);
    this.centre = tool ? screen.project(this.position) : null;
    if (!this.centre || this.centre.depth <= screen.camera.near) {
      this.centre = null;
      return;
    }
    this.pixel = screen.pixel(this.centre.depth);
    this.toEye.copy(screen.eye).sub(this.position).normalize();
    if (this.drag && this.drag.handle.tool !== "rotate") return;
    if (this.drag && space === "local") return;
    // Scale factors belong to the joint's own axes.
    if (space === "local" || tool === "scale") {
      world.extractBasis(...this.axes);
      this.axes.forEach((axis, i) =>
        axis.lengthSq() > 0 ? axis.normalize() : axis.setComponent(i, 1),
      );
    } else this.axes.forEach((axis, i) => axis.set(0, 0, 0).setComponent(i, 1));
  }

  /** The handle under a point, within `reach` pixels. */
  hit(x: number, y: number, reach: number, screen: Screen): Handle | null {
    const { centre, tool } = this;
    if (!centre || !tool) return null;
    let best: Handle | null = null;
    let bestDistance = reach;
    const offer = (distance: number, axis: Axis, plane = false): void => {
      if (distance > bestDistance) return;
      bestDistance = distance;
      best = { tool, axis, plane };
    };
    const fromCentre = Math.hypot(x - centre.x, y - centre.y);
    if (tool === "rotate") {
      offer(Math.abs(fromCentre - this.radius * viewRing), "view");
      for (const axis of [0, 1, 2] as const)
        for (const stretch of this.ring(axis, screen))
          if (stretch.front) offer(distanceToLine(stretch.points, x, y), axis);
      return best;
    }
    for (const axis of [0, 1, 2] as const) {
      if (this.facing(axis) > 0.97) continue;
      const [from, to] = this.arrow(axis, screen);
      offer(distanceToLine([from, to], x, y), axis);
    }
    if (tool === "move")
      for (const axis of [0, 1, 2] as const) {
        if (this.facing(axis) < 0.2) continue;
        const at = this.planeHandle(axis, screen);
        if (inside(at, x, y)) return { tool, axis, plane: true };
      }
    if (fromCentre <= Math.max(arrowStart - 3, reach)) offer(0, "view");
    return best;
  }

  /** How far an axis points at or away from the viewer, 0 … 1. */
  facing(axis: 0 | 1 | 2): number {
    return Math.abs(this.axes[axis].dot(this.toEye));
  }

  /** The ring about an axis, cut into its near and far halves. */
  ring(axis: 0 | 1 | 2, screen: Screen): { front: boolean; points: ScreenPoint[] }[] {
    const [u, v] = basis(this.axes[axis], this.toEye);
    const radius = this.radius * this.pixel;
    const stretches: { front: boolean; points: ScreenPoint[] }[] = [];
    const point = new Vector3();
    // u lies across the line of sight, so half a turn from it is the near half, the rest the far one.
    for (const front of [false, true]) {
      const points: ScreenPoint[] = [];
      for (let i = 0; i <= segments / 2; i++) {
        const angle = (front ? 0 : Math.PI) + (i / segments) * 2 * Math.PI;
        point
          .copy(this.position)
          .addScaledVector(u, Math.cos(angle) * radius)
          .addScaledVector(v, Math.sin(angle) * radius);
        points.push(screen.project(point));
      }
      stretches.push({ front, points });
    }
    return stretches;
  }

  arrow(axis: 0 | 1 | 2, screen: Screen): [ScreenPoint, ScreenPoint] {
    const at = (pixels: number): ScreenPoint =>
      screen.project(
        new Vector3().copy(this.position).addScaledVector(this.axes[axis], pixels * this.pixel),
      );
    return [at(arrowStart), at(this.radius)];
  }

  planeHandle(axis: 0 | 1 | 2, screen: Screen): ScreenPoint[] {
    const u = this.axes[((axis + 1) % 3) as 0 | 1 | 2];
    const v = this.axes[((axis + 2) % 3) as 0 | 1 | 2];
    return [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([a, b]) =>
      screen.project(
        new Vector3()
          .copy(this.position)
          .addScaledVector(u, (planeAt + a! * planeSize) * this.pixel)
          .addScaledVector(v, (planeAt + b! * planeSize) * this.pixel),
      ),
    );
  }

  /** The part of a circle that a rotation has swept so far. */
  sweep(screen: Screen): ScreenPoint[] {
    const { drag, start } = this;
    if (!drag || !start || drag.handle.tool !== "rotate") return [];
    const axis = this.direction(drag.handle.axis, start);
    const [u, v] = basis(axis, start.toEye);
    const radius = this.radius * (drag.handle.axis === "view" ? viewRing : 1) * this.pixel;
    const steps = Math.max(2, Math.ceil(Math.abs(drag.amount) / 0.08));
    const point = new Vector3();
    return Array.from({ length: steps + 1 }, (_, i) => {
      const angle = drag.fromAngle + (drag.amount * i) / steps;
      point
        .copy(this.position)
        .addScaledVector(u, Math.cos(angle) * radius)
        .addScaledVector(v, Math.sin(angle) * radius);
      return screen.project(point);
    });
  }

  begin(handle: Handle, x: number, y: number, local: Transform, screen: Screen): void {
    this.drag = { handle, amount: handle.tool === "scale" ? 1 : 0, fromAngle: 0 };
    const start: Start = {
      local,
      toParent: new Matrix3().setFromMatrix4(this.parent).invert(),
      mirrored: this.parent.determinant() < 0,
      origin: this.position.clone(),
      toEye: this.toEye.clone(),
      hit: new Vector3(),
      angle: 0,
      turned: 0,
      x,
      y,
    };
    this.start = start;
    if (handle.tool === "rotate")
      this.drag.fromAngle = start.angle = this.angle(handle.axis, x, y, screen, start);
    else this.grab(handle, screen.ray(x, y), start, start.hit);
  }

  /** The new value of what is dragged. `fine` slows the hand, `snap` rounds the amount. */
  move(x: number, y: number, screen: Screen, fine: boolean, snap: boolean): PoseChange | null {
    const { drag, start } = this;
    if (!drag || !start || !this.centre) return null;
    switch (drag.handle.tool) {
      case "rotate":
        return this.rotate(
          drag,
          start,
          this.angle(drag.handle.axis, x, y, screen, start),
          fine,
          snap,
        );
      case "move":
        return this.shift(drag, start, screen.ray(x, y), fine, snap);
      case "scale":
        return this.scale(drag, start, screen.ray(x, y), x - start.x + start.y - y, fine, snap);
    }
  }

  end(): void {
    this.drag = this.start = null;
  }

  private rotate(
    drag: GizmoDrag,
    start: Start,
    angle: number,
    fine: boolean,
    snap: boolean,
  ): PoseChange {
    const step = angle - start.angle;
    start.angle = angle;
    // The pointer may go round several times: steps are taken the short way and added up.
    start.turned += (step - 2 * Math.PI * Math.round(step / (2 * Math.PI))) * (fine ? 0.2 : 1);
    drag.amount = snap ? roundTo(start.turned, Math.PI / 36) : start.turned;

    const { axis } = drag.handle;
    const old = new Quaternion().fromArray(start.local.rotation);
    const turn = new Quaternion();
    if (axis !== "view" && this.space === "local") {
      // About the joint's own axis: exact under any parent. A mirrored world turns the other way round.
      const sense = (start.mirrored ? -1 : 1) * (start.local.scale[axis] < 0 ? -1 : 1);
      turn.setFromAxisAngle(new Vector3().setComponent(axis, 1), drag.amount * sense);
      return { path: "rotation", value: old.multiply(turn).normalize().toArray() };
    }
    const about = this.direction(axis, start).clone().applyMatrix3(start.toParent).normalize();
    turn.setFromAxisAngle(about, drag.amount * (start.mirrored ? -1 : 1));
    return { path: "rotation", value: turn.multiply(old).normalize().toArray() };
  }

  private shift(drag: GizmoDrag, start: Start, ray: Ray, fine: boolean, snap: boolean): PoseChange {
    const shift = this.grab(drag.handle, ray, start, new Vector3()).sub(start.hit);
    if (fine) shift.multiplyScalar(0.2);
    if (snap) {
      const grid = 10 ** Math.round(Math.log10(20 * this.pixel));
      for (const axis of this.axes) {
        const along = shift.dot(axis);
        shift.addScaledVector(axis, roundTo(along, grid) - along);
      }
    }
    drag.amount = shift.length();
    shift.applyMatrix3(start.toParent);
    return {
      path: "translation",
      value: start.local.translation.map((t, i) => t + shift.getComponent(i)),
    };
  }

  private scale(
    drag: GizmoDrag,
    start: Start,
    ray: Ray,
    pixels: number,
    fine: boolean,
    snap: boolean,
  ): PoseChange {
    const { axis } = drag.handle;
    let factor = 1 + pixels / 120;
    if (axis !== "view") {
      const along = (point: Vector3): number =>
        point.clone().sub(start.origin).dot(this.axes[axis]);
      factor =
        along(this.grab(drag.handle, ray, start, new Vector3())) / (along(start.hit) || 1e-9);
    }
    if (fine) factor = 1 + (factor - 1) * 0.2;
    drag.amount = Math.max(0.001, snap ? roundTo(factor, 0.1) : factor);
    const value = start.local.scale.map((s, i) =>
      axis === "view" || axis === i ? s * drag.amount : s,
    );
    return { path: "scale", value };
  }

  private direction(axis: Axis, start: Start): Vector3 {
    return axis === "view" ? start.toEye : this.axes[axis];
  }

  /** Where the pointer stands about an axis, radians. */
  private angle(axis: Axis, x: number, y: number, screen: Screen, start: Start): number {
    const about = this.direction(axis, start);
    const [u, v] = basis(about, start.toEye);
    if (Math.abs(about.dot(start.toEye)) < 0.15) {
      // The ring is seen from its edge: the pointer rolls it like a wheel.
      const centre = screen.project(start.origin);
      const side = screen.project(u.multiplyScalar(this.radius * this.pixel).add(start.origin));
      const [dx, dy] = [side.x - centre.x, side.y - centre.y];
      const length = Math.hypot(dx, dy) || 1;
      return Math.PI / 2 - ((x - centre.x) * dx + (y - centre.y) * dy) / length / this.radius;
    }
    const hit = onPlane(screen.ray(x, y), start.origin, about, new Vector3());
    if (!hit) return start.angle;
    hit.sub(start.origin);
    return Math.atan2(hit.dot(v), hit.dot(u));
  }

  /** The point of the axis or plane of a handle that a ray points at. */
  private grab(handle: Handle, ray: Ray, start: Start, out: Vector3): Vector3 {
    if (handle.axis === "view")
      return onPlane(ray, start.origin, start.toEye, out) ?? out.copy(start.origin);
    const axis = this.axes[handle.axis];
    if (handle.plane) return onPlane(ray, start.origin, axis, out) ?? out.copy(start.origin);
    // Nearest point of the axis to the ray.
    const apart = out.copy(start.origin).sub(ray.origin);
    const cosine = axis.dot(ray.direction);
    const along =
      (cosine * ray.direction.dot(apart) - axis.dot(apart)) / Math.max(1 - cosine * cosine, 1e-6);
    return out.copy(start.origin).addScaledVector(axis, along);
  }
}

/** Two directions that span the plane across an axis: u across the line of sight, v towards the eye;
 * a turn from u to v is positive about the axis. */
function basis(axis: Vector3, toEye: Vector3): [Vector3, Vector3] {
  const u = new Vector3().crossVectors(toEye, axis);
  if (u.lengthSq() < 1e-8)
    u.set(Math.abs(axis.x) < 0.9 ? 1 : 0, Math.abs(axis.x) < 0.9 ? 0 : 1, 0).cross(axis);
  u.normalize();
  return [u, new Vector3().crossVectors(axis, u).normalize()];
}

function onPlane(ray: Ray, point: Vector3, normal: Vector3, out: Vector3): Vector3 | null {
  const slope = ray.direction.dot(normal);
  if (Math.abs(slope) < 1e-6) return null;
  const along = out.copy(point).sub(ray.origin).dot(normal) / slope;
  return along > 0 ? out.copy(ray.origin).addScaledVector(ray.direction, along) : null;
}

const roundTo = (value: number, grid: number): number => Math.round(value / grid) * grid;

function distanceToLine(points: readonly ScreenPoint[], x: number, y: number): number {
  let nearest = Infinity;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const length = dx * dx + dy * dy;
    const along =
      length > 0 ? Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / length)) : 0;
    nearest = Math.min(nearest, Math.hypot(x - a.x - along * dx, y - a.y - along * dy));
  }
  return nearest;
}

/** Whether a point lies in a convex quadrilateral. */
function inside(corners: readonly ScreenPoint[], x: number, y: number): boolean {
  const sides = corners.map((a, i) => {
    const b = corners[(i + 1) % corners.length]!;
    return Math.sign((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x));
  });
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

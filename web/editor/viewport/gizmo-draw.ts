/** Drawing the gizmo. */
import { number } from "../format.ts";
import { type Axis, type Gizmo, type Handle, viewRing } from "./gizmo.ts";
import type { Palette } from "./palette.ts";
import type { Screen, ScreenPoint } from "./screen.ts";

export function drawGizmo(
  context: CanvasRenderingContext2D,
  gizmo: Gizmo,
  screen: Screen,
  palette: Palette,
): void {
  const { centre } = gizmo;
  if (!centre || !gizmo.tool) return;
  context.save();
  context.lineCap = "round";
  context.lineJoin = "round";
  if (gizmo.tool === "rotate") drawRings(context, gizmo, screen, palette, centre);
  else drawArrows(context, gizmo, screen, palette, centre);
  drawAmount(context, gizmo, palette, centre);
  context.restore();
}

const same = (a: Handle | null | undefined, axis: Axis, plane = false): boolean =>
  a?.axis === axis && a.plane === plane;

function axisColor(palette: Palette, axis: Axis): string {
  return axis === "view" ? palette.text : palette[(["axis-x", "axis-y", "axis-z"] as const)[axis]];
}

function trace(context: CanvasRenderingContext2D, points: readonly ScreenPoint[]): void {
  context.beginPath();
  points.forEach((point, i) =>
    i ? context.lineTo(point.x, point.y) : context.moveTo(point.x, point.y),
  );
}

/** A line with a dark halo, readable on any mesh. */
function stroke(
  context: CanvasRenderingContext2D,
  color: string,
  width: number,
  palette: Palette,
  alpha = 1,
): void {
  context.globalAlpha = alpha * 0.55;
  context.lineWidth = width + 2;
  context.strokeStyle = palette.shade;
  context.stroke();
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.strokeStyle = color;
  context.stroke();
  context.globalAlpha = 1;
}

function drawRings(
  context: CanvasRenderingContext2D,
  gizmo: Gizmo,
  screen: Screen,
  palette: Palette,
  centre: ScreenPoint,
): void {
  const { drag, hovered } = gizmo;
  if (drag) {
    const arc = gizmo.sweep(screen);
    const { axis } = drag.handle;
    const color = axisColor(palette, axis);
    context.globalAlpha = 0.35;
    context.lineWidth = 1.4;
    context.strokeStyle = color;
    if (axis === "view") {
      context.beginPath();
      context.arc(centre.x, centre.y, gizmo.radius * viewRing, 0, 2 * Math.PI);
      context.stroke();
    } else
      for (const stretch of gizmo.ring(axis, screen)) {
        trace(context, stretch.points);
        context.stroke();
      }
    trace(context, [centre, ...arc]);
    context.closePath();
    context.globalAlpha = 0.22;
    context.fillStyle = color;
    context.fill();
    context.globalAlpha = 1;
    trace(context, arc);
    stroke(context, color, 3, palette);
    for (const end of [arc[0], arc.at(-1)]) {
      if (!end) continue;
      trace(context, [centre, end]);
      stroke(context, color, 1.2, palette, 0.8);
    }
    return;
  }
  context.beginPath();
  context.arc(centre.x, centre.y, gizmo.radius * viewRing, 0, 2 * Math.PI);
  stroke(
    context,
    palette.text,
    same(hovered, "view") ? 2.6 : 1.2,
    palette,
    same(hovered, "view") ? 1 : 0.45,
  );
  for (const front of [false, true])
    for (const axis of [0, 1, 2] as const)
      for (const stretch of gizmo.ring(axis, screen)) {
        if (stretch.front !== front) continue;
        trace(context, stretch.points);
        const hot = same(hovered, axis);
        if (front) stroke(context, axisColor(palette, axis), hot ? 4 : 2.4, palette);
        else {
          context.globalAlpha = hot ? 0.4 : 0.16;
          context.lineWidth = 1.2;
          context.strokeStyle = axisColor(palette, axis);
          context.stroke();
          context.globalAlpha = 1;
        }
      }
}

function drawArrows(
  context: CanvasRenderingContext2D,
  gizmo: Gizmo,
  screen: Screen,
  palette: Palette,
  centre: ScreenPoint,
): void {
  const { drag, hovered, tool } = gizmo;
  const hot = drag?.handle ?? hovered;
  for (const axis of ([0, 1, 2] as (0 | 1 | 2)[]).sort(
    (a, b) => gizmo.axes[a].dot(gizmo.toEye) - gizmo.axes[b].dot(gizmo.toEye),
  )) {
    const color = axisColor(palette, axis);
    if (tool === "move" && !drag && gizmo.facing(axis) >= 0.2) {
      trace(context, gizmo.planeHandle(axis, screen));
      context.closePath();
      context.globalAlpha = same(hot, axis, true) ? 0.75 : 0.3;
      context.fillStyle = color;
      context.fill();
      stroke(context, color, 1, palette, 0.9);
    }
    if (gizmo.facing(axis) > 0.97) continue;
    if (drag && !same(drag.handle, axis) && drag.handle.axis !== "view" && !drag.handle.plane)
      continue;
    const [from, to] = gizmo.arrow(axis, screen);
    const active = same(hot, axis);
    trace(context, [from, to]);
    stroke(context, color, active ? 3.6 : 2.4, palette);
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    context.save();
    context.translate(to.x, to.y);
    context.rotate(angle);
    context.beginPath();
    if (tool === "move") {
      context.moveTo(12, 0);
      context.lineTo(-2, 5.5);
      context.lineTo(-2, -5.5);
    } else context.rect(-4.5, -4.5, 9, 9);
    context.closePath();
    stroke(context, color, 1, palette);
    context.fillStyle = color;
    context.fill();
    context.restore();
  }
  context.beginPath();
  context.arc(centre.x, centre.y, 8, 0, 2 * Math.PI);
  stroke(
    context,
    palette.text,
    same(hot, "view") ? 2.6 : 1.4,
    palette,
    same(hot, "view") ? 1 : 0.7,
  );
}

function drawAmount(
  context: CanvasRenderingContext2D,
  gizmo: Gizmo,
  palette: Palette,
  centre: ScreenPoint,
): void {
  const { drag } = gizmo;
  if (!drag) return;
  const text = {
    rotate: `${number((drag.amount * 180) / Math.PI, 1)}°`,
    move: drag.amount < 0.1 ? `${number(drag.amount * 100, 2)} cm` : `${number(drag.amount, 3)} m`,
    scale: `× ${number(drag.amount, 2)}`,
  }[drag.handle.tool];
  context.font = "600 12px system-ui, sans-serif";
  const width = context.measureText(text).width + 14;
  const [x, y] = [centre.x - width / 2, centre.y + gizmo.radius * viewRing + 12];
  context.beginPath();
  context.roundRect(x, y, width, 22, 6);
  context.fillStyle = palette.panel;
  context.fill();
  context.fillStyle = palette.text;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, centre.x, y + 11.5);
}

/** The arrow keys move the point that is looked at, for those who have no pointer. */
import type { CursorFollow } from "../../three/index.ts";

/** Of half the view's width or height. */
const STEP = 0.1;

const DIRECTIONS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const clamp = (x: number): number => Math.min(1, Math.max(-1, x));

export function followArrowKeys(canvas: HTMLElement, follow: CursorFollow, moved: () => void): void {
  let [x, y] = [0, 0];
  canvas.tabIndex = 0;
  canvas.addEventListener("keydown", (event) => {
    const direction = DIRECTIONS[event.key];
    if (!direction || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    x = clamp(x + STEP * direction[0]);
    y = clamp(y + STEP * direction[1]);
    follow.setPointer(x, y);
    moved();
  });
}

/** Dragging the character: it hangs on the pointer and sways, and goes back to its place when let go. */
import { Plane, Raycaster, Vector2, Vector3, type Camera, type Object3D } from "three";

/** How far it may be drawn to the side, metres. */
const REACH = 0.3;
/** 1 / seconds. */
const FOLLOW = 9;
const RETURN = 5;
/** Radians of lean for each metre a second. */
const SWAY = 0.16;
const MOST_SWAY = 0.16;
/** Half width of the body and the height of the shoulders: what can be taken hold of. */
const BODY = { half: 0.24, top: 1.42 };

const clamp = (x: number, most: number): number => Math.min(most, Math.max(-most, x));

export class Drag {
  /** Held, by pressing on the body. */
  isHeld = false;
  #from = 0;
  #goal = 0;
  #speed = 0;
  readonly #ray = new Raycaster();
  readonly #ndc = new Vector2();
  readonly #front = new Plane(new Vector3(0, 0, 1), 0);
  readonly #hit = new Vector3();

  constructor(
    private readonly body: Object3D,
    private readonly camera: Camera,
    canvas: HTMLElement,
  ) {
    canvas.addEventListener("pointerdown", (event) => {
      const at = this.#at(event, canvas);
      if (!at || Math.abs(at.x - body.position.x) > BODY.half || at.y > BODY.top || at.y < 0)
        return;
      canvas.setPointerCapture(event.pointerId);
      this.isHeld = true;
      this.#from = at.x - body.position.x;
      this.#goal = body.position.x;
    });
    canvas.addEventListener("pointermove", (event) => {
      const at = this.#at(event, canvas);
      if (at) this.#goal = clamp(at.x - this.#from, REACH);
    });
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      canvas.addEventListener(type, () => {
        this.isHeld = false;
        this.#from = 0;
      });
  }

  /** Where the pointer meets the plane through the character that looks to +z. */
  #at({ clientX, clientY }: PointerEvent, canvas: HTMLElement): Vector3 | null {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    this.#ndc.set(((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2);
    this.#ray.setFromCamera(this.#ndc, this.camera);
    return this.#ray.ray.intersectPlane(this.#front, this.#hit);
  }

  /** `hangs`: as though held where the pointer is. */
  update(seconds: number, hangs: boolean): void {
    const isDragged = this.isHeld || hangs;
    const { position, rotation } = this.body;
    const before = position.x;
    const goal = isDragged ? this.#goal : 0;
    position.x += (goal - before) * -Math.expm1(-seconds * (isDragged ? FOLLOW : RETURN));
    const speed = seconds > 0 ? (position.x - before) / seconds : 0;
    this.#speed += (speed - this.#speed) * -Math.expm1(-seconds * FOLLOW);
    rotation.z = clamp(this.#speed * SWAY, MOST_SWAY);
  }
}

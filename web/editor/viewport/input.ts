/** Pointer input of the viewport: the gizmo first, then picking; what is left orbits the camera. */
import { isTouch } from "../../ui/dom.ts";
import { pickJoint, pickOnMesh, pickRadius } from "./picking.ts";
import type { Viewport } from "./viewport.ts";

/** A pointer that moves less than this between down and up has clicked. */
const clickSlop = { mouse: 4, touch: 10 };

export class ViewportInput {
  /** The pointer that went down, until it turns out to drag. */
  private press: { id: number; x: number; y: number } | null = null;
  /** The pointer that holds the gizmo; until it has moved it may turn out to click. */
  private dragging: number | null = null;
  private moves = false;
  private readonly pointers = new Set<number>();

  constructor(
    private readonly view: Viewport,
    private readonly surface: HTMLElement,
  ) {
    // Capture, on the parent: the gizmo decides before the orbit controls hear of it.
    const { element } = view;
    element.addEventListener("pointerdown", this.down, { capture: true });
    element.addEventListener("pointermove", this.moved, { capture: true });
    element.addEventListener("pointerup", this.up, { capture: true });
    element.addEventListener("pointercancel", this.cancelled, { capture: true });
    element.addEventListener("pointerleave", () => this.hover(null));
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    window.addEventListener("keydown", this.keyed, { capture: true });
  }

  private place(event: PointerEvent): [number, number] {
    const box = this.surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private readonly down = (event: PointerEvent): void => {
    this.pointers.add(event.pointerId);
    const [x, y] = this.place(event);
    if (this.dragging !== null) {
      // The other button, or a second finger, gives the drag up.
      event.stopPropagation();
      this.abort();
      return;
    }
    if (this.pointers.size > 1) {
      this.press = null;
      return;
    }
    const { gizmo, screen, editor } = this.view;
    const handle = event.button === 0 ? gizmo.hit(x, y, isTouch(event) ? 16 : 8, screen) : null;
    if (handle && editor.node !== null && editor.posing.start(editor.node)) {
      event.stopPropagation();
      this.view.element.setPointerCapture(event.pointerId);
      this.dragging = event.pointerId;
      this.moves = false;
      this.press = { id: event.pointerId, x, y };
      gizmo.begin(handle, x, y, editor.localNow(editor.node), screen);
      this.view.invalidateOverlay();
      return;
    }
    if (event.button === 0) this.press = { id: event.pointerId, x, y };
  };

  private readonly moved = (event: PointerEvent): void => {
    const [x, y] = this.place(event);
    const { gizmo, screen, editor } = this.view;
    if (this.dragging === event.pointerId) {
      event.stopPropagation();
      this.moves ||= this.hasLeft(event, x, y);
      if (!this.moves) return;
      const change = gizmo.move(x, y, screen, event.shiftKey, event.ctrlKey || event.metaKey);
      if (change && editor.node !== null)
        editor.posing.update(editor.node, change.path, change.value);
      this.view.invalidate();
      return;
    }
    if (this.hasLeft(event, x, y)) this.press = null;
    if (event.buttons === 0 && !isTouch(event)) this.hover([x, y]);
  };

  private hasLeft(event: PointerEvent, x: number, y: number): boolean {
    return (
      this.press !== null &&
      Math.hypot(x - this.press.x, y - this.press.y) > clickSlop[isTouch(event) ? "touch" : "mouse"]
    );
  }

  private readonly up = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    const [x, y] = this.place(event);
    const radius = pickRadius[isTouch(event) ? "touch" : "mouse"];
    if (this.dragging === event.pointerId) {
      event.stopPropagation();
      this.press = null;
      // A click on the gizmo goes through to a joint behind it.
      if (!this.moves) return this.abort(() => this.pick(x, y, radius, true));
      this.dragging = null;
      this.view.gizmo.end();
      this.view.editor.posing.finish();
      this.view.invalidate();
      return;
    }
    if (this.press?.id !== event.pointerId) return;
    this.press = null;
    this.pick(x, y, radius, false);
  };

  private readonly cancelled = (event: PointerEvent): void => {
    this.pointers.delete(event.pointerId);
    this.press = null;
    if (this.dragging === event.pointerId) this.abort();
  };

  private readonly keyed = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || this.dragging === null) return;
    event.stopPropagation();
    event.preventDefault();
    this.abort();
  };

  private abort(then?: () => void): void {
    if (this.dragging === null) return;
    this.dragging = this.press = null;
    this.view.gizmo.end();
    this.view.editor.posing.abort();
    this.view.invalidate();
    then?.();
  }

  /** Selects what is pointed at; nothing there selects nothing, or with `keep` changes nothing. */
  private pick(x: number, y: number, radius: number, keep: boolean): void {
    const { editor, overlay, model, screen } = this.view;
    if (!editor.session) return;
    this.view.projectJoints();
    let node = editor.settings.skeleton ? pickJoint(overlay.candidates, x, y, radius) : null;
    if (node === null && !keep && model && editor.settings.mesh)
      node = pickOnMesh(model, screen, x, y);
    if (node !== null || !keep) editor.selectNode(node);
  }

  private hover(at: [number, number] | null): void {
    const { gizmo, screen, editor, overlay } = this.view;
    const handle = at ? gizmo.hit(...at, 8, screen) : null;
    const changed = JSON.stringify(handle) !== JSON.stringify(gizmo.hovered);
    gizmo.hovered = handle;
    const joint =
      at && !handle && editor.session && editor.settings.skeleton
        ? pickJoint(overlay.candidates, ...at, pickRadius.mouse)
        : null;
    editor.setHover(joint);
    this.surface.style.cursor = handle ? "grab" : joint !== null ? "pointer" : "";
    if (changed) this.view.invalidateOverlay();
  }
}

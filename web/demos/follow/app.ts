/** The page as a whole. */
import { CursorFollow, type Activity, type Rig } from "../../three/index.ts";
import { button, h, setPressed } from "../../ui/dom.ts";
import { buildPage, panel, toggle } from "../page.ts";
import { followArrowKeys } from "./arrow-keys.ts";
import { CAMERAS, type CameraName } from "./cameras.ts";
import type { Character } from "./character.ts";
import { Drag } from "./drag.ts";
import { Readout } from "./readout.ts";
import { SettingsPanel } from "./settings-panel.ts";
import { Sight } from "./sight.ts";
import { View } from "./view.ts";

const ACTIVITIES: [Activity, string, string][] = [
  ["still", "Still", "Nothing else moves the character: it follows in full."],
  ["idle", "Idle", "It breathes and shifts its weight; following is added to that."],
  ["drag", "Drag", "It hangs on the pointer. Pressing on its body drags it too."],
  ["action", "Action", "A clip of its own will: following gives way."],
];

export class App {
  readonly #view: View;
  readonly #follow: CursorFollow;
  readonly #drag: Drag;
  readonly #sight: Sight;
  readonly #readout = new Readout();
  readonly #hint = h(
    "p",
    { class: "hint" },
    "Move the pointer, or touch. Until then, nothing moves.",
  );
  readonly #note = h("p", { class: "activity-note", role: "status" });
  readonly #choices = new Map<Activity, HTMLButtonElement>();
  #chosen: Activity = "still";

  constructor(
    root: HTMLElement,
    rig: Rig,
    private readonly character: Character,
  ) {
    const { bar, scene, panels, foot } = buildPage(root, "Follow");
    this.#view = new View(scene);
    const { camera, canvas } = this.#view;
    this.#view.scene.add(character.root);
    const bone = character.bone.bind(character);
    const [leftEye, rightEye] = [bone("leftEye"), bone("rightEye")];
    const bones = { head: bone("head"), neck: bone("neck"), leftEye, rightEye };
    // Between the eyes, which no bone of the mannequin turns at rest.
    const eyeOffset = leftEye.position.clone().setX(0);
    // Made in the rest pose.
    this.#follow = new CursorFollow(rig, { root: character.root, bones, eyeOffset }, camera);
    this.#follow.connect(canvas);
    this.#drag = new Drag(character.root, camera, canvas);
    this.#sight = new Sight([leftEye, rightEye]);
    this.#view.scene.add(this.#sight.group);
    const moved = (): void => this.#hint.remove();
    document.addEventListener("pointermove", moved, { once: true });
    document.addEventListener("pointerdown", moved, { once: true });
    followArrowKeys(canvas, this.#follow, moved);

    for (const [name, { name: label }] of Object.entries(CAMERAS))
      bar.append(
        button({
          text: label,
          label: `View: ${label}`,
          class: "camera",
          press: () => this.#look(name as CameraName),
        }),
      );
    scene.append(this.#readout.element, this.#hint);
    panels.append(this.#seenPanel(), ...new SettingsPanel(this.#follow).elements);
    foot.append(this.#activities(), this.#switches());
    this.#look("portrait");
    character.stand();
    this.#choose("still");
    this.#view.run((seconds) => this.#frame(seconds));
  }

  #look(name: CameraName): void {
    this.#view.look(name);
    for (const element of document.querySelectorAll(".camera"))
      setPressed(element, element.textContent === CAMERAS[name].name);
  }

  #activities(): HTMLElement {
    const group = h("div", {
      class: "activities",
      role: "group",
      "aria-label": "What else moves the character",
    });
    for (const [activity, text] of ACTIVITIES) {
      const choice = button({
        text,
        label: text,
        class: "activity",
        press: () => this.#choose(activity),
      });
      this.#choices.set(activity, choice);
      group.append(choice);
    }
    return h("div", { class: "foot-main" }, group, this.#note);
  }

  #switches(): HTMLElement {
    const enabled = toggle("Follow", true, (on) => (this.#follow.enabled = on));
    const reset = button({
      icon: "undo",
      text: "Reset",
      label: "Reset, as for another character",
      class: "button-small",
      press: () => this.#follow.reset(),
    });
    return h("div", { class: "foot-side" }, enabled.element, reset);
  }

  #seenPanel(): HTMLElement {
    const sight = toggle("Lines of sight", false, (on) => (this.#sight.group.visible = on));
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () =>
      this.#sight.paint(),
    );
    return panel(
      "Show",
      sight.element,
      h("p", { class: "demo-note" }, "Without a pointer: Tab to the scene, then the arrow keys."),
    );
  }

  #choose(activity: Activity): void {
    this.#chosen = activity;
    this.#show(activity);
  }

  /** What moves the character now, which a drag may be for a while. */
  #show(activity: Activity): void {
    this.#follow.activity = activity;
    this.character.do(activity);
    for (const [name, choice] of this.#choices) setPressed(choice, name === activity);
    this.#note.textContent = ACTIVITIES.find(([name]) => name === activity)![2];
  }

  #frame(seconds: number): void {
    const activity = this.#drag.isHeld ? "drag" : this.#chosen;
    if (activity !== this.#follow.activity) this.#show(activity);
    this.character.update(seconds);
    this.#drag.update(seconds, this.#chosen === "drag");
    this.#follow.update(seconds);
    this.#readout.show(this.#follow);
    this.#sight.update(this.#follow.eyesTarget, this.#view.camera);
  }
}

/** The page as a whole: one session, from which each picture follows. */
import type { Core } from "../../core/types.ts";
import type { Rig } from "../../three/index.ts";
import { button, h } from "../../ui/dom.ts";
import { buildPage, panel, type DemoPage } from "../page.ts";
import { readAddress, writeAddress } from "./address.ts";
import { copyCharacter, drawCharacter } from "./body/mannequin.ts";
import { Actions } from "./panels/actions.ts";
import { ArmsPanel } from "./panels/arms.ts";
import { experimentsPanel, type Experiments } from "./panels/experiments.ts";
import { FromToPanel } from "./panels/from-to.ts";
import { Status } from "./panels/status.ts";
import { Transport } from "./panels/transport.ts";
import { Player } from "./player.ts";
import { recordClip, RECORD_RATE } from "./record.ts";
import { Figure } from "./scene/figure.ts";
import { CAMERAS, type CameraName } from "./scene/cameras.ts";
import { View } from "./scene/view.ts";
import { World } from "./scene/world.ts";
import { outputsOf } from "./session/outputs.ts";
import type { State } from "./session/state.ts";

/** A page that was away for longer does not catch up. */
const LONGEST_FRAME = 0.25;

export class App {
  readonly #page: DemoPage;
  readonly #player: Player;
  readonly #view: View;
  readonly #world: World;
  readonly #status = new Status();
  readonly #arms = new ArmsPanel();
  readonly #transport: Transport;
  readonly #actions: Actions;
  readonly #settings: Experiments = {
    body: { pole: true, restore: true, beyond: 0 },
    gizmos: false,
    beside: false,
  };
  readonly #recordNote = h("p", { class: "demo-note", role: "status" });
  #figure: Figure | null = null;
  #second: Figure | null = null;
  #last = performance.now();

  constructor(
    root: HTMLElement,
    private readonly core: Core,
    private readonly rig: Rig,
    private readonly model: Uint8Array<ArrayBuffer>,
  ) {
    this.#page = buildPage(root, "Angler");
    this.#player = new Player(readAddress(location.hash));
    this.#view = new View(this.#page.scene, (now) => this.#frame(now));
    this.#world = new World(this.#view.scene);
    const changed = (): void => {
      history.replaceState(null, "", `#${writeAddress(this.#player.session)}`);
      this.#view.ask();
    };
    this.#transport = new Transport(this.#player, () => this.#view.ask());
    this.#actions = new Actions(this.#player, changed);
    this.#build();
  }

  async begin(): Promise<void> {
    const character = await drawCharacter(this.model);
    // The copy is made while the character is in its rest pose, which is what the hands are measured in.
    const copy = copyCharacter(character);
    this.#figure = new Figure(this.rig, character);
    this.#second = new Figure(this.rig, copy);
    this.#second.group.position.x = -3;
    this.#view.scene.add(this.#figure.group, this.#second.group);
    for (const { gizmos } of [this.#figure, this.#second])
      for (const { group } of gizmos) this.#view.scene.add(group);
    this.#view.ask();
  }

  #build(): void {
    const { bar, scene, panels, foot } = this.#page;
    for (const [name, { name: label }] of Object.entries(CAMERAS))
      bar.append(
        button({
          text: label,
          label: `View: ${label}`,
          class: "camera",
          press: () => this.#view.look(name as CameraName),
        }),
      );
    scene.append(this.#status.element);
    panels.append(
      this.#arms.element,
      experimentsPanel(this.#settings, () => this.#view.ask()),
      this.#sessionPanel(),
      new FromToPanel().element,
    );
    foot.append(this.#actions.element, this.#transport.element);
    window.addEventListener("keydown", (event) => {
      const target = event.target as Element;
      // Those are pressed by the space bar themselves.
      if (event.key !== " " || target.closest("button, select, input:not([type=range])")) return;
      event.preventDefault();
      this.#player.playing = !this.#player.playing;
      this.#view.ask();
    });
  }

  #sessionPanel(): HTMLElement {
    const seed = h("input", {
      type: "number",
      class: "seed",
      min: 0,
      max: 9999,
      step: 1,
      value: this.#player.session.seed,
      "aria-label": "Seed",
    });
    const restart = (): void => {
      this.#player.restart(Math.trunc(Number(seed.value)) || 0);
      history.replaceState(null, "", `#${writeAddress(this.#player.session)}`);
      this.#view.ask();
    };
    const record = button({
      icon: "save",
      text: "Record a GLB",
      label: "Record a GLB",
      class: "button-primary",
      press: () => this.#record(),
    });
    return panel(
      "The session",
      h(
        "p",
        { class: "demo-note" },
        "A seed and what you did, at which time: all else follows. The address of this page holds it.",
      ),
      h(
        "div",
        { class: "session-row" },
        h("label", {}, h("span", {}, "Seed"), seed),
        button({
          icon: "repeat",
          text: "Start anew",
          label: "Start anew",
          class: "button-small",
          press: restart,
        }),
        record,
      ),
      this.#recordNote,
    );
  }

  #record(): void {
    const { session, end } = this.#player;
    if (!this.#figure) return;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      bytes = recordClip(this.core, this.model, session, end, this.#figure.angler);
    } catch (error) {
      this.#recordNote.textContent = `Nothing was recorded: ${error instanceof Error ? error.message : String(error)}`;
      throw error;
    }
    const url = URL.createObjectURL(new Blob([bytes], { type: "model/gltf-binary" }));
    h("a", { href: url, download: "angler.glb" }).click();
    // The download has begun once the click is handled; then the bytes may go.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    this.#recordNote.textContent = `angler.glb: the clip "angler", ${end.toFixed(2)} s, ${RECORD_RATE} keys a second.`;
    this.#view.ask();
  }

  // ---- pictures ----

  #frame(now: number): void {
    this.#player.advance(Math.min(Math.max(now - this.#last, 0) / 1000, LONGEST_FRAME));
    this.#last = now;
    if (this.#figure && this.#second) this.#show(this.#player.state, this.#figure, this.#second);
    if (this.#player.playing) this.#view.ask();
  }

  #show(state: State, figure: Figure, second: Figure): void {
    const { body, gizmos, beside } = this.#settings;
    const outputs = outputsOf(state);
    figure.show(outputs, state.time, body);
    second.group.visible = beside;
    if (beside) second.show(outputs, state.time, { pole: true, restore: true, beyond: 0 });
    for (const [one, shown] of [
      [figure, gizmos],
      [second, gizmos && beside],
    ] as const)
      [one.angler.right, one.angler.left].forEach((arm, i) => {
        one.gizmos[i]!.group.visible = shown;
        if (shown) one.gizmos[i]!.show(arm, this.#view.camera);
      });
    this.#world.update(state.time, state.bobber, disturbance(state));
    this.#status.show(state);
    this.#arms.show(state.time, figure.angler, this.#player.playing, this.#last);
    this.#transport.show();
    this.#actions.show(state.phase);
  }
}

/** How much the water about the bobber is stirred, 0 … 1. */
function disturbance({ phase, since, isHooked, bobber }: State): number {
  if (phase === "settle") return Math.exp(-since * 1.6);
  if (phase === "bite") return 0.8;
  if (phase === "fight" && isHooked) return bobber[1] < 0.2 ? 0.5 : 0;
  return 0;
}

/** The tools that float over the viewport. */
import { button, h, relabel, setPressed } from "../../ui/dom.ts";
import type { Editor } from "../editor.ts";
import { icon, type IconName } from "../../ui/icons.ts";
import type { Settings, Tool } from "../settings.ts";
import type { Viewport } from "../viewport/viewport.ts";

const tools: [Tool, IconName, string, string][] = [
  ["rotate", "rotate", "Rotate", "R"],
  ["move", "move", "Move", "G"],
  ["scale", "scale", "Scale", "S"],
];

type Switch = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings];

export class Viewbar {
  readonly element: HTMLElement;
  readonly hint = h("div", { class: "pending-hint", role: "status", hidden: true });
  private readonly tools: Map<Tool, HTMLButtonElement>;
  private readonly space: HTMLButtonElement;
  private readonly autoKey: HTMLButtonElement;
  private readonly switches: [Switch, HTMLButtonElement][];

  constructor(
    private readonly editor: Editor,
    view: Viewport,
  ) {
    const { settings } = editor;
    this.tools = new Map(
      tools.map(([tool, name, label, keys]) => [
        tool,
        button({
          icon: name,
          label,
          keys,
          class: "tool",
          press: () => editor.set("tool", settings.tool === tool ? "select" : tool),
        }),
      ]),
    );
    this.space = button({
      icon: "local",
      text: "Local",
      label: "Axes of the gizmo",
      keys: "L",
      press: () => editor.set("space", settings.space === "local" ? "world" : "local"),
    });
    this.autoKey = button({
      icon: "auto-key",
      text: "Auto key",
      label: "Auto key: a new pose is keyed at the playhead at once",
      keys: "K",
      class: "button-record",
      press: () => editor.set("autoKey", !settings.autoKey),
    });
    const toggle = (
      name: Switch,
      drawing: IconName,
      label: string,
    ): [Switch, HTMLButtonElement] => [
      name,
      button({ icon: drawing, label, press: () => editor.set(name, !settings[name]) }),
    ];
    this.switches = [
      toggle("skeleton", "skeleton", "Show skeleton"),
      toggle("mesh", "mesh", "Show meshes"),
      toggle("grid", "grid", "Show ground grid"),
    ];
    this.hint.append(
      h("span", {}, "This pose has no key yet."),
      button({
        icon: "key-set",
        text: "Set key",
        label: "Set key",
        keys: "I",
        class: "button-small",
        press: () => editor.posing.commit(),
      }),
      button({
        text: "Discard",
        label: "Discard the pose",
        keys: "Escape",
        class: "button-small",
        press: () => editor.posing.discard(),
      }),
    );
    this.element = h(
      "div",
      { class: "viewbar" },
      h(
        "div",
        { class: "viewbar-group", role: "toolbar", "aria-label": "Tools" },
        ...this.tools.values(),
        h("span", { class: "divider" }),
        this.space,
        h("span", { class: "divider" }),
        this.autoKey,
      ),
      h(
        "div",
        { class: "viewbar-group", role: "toolbar", "aria-label": "View" },
        ...this.switches.map(([, element]) => element),
        h("span", { class: "divider" }),
        button({
          icon: "frame",
          label: "Frame the selected joint, or everything",
          keys: "F",
          press: () => view.frame(editor.node),
        }),
      ),
    );
    editor.on(["settings"], () => this.update());
    editor.on(["pending", "document"], () => (this.hint.hidden = !editor.posing.pending));
    this.update();
  }

  private update(): void {
    const { settings } = this.editor;
    for (const [tool, element] of this.tools) setPressed(element, tool === settings.tool);
    const local = settings.space === "local";
    this.space.replaceChildren(
      icon(local ? "local" : "world"),
      h("span", {}, local ? "Local" : "World"),
    );
    relabel(
      this.space,
      local ? "The gizmo follows the joint’s own axes" : "The gizmo follows the world’s axes",
    );
    setPressed(this.autoKey, settings.autoKey);
    for (const [name, element] of this.switches) setPressed(element, settings[name]);
  }
}

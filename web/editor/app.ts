/** The editor as a whole: builds the page, and connects its parts. */
import type { Core, Finding } from "../core/types.ts";
import { DraftKeeper } from "./draft-keeper.ts";
import { Drafts } from "./drafts.ts";
import { button, h, oncePerFrame } from "../ui/dom.ts";
import { Editor, type OpenedFile } from "./editor.ts";
import { ago, nodeName, plural } from "./format.ts";
import {
  assemble,
  extension,
  fetchServed,
  type FileSet,
  listServed,
  modelsIn,
  readDrop,
  readFiles,
} from "./open.ts";
import { Clips } from "./panels/clips.ts";
import { chooseModel, showError, showFindings, showShortcuts } from "./panels/dialogs.ts";
import { Inspector } from "./panels/inspector.ts";
import { Modifiers } from "./panels/modifiers.ts";
import { Splitter } from "./panels/splitter.ts";
import { Start } from "./panels/start.ts";
import { Toast } from "./panels/toast.ts";
import { Topbar } from "./panels/topbar.ts";
import { Transport } from "./panels/transport.ts";
import { Tree } from "./panels/tree.ts";
import { Viewbar } from "./panels/viewbar.ts";
import { Playback } from "./playback.ts";
import { save } from "./save.ts";
import { listen } from "./shortcuts.ts";
import { Timeline } from "./timeline/timeline.ts";
import { decodePath } from "./uri.ts";
import { Viewport } from "./viewport/viewport.ts";

const tabs = [
  ["timeline", "timeline", "Timeline"],
  ["inspector", "sliders", "Inspector"],
  ["tree", "tree", "Nodes"],
  ["clips", "clip", "Clips"],
] as const;

export class App {
  readonly editor: Editor;
  private readonly viewport: Viewport;
  private readonly timeline: Timeline;
  private readonly topbar: Topbar;
  private readonly start: Start;
  private readonly busy = h("div", { class: "busy", role: "status", hidden: true });
  private readonly dropHint = h(
    "div",
    { class: "drop-hint", hidden: true, "aria-hidden": "true" },
    "Drop to open",
  );
  private readonly filePicker = h("input", {
    type: "file",
    multiple: true,
    class: "visually-hidden",
    tabindex: -1,
    "aria-label": "Files to open",
  });
  private readonly folderPicker = h("input", {
    type: "file",
    webkitdirectory: true,
    class: "visually-hidden",
    tabindex: -1,
    "aria-label": "Folder to open",
  });
  private readonly root: HTMLElement;
  /** Tells assistive technology what the canvases show as selected. */
  private readonly live = h("div", { class: "visually-hidden", role: "status" });
  private keeper: DraftKeeper | null = null;
  private findings: Finding[] = [];

  constructor(
    private readonly core: Core,
    root: HTMLElement,
  ) {
    this.root = root;
    const editor = (this.editor = new Editor(core));
    this.viewport = new Viewport(editor);
    this.timeline = new Timeline(editor);
    new Playback(editor);
    const openFiles = (): void => this.filePicker.click();
    const saveFile = (): void => this.save();
    this.topbar = new Topbar(editor, {
      open: openFiles,
      save: saveFile,
      home: () => this.goHome(),
      findings: () =>
        showFindings(editor.file?.name ?? "", this.allFindings(), (node) =>
          editor.selectNode(node),
        ),
      shortcuts: showShortcuts,
    });
    this.start = new Start({
      openFiles,
      openFolder: () => this.folderPicker.click(),
      openServed: (file) => void this.openAddress(file.url),
      restore: (draft) => void this.restore(draft.id),
      forget: (draft) => void this.keeper?.forget(draft.id).then(() => this.listDrafts()),
    });
    this.build();
    this.followFile();
    this.takeFiles();
    listen({
      editor,
      viewport: this.viewport,
      timeline: this.timeline,
      save: saveFile,
      open: openFiles,
      help: showShortcuts,
    });
  }

  /** What the page was opened for: this tab's draft, the address's file, or the start page. */
  async begin(): Promise<void> {
    const drafts = await Drafts.open();
    if (drafts)
      this.keeper = new DraftKeeper(this.editor, drafts, () => ({
        clip: this.editor.clip,
        time: this.editor.time,
        node: this.editor.node,
        camera: this.viewport.cameraState,
        timeline: this.timeline.view,
      }));
    const address = new URLSearchParams(location.search).get("open");
    const last = DraftKeeper.lastOfThisTab();
    if (last && (await this.restore(last, address))) return;
    void this.listServed();
    await this.listDrafts();
    if (address) await this.openAddress(address);
  }

  private build(): void {
    const { editor } = this;
    const viewbar = new Viewbar(editor, this.viewport);
    const clips = new Clips(editor);
    const modifiers = new Modifiers(editor);
    const tree = new Tree(editor, (node) => this.viewport.frame(node));
    const inspector = new Inspector(editor);
    const toast = new Toast(editor);
    const transport = new Transport(editor, this.timeline);
    const bottom = h(
      "section",
      { class: "panel panel-timeline", "aria-label": "Timeline" },
      transport.element,
      this.timeline.element,
    );
    const tabBar = h(
      "nav",
      { class: "tabs", "aria-label": "Panels" },
      ...tabs.map(([name, drawing, label]) => {
        const tab = button({
          icon: drawing,
          text: label,
          label,
          class: "tab",
          press: () => this.showTab(name),
        });
        tab.dataset["tab"] = name;
        return tab;
      }),
    );
    this.root.replaceChildren(
      this.topbar.element,
      h(
        "aside",
        { class: "side side-left" },
        clips.element,
        modifiers.element,
        tree.element,
      ),
      h(
        "main",
        { class: "viewport", "aria-label": "View" },
        this.viewport.element,
        viewbar.element,
        viewbar.hint,
        toast.element,
      ),
      h("aside", { class: "side side-right" }, inspector.element),
      new Splitter(this.root, bottom).element,
      bottom,
      tabBar,
      this.start.element,
      this.busy,
      this.live,
      this.dropHint,
      this.filePicker,
      this.folderPicker,
    );
    this.showTab("timeline");
  }

  private showTab(name: string): void {
    this.root.dataset["tab"] = name;
    for (const tab of this.root.querySelectorAll<HTMLElement>(".tab"))
      tab.setAttribute("aria-pressed", String(tab.dataset["tab"] === name));
  }

  private followFile(): void {
    const { editor, root } = this;
    editor.on(["file"], () => {
      root.classList.toggle("is-empty", editor.session === null);
      root.classList.toggle("is-open", editor.session !== null);
    });
    root.classList.add("is-empty");
    // What was clicked keeps the focus while keys are pressed; only those who tab want to see where it is.
    const { classList } = document.documentElement;
    window.addEventListener(
      "keydown",
      (event) => event.key === "Tab" && classList.add("is-tabbing"),
      { capture: true },
    );
    window.addEventListener("pointerdown", () => classList.remove("is-tabbing"), { capture: true });
    editor.on(
      ["node", "keys"],
      oncePerFrame(() => (this.live.textContent = this.selectionInWords())),
    );
    this.viewport.element.addEventListener("drawn", () => {
      const [first, ...more] = this.viewport.problems;
      if (first)
        editor.tell(
          more.length
            ? `${first} And ${plural(more.length, "more remark")}: see the findings.`
            : first,
        );
      this.countFindings();
    });
  }

  private selectionInWords(): string {
    const { nodeInfo, keys } = this.editor;
    const joint = nodeInfo ? `${nodeName(nodeInfo)} selected` : "Nothing selected";
    return keys.size ? `${joint}, ${plural(keys.size, "key")} selected` : joint;
  }

  // ---- opening ----

  private takeFiles(): void {
    for (const picker of [this.filePicker, this.folderPicker])
      picker.addEventListener("change", async () => {
        const files = [...(picker.files ?? [])];
        picker.value = "";
        if (files.length) await this.openSet(await readFiles(files));
      });
    let depth = 0;
    const show = (on: boolean): void => {
      depth = on ? depth : 0;
      this.dropHint.hidden = !on;
    };
    const holdsFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes("Files") ?? false;
    window.addEventListener("dragenter", (event) => {
      if (!holdsFiles(event)) return;
      depth++;
      show(true);
    });
    window.addEventListener("dragleave", () => {
      if (--depth <= 0) show(false);
    });
    window.addEventListener("dragover", (event) => {
      if (holdsFiles(event)) event.preventDefault();
    });
    window.addEventListener("drop", (event) => {
      if (!event.dataTransfer || !holdsFiles(event)) return;
      event.preventDefault();
      show(false);
      void readDrop(event.dataTransfer).then((set) => this.openSet(set));
    });
  }

  private async openSet(set: FileSet): Promise<void> {
    const models = modelsIn(set);
    const [only] = models;
    if (only === undefined) {
      const names = [...set.keys()].slice(0, 3).join(", ");
      return showError(
        names,
        new Error("None of these files is a model."),
        "Sinew opens .glb, .gltf, .vrm and .vrma.",
        () => this.filePicker.click(),
      );
    }
    const open = (path: string): Promise<void> =>
      this.open(path, async () => assemble(this.core, set, path), "");
    if (models.length > 1) chooseModel(models, (path) => void open(path));
    else await open(only);
  }

  private openAddress(address: string): Promise<void> {
    const name = decodePath(address.slice(address.lastIndexOf("/") + 1));
    return this.open(name, () => fetchServed(this.core, address), address);
  }

  private async open(name: string, read: () => Promise<OpenedFile>, source: string): Promise<void> {
    await this.whileBusy(`Opening ${name}`, async () => {
      let file: OpenedFile | null = null;
      try {
        file = await read();
        const session = this.core.open(file.bytes, { resources: file.resources });
        this.keeper?.begin(source);
        this.editor.show(session, file);
        void this.offerDraft(file.name, source);
      } catch (error) {
        showError(name, error, this.advice(name, file), () => this.filePicker.click());
      }
    });
  }

  private advice(name: string, file: OpenedFile | null): string {
    if (!file || extension(name) !== "gltf") return "";
    const missing = [...new Set(this.core.listResources(file.bytes))].filter(
      (path) => !file.resources.has(path),
    );
    return missing.length
      ? `It refers to ${missing.join(", ")}. Open these files together with it, or drop their folder.`
      : "";
  }

  private async whileBusy(text: string, work: () => Promise<void>): Promise<void> {
    this.busy.textContent = `${text}…`;
    this.busy.hidden = false;
    // One frame, so that the words are seen before the work begins.
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    await work();
    this.busy.hidden = true;
  }

  private goHome(): void {
    this.editor.close();
    this.topbar.setFindings(0, 0, 0);
    history.replaceState(null, "", location.pathname);
    void this.listDrafts();
    void this.listServed();
  }

  // ---- drafts ----

  private async listDrafts(): Promise<void> {
    this.start.showDrafts((await this.keeper?.list().catch(() => [])) ?? []);
  }

  private async listServed(): Promise<void> {
    const { files, samples } = await listServed();
    // The server may have been started with one of the samples.
    const others = samples.filter(
      ({ name, size }) => !files.some((file) => file.name === name && file.size === size),
    );
    this.start.showServed(files, others);
  }

  /** With an address, only a draft of the file there: the address says what the person wants to see. */
  private async restore(id: string, address: string | null = null): Promise<boolean> {
    const { keeper, editor } = this;
    if (!keeper) return false;
    try {
      if (
        address !== null &&
        (await keeper.list()).find((draft) => draft.id === id)?.source !== address
      )
        return false;
      const draft = await keeper.restore(this.core, id);
      if (!draft) return false;
      this.viewport.cameraState = draft.view.camera;
      this.timeline.view = draft.view.timeline;
      const { file } = editor;
      editor.tell(`Your unsaved work on ${draft.name} is back: ${plural(draft.edits, "edit")}.`, {
        label: "Discard the edits",
        run: () =>
          void keeper.forget(id).then(() => this.open(draft.name, async () => file!, draft.source)),
      });
      return true;
    } catch (error) {
      editor.fail(error, "The draft could not be opened");
      return false;
    }
  }

  /** Unsaved work on a file that was just opened afresh is mentioned, not forced on anybody. */
  private async offerDraft(name: string, source: string): Promise<void> {
    const drafts = (await this.keeper?.list().catch(() => [])) ?? [];
    const draft = drafts.find((other) => other.name === name && other.source === source);
    if (!draft) return;
    this.editor.tell(
      `There is unsaved work on ${name}: ${plural(draft.edits, "edit")}, ${ago(draft.savedAt)}.`,
      {
        label: "Go on with it",
        run: () => void this.restore(draft.id),
      },
    );
  }

  // ---- saving and findings ----

  private save(): void {
    const { editor } = this;
    if (!editor.session || !editor.file) return;
    editor.posing.discard();
    try {
      const remarks = save(editor.session, editor.file.name);
      editor.markSaved();
      editor.tell(remarks);
    } catch (error) {
      editor.fail(error, "The file could not be written");
    }
  }

  private allFindings(): Finding[] {
    const drawn = this.viewport.problems.map((message): Finding => ({
      id: "view",
      severity: "info",
      pointer: "",
      message,
      fix: null,
    }));
    return [...this.findings, ...drawn];
  }

  private countFindings(): void {
    const { session } = this.editor;
    if (!session) return;
    const seen = new Set<string>();
    this.findings = [...session.model.warnings, ...session.check()].filter((finding) => {
      const id = `${finding.id} ${finding.pointer} ${finding.message}`;
      return !seen.has(id) && seen.add(id);
    });
    const count = (severity: string): number =>
      this.allFindings().filter((finding) => finding.severity === severity).length;
    this.topbar.setFindings(count("error"), count("warning"), count("info"));
  }
}

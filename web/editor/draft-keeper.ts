/** Writes the draft of the open file as it changes, and brings drafts back. */
import type { Core } from "../core/types.ts";
import type { Draft, Drafts, DraftView } from "./drafts.ts";
import type { Editor } from "./editor.ts";

const current = "sinew.draft";

export class DraftKeeper {
  private id = "";
  private source = "";
  private written = false;
  private timer = 0;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly editor: Editor,
    private readonly drafts: Drafts,
    private readonly view: () => DraftView,
  ) {
    editor.on(["document", "saved"], () => this.soon(300));
    editor.on(["time", "node", "clip"], () => {
      if (this.written && !editor.playing) this.soon(1500);
    });
    window.addEventListener("pagehide", () => void this.flush());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") void this.flush();
    });
  }

  /** A file was opened anew: its edits go into a draft of their own. */
  begin(source: string): void {
    clearTimeout(this.timer);
    this.id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
    this.source = source;
    this.written = false;
    sessionStorage.removeItem(current);
  }

  /** The draft of this tab before it was reloaded. */
  static lastOfThisTab(): string | null {
    return sessionStorage.getItem(current);
  }

  list(): Promise<Draft[]> {
    return this.drafts.list();
  }

  async forget(id: string): Promise<void> {
    await this.drafts.remove(id);
    if (sessionStorage.getItem(current) === id) sessionStorage.removeItem(current);
    if (id === this.id) this.written = false;
  }

  /** Opens a draft: the bytes as they were opened, then its commands. */
  async restore(core: Core, id: string): Promise<Draft | null> {
    const found = await this.drafts.get(id);
    if (!found) return null;
    const { draft, file } = found;
    const session = core.open(file.bytes, { resources: file.resources });
    for (const command of draft.commands) session.apply(command);
    this.begin(draft.source);
    this.id = id;
    this.written = true;
    sessionStorage.setItem(current, id);
    this.editor.show(session, { name: file.name, bytes: file.bytes, resources: file.resources });
    const { view } = draft;
    this.editor.selectClip(view.clip !== null && view.clip < this.editor.clips.length ? view.clip : null);
    this.editor.seek(view.time);
    this.editor.selectNode(view.node !== null && view.node < this.editor.nodes.length ? view.node : null);
    return draft;
  }

  private soon(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), milliseconds);
  }

  /** One write after another, so that an older one never lands last. */
  private flush(): Promise<void> {
    clearTimeout(this.timer);
    this.running = this.running.then(() => this.write()).catch((error: unknown) => {
      if (this.written) this.editor.tell(`The draft could not be kept in this browser: ${String(error)}`);
    });
    return this.running;
  }

  private async write(): Promise<void> {
    const { editor } = this;
    const { session, file } = editor;
    if (!session || !file || !this.id) return;
    if (!editor.hasUnsaved) {
      if (this.written) await this.forget(this.id);
      return;
    }
    const commands = session.commands();
    const { id, source } = this;
    this.written = true;
    sessionStorage.setItem(current, id);
    await this.drafts.put({ id, name: file.name, savedAt: Date.now(), edits: commands.length, source, commands, view: this.view() }, file);
  }
}

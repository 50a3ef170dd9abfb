/** Writes the draft of the open file as it changes, and brings drafts back. */
import type { Core } from "../core/types.ts";
import type { Draft, Drafts, DraftView } from "./drafts.ts";
import { type Editor, inWords } from "./editor.ts";

const current = "sinew.draft";

export class DraftKeeper {
  private id = "";
  private source = "";
  private written = false;
  private timer = 0;
  private failed = false;

  constructor(
    private readonly editor: Editor,
    private readonly drafts: Drafts,
    private readonly view: () => DraftView,
  ) {
    editor.on(["document", "saved"], () => this.keep());
    editor.on(["time", "node", "clip"], () => {
      // Where one stands is worth a write now and then.
      clearTimeout(this.timer);
      if (this.written) this.timer = setTimeout(() => this.keep(), 1500);
    });
    window.addEventListener("pagehide", () => this.keep());
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

  forget(id: string): Promise<void> {
    if (sessionStorage.getItem(current) === id) sessionStorage.removeItem(current);
    if (id === this.id) this.written = false;
    return this.drafts.remove(id);
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
    this.editor.selectClip(
      view.clip !== null && view.clip < this.editor.clips.length ? view.clip : null,
    );
    this.editor.seek(view.time);
    this.editor.selectNode(
      view.node !== null && view.node < this.editor.nodes.length ? view.node : null,
    );
    return draft;
  }

  /** Called after every change; while a drag runs there is nothing to keep. */
  private keep(): void {
    if (!this.editor.inGesture) this.write();
  }

  private write(): void {
    clearTimeout(this.timer);
    const { editor, id, source } = this;
    const { session, file } = editor;
    if (!session || !file || !id) return;
    if (!editor.hasUnsaved) {
      if (this.written) void this.forget(id);
      return;
    }
    const commands = session.commands();
    const draft = {
      id,
      name: file.name,
      savedAt: Date.now(),
      edits: commands.length,
      source,
      commands,
      view: this.view(),
    };
    const first = !this.written;
    this.written = true;
    sessionStorage.setItem(current, id);
    this.drafts
      .put(draft, first ? file : null)
      .then(() => (first ? this.drafts.prune() : undefined))
      .catch((error: unknown) => {
        if (this.failed) return;
        this.failed = true;
        editor.tell(`This browser cannot keep a draft of your work: ${inWords(error)}`);
      });
  }
}

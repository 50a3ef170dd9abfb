/** Unsaved work, kept in the browser's IndexedDB: the bytes that were opened, and the commands since. */
import type { Command } from "../core/types.ts";
import type { OpenedFile } from "./editor.ts";
import type { CameraState } from "./viewport/viewport.ts";

/** The newest drafts that are kept. */
export const draftLimit = 5;

export interface DraftView {
  clip: number | null;
  time: number;
  node: number | null;
  camera: CameraState;
  timeline: { zoom: number; origin: number; scroll: number };
}

export interface DraftSummary {
  id: string;
  name: string;
  savedAt: number;
  edits: number;
  /** The address the file came from, "" when it came from the person. */
  source: string;
}

export interface Draft extends DraftSummary {
  commands: Command[];
  view: DraftView;
}

/** The opened bytes lie apart from the commands, so that an edit does not write them anew. */
interface StoredFile extends OpenedFile {
  id: string;
}

export class Drafts {
  private constructor(private readonly database: IDBDatabase) {}

  /** null when the browser keeps nothing (private windows, a full disk). */
  static async open(): Promise<Drafts | null> {
    try {
      const request = indexedDB.open("sinew", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("drafts", { keyPath: "id" });
        request.result.createObjectStore("files", { keyPath: "id" });
      };
      return new Drafts(await done(request));
    } catch {
      return null;
    }
  }

  /** Newest first. */
  async list(): Promise<Draft[]> {
    const drafts = (await done(
      this.database.transaction("drafts").objectStore("drafts").getAll(),
    )) as Draft[];
    return drafts.sort((a, b) => b.savedAt - a.savedAt);
  }

  async get(id: string): Promise<{ draft: Draft; file: OpenedFile } | null> {
    const transaction = this.database.transaction(["drafts", "files"]);
    const [draft, file] = (await Promise.all([
      done(transaction.objectStore("drafts").get(id)),
      done(transaction.objectStore("files").get(id)),
    ])) as [Draft | undefined, StoredFile | undefined];
    return draft && file ? { draft, file } : null;
  }

  /** Writes a draft, and its file unless that is there. All requests are made before this returns, and
   * the transaction is told to finish: it does so even when the page is being left. */
  put(draft: Draft, file: OpenedFile | null): Promise<void> {
    const transaction = this.database.transaction(["drafts", "files"], "readwrite");
    const finished = completed(transaction);
    transaction.objectStore("drafts").put(draft);
    if (file) transaction.objectStore("files").put({ ...file, id: draft.id } satisfies StoredFile);
    transaction.commit();
    return finished;
  }

  /** Drops the oldest beyond the limit. */
  async prune(): Promise<void> {
    for (const { id } of (await this.list()).slice(draftLimit)) await this.remove(id);
  }

  remove(id: string): Promise<void> {
    const transaction = this.database.transaction(["drafts", "files"], "readwrite");
    const finished = completed(transaction);
    transaction.objectStore("drafts").delete(id);
    transaction.objectStore("files").delete(id);
    transaction.commit();
    return finished;
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** Named changes that any number of views follow. A change carries no payload: a listener reads what
 * it needs from the state, so that it can never see half of it. */
export class Events<Name extends string> {
  private readonly listeners = new Map<Name, Set<() => void>>();

  /** Calls `listener` after each of these changes; returns the way to stop. */
  on(names: readonly Name[], listener: () => void): () => void {
    for (const name of names) {
      let set = this.listeners.get(name);
      if (!set) this.listeners.set(name, (set = new Set()));
      set.add(listener);
    }
    return () => names.forEach((name) => this.listeners.get(name)?.delete(listener));
  }

  protected emit(...names: Name[]): void {
    const due = new Set<() => void>();
    for (const name of names) this.listeners.get(name)?.forEach((listener) => due.add(listener));
    due.forEach((listener) => listener());
  }
}

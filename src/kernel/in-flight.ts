/** Work in progress, by key: callers that ask for the same key meanwhile share its result. */
export class InFlight<Key, Value> {
  private readonly running = new Map<Key, Promise<Value>>();

  /** Returns the result of the work in progress for that key, or starts it. */
  once(key: Key, begin: () => Promise<Value>): Promise<Value> {
    const running = this.running.get(key);
    if (running) return running;
    const made = begin().finally(() => this.running.delete(key));
    this.running.set(key, made);
    return made;
  }
}

/** Work that is under way, by what it is for: whoever asks for the same meanwhile gets the same answer. */
export class InFlight<Key, Value> {
  private readonly running = new Map<Key, Promise<Value>>();

  /** The answer of the work under way for that key; else begins it. */
  once(key: Key, begin: () => Promise<Value>): Promise<Value> {
    const running = this.running.get(key);
    if (running) return running;
    const made = begin().finally(() => this.running.delete(key));
    this.running.set(key, made);
    return made;
  }
}

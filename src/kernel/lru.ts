/** Keeps what was used last, up to a number of entries. For facts that never change (content by object id). */
export class Lru<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly most: number) {}

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.most) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }
}

/** The same, bounded by what the values weigh (bytes, mostly) rather than by their number. */
export class WeightedLru<K, V> {
  private readonly entries = new Map<K, { value: V; weight: number }>();
  private used = 0;

  constructor(
    private readonly capacity: number,
    private readonly weigh: (value: V) => number,
  ) {}

  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value, unless it alone would push out half of everything else. */
  set(key: K, value: V): void {
    const weight = this.weigh(value);
    this.used -= this.entries.get(key)?.weight ?? 0;
    this.entries.delete(key);
    if (weight > this.capacity / 2) return;
    this.entries.set(key, { value, weight });
    this.used += weight;
    for (const [oldest, entry] of this.entries) {
      if (this.used <= this.capacity) return;
      this.entries.delete(oldest);
      this.used -= entry.weight;
    }
  }
}

/** A heap: the largest key comes first, and among equal keys the one inserted first, as git orders commits by date. */
export class PriorityQueue<T> {
  private readonly items: T[] = [];
  private readonly keys: number[] = [];
  private readonly sequences: number[] = [];
  private sequence = 0;
  /** The first item was popped and its slot is kept for the next push, which saves rearranging the heap twice. */
  private hole = false;

  get size(): number {
    return this.items.length - (this.hole ? 1 : 0);
  }

  /** The key of the item that `pop` would return; -Infinity when empty. */
  get topKey(): number {
    this.fill();
    return this.keys[0] ?? Number.NEGATIVE_INFINITY;
  }

  /** The item that `pop` would return. */
  get top(): T | undefined {
    this.fill();
    return this.items[0];
  }

  /** Whether all queued items pass the test. */
  every(test: (item: T) => boolean): boolean {
    this.fill();
    return this.items.every(test);
  }

  push(item: T, key: number): void {
    const sequence = this.sequence++;
    if (this.hole) {
      // An item pushed after a pop is mostly the popped item's parent, which belongs near the top.
      this.hole = false;
      this.sink(item, key, sequence, this.items.length);
      return;
    }
    let at = this.items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      // A new item comes after its equals, so only smaller keys move down.
      if (this.keys[parent]! >= key) break;
      this.move(parent, at);
      at = parent;
    }
    this.set(at, item, key, sequence);
  }

  pop(): T | undefined {
    this.fill();
    const top = this.items[0];
    if (top !== undefined) this.hole = true;
    return top;
  }

  /** Removes the item popped last. */
  private fill(): void {
    if (!this.hole) return;
    this.hole = false;
    const item = this.items.pop()!;
    const key = this.keys.pop()!;
    const sequence = this.sequences.pop()!;
    const size = this.items.length;
    if (size > 0) this.sink(item, key, sequence, size);
  }

  private sink(item: T, key: number, sequence: number, size: number): void {
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && this.before(child + 1, this.keys[child]!, this.sequences[child]!)) child++;
      if (!this.before(child, key, sequence)) break;
      this.move(child, at);
      at = child;
    }
    this.set(at, item, key, sequence);
  }

  private before(at: number, key: number, sequence: number): boolean {
    const other = this.keys[at]!;
    return other > key || (other === key && this.sequences[at]! < sequence);
  }

  private move(from: number, to: number): void {
    this.set(to, this.items[from]!, this.keys[from]!, this.sequences[from]!);
  }

  private set(at: number, item: T, key: number, sequence: number): void {
    this.items[at] = item;
    this.keys[at] = key;
    this.sequences[at] = sequence;
  }
}

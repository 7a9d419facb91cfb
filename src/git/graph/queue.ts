/** A heap of commit numbers: the largest key comes first, and of equal keys the one put in first, as git orders commits. */
export class CommitQueue {
  private readonly items: number[] = [];
  private readonly keys: number[] = [];
  private readonly turns: number[] = [];
  private turn = 0;

  get size(): number {
    return this.items.length;
  }

  /** The key of what `pop` would give; -Infinity when empty. */
  get topKey(): number {
    return this.keys[0] ?? Number.NEGATIVE_INFINITY;
  }

  /** What `pop` would give. */
  get top(): number | undefined {
    return this.items[0];
  }

  /** All that wait, in the order in which `pop` would give them. */
  waiting(): number[] {
    const places = [...this.items.keys()];
    places.sort((a, b) => this.keys[b]! - this.keys[a]! || this.turns[a]! - this.turns[b]!);
    return places.map((place) => this.items[place]!);
  }

  push(item: number, key: number): void {
    const turn = this.turn++;
    let at = this.items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      // A new item comes after its equals, so only a smaller key makes way.
      if (this.keys[parent]! >= key) break;
      this.move(parent, at);
      at = parent;
    }
    this.set(at, item, key, turn);
  }

  pop(): number | undefined {
    const top = this.items[0];
    if (top === undefined) return undefined;
    const item = this.items.pop()!;
    const key = this.keys.pop()!;
    const turn = this.turns.pop()!;
    const size = this.items.length;
    if (size === 0) return top;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && this.before(child + 1, this.keys[child]!, this.turns[child]!)) child++;
      if (!this.before(child, key, turn)) break;
      this.move(child, at);
      at = child;
    }
    this.set(at, item, key, turn);
    return top;
  }

  private before(at: number, key: number, turn: number): boolean {
    const other = this.keys[at]!;
    return other > key || (other === key && this.turns[at]! < turn);
  }

  private move(from: number, to: number): void {
    this.set(to, this.items[from]!, this.keys[from]!, this.turns[from]!);
  }

  private set(at: number, item: number, key: number, turn: number): void {
    this.items[at] = item;
    this.keys[at] = key;
    this.turns[at] = turn;
  }
}

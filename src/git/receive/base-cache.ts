import { SPARE_BYTES } from "../objects/inflate.ts";

/**
 * The objects of a pack made most recently, in one ring buffer: the next entry is most often a delta of one of them. A
 * single buffer for the whole push leaves no garbage; the oldest objects are overwritten.
 */
export class BaseCache {
  bytes: Uint8Array;
  view: DataView;
  /** Larger objects are not cached: a base and its result must both fit, wherever the ring wraps around. */
  readonly maxObjectBytes: number;
  private head = 0;
  /** The objects in the ring, oldest first: itself a ring, of keys and start offsets. */
  private readonly keys = new Uint32Array(QUEUE);
  private readonly starts = new Uint32Array(QUEUE);
  private first = 0;
  private count = 0;

  /** `positions[key]` is kept up to date with where that key's object begins, or `ABSENT`. */
  constructor(
    capacityBytes: number,
    private positions: () => Int32Array,
  ) {
    this.bytes = new Uint8Array(capacityBytes);
    this.view = new DataView(this.bytes.buffer);
    this.maxObjectBytes = Math.floor(capacityBytes / 4) - SPARE_BYTES;
  }

  /** Makes room for `length` bytes, evicting what was there, and returns the start offset. */
  reserve(length: number): number {
    if (this.head + length > this.bytes.length) {
      while (this.count > 0 && this.starts[this.first]! >= this.head) this.dropOldest();
      this.head = 0;
    }
    const end = this.head + length;
    while (this.count > 0 && this.starts[this.first]! >= this.head && this.starts[this.first]! < end) this.dropOldest();
    return this.head;
  }

  /** Records the `length` bytes at `start`, which must just have been reserved, as the object of `key`. */
  keep(key: number, start: number, length: number): void {
    if (this.count === QUEUE) this.dropOldest();
    const at = (this.first + this.count) % QUEUE;
    this.keys[at] = key;
    this.starts[at] = start;
    this.count++;
    // An empty object takes a byte, so that no two objects start at the same offset.
    this.head = start + Math.max(1, length);
    this.positions()[key] = start;
  }

  /** Whether the object at `start` will be overwritten soon. */
  isOld(start: number): boolean {
    const age = this.head - start;
    return (age < 0 ? age + this.bytes.length : age) > this.bytes.length * 0.6;
  }

  /** Frees everything for good. */
  release(): void {
    while (this.count > 0) this.dropOldest();
    this.bytes = new Uint8Array(0);
    this.view = new DataView(this.bytes.buffer);
  }

  private dropOldest(): void {
    const key = this.keys[this.first]!;
    const positions = this.positions();
    if (positions[key] === this.starts[this.first]!) positions[key] = ABSENT;
    this.first = (this.first + 1) % QUEUE;
    this.count--;
  }
}

export const ABSENT = -1;
const QUEUE = 1 << 17;

import { SPARE_BYTES } from "../objects/inflate.ts";

/**
 * The objects a pack was made of most recently, in one ring of bytes: what comes next is most often a delta of one
 * of them. One buffer for the whole push leaves nothing to collect; the oldest objects are overwritten.
 */
export class BaseCache {
  bytes: Uint8Array;
  view: DataView;
  /** Larger objects are not kept here: a base and its result must both fit, whatever is at the end of the ring. */
  readonly maxObjectBytes: number;
  private head = 0;
  /** What lies in the ring, oldest first: a ring again, of keys and where each begins. */
  private readonly keys = new Uint32Array(QUEUE);
  private readonly starts = new Uint32Array(QUEUE);
  private first = 0;
  private count = 0;

  /** `positions[key]` is kept at where the object of that key begins, or `ABSENT`. */
  constructor(
    capacityBytes: number,
    private positions: () => Int32Array,
  ) {
    this.bytes = new Uint8Array(capacityBytes);
    this.view = new DataView(this.bytes.buffer);
    this.maxObjectBytes = Math.floor(capacityBytes / 4) - SPARE_BYTES;
  }

  /** Makes room for `length` bytes and answers where it begins. What was there is gone. */
  reserve(length: number): number {
    if (this.head + length > this.bytes.length) {
      while (this.count > 0 && this.starts[this.first]! >= this.head) this.dropOldest();
      this.head = 0;
    }
    const end = this.head + length;
    while (this.count > 0 && this.starts[this.first]! >= this.head && this.starts[this.first]! < end) this.dropOldest();
    return this.head;
  }

  /** Keeps the `length` bytes at `start`, just reserved, as the object of `key`. */
  keep(key: number, start: number, length: number): void {
    if (this.count === QUEUE) this.dropOldest();
    const at = (this.first + this.count) % QUEUE;
    this.keys[at] = key;
    this.starts[at] = start;
    this.count++;
    // An empty object takes a byte, so that no two begin at one place.
    this.head = start + Math.max(1, length);
    this.positions()[key] = start;
  }

  /** Whether the object at `start` will be overwritten soon. */
  isOld(start: number): boolean {
    const age = this.head - start;
    return (age < 0 ? age + this.bytes.length : age) > this.bytes.length * 0.6;
  }

  /** Lets go of everything, for good. */
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

import { contentOf } from "../diff/content.ts";
import { Text } from "../diff/lines/text.ts";
import { comparedPart, ignoresSpaces, type WhitespaceOptions } from "../diff/lines/whitespace.ts";
import { GitError } from "../errors.ts";
import { toLatin1 } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";

/** A file, or a version of it found during the walk, is too large for blame to hold in memory. */
export class BlameTooLarge extends GitError {
  override name = "BlameTooLarge";
}

/** A version of a file: its lines, and a number for each, the same for equal lines in all versions. */
export interface Version {
  readonly text: Text;
  /** Line numbers by content. */
  readonly exact: Int32Array;
  /** Line numbers by the part that is compared; the same array unless white space is ignored. */
  readonly keys: Int32Array;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LINES = 4_000_000;
/** Size of the cache: a walk needs a version again when it reaches the commit that introduced it. */
const MAX_CACHED_BYTES = 48 * 1024 * 1024;

/**
 * The versions of a file, split into numbered lines. A version is read alongside a known similar one: shared runs of
 * bytes are found by comparing memory and taken over, and only the lines in between are looked up.
 */
export class Versions {
  /** Numbers assigned to lines by content, and by the part that is compared. */
  private readonly numbers = new Map<string, number>();
  private readonly keyNumbers = new Map<string, number>();
  private readonly keyOf: number[] = [];
  private readonly ignoring: boolean;
  private cached = new Map<Oid, Version>();
  private cachedBytes = 0;

  constructor(
    private readonly store: ObjectSource,
    private readonly whitespace: WhitespaceOptions,
  ) {
    this.ignoring = ignoresSpaces(whitespace);
  }

  /** Upper limit (exclusive) of the numbers in `keys`. */
  get alphabet(): number {
    return this.ignoring ? this.keyNumbers.size : this.numbers.size;
  }

  /**
   * @param like a version that probably has much in common with this one
   * @throws CorruptObject when the blob is missing; BlameTooLarge
   */
  of(mode: number, oid: Oid, like?: Version): Version {
    const cached = this.cached.get(oid);
    if (cached) {
      this.cached.delete(oid);
      this.cached.set(oid, cached);
      return cached;
    }
    const data = contentOf(this.store, mode, oid, MAX_BYTES);
    if (data === "too-large") throw new BlameTooLarge(`blob ${oid} is too large to blame`);
    const version = this.number(data, like);
    this.cached.set(oid, version);
    this.cachedBytes += costOf(version);
    for (const [oldest, old] of this.cached) {
      if (this.cachedBytes <= MAX_CACHED_BYTES || old === version) break;
      this.cached.delete(oldest);
      this.cachedBytes -= costOf(old);
    }
    return version;
  }

  private number(bytes: Uint8Array, like?: Version): Version {
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const builder = new LineBuilder(Math.max(16, like ? like.text.count + 16 : data.length >> 4));
    const near = like ? new Resemblance(like) : undefined;
    for (let at = 0; at < data.length; ) {
      const copied = near ? near.copy(data, at, builder) : 0;
      if (copied > 0) {
        at += copied;
        continue;
      }
      const newline = data.indexOf(0x0a, at);
      const end = newline < 0 ? data.length : newline + 1;
      const number = this.numberOf(data.toString("latin1", at, end));
      builder.add(at, number);
      near?.look(number, end - at);
      at = end;
    }
    const { starts, numbers, count } = builder.finish(data.length);
    const text = Text.ofLines(data, starts, count);
    const keys = this.ignoring ? numbers.map((number) => this.keyOf[number]!) : numbers;
    return { text, exact: numbers, keys };
  }

  private numberOf(line: string): number {
    const cached = this.numbers.get(line);
    if (cached !== undefined) return cached;
    const number = this.numbers.size;
    this.numbers.set(line, number);
    if (this.ignoring) this.keyOf[number] = this.keyNumberOf(line);
    return number;
  }

  private keyNumberOf(line: string): number {
    const data = Buffer.from(line, "latin1");
    const compared = comparedPart(Text.ofLines(data, Int32Array.of(0, data.length), 1), this.whitespace);
    const key = toLatin1(compared.line(0));
    const cached = this.keyNumbers.get(key);
    if (cached !== undefined) return cached;
    const number = this.keyNumbers.size;
    this.keyNumbers.set(key, number);
    return number;
  }
}

function costOf({ text, exact, keys }: Version): number {
  return text.data.length + exact.length * (exact === keys ? 8 : 12);
}

/** Collects lines as they are found. */
class LineBuilder {
  private starts: Int32Array;
  private numbers: Int32Array;
  private count = 0;

  constructor(expected: number) {
    this.starts = new Int32Array(expected + 1);
    this.numbers = new Int32Array(expected);
  }

  add(start: number, number: number): void {
    if (this.count >= this.numbers.length) this.makeRoom(1);
    this.starts[this.count] = start;
    this.numbers[this.count++] = number;
  }

  /** Adds lines `from` to `to` of another version, which begin `shift` bytes later here. */
  addRun(like: Version, from: number, to: number, shift: number): void {
    if (this.count + to - from > this.numbers.length) this.makeRoom(to - from);
    const { starts } = like.text;
    for (let i = from; i < to; i++) {
      this.starts[this.count] = starts[i]! + shift;
      this.numbers[this.count++] = like.exact[i]!;
    }
  }

  finish(end: number): { starts: Int32Array; numbers: Int32Array; count: number } {
    this.starts[this.count] = end;
    const { count } = this;
    return { starts: this.starts.subarray(0, count + 1), numbers: this.numbers.subarray(0, count), count };
  }

  private makeRoom(more: number): void {
    if (this.count + more > MAX_LINES) throw new BlameTooLarge("a file has too many lines to blame");
    const size = Math.max(this.numbers.length * 2, this.count + more);
    const starts = new Int32Array(size + 1);
    const numbers = new Int32Array(size);
    starts.set(this.starts.subarray(0, this.count));
    numbers.set(this.numbers);
    this.starts = starts;
    this.numbers = numbers;
  }
}

/** Lines this close to where a common run is expected are tried as its start. */
const WINDOW = 64;
/** Shorter lines occur everywhere and do not indicate a common run. */
const TELLING_BYTES = 4;

/** Where a new version continues like a known one. A wrong guess only costs time: everything copied was compared. */
class Resemblance {
  private place = 0;
  private misses = 0;

  constructor(private readonly like: Version) {}

  /**
   * Copies the lines that `data` at `at` shares with the known version's current place; returns their size in bytes.
   */
  copy(data: Buffer, at: number, into: LineBuilder): number {
    const { text } = this.like;
    const { starts, count } = text;
    const from = this.place;
    if (from >= count) return 0;
    const other = text.data;
    const begin = starts[from]!;
    if (data[at] !== other[begin]) return 0;
    const limit = begin + commonPrefix(data, at, other, begin);
    let to = from;
    while (to < count && starts[to + 1]! <= limit) to++;
    // A last line without a newline is the same only if the new version ends there as well.
    if (to === count && text.endsOpen && at + starts[to]! - begin !== data.length) to--;
    if (to <= from) return 0;
    into.addRun(this.like, from, to, at - begin);
    this.place = to;
    this.misses = 0;
    return starts[to]! - begin;
  }

  /** Called when a line had to be looked up: the next lines probably follow it in the known version, too. */
  look(number: number, bytes: number): void {
    const { exact } = this.like;
    const reach = WINDOW + 8 * this.misses++;
    if (bytes < TELLING_BYTES) return;
    for (let distance = 0; distance < reach; distance++) {
      const place = exact[this.place + distance] === number ? this.place + distance : this.place - distance;
      if (exact[place] !== number) continue;
      this.place = place + 1;
      return;
    }
  }
}

const FIRST_BYTES = 64;
const STEP_BYTES = 4096;

/** Number of bytes that `a` from `aAt` and `b` from `bAt` have in common. */
function commonPrefix(a: Buffer, aAt: number, b: Uint8Array, bAt: number): number {
  const max = Math.min(a.length - aAt, b.length - bAt);
  const first = Math.min(max, FIRST_BYTES);
  let same = 0;
  while (same < first && a[aAt + same] === b[bAt + same]) same++;
  if (same < first) return same;
  for (let step = 256; same < max; ) {
    const size = Math.min(step, max - same);
    if (a.compare(b, bAt + same, bAt + same + size, aAt + same, aAt + same + size) === 0) {
      same += size;
      if (step < STEP_BYTES) step *= 2;
      continue;
    }
    if (size <= FIRST_BYTES) break;
    step = size >> 1;
    // From here on steps only shrink: the difference is within the last one.
    while (step >= FIRST_BYTES) {
      if (a.compare(b, bAt + same, bAt + same + step, aAt + same, aAt + same + step) === 0) same += step;
      step >>= 1;
    }
    break;
  }
  while (same < max && a[aAt + same] === b[bAt + same]) same++;
  return same;
}

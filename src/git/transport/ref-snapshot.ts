import { encodeName } from "../objects/names.ts";
import { compareRefNames } from "../refs/names.ts";
import type { Ref } from "../refs/types.ts";
import { MAX_PACKET_BYTES } from "../wire/pktline.ts";

/** How refs are written as packets. */
export type RefFraming = keyof typeof linesOf;

const linesOf = {
  /** As receive-pack advertises them, and as version 2 lists them without `peel`. */
  plain: ({ oid, name }: Ref) => [`${oid} ${name}\n`],
  /** As version 2 lists them with `peel`, and as `RefLines` reads them. */
  peeled: ({ oid, name, peeled }: Ref) => [peeled ? `${oid} ${name} peeled:${peeled}\n` : `${oid} ${name}\n`],
  /** As upload-pack advertises them in versions 0 and 1. */
  dereferenced: ({ oid, name, peeled }: Ref) =>
    peeled ? [`${oid} ${name}\n`, `${peeled} ${name}^{}\n`] : [`${oid} ${name}\n`],
};

/** Each change reframes this many refs and visits every other segment. */
const SEGMENT_REFS = 256;

/**
 * All refs of a repository at one moment, framed as packets once for all readers until something changes. The refs are
 * kept in segments sorted by name, and a later snapshot shares the unchanged segments, so a push to a repository with
 * thousands of refs costs only as much as the refs it moves.
 */
export class RefSnapshot {
  private flat: readonly Ref[] | undefined;

  private constructor(private readonly segments: readonly Segment[]) {}

  /** @param refs sorted by name in byte order */
  static of(refs: readonly Ref[]): RefSnapshot {
    return new RefSnapshot(segmentsOf(refs));
  }

  get refs(): readonly Ref[] {
    this.flat ??= this.segments.flatMap(({ refs }) => refs);
    return this.flat;
  }

  /** Ids the refs point or peel to, one a line: for workers, as a string crosses threads faster than a list. */
  get tips(): string {
    return this.segments.map(({ tips }) => tips).join("\n");
  }

  /** All refs with peeled tags, without a flush; also the input of `RefLines`. */
  get packets(): Uint8Array {
    return Buffer.concat(this.packetsBelow([""], "peeled"));
  }

  /** A copy with some refs set, or removed where the value is undefined. */
  with(changed: ReadonlyMap<string, Ref | undefined>): RefSnapshot {
    const names = [...changed.keys()].sort(compareRefNames);
    const segments: Segment[] = [];
    let at = 0;
    for (const [index, segment] of this.segments.entries()) {
      const next = this.segments[index + 1]?.first;
      const from = at;
      while (at < names.length && (next === undefined || compareRefNames(names[at]!, next) < 0)) at++;
      if (at === from) segments.push(segment);
      else segments.push(...segmentsOf(withChanges(segment.refs, names.slice(from, at), changed)));
    }
    return new RefSnapshot(this.segments.length > 0 ? segments : segmentsOf(withChanges([], names, changed)));
  }

  /** A copy without the refs that begin with the prefix. */
  without(prefix: string): RefSnapshot {
    const runs = new Map([...this.runs([prefix])].map((run) => [run.segment, run]));
    if (runs.size === 0) return this;
    const segments = this.segments.flatMap((segment) => {
      const run = runs.get(segment);
      return run ? segmentsOf([...segment.refs.slice(0, run.from), ...segment.refs.slice(run.to)]) : [segment];
    });
    return new RefSnapshot(segments);
  }

  find(name: string): Ref | undefined {
    const segment = this.segments[this.segmentOf(name)];
    const ref = segment?.refs[segment.firstFrom(name)];
    return ref?.name === name ? ref : undefined;
  }

  /** The refs that begin with one of the prefixes, each once, as views of the shared bytes. */
  packetsBelow(prefixes: readonly string[], framing: RefFraming): Uint8Array[] {
    return [...this.runs(prefixes)].map(({ segment, from, to }) => segment.packets(framing, from, to));
  }

  /** The refs that begin with one of the prefixes, each once. */
  below(prefixes: readonly string[]): Ref[] {
    return [...this.runs(prefixes)].flatMap(({ segment, from, to }) => segment.refs.slice(from, to));
  }

  /** The ranges of rows, by segment, that match the prefixes: in order, without overlaps. */
  private *runs(prefixes: readonly string[]): Generator<{ segment: Segment; from: number; to: number }> {
    let covered: string | undefined;
    for (const prefix of [...new Set(prefixes)].sort(compareRefNames)) {
      if (covered !== undefined && startsWith(prefix, covered)) continue;
      covered = prefix;
      for (let at = this.segmentOf(prefix); at < this.segments.length; at++) {
        const segment = this.segments[at]!;
        const from = segment.firstFrom(prefix);
        const to = segment.endOf(prefix, from);
        if (to > from) yield { segment, from, to };
        if (to < segment.refs.length) break;
      }
    }
  }

  /** The segment that holds a name, or would hold it. */
  private segmentOf(name: string): number {
    return Math.max(
      0,
      firstIndex(this.segments.length, (at) => compareRefNames(this.segments[at]!.first, name) > 0) - 1,
    );
  }
}

interface Framed {
  readonly packets: Uint8Array;
  /** The offset at which each ref's packets end. */
  readonly ends: readonly number[];
}

/** One or more adjacent refs; immutable. */
class Segment {
  private readonly framed: Partial<Record<RefFraming, Framed>> = {};
  private joined: string | undefined;

  constructor(readonly refs: readonly Ref[]) {}

  get first(): string {
    return this.refs[0]!.name;
  }

  get tips(): string {
    this.joined ??= [...new Set(this.refs.map(({ oid, peeled }) => peeled ?? oid))].join("\n");
    return this.joined;
  }

  /** The first row whose name does not sort before this one. */
  firstFrom(name: string): number {
    return firstIndex(this.refs.length, (at) => compareRefNames(this.refs[at]!.name, name) >= 0);
  }

  /** The end of the rows that begin with the prefix, of which `from` is the first. */
  endOf(prefix: string, from: number): number {
    return from + firstIndex(this.refs.length - from, (at) => !startsWith(this.refs[from + at]!.name, prefix));
  }

  packets(framing: RefFraming, from: number, to: number): Uint8Array {
    this.framed[framing] ??= frame(this.refs, linesOf[framing]);
    const { packets, ends } = this.framed[framing];
    return packets.subarray(ends[from - 1] ?? 0, ends[to - 1]);
  }
}

function segmentsOf(refs: readonly Ref[]): Segment[] {
  const count = Math.ceil(refs.length / SEGMENT_REFS);
  const each = Math.ceil(refs.length / count);
  return Array.from({ length: count }, (_, at) => new Segment(refs.slice(at * each, (at + 1) * each)));
}

function withChanges(
  refs: readonly Ref[],
  names: readonly string[],
  changed: ReadonlyMap<string, Ref | undefined>,
): Ref[] {
  const left = refs.filter(({ name }) => !changed.has(name));
  const set = names.flatMap((name) => changed.get(name) ?? []);
  return [...left, ...set].sort((a, b) => compareRefNames(a.name, b.name));
}

/** The first index from which on `holds` is true; `count` if it never is. */
function firstIndex(count: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Compares bytes where the prefix ends within a character. */
function startsWith(name: string, prefix: string): boolean {
  if (name.startsWith(prefix) || prefix.isWellFormed()) return name.startsWith(prefix);
  const bytes = encodeName(prefix);
  return Buffer.compare(encodeName(name).subarray(0, bytes.length), bytes) === 0;
}

function frame(refs: readonly Ref[], lines: (ref: Ref) => readonly string[]): Framed {
  const ends: number[] = [];
  let total = 0;
  let text = "";
  for (const ref of refs) {
    for (const line of lines(ref)) {
      const bytes = 4 + (line.isWellFormed() ? Buffer.byteLength(line) : encodeName(line).length);
      if (bytes > MAX_PACKET_BYTES) throw new RangeError(`a packet cannot carry the name of a ref of ${bytes} bytes`);
      text += bytes.toString(16).padStart(4, "0") + line;
      total += bytes;
    }
    ends.push(total);
  }
  return { packets: encodeName(text), ends };
}

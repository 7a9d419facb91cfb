import { encodeName } from "../objects/names.ts";
import { compareRefNames } from "../refs/names.ts";
import type { Ref } from "../refs/types.ts";
import { MAX_PACKET_BYTES } from "../wire/pktline.ts";

/** How refs stand in packets. */
export type RefFraming = keyof typeof linesOf;

const linesOf = {
  /** As receive-pack advertises them, and version 2 lists them to those who do not ask where tags lead. */
  plain: ({ oid, name }: Ref) => [`${oid} ${name}\n`],
  /** Version 2, and `RefLines`. */
  peeled: ({ oid, name, peeled }: Ref) => [peeled ? `${oid} ${name} peeled:${peeled}\n` : `${oid} ${name}\n`],
  /** As upload-pack advertises them in versions 0 and 1. */
  dereferenced: ({ oid, name, peeled }: Ref) =>
    peeled ? [`${oid} ${name}\n`, `${peeled} ${name}^{}\n`] : [`${oid} ${name}\n`],
};

/** A change costs framing so many again, and a look at each of the other segments. */
const SEGMENT_REFS = 256;

/**
 * All refs of a repository as they were at one moment, framed as packets once for all who ask while nothing changes.
 * They stand in segments by the order of their names, and a later moment shares those in which nothing has changed: what a push
 * to thousands of refs costs follows the refs it moves.
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

  /** What the refs lead to, tags to where they end, an id a line: for workers, as a text crosses threads faster than a list. */
  get tips(): string {
    return this.segments.map(({ tips }) => tips).join("\n");
  }

  /** All of them peeled, without a flush; for `RefLines`, too. */
  get packets(): Uint8Array {
    return Buffer.concat(this.packetsBelow([""], "peeled"));
  }

  /** The same with some refs set, or removed where there is none. */
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

  /** The same without refs whose name begins so. */
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

  /** The refs whose name begins with one of the prefixes, each once, as views of what is shared. */
  packetsBelow(prefixes: readonly string[], framing: RefFraming): Uint8Array[] {
    return [...this.runs(prefixes)].map(({ segment, from, to }) => segment.packets(framing, from, to));
  }

  /** The same refs themselves. */
  below(prefixes: readonly string[]): Ref[] {
    return [...this.runs(prefixes)].flatMap(({ segment, from, to }) => segment.refs.slice(from, to));
  }

  /** Rows of segments, in order and apart from each other. */
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

  /** The segment in which a name stands, or would. */
  private segmentOf(name: string): number {
    return Math.max(
      0,
      firstIndex(this.segments.length, (at) => compareRefNames(this.segments[at]!.first, name) > 0) - 1,
    );
  }
}

interface Framed {
  readonly packets: Uint8Array;
  /** Where the packets of each ref end. */
  readonly ends: readonly number[];
}

/** Some neighbouring refs, one at least; never changed. */
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

  /** The first row whose name does not come before this one. */
  firstFrom(name: string): number {
    return firstIndex(this.refs.length, (at) => compareRefNames(this.refs[at]!.name, name) >= 0);
  }

  /** Where the rows end that begin with the prefix, from the first of them on. */
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

/** The first of so many indexes for which it holds, where it holds for all that follow; their number if for none. */
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

/** Compared as bytes where the prefix ends within a character. */
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

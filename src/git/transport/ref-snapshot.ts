import { encodeName } from "../objects/names.ts";
import { compareRefNames } from "../refs/names.ts";
import type { Ref } from "../refs/types.ts";
import { MAX_PACKET_BYTES, writePacketLength } from "../wire/pktline.ts";

const PEELED = " peeled:";

/**
 * All refs of a repository as they were at one moment, as version 2's `ls-refs` lists them: a packet each, made once
 * for all fetches that ask while nothing changes. A prefix is a run of packets, as refs come in the order of their names.
 */
export class RefSnapshot {
  private framed: { readonly packets: Buffer; readonly ends: Uint32Array } | undefined;

  /** @param refs sorted by name in byte order */
  constructor(readonly refs: readonly Ref[]) {}

  /** `<id> <name>[ peeled:<id>]`, a packet each, without a flush; for `RefLines`, too. */
  get packets(): Uint8Array {
    return this.frame().packets;
  }

  /** The same with some refs set, or removed where there is none. */
  with(changed: ReadonlyMap<string, Ref | undefined>): RefSnapshot {
    const kept = this.refs.filter(({ name }) => !changed.has(name));
    const added = [...changed.values()].filter((ref) => ref !== undefined);
    added.sort((a, b) => compareRefNames(a.name, b.name));
    const merged: Ref[] = [];
    let at = 0;
    for (const ref of kept) {
      while (at < added.length && compareRefNames(added[at]!.name, ref.name) < 0) merged.push(added[at++]!);
      merged.push(ref);
    }
    return new RefSnapshot([...merged, ...added.slice(at)]);
  }

  find(name: string): Ref | undefined {
    const ref = this.refs[this.firstFrom(name)];
    return ref?.name === name ? ref : undefined;
  }

  /** The refs whose name begins with one of the prefixes, each once, as views of `packets`. */
  packetsBelow(prefixes: readonly string[]): Uint8Array[] {
    const { packets, ends } = this.frame();
    return this.runs(prefixes).map(([from, to]) => packets.subarray(ends[from - 1] ?? 0, ends[to - 1]));
  }

  /** The same refs themselves. */
  below(prefixes: readonly string[]): Ref[] {
    return this.runs(prefixes).flatMap(([from, to]) => this.refs.slice(from, to));
  }

  /** Runs of rows, from and to, in order and apart from each other. */
  private runs(prefixes: readonly string[]): [number, number][] {
    const runs: [number, number][] = [];
    for (const prefix of [...new Set(prefixes)].sort(compareRefNames)) {
      const from = Math.max(this.firstFrom(prefix), runs.at(-1)?.[1] ?? 0);
      let to = from;
      let end = this.refs.length;
      while (to < end) {
        const middle = (to + end) >>> 1;
        if (startsWith(this.refs[middle]!.name, prefix)) to = middle + 1;
        else end = middle;
      }
      if (to > from) runs.push([from, to]);
    }
    return runs;
  }

  /** The first row whose name does not come before this one. */
  private firstFrom(name: string): number {
    let low = 0;
    let high = this.refs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareRefNames(this.refs[middle]!.name, name) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private frame() {
    this.framed ??= framed(this.refs);
    return this.framed;
  }
}

/** Compared as bytes where the prefix ends within a character. */
function startsWith(name: string, prefix: string): boolean {
  if (name.startsWith(prefix) || prefix.isWellFormed()) return name.startsWith(prefix);
  const bytes = encodeName(prefix);
  return Buffer.compare(encodeName(name).subarray(0, bytes.length), bytes) === 0;
}

/** In one piece: a buffer for each of a hundred thousand packets would cost more than what they hold. */
function framed(refs: readonly Ref[]): { packets: Buffer; ends: Uint32Array } {
  const ends = new Uint32Array(refs.length);
  const bytesOf = new Map<string, Uint8Array>();
  for (const { name } of refs) if (!name.isWellFormed()) bytesOf.set(name, encodeName(name));
  let total = 0;
  for (const [at, { oid, name, peeled }] of refs.entries()) {
    const peeledBytes = peeled ? PEELED.length + peeled.length : 0;
    const bytes = 4 + oid.length + 1 + (bytesOf.get(name)?.length ?? Buffer.byteLength(name)) + peeledBytes + 1;
    if (bytes > MAX_PACKET_BYTES) throw new RangeError(`a packet cannot carry the name of a ref of ${bytes} bytes`);
    total += bytes;
    ends[at] = total;
  }
  const packets = Buffer.allocUnsafeSlow(total);
  let from = 0;
  for (const [at, { oid, name, peeled }] of refs.entries()) {
    const to = ends[at]!;
    writePacketLength(packets, from, to - from);
    const encoded = bytesOf.get(name);
    if (encoded) {
      packets.write(`${oid} `, from + 4);
      packets.set(encoded, from + 5 + oid.length);
      packets.write(peeled ? `${PEELED}${peeled}\n` : "\n", from + 5 + oid.length + encoded.length);
    } else packets.write(peeled ? `${oid} ${name}${PEELED}${peeled}\n` : `${oid} ${name}\n`, from + 4);
    from = to;
  }
  return { packets, ends };
}

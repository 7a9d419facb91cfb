import type { Oid } from "../objects/types.ts";
import type { Ref } from "../refs/types.ts";
import { lineOf, packetsOf } from "../wire/pktline.ts";

const LENGTH_DIGITS = 4;
const LINE_FEED = 0x0a;
const PEELED = " peeled:";
/** So often the packets are searched; a client that asks more often wants thousands, and gets a table. */
const FEW_SEARCHES = 8;

/**
 * Refs in a worker, as the packets of a `RefSnapshot`: one piece of memory, as copying a hundred thousand small objects
 * between threads would hold the event loop up for longer than anything may. Read only as far as someone asks: most
 * fetches want what one of thousands points to. Names have neither spaces nor line feeds.
 */
export class RefLines {
  private readonly bytes: Buffer;
  private decoded: readonly Ref[] | undefined;
  private oids: ReadonlySet<Oid> | undefined;
  private byName: ReadonlyMap<string, Ref> | undefined;
  private searches = 0;

  constructor(packets: Uint8Array) {
    this.bytes = Buffer.from(packets.buffer, packets.byteOffset, packets.byteLength);
  }

  /** Whether a ref points to it, or is a tag that does in the end. */
  names(oid: Oid): boolean {
    if (++this.searches > FEW_SEARCHES) {
      this.oids ??= new Set(this.all().flatMap((ref) => (ref.peeled ? [ref.oid, ref.peeled] : [ref.oid])));
      return this.oids.has(oid);
    }
    const { bytes } = this;
    if (bytes.includes(`${PEELED}${oid}\n`)) return true;
    // What stands before a space may also be the end of a tag's name.
    for (let at = bytes.indexOf(`${oid} `); at >= 0; at = bytes.indexOf(`${oid} `, at + 1))
      if (at === LENGTH_DIGITS || bytes[at - LENGTH_DIGITS - 1] === LINE_FEED) return true;
    return false;
  }

  named(name: string): Ref | undefined {
    this.byName ??= new Map(this.all().map((ref) => [ref.name, ref]));
    return this.byName.get(name);
  }

  /** All of them, in their order. */
  all(): readonly Ref[] {
    this.decoded ??= [...refsOf(this.bytes)];
    return this.decoded;
  }

  /** The refs that are annotated tags. */
  *tags(): Generator<{ readonly oid: Oid; readonly peeled: Oid }> {
    const { bytes } = this;
    for (let at = bytes.indexOf(PEELED); at >= 0; at = bytes.indexOf(PEELED, at + 1)) {
      const start = bytes.lastIndexOf(LINE_FEED, at) + 1 + LENGTH_DIGITS;
      const end = bytes.indexOf(LINE_FEED, at);
      yield {
        oid: bytes.toString("latin1", start, bytes.indexOf(" ", start)),
        peeled: bytes.toString("latin1", at + PEELED.length, end),
      };
    }
  }
}

function* refsOf(bytes: Uint8Array): Generator<Ref> {
  for (const packet of packetsOf(bytes)) {
    if (packet.kind !== "data") continue;
    const [oid = "", name = "", peeled] = lineOf(packet.data).split(" ");
    yield peeled === undefined ? { name, oid } : { name, oid, peeled: peeled.slice("peeled:".length) };
  }
}

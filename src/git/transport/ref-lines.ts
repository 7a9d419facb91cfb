import type { Oid } from "../objects/types.ts";
import type { Ref } from "../refs/types.ts";
import { lineOf, packetsOf } from "../wire/pktline.ts";

const LENGTH_DIGITS = 4;
const LINE_FEED = 0x0a;
const PEELED = " peeled:";
/** Number of lookups that search the packets; after that, the client wants thousands, and a table is built. */
const FEW_SEARCHES = 8;

/**
 * Refs in a worker, as the packets of a `RefSnapshot`: a single buffer, because copying a hundred thousand small
 * objects between threads would block the event loop for too long. Decoded only as far as needed: most fetches want the
 * target of one ref in thousands. Names contain neither spaces nor line feeds.
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

  /** Whether a ref points to the id, or to a tag that peels to it. */
  names(oid: Oid): boolean {
    if (++this.searches > FEW_SEARCHES) {
      this.oids ??= new Set(this.all().flatMap((ref) => (ref.peeled ? [ref.oid, ref.peeled] : [ref.oid])));
      return this.oids.has(oid);
    }
    const { bytes } = this;
    if (bytes.includes(`${PEELED}${oid}\n`)) return true;
    // An id before a space may also be the end of a tag's name.
    for (let at = bytes.indexOf(`${oid} `); at >= 0; at = bytes.indexOf(`${oid} `, at + 1))
      if (at === LENGTH_DIGITS || bytes[at - LENGTH_DIGITS - 1] === LINE_FEED) return true;
    return false;
  }

  named(name: string): Ref | undefined {
    this.byName ??= new Map(this.all().map((ref) => [ref.name, ref]));
    return this.byName.get(name);
  }

  /** All refs, in order. */
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

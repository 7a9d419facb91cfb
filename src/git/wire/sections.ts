import { ProtocolError } from "../errors.ts";
import { packetLength } from "./pktline.ts";

/** Unparsed packets up to and including a flush. */
export interface Section {
  readonly bytes: Uint8Array;
  /** `done`: the last packet is `done`, and no flush follows. */
  readonly end: "flush" | "done";
}

const NOTHING = new Uint8Array(0);

/** Splits what arrives on a connection at its flushes, without parsing the packets: there may be a million. */
export class SectionReader {
  private held: Uint8Array = NOTHING;
  private readonly source: AsyncIterator<Uint8Array>;

  constructor(
    source: AsyncIterable<Uint8Array>,
    private readonly maxBytes: number,
  ) {
    this.source = source[Symbol.asyncIterator]();
  }

  /**
   * The next section; undefined at a clean end.
   * @param options.doneEnds whether a `done` packet ends it, too
   * @throws ProtocolError if malformed, too long, or truncated
   */
  async next({ doneEnds = false } = {}): Promise<Section | undefined> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const { used, end } = scan(this.held, doneEnds);
      bytes += used;
      if (bytes > this.maxBytes) throw new ProtocolError(`the request is longer than ${this.maxBytes} bytes`);
      if (used > 0) parts.push(this.held.subarray(0, used));
      this.held = this.held.subarray(used);
      if (end) return { bytes: Buffer.concat(parts), end };
      const step = await this.source.next();
      if (step.done) {
        if (bytes === 0 && this.held.length === 0) return undefined;
        throw new ProtocolError("the request ends inside a packet");
      }
      this.held = this.held.length === 0 ? step.value : Buffer.concat([this.held, step.value]);
    }
  }
}

/** How many bytes are complete packets, up to the end of a section if there is one. @throws ProtocolError */
function scan(bytes: Uint8Array, doneEnds: boolean): { used: number; end: Section["end"] | undefined } {
  let at = 0;
  while (bytes.length - at >= 4) {
    const length = packetLength(bytes, at);
    if (length === 0) return { used: at + 4, end: "flush" };
    if (length < 4) {
      at += 4;
      continue;
    }
    if (bytes.length - at < length) break;
    const isDone =
      doneEnds && length <= 9 && /^done\n?$/.test(Buffer.from(bytes.subarray(at + 4, at + length)).toString("latin1"));
    at += length;
    if (isDone) return { used: at, end: "done" };
  }
  return { used: at, end: undefined };
}

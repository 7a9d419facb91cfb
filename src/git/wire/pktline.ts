import { ProtocolError } from "../errors.ts";
import { decodeName, encodeName } from "../objects/names.ts";

/**
 * pkt-lines (gitprotocol-common): four hexadecimal digits with the length of the whole packet, then the payload. `0000`
 * flush, `0001` delimiter and `0002` response end carry no payload.
 */

/** The maximum packet length, including its four length digits. */
export const MAX_PACKET_BYTES = 65520;
export const MAX_PAYLOAD_BYTES = MAX_PACKET_BYTES - 4;

export type Packet =
  | { readonly kind: "data"; readonly data: Uint8Array }
  | { readonly kind: "flush" | "delimiter" | "response-end" };

export const FLUSH: Uint8Array = Buffer.from("0000");
export const DELIMITER: Uint8Array = Buffer.from("0001");

const SPECIAL = ["flush", "delimiter", "response-end"] as const;
const HEX = Buffer.from("0123456789abcdef");

/** Writes the four length digits of a packet of `packetBytes` bytes (digits included) at `at`. */
export function writePacketLength(target: Uint8Array, at: number, packetBytes: number): void {
  target[at] = HEX[(packetBytes >>> 12) & 15]!;
  target[at + 1] = HEX[(packetBytes >>> 8) & 15]!;
  target[at + 2] = HEX[(packetBytes >>> 4) & 15]!;
  target[at + 3] = HEX[packetBytes & 15]!;
}

/**
 * One packet with this payload; text is encoded as UTF-8, except raw bytes in it (objects/names.ts), which are kept.
 * The caller adds any line feed.
 * @throws RangeError if the payload is longer than a packet allows
 */
export function packet(payload: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const body = typeof payload === "string" ? encodeName(payload) : payload;
  if (body.byteLength > MAX_PAYLOAD_BYTES) throw new RangeError(`a packet cannot carry ${body.byteLength} bytes`);
  const bytes = new Uint8Array(body.byteLength + 4);
  writePacketLength(bytes, 0, bytes.byteLength);
  bytes.set(body, 4);
  return bytes;
}

/**
 * The packet that reports an error to a client (gitprotocol-pack, "pkt-line"). It may repeat client input and is shown
 * on a terminal: control characters become question marks, and it is cut after a thousand characters.
 */
export function errorPacket(message: string): Uint8Array<ArrayBuffer> {
  return packet(`ERR ${message.slice(0, 1000).replace(/[\x00-\x1f\x7f-\x9f]/g, "?")}`);
}

/** Packets collected in one buffer. */
export class PacketList {
  private readonly parts: Uint8Array[] = [];

  line(payload: string | Uint8Array): this {
    this.parts.push(packet(payload));
    return this;
  }
  flush(): this {
    this.parts.push(FLUSH);
    return this;
  }
  delimiter(): this {
    this.parts.push(DELIMITER);
    return this;
  }
  /** Adds raw bytes, without a length. */
  raw(bytes: Uint8Array): this {
    this.parts.push(bytes);
    return this;
  }
  bytes(): Uint8Array<ArrayBuffer> {
    const total = this.parts.reduce((sum, part) => sum + part.byteLength, 0);
    const bytes = new Uint8Array(total);
    let at = 0;
    for (const part of this.parts) {
      bytes.set(part, at);
      at += part.byteLength;
    }
    return bytes;
  }
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  if (letter >= 97 && letter <= 102) return letter - 87;
  throw new ProtocolError("bad line length character");
}

/**
 * The length given by the four digits at `at`: 0, 1, 2 for the special packets, else at least 4. @throws ProtocolError
 */
export function packetLength(bytes: Uint8Array, at: number): number {
  const length =
    (hexDigit(bytes[at]!) << 12) |
    (hexDigit(bytes[at + 1]!) << 8) |
    (hexDigit(bytes[at + 2]!) << 4) |
    hexDigit(bytes[at + 3]!);
  if (length === 3 || length > MAX_PACKET_BYTES) throw new ProtocolError(`bad line length ${length}`);
  return length;
}

/**
 * The packets in a complete buffer, in order; payloads are views of it.
 * @throws ProtocolError if a length is malformed or the bytes end inside a packet
 */
export function* packetsOf(bytes: Uint8Array): Generator<Packet, void, undefined> {
  let at = 0;
  while (at < bytes.byteLength) {
    if (at + 4 > bytes.byteLength) throw new ProtocolError("the request ends inside a packet");
    const length = packetLength(bytes, at);
    const special = SPECIAL[length];
    if (special) {
      at += 4;
      yield { kind: special };
      continue;
    }
    if (at + length > bytes.byteLength) throw new ProtocolError("the request ends inside a packet");
    yield { kind: "data", data: bytes.subarray(at + 4, at + length) };
    at += length;
  }
}

const NOTHING = new Uint8Array(0);

/**
 * Reads packets from a byte stream with chunks of any size, one at a time; `rest` returns what follows the packets (a
 * pack). Holds at most one packet and one chunk of the stream.
 */
export class PacketReader {
  private buffered: Uint8Array = NOTHING;
  private readonly source: AsyncIterator<Uint8Array>;
  private ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** The next packet; undefined at a clean end. @throws ProtocolError if a packet is malformed or truncated */
  async next(): Promise<Packet | undefined> {
    if (!(await this.fill(4))) {
      if (this.buffered.byteLength === 0) return undefined;
      throw new ProtocolError("the request ends inside a packet");
    }
    const length = packetLength(this.buffered, 0);
    const special = SPECIAL[length];
    if (special) {
      this.buffered = this.buffered.subarray(4);
      return { kind: special };
    }
    if (!(await this.fill(length))) throw new ProtocolError("the request ends inside a packet");
    const data = this.buffered.slice(4, length);
    this.buffered = this.buffered.subarray(length);
    return { kind: "data", data };
  }

  /** Everything after the packets read so far, in the chunks in which it arrives. */
  async *rest(): AsyncGenerator<Uint8Array, void, undefined> {
    const first = this.buffered;
    this.buffered = NOTHING;
    if (first.byteLength > 0) yield first;
    while (!this.ended) {
      const step = await this.source.next();
      if (step.done) this.ended = true;
      else if (step.value.byteLength > 0) yield step.value;
    }
  }

  /** Cancels the stream: nothing more will be read. */
  async cancel(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.source.return?.();
  }

  private async fill(wantedBytes: number): Promise<boolean> {
    while (this.buffered.byteLength < wantedBytes) {
      if (this.ended) return false;
      const step = await this.source.next();
      if (step.done) {
        this.ended = true;
        return false;
      }
      this.buffered = this.buffered.byteLength === 0 ? step.value : Buffer.concat([this.buffered, step.value]);
    }
    return true;
  }
}

/**
 * The payload as text without its final line feed (objects/names.ts: it may contain a name, which need not be UTF-8).
 */
export function lineOf(data: Uint8Array): string {
  const text = decodeName(data);
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

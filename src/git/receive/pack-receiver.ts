import { writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { BadPack, CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { Inflater } from "../objects/inflate.ts";
import { EntryHeader, KIND_OFS_DELTA, KIND_REF_DELTA, PACK_HEADER_BYTES } from "../packs/entry.ts";
import type { ReceiveLimits } from "./limits.ts";

/** Where an entry's bytes are inflated to. */
export interface Destination {
  readonly buffer: Uint8Array;
  /** Where the content begins in the buffer, and how far may be written: at least a byte beyond the content. */
  readonly start: number;
  readonly end: number;
  /** Called with pieces as the buffer fills; without it, the buffer holds the whole content. */
  readonly piece?: (bytes: Uint8Array) => void;
}

/** Receives each entry. `raw` and `rawAt` are valid only during the call. */
export interface EntrySink {
  packBegins(objectCount: number): void;
  entryBegins(header: EntryHeader, offset: number, raw: Uint8Array): Destination;
  entryEnds(crc: number): void;
}

/**
 * Parses a pack as it arrives: writes it to a file, hashes it, and inflates each entry once. Chunks may be split
 * anywhere; nothing but an entry's header is ever held back.
 */
export class PackReceiver {
  private readonly inflater = new Inflater();
  private readonly header: EntryHeader;
  private readonly hasher: Bun.CryptoHasher;
  /** Length of the checksum at the end of the pack. */
  private readonly trailerBytes: number;
  /** The last bytes so far, which may be the trailer: not hashed until more follow. */
  private tail = new Uint8Array(0);
  private state: "header" | "entry" | "body" | "trailer" | "end" = "header";
  /** Bytes of a partial header. */
  private held = new Uint8Array(0);
  private destination: Destination | undefined;
  private made = 0;
  private piecesFlushed = 0;
  private crc = 0;
  private entriesLeft = 0;
  /** Offset in the pack of the next byte to parse. */
  private position = 0;
  receivedBytes = 0;

  constructor(
    format: ObjectFormat,
    /** The file to write the bytes to; undefined if they are already there. */
    private readonly fd: number | undefined,
    private readonly sink: EntrySink,
    private readonly limits: ReceiveLimits,
  ) {
    this.header = new EntryHeader(format);
    this.hasher = new Bun.CryptoHasher(format.name);
    this.trailerBytes = format.oidBytes;
  }

  /** @throws BadPack when the bytes so far cannot be the beginning of a pack */
  feed(chunk: Uint8Array): void {
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > this.limits.packBytes)
      throw new BadPack(`pack exceeds the limit of ${this.limits.packBytes} bytes`);
    const { fd } = this;
    for (let at = 0; fd !== undefined && at < chunk.length; ) at += writeSync(fd, chunk, at, chunk.length - at);
    this.hashAllButTail(chunk);
    let bytes = chunk;
    if (this.held.length > 0) {
      bytes = new Uint8Array(this.held.length + chunk.length);
      bytes.set(this.held);
      bytes.set(chunk, this.held.length);
      this.held = new Uint8Array(0);
    }
    try {
      const used = this.parse(bytes);
      if (used < bytes.length) this.held = bytes.slice(used);
    } catch (error) {
      if (error instanceof CorruptObject) throw new BadPack(`${error.message} (at offset ${this.position})`);
      throw error;
    }
  }

  /** Whether everything the header announced has arrived, including the checksum. */
  get isComplete(): boolean {
    return this.state === "trailer" && this.held.length === this.trailerBytes;
  }

  /** Ends the pack and returns its checksum. @throws BadPack when it is truncated or its checksum is wrong */
  finish(): Uint8Array {
    if (this.isComplete) this.state = "end";
    if (this.state !== "end") throw new BadPack("the pack is cut short");
    const checksum = this.hasher.digest();
    if (!checksum.equals(this.tail)) throw new BadPack("the pack's checksum is wrong");
    return checksum;
  }

  close(): void {
    this.inflater.close();
  }

  private hashAllButTail(chunk: Uint8Array): void {
    if (chunk.length >= this.trailerBytes) {
      this.hasher.update(this.tail);
      this.hasher.update(chunk.subarray(0, chunk.length - this.trailerBytes));
      this.tail = chunk.slice(chunk.length - this.trailerBytes);
      return;
    }
    const joined = new Uint8Array(this.tail.length + chunk.length);
    joined.set(this.tail);
    joined.set(chunk, this.tail.length);
    const sure = Math.max(0, joined.length - this.trailerBytes);
    this.hasher.update(joined.subarray(0, sure));
    this.tail = joined.slice(sure);
  }

  /** Parses as much as possible and returns the number of bytes used. */
  private parse(bytes: Uint8Array): number {
    let at = 0;
    for (;;) {
      let used: number;
      if (this.state === "header") used = this.parseHeader(bytes);
      else if (this.state === "entry") used = this.parseEntry(bytes, at);
      else if (this.state === "body") used = this.parseBody(bytes, at);
      else {
        if (bytes.length - at > this.trailerBytes) throw new BadPack("there is garbage behind the pack");
        return at;
      }
      if (used < 0) return at;
      at += used;
      this.position += used;
    }
  }

  private parseHeader(bytes: Uint8Array): number {
    if (bytes.length < PACK_HEADER_BYTES) return -1;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const version = view.getUint32(4);
    if (view.getUint32(0) !== 0x5041434b) throw new BadPack("this is not a pack");
    if (version !== 2 && version !== 3) throw new BadPack(`pack version ${version} is unknown`);
    this.entriesLeft = view.getUint32(8);
    if (this.entriesLeft > this.limits.objects)
      throw new BadPack(`pack exceeds the limit of ${this.limits.objects} objects`);
    this.sink.packBegins(this.entriesLeft);
    this.state = this.entriesLeft === 0 ? "trailer" : "entry";
    return PACK_HEADER_BYTES;
  }

  private parseEntry(bytes: Uint8Array, at: number): number {
    const { header } = this;
    if (!header.read(bytes, at, bytes.length)) return -1;
    if (header.problem !== undefined) throw new BadPack(`${header.problem} (at offset ${this.position})`);
    const isDelta = header.kind === KIND_OFS_DELTA || header.kind === KIND_REF_DELTA;
    const limit = isDelta ? this.limits.wholeObjectBytes : this.limits.objectBytes;
    if (header.sizeBytes > limit) throw new BadPack(`an object exceeds the limit of ${limit} bytes`);
    this.destination = this.sink.entryBegins(header, this.position, bytes);
    this.made = 0;
    this.piecesFlushed = 0;
    this.crc = crc32(bytes.subarray(at, at + header.length));
    this.inflater.reset();
    this.state = "body";
    return header.length;
  }

  private parseBody(bytes: Uint8Array, at: number): number {
    const { inflater, destination } = this;
    if (at >= bytes.length || !destination) return -1;
    const { buffer, start, end, piece } = destination;
    const size = this.header.sizeBytes;
    const from = start + this.made - this.piecesFlushed;
    inflater.push(bytes, at, bytes.length, buffer, from, end);
    this.made += inflater.produced;
    if (this.made > size) throw new BadPack(`an object is larger than it says (at offset ${this.position})`);
    this.crc = crc32(bytes.subarray(at, at + inflater.consumed), this.crc);
    if (piece && (inflater.ended || from + inflater.produced === end)) {
      piece(buffer.subarray(start, from + inflater.produced));
      this.piecesFlushed = this.made;
    }
    if (inflater.ended) {
      if (this.made !== size) throw new BadPack(`an object is smaller than it says (at offset ${this.position})`);
      this.sink.entryEnds(this.crc);
      this.entriesLeft--;
      this.state = this.entriesLeft === 0 ? "trailer" : "entry";
    }
    return inflater.consumed;
  }
}

import { readSync } from "node:fs";
import { CorruptObject } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { MAX_PACKET_BYTES, writePacketLength } from "../wire/pktline.ts";
import { BAND_DATA, type SideBand } from "../wire/sideband.ts";
import type { Outlet } from "./outlet.ts";

/** Takes ownership of a buffer; resolves when it is ready for more. */
export type Emit = (chunk: Uint8Array<ArrayBuffer>) => Promise<void>;

const FIRST_BUFFER_PACKETS = 1;
/** A quarter of a mebibyte: larger buffers are no faster, and used ones stay in each thread until it collects. */
const BUFFER_PACKETS = 4;
const SMALL_PACKET_BYTES = 1000;
const PACKET_HEAD_BYTES = 5;

/**
 * Outgoing pack data: written directly into side-band packets in large buffers, so that data read from a file
 * is never copied again, and hashed along the way. Writers await `drain` periodically; at most a few buffers queue up.
 */
export class PackOutput {
  /** Pack bytes written so far, which is the offset of the next one in the pack. */
  position = 0;
  private readonly hasher: Bun.CryptoHasher | undefined;
  private readonly sideBand: SideBand | undefined;
  private readonly outlet: Outlet | undefined;
  private readonly packetBytes: number;
  private readonly headBytes: number;
  private buffer: Uint8Array<ArrayBuffer>;
  /** Start of the packet being filled, and the offset of its next byte. */
  private packetStart = 0;
  private at: number;
  private ready: Uint8Array<ArrayBuffer>[] = [];

  /** Without `sideBand` the pack is sent unframed. With `hashed` the trailer can be written at the end. */
  constructor(
    private readonly emit: Emit,
    sideBand: SideBand | undefined,
    format: ObjectFormat,
    options: { readonly hashed: boolean; readonly outlet?: Outlet | undefined },
  ) {
    this.sideBand = sideBand;
    this.outlet = options.outlet;
    this.hasher = options.hashed ? new Bun.CryptoHasher(format.name) : undefined;
    this.packetBytes = sideBand === "side-band" ? SMALL_PACKET_BYTES : MAX_PACKET_BYTES;
    this.headBytes = sideBand ? PACKET_HEAD_BYTES : 0;
    this.buffer = new Uint8Array(this.packetBytes * FIRST_BUFFER_PACKETS);
    this.at = this.headBytes;
  }

  write(bytes: Uint8Array): void {
    this.hasher?.update(bytes);
    this.position += bytes.byteLength;
    let from = 0;
    while (from < bytes.byteLength) {
      const room = this.room();
      const length = Math.min(room, bytes.byteLength - from);
      // Copying a short run byte by byte is cheaper than creating a view of it.
      if (length < 32) for (let i = 0; i < length; i++) this.buffer[this.at + i] = bytes[from + i]!;
      else this.buffer.set(length === bytes.byteLength ? bytes : bytes.subarray(from, from + length), this.at);
      this.at += length;
      from += length;
    }
  }

  /** Copies a range of a file. @throws CorruptObject when the file ends before the range does */
  async copyFile(fd: number, start: number, end: number): Promise<void> {
    let from = start;
    while (from < end) {
      const wanted = Math.min(this.room(), end - from);
      const got = readSync(fd, this.buffer, this.at, wanted, from);
      if (got === 0) throw new CorruptObject("a pack file is cut short");
      this.hasher?.update(this.buffer.subarray(this.at, this.at + got));
      this.at += got;
      from += got;
      this.position += got;
      if (this.ready.length > 0) await this.drain();
    }
  }

  /**
   * Copies a whole file that needs no new checksum; for a slow reader, the rest is left to be sent later.
   * @throws CorruptObject when the file ends before `end`
   */
  async copyStored(path: string, fd: number, end: number): Promise<void> {
    const STEP_BYTES = 1024 * 1024;
    for (let from = 0; from < end; ) {
      if (this.outlet?.isSlow && !this.hasher) {
        await this.finish();
        this.outlet.handOver(path, from, end, this.sideBand);
        this.position += end - from;
        return;
      }
      const to = Math.min(from + STEP_BYTES, end);
      await this.copyFile(fd, from, to);
      from = to;
    }
  }

  /** Whether full buffers are waiting for `drain`. */
  get isWaiting(): boolean {
    return this.ready.length > 0;
  }

  async drain(): Promise<void> {
    while (this.ready.length > 0) await this.emit(this.ready.shift()!);
  }

  /** Writes the checksum of everything written so far. */
  writeTrailer(): void {
    const digest = this.hasher?.digest();
    if (!digest) throw new Error("the output was made without a checksum");
    this.position += digest.byteLength;
    let from = 0;
    while (from < digest.byteLength) {
      const length = Math.min(this.room(), digest.byteLength - from);
      this.buffer.set(digest.subarray(from, from + length), this.at);
      this.at += length;
      from += length;
    }
  }

  /** Sends the remaining data. */
  async finish(): Promise<void> {
    this.closePacket();
    if (this.packetStart > 0) this.ready.push(this.buffer.slice(0, this.packetStart));
    this.packetStart = 0;
    this.at = this.headBytes;
    await this.drain();
  }

  /** Space left in the packet being filled; begins the next packet when it is full. */
  private room(): number {
    const packetEnd = this.packetStart + this.packetBytes;
    if (this.at < packetEnd) return packetEnd - this.at;
    this.closePacket();
    if (this.packetStart + this.packetBytes > this.buffer.byteLength) {
      this.ready.push(this.buffer);
      this.buffer = new Uint8Array(this.packetBytes * BUFFER_PACKETS);
      this.packetStart = 0;
    }
    this.at = this.packetStart + this.headBytes;
    return this.packetBytes - this.headBytes;
  }

  private closePacket(): void {
    const length = this.at - this.packetStart;
    if (length === this.headBytes) return;
    if (this.headBytes > 0) {
      writePacketLength(this.buffer, this.packetStart, length);
      this.buffer[this.packetStart + 4] = BAND_DATA;
    }
    this.packetStart = this.at;
  }
}

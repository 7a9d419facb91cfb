import { writeSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { encodeBaseDistance, encodeEntryHeader, encodePackHeader, KIND_OFS_DELTA, KIND_REF_DELTA } from "./entry.ts";

const BUFFER_BYTES = 256 * 1024;

/** Writes a pack entry by entry to a new file, computing its checksum and each entry's CRC-32 along the way. */
export class PackWriter {
  private readonly fd: number;
  private readonly hasher: Bun.CryptoHasher;
  private readonly buffer = new Uint8Array(BUFFER_BYTES);
  private used = 0;
  private crc = 0;
  /** Offset of the next byte, which is the offset of the next entry between entries. */
  position = 0;

  constructor(path: string, format: ObjectFormat, objectCount: number) {
    this.hasher = new Bun.CryptoHasher(format.name);
    this.fd = openFile(path, "wx", 0o600);
    this.put(encodePackHeader(objectCount));
  }

  /**
   * Begins an entry, to be followed by its zlib stream through `put`; returns its offset.
   * @param base an offset in this pack, or the bytes of an id
   */
  begin(kind: number, sizeBytes: number, base?: number | Uint8Array): number {
    const offset = this.position;
    this.crc = 0;
    this.put(encodeEntryHeader(kind, sizeBytes));
    if (kind === KIND_OFS_DELTA && typeof base === "number") this.put(encodeBaseDistance(offset - base));
    else if (kind === KIND_REF_DELTA && base instanceof Uint8Array) this.put(base);
    return offset;
  }

  put(bytes: Uint8Array): void {
    this.crc = crc32(bytes, this.crc);
    this.position += bytes.length;
    if (this.used + bytes.length > BUFFER_BYTES) this.flush();
    if (bytes.length > BUFFER_BYTES) {
      this.emit(bytes);
      return;
    }
    this.buffer.set(bytes, this.used);
    this.used += bytes.length;
  }

  /** Ends an entry and returns the CRC-32 of its stored bytes. */
  end(): number {
    return this.crc;
  }

  /** Writes an object held in memory; returns its offset. */
  object(kind: number, data: Uint8Array): number {
    const offset = this.begin(kind, data.length);
    this.put(deflateSync(data));
    return offset;
  }

  /** Writes the trailer, closes the file and returns the checksum. */
  finish(): Buffer {
    this.flush();
    const checksum = this.hasher.digest();
    for (let at = 0; at < checksum.length; ) at += writeSync(this.fd, checksum, at, checksum.length - at);
    this.position += checksum.length;
    closeFile(this.fd);
    return checksum;
  }

  /** Closes the file of an abandoned pack. */
  abandon(): void {
    closeFile(this.fd);
  }

  private flush(): void {
    this.emit(this.buffer.subarray(0, this.used));
    this.used = 0;
  }

  private emit(bytes: Uint8Array): void {
    this.hasher.update(bytes);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at, bytes.length - at);
  }
}

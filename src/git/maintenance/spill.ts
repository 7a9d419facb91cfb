import { readSync, writeSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { CorruptObject } from "../errors.ts";
import { NONE } from "./packing-data.ts";

const BUFFER_BYTES = 256 * 1024;

/** New deltas, deflated, in a temporary file until they go into a pack: too many to hold in memory. */
export class Spill {
  private readonly fd: number;
  private readonly buffer = new Uint8Array(BUFFER_BYTES);
  private used = 0;
  private end = 0;
  /** By slot: the number of its delta. */
  private readonly numbers: Int32Array;
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private readonly sizes: number[] = [];

  constructor(path: string, slots: number) {
    this.fd = openFile(path, "wx+", 0o600);
    this.numbers = new Int32Array(slots).fill(NONE);
  }

  get count(): number {
    return this.starts.length;
  }

  has(slot: number): boolean {
    return this.numbers[slot] !== NONE;
  }

  put(slot: number, delta: Uint8Array): void {
    const bytes = deflateSync(delta);
    this.numbers[slot] = this.starts.length;
    this.starts.push(this.end);
    this.lengths.push(bytes.length);
    this.sizes.push(delta.length);
    this.end += bytes.length;
    if (this.used + bytes.length > BUFFER_BYTES) this.flush();
    if (bytes.length > BUFFER_BYTES) this.write(bytes);
    else {
      this.buffer.set(bytes, this.used);
      this.used += bytes.length;
    }
  }

  /** Uncompressed size of the slot's delta in bytes. */
  sizeOf(slot: number): number {
    return this.sizes[this.numbers[slot]!]!;
  }

  /** The deflated delta. */
  read(slot: number): Uint8Array {
    this.flush();
    const number = this.numbers[slot]!;
    const bytes = new Uint8Array(this.lengths[number]!);
    let got = 0;
    while (got < bytes.length) {
      const read = readSync(this.fd, bytes, got, bytes.length - got, this.starts[number]! + got);
      if (read === 0) throw new CorruptObject("the file of new deltas is cut short");
      got += read;
    }
    return bytes;
  }

  close(): void {
    closeFile(this.fd);
  }

  private flush(): void {
    if (this.used > 0) this.write(this.buffer.subarray(0, this.used));
    this.used = 0;
  }

  private write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.fd, bytes, at, bytes.length - at);
  }
}

import { readSync, statSync } from "node:fs";
import { join } from "node:path";
import { Sink } from "../git/archive/sink.ts";
import { TarWriter } from "../git/archive/tar.ts";
import { MODE_FILE } from "../git/objects/tree.ts";
import { closeFile, openFile } from "../workers/descriptors.ts";
import { BackupError } from "./error.ts";
import { MANIFEST, ManifestReader, writeAll } from "./manifest.ts";

/**
 * A backup in one file: `<name>/manifest`, then its files in manifest order, so that a reader knows what to expect of
 * each file.
 */

const RECORD = 512;
const PIECE_BYTES = 256 * 1024;
const MAX_DESCRIPTION_BYTES = 1 << 16;
const NO_ONE_ELSE = 0o077;

/** Writes a backup to an open file or a pipe. @throws BackupError a file's length differs from the manifest */
export function writeTar(directory: string, name: string, to: number): void {
  using manifest = new ManifestReader(join(directory, MANIFEST));
  const sink = new Sink();
  const tar = new TarWriter(sink, Math.floor(manifest.head.createdAt / 1000), NO_ONE_ELSE);
  tar.globalHeader(undefined);
  const member = (path: string, sizeBytes: number) => {
    const entry = { path: `${name}/${path}`, mode: MODE_FILE, oid: "backup" };
    tar.entry(entry, { sizeBytes, pieces: () => Readable });
    const from = openFile(join(directory, path), "r");
    try {
      let done = 0;
      const piece = new Uint8Array(PIECE_BYTES);
      for (let got = readSync(from, piece); got > 0; got = readSync(from, piece)) {
        done += got;
        sink.write(piece.subarray(0, got));
        for (let full = sink.take(); full; full = sink.take()) writeAll(to, full);
      }
      if (done !== sizeBytes) throw new BackupError("damaged", path);
      tar.fillRecord(done);
    } finally {
      closeFile(from);
    }
  };
  member(MANIFEST, statSync(join(directory, MANIFEST)).size);
  for (let entry = manifest.next(); entry; entry = manifest.next()) member(entry.path, entry.sizeBytes);
  sink.writeZeros(2 * RECORD);
  for (const piece of sink.rest()) writeAll(to, piece);
}

/** The content is written here, not by the library that writes headers. */
const Readable = { async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {} };

/** Reads a tar file sequentially, member by member. */
export class TarReader implements Disposable {
  private readonly fd: number;
  /** Unread bytes of the member, including the padding of its last record. */
  private left = 0;
  private padding = 0;

  constructor(private readonly file: string) {
    this.fd = openFile(file, "r");
  }

  /** @returns undefined at the end. @throws BackupError it is truncated, or not a tar file */
  next(): { readonly path: string; readonly sizeBytes: number } | undefined {
    if (this.left > 0) throw this.damaged();
    this.take(this.padding);
    let [longPath, longSize] = [undefined as string | undefined, undefined as number | undefined];
    for (;;) {
      const header = this.take(RECORD);
      if (header.every((byte) => byte === 0)) return this.end();
      if (!hasRightSum(header)) throw this.damaged();
      const sizeBytes = longSize ?? octal(header, 124, 12);
      const kind = String.fromCharCode(header[156] ?? 0);
      if (!Number.isSafeInteger(sizeBytes)) throw this.damaged();
      const padding = (RECORD - (sizeBytes % RECORD)) % RECORD;
      if (kind === "x" && sizeBytes <= MAX_DESCRIPTION_BYTES) {
        const text = this.take(sizeBytes + padding).toString("utf8", 0, sizeBytes);
        longPath = /(?:^|\n)\d+ path=(.*)\n/.exec(text)?.[1];
        longSize = Number(/(?:^|\n)\d+ size=(\d+)\n/.exec(text)?.[1] ?? Number.NaN);
        if (Number.isNaN(longSize)) longSize = undefined;
        continue;
      }
      if (kind !== "0") throw this.damaged();
      const prefix = textAt(header, 345, 155);
      const path = longPath ?? (prefix === "" ? "" : `${prefix}/`) + textAt(header, 0, 100);
      [this.left, this.padding] = [sizeBytes, padding];
      return { path, sizeBytes };
    }
  }

  /** Reads more bytes of the member; 0 at its end. @throws BackupError it is truncated */
  read(into: Uint8Array): number {
    if (this.left === 0) return 0;
    const got = readSync(this.fd, into, 0, Math.min(into.length, this.left), null);
    if (got === 0) throw this.damaged();
    this.left -= got;
    return got;
  }

  [Symbol.dispose](): void {
    closeFile(this.fd);
  }

  private end(): undefined {
    if (!this.take(RECORD).every((byte) => byte === 0)) throw this.damaged();
  }

  private take(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; ) {
      const got = readSync(this.fd, bytes, at, length - at, null);
      if (got === 0) throw this.damaged();
      at += got;
    }
    return bytes;
  }

  private damaged(): BackupError {
    return new BackupError("damaged", this.file);
  }
}

const textAt = (header: Buffer, at: number, length: number): string =>
  header.toString("utf8", at, at + length).replace(/\0.*$/s, "");

const octal = (header: Buffer, at: number, length: number): number =>
  Number.parseInt(textAt(header, at, length).trim() || "0", 8);

function hasRightSum(header: Buffer): boolean {
  let sum = 8 * 0x20;
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte;
  return sum === octal(header, 148, 8);
}

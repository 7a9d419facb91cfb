import { readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { CorruptObject, ObjectTooLarge } from "../errors.ts";
import type { Oid } from "../objects/types.ts";
import { MAX_CHAIN, type PackEntry, type PackFile } from "./pack-file.ts";
import { PIECE_BYTES, type Pieces } from "./pieces.ts";

/** Objects up to this size are built in memory. */
export const HELD_BYTES = 16 * 1024 * 1024;

/** The source a delta copies from. */
interface Base {
  readonly sizeBytes: number;
  read(target: Uint8Array, at: number, length: number, from: number): void;
  close(): void;
}

/**
 * Reads a large object that is stored as a delta, in pieces. Bases larger than `HELD_BYTES` go to an unnamed file;
 * deltas are applied while they are inflated. So memory use is a few pieces, whatever the sizes.
 * @param spoolDir directory for temporary files
 * @throws CorruptObject; ObjectTooLarge when an object on the way is larger than `maxBytes`
 */
export function unfoldedDelta(
  pack: PackFile,
  offset: number,
  { oid, maxBytes, spoolDir }: { oid: Oid; maxBytes: number; spoolDir: string },
): Pieces {
  const chain: PackEntry[] = [];
  let at = offset;
  for (;;) {
    const { sizeBytes } = pack.objectHeader(at);
    if (sizeBytes > maxBytes) throw new ObjectTooLarge(oid, sizeBytes);
    const entry = pack.entryAt(at);
    if (sizeBytes <= HELD_BYTES || !entry.base) break;
    if (chain.push(entry) > MAX_CHAIN) throw new CorruptObject("delta chain is too long", { cause: oid });
    at = pack.offsetOfBase(entry);
  }
  const root = pack.entryAt(at);
  let base: Base;
  if (pack.objectHeader(at).sizeBytes <= HELD_BYTES) base = inMemory(pack.object(at, oid).data);
  else base = spooled(pack.inflated(root), spoolDir);
  try {
    while (chain.length > 1) {
      const below = base;
      base = spooled(new Unfolding(pack.inflated(chain.pop()!), below), spoolDir);
    }
    const last = chain.pop();
    return last ? new Unfolding(pack.inflated(last), base) : new Whole(base);
  } catch (error) {
    base.close();
    throw error;
  }
}

function inMemory(data: Uint8Array): Base {
  return {
    sizeBytes: data.length,
    read: (target, at, length, from) => target.set(data.subarray(from, from + length), at),
    close: () => {},
  };
}

/** Writes the pieces to an unlinked file, which disappears when closed or when the process dies. Closes the pieces. */
function spooled(pieces: Pieces, directory: string): Base {
  let fd: number | undefined;
  try {
    // git's own cleanup removes files with this name.
    const path = join(directory, `tmp_obj_${crypto.randomUUID()}`);
    fd = openFile(path, "wx+", 0o600);
    unlinkSync(path);
    let sizeBytes = 0;
    for (let piece = pieces.next(); piece; piece = pieces.next())
      for (let at = 0; at < piece.length; ) {
        const written = writeSync(fd, piece, at, piece.length - at, sizeBytes);
        at += written;
        sizeBytes += written;
      }
    const file = fd;
    return {
      sizeBytes,
      read(target, at, length, from) {
        for (let done = 0; done < length; ) {
          const got = readSync(file, target, at + done, length - done, from + done);
          if (got === 0) throw new CorruptObject("a file of ours is cut short");
          done += got;
        }
      },
      close: () => closeFile(file),
    };
  } catch (error) {
    if (fd !== undefined) closeFile(fd);
    throw error;
  } finally {
    pieces.close();
  }
}

/** An object that is the base itself. */
class Whole implements Pieces {
  private at = 0;
  private isOpen = true;

  constructor(private readonly base: Base) {}

  next(): Uint8Array<ArrayBuffer> | undefined {
    const length = Math.min(PIECE_BYTES, this.base.sizeBytes - this.at);
    if (length === 0) return undefined;
    const piece = new Uint8Array(length);
    this.base.read(piece, 0, length, this.at);
    this.at += length;
    return piece;
  }

  close(): void {
    if (this.isOpen) this.base.close();
    this.isOpen = false;
  }
}

/** Applies a delta to its base on demand. Closing it closes both. */
class Unfolding implements Pieces {
  private input: Uint8Array = new Uint8Array(0);
  private at = 0;
  private isOpen = true;
  private left: number | undefined;
  /** For the current instruction: bytes left to copy, and their offset in the base; -1 to copy from the delta. */
  private runLeft = 0;
  private runFrom = -1;

  constructor(
    private readonly delta: Pieces,
    private readonly base: Base,
  ) {}

  next(): Uint8Array<ArrayBuffer> | undefined {
    this.left ??= this.begin();
    const piece = new Uint8Array(Math.min(PIECE_BYTES, this.left));
    let made = 0;
    while (made < piece.length) {
      if (this.runLeft === 0) this.readInstruction();
      const length = Math.min(this.runLeft, piece.length - made);
      if (this.runFrom >= 0) {
        this.base.read(piece, made, length, this.runFrom);
        this.runFrom += length;
      } else {
        this.fill(length);
        piece.set(this.input.subarray(this.at, this.at + length), made);
        this.at += length;
      }
      this.runLeft -= length;
      made += length;
    }
    this.left -= made;
    if (made > 0) return piece;
    if (this.runLeft > 0 || this.peek()) throw new CorruptObject("delta makes more than its result");
    return undefined;
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.delta.close();
    this.base.close();
  }

  /** Reads the sizes. @returns the result size in bytes */
  private begin(): number {
    if (this.readSize() !== this.base.sizeBytes) throw new CorruptObject("delta is for a base of another size");
    return this.readSize();
  }

  private readSize(): number {
    let size = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      size += (byte & 0x7f) * factor;
      if (size > Number.MAX_SAFE_INTEGER) throw new CorruptObject("delta has a malformed size");
      if ((byte & 0x80) === 0) return size;
    }
  }

  private readInstruction(): void {
    const code = this.byte();
    if ((code & 0x80) === 0) {
      if (code === 0) throw new CorruptObject("delta inserts nothing or beyond its end");
      this.runLeft = code;
      this.runFrom = -1;
    } else {
      const word = (first: number, count: number) => {
        let value = 0;
        for (let i = 0; i < count; i++) if (code & (first << i)) value += this.byte() * 2 ** (8 * i);
        return value;
      };
      this.runFrom = word(0x01, 4);
      this.runLeft = word(0x10, 3) || 0x10000;
      if (this.runFrom + this.runLeft > this.base.sizeBytes)
        throw new CorruptObject("delta copies from outside its base or beyond its result");
    }
    if (this.runLeft > this.left!) throw new CorruptObject("delta copies from outside its base or beyond its result");
  }

  private byte(): number {
    if (this.at === this.input.length) this.fill(1);
    return this.input[this.at++]!;
  }

  /** Whether the delta has more bytes. */
  private peek(): boolean {
    return this.at < this.input.length || this.delta.next() !== undefined;
  }

  /** Buffers at least `bytes` bytes of the delta. */
  private fill(bytes: number): void {
    while (this.input.length - this.at < bytes) {
      const piece = this.delta.next();
      if (!piece) throw new CorruptObject("delta ends too early");
      const rest = this.input.subarray(this.at);
      this.input = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      this.at = 0;
    }
  }
}

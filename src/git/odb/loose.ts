import { readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { CorruptObject, ObjectTooLarge } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { Inflater } from "../objects/inflate.ts";
import { isObjectType } from "../objects/tag.ts";
import type { GitObject, ObjectHeader, Oid } from "../objects/types.ts";
import type { ReadMeter } from "../packs/read-meter.ts";

/** Loose objects: `objects/ab/cdef…` holds the zlib stream of `<type> <size>\0<content>`. */
export class LooseObjects {
  private readonly inflater = new Inflater();
  private readonly input = new Uint8Array(16 * 1024);

  constructor(
    private readonly objectsDir: string,
    private readonly format: ObjectFormat,
  ) {}

  path(oid: Oid): string {
    return `${this.objectsDir}/${oid.slice(0, 2)}/${oid.slice(2)}`;
  }

  has(oid: Oid): boolean {
    if (oid.length !== this.format.oidDigits) return false;
    return statSync(this.path(oid), { throwIfNoEntry: false })?.isFile() ?? false;
  }

  /** Size of the object's file; undefined when there is none. */
  diskBytes(oid: Oid): number | undefined {
    return statSync(this.path(oid), { throwIfNoEntry: false })?.size;
  }

  header(oid: Oid): ObjectHeader | undefined {
    return this.withFile(oid, (fd) => {
      const { type, sizeBytes } = this.begin(fd, oid);
      return { type, sizeBytes };
    });
  }

  /** @throws ObjectTooLarge CorruptObject */
  read(oid: Oid, maxObjectBytes: number, meter?: ReadMeter): GitObject | undefined {
    return this.withFile(oid, (fd) => {
      const { type, sizeBytes, first, rest } = this.begin(fd, oid);
      if (sizeBytes > maxObjectBytes) throw new ObjectTooLarge(oid, sizeBytes);
      meter?.spend(sizeBytes);
      if (first.length > sizeBytes) throw new CorruptObject(`loose object ${oid} is longer than it says`);
      // One byte more than needed, so that the end of the stream is detected.
      const out = new Uint8Array(sizeBytes + 1);
      out.set(first);
      let made = first.length;
      let { start, end } = rest;
      while (!this.inflater.ended) {
        if (start === end) {
          end = readSync(fd, this.input, 0, this.input.length, null);
          start = 0;
          // The stream can still be complete without more input: its end is only detected with input left.
          if (end === 0) {
            this.input[0] = 0;
            this.inflater.push(this.input, 0, 1, out, made, out.length);
            if (!this.inflater.ended || this.inflater.consumed > 0 || this.inflater.produced > 0)
              throw new CorruptObject(`loose object ${oid} is cut short`);
            break;
          }
        }
        this.inflater.push(this.input, start, end, out, made, out.length);
        start += this.inflater.consumed;
        made += this.inflater.produced;
        if (made > sizeBytes) throw new CorruptObject(`loose object ${oid} is longer than it says`);
      }
      if (made !== sizeBytes) throw new CorruptObject(`loose object ${oid} is shorter than it says`);
      return { type, data: out.subarray(0, sizeBytes) };
    });
  }

  /** Streams the content in pieces. */
  stream(oid: Oid): ReadableStream<Uint8Array> | undefined {
    const header = this.header(oid);
    if (!header) return undefined;
    const fd = openFile(this.path(oid), "r");
    const inflater = new Inflater();
    inflater.reset();
    const input = new Uint8Array(64 * 1024);
    let start = 0;
    let end = 0;
    let skip = -1;
    let made = 0;
    let open = true;
    const close = () => {
      if (!open) return;
      open = false;
      inflater.close();
      closeFile(fd);
    };
    const next = (): Uint8Array<ArrayBuffer> => {
      if (start === end) {
        end = readSync(fd, input, 0, input.length, null);
        start = 0;
      }
      const out = new Uint8Array(64 * 1024);
      if (end === 0) return out.subarray(0, 0);
      inflater.push(input, start, end, out, 0, out.length);
      start += inflater.consumed;
      const from = skip < 0 ? out.indexOf(0) + 1 : 0;
      skip = from;
      made += inflater.produced - from;
      return out.subarray(from, inflater.produced);
    };
    return new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          try {
            for (;;) {
              const piece = made === header.sizeBytes && skip >= 0 ? undefined : next();
              if (piece && piece.length > 0) return controller.enqueue(piece);
              if (piece && (inflater.ended || end === 0) && made !== header.sizeBytes)
                throw new CorruptObject(`loose object ${oid} is not as long as it says`);
              if (made === header.sizeBytes) break;
            }
            close();
            controller.close();
          } catch (error) {
            close();
            controller.error(error);
          }
        },
        cancel: close,
      },
      { highWaterMark: 0 },
    );
  }

  findByPrefix(prefix: string): Oid[] {
    const directory = prefix.slice(0, 2);
    const rest = prefix.slice(2);
    const digits = this.format.oidDigits - directory.length;
    return namesIn(join(this.objectsDir, directory))
      .filter((name) => name.length === digits && name.startsWith(rest) && /^[0-9a-f]+$/.test(name))
      .map((name) => directory + name);
  }

  /** All loose ids, in order. */
  list(): Oid[] {
    const directories = namesIn(this.objectsDir).filter((name) => /^[0-9a-f]{2}$/.test(name));
    return directories.sort().flatMap((directory) => this.findByPrefix(directory).sort());
  }

  close(): void {
    this.inflater.close();
  }

  private withFile<T>(oid: Oid, use: (fd: number) => T): T | undefined {
    if (!this.has(oid)) return undefined;
    let fd: number;
    try {
      fd = openFile(this.path(oid), "r");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
    try {
      return use(fd);
    } finally {
      closeFile(fd);
    }
  }

  private begin(fd: number, oid: Oid) {
    const HEADER_MAX = 32;
    const head = new Uint8Array(HEADER_MAX);
    this.inflater.reset();
    const end = readSync(fd, this.input, 0, this.input.length, null);
    if (end === 0) throw new CorruptObject(`loose object ${oid} is empty`);
    this.inflater.push(this.input, 0, end, head, 0, HEADER_MAX);
    const made = this.inflater.produced;
    const nul = head.indexOf(0);
    const match = /^([a-z]+) (0|[1-9][0-9]{0,14})$/.exec(
      Buffer.from(head.subarray(0, Math.max(0, nul))).toString("latin1"),
    );
    const type = match?.[1] ?? "";
    if (!match || !isObjectType(type) || nul >= made)
      throw new CorruptObject(`loose object ${oid} has a malformed header`);
    return {
      type,
      sizeBytes: Number(match[2]),
      first: head.subarray(nul + 1, made),
      rest: { start: this.inflater.consumed, end },
    };
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return [];
    throw error;
  }
}

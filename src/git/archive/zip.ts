import { constants, crc32, deflateRawSync } from "node:zlib";
import { isBinary } from "../diff/content.ts";
import { CorruptObject } from "../errors.ts";
import { decodeName } from "../objects/names.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode, MODE_FILE, MODE_GITLINK, MODE_SYMLINK } from "../objects/tree.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import { contentOf } from "./content.ts";
import { deflated } from "./deflate.ts";
import type { ArchiveEntry } from "./entries.ts";
import { Sink } from "./sink.ts";
import type { ArchiveSource } from "./source.ts";

/**
 * zip (PKWARE's APPNOTE) as `git archive` writes it:
 *
 *     local entry…: header 30 | name | time 9 [zip64 20] | content [| descriptor]
 *     directory: one of 46 bytes | name | time 9 [zip64] for each entry
 *     [zip64 end 56 + locator 20] end 22 | comment: the commit's id
 */

export interface ZipOptions {
  /** 0 (store) to 9; 6 by default. */
  readonly level?: number | undefined;
  /** Zip dates have no time zone; they are written in this one: minutes east of UTC. */
  readonly zoneMinutes?: number | undefined;
  /** Called for a path that is not UTF-8: zip cannot declare its encoding. */
  readonly onOddName?: ((path: string) => void) | undefined;
}

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const DIRECTORY = 0x02014b50;
const END = 0x06054b50;
const END64 = 0x06064b50;
const LOCATOR64 = 0x07064b50;

const STORE = 0;
const DEFLATE = 8;
/** Sizes follow the content, because they were not known before it. */
const FLAG_STREAM = 8;
const FLAG_UTF8 = 0x800;
const VERSION = 10;
const VERSION_ZIP64 = 45;
/** Made on Unix, by version 2.3: the attributes contain a file mode. */
const CREATOR_UNIX = 0x0317;
const ATTRIBUTE_DIRECTORY = 16;
const MAX32 = 0xffffffff;
const MAX16 = 0xffff;
/** Streams longer than this may approach four gigabytes if they do not compress. */
const MAX_PLAIN_STREAM = 0x7fffffff;

/** Yields buffers that the caller may keep or transfer. @throws CorruptObject if an object is missing */
export async function* zipPieces(
  store: ObjectSource,
  source: ArchiveSource,
  options: ZipOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(source.timeSeconds, options);
  for (const entry of source.entries()) {
    yield* writer.add(store, entry, source);
    for (let piece = writer.sink.take(); piece; piece = writer.sink.take()) yield piece;
  }
  writer.finish(source.commit?.oid ?? "");
  yield* writer.sink.rest();
}

/** A zip of a few files from outside any repository. @param path ASCII */
export function zipOfFiles(
  files: readonly { readonly path: string; readonly data: Uint8Array }[],
  timeSeconds: number,
): Uint8Array<ArrayBuffer> {
  const writer = new ZipWriter(timeSeconds, {});
  for (const { path, data } of files) writer.addFile({ path, mode: MODE_FILE, oid: "" }, data);
  writer.finish("");
  return new Uint8Array(Buffer.concat([...writer.sink.rest()]));
}

/**
 * As `zipOfFiles`, for any number of files of any size, with one piece in memory at a time. @param path one character
 * per byte
 */
export async function* zipOfStreams(
  files: Iterable<{ readonly path: string; pieces(): AsyncIterable<Uint8Array> }>,
  timeSeconds: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const writer = new ZipWriter(timeSeconds, {});
  for (const { path, pieces } of files) {
    yield* writer.addStream({ path, mode: MODE_FILE, oid: "" }, pieces);
    for (let piece = writer.sink.take(); piece; piece = writer.sink.take()) yield piece;
  }
  writer.finish("");
  yield* writer.sink.rest();
}

/** The fields shared by both of an entry's headers. */
interface Item {
  readonly name: Buffer;
  readonly offset: number;
  readonly creator: number;
  flags: number;
  readonly attributes: number;
  version: number;
  method: number;
  crc: number;
  size: number;
  packedSize: number;
  isText: boolean;
}

class ZipWriter {
  readonly sink = new Sink();
  private readonly directory = new Sink();
  private readonly level: number;
  private readonly date: number;
  private readonly time: number;
  private readonly stamp: Uint8Array;
  private entries = 0;
  private newestVersion = VERSION;
  private readonly onOddName: ZipOptions["onOddName"];

  constructor(
    timeSeconds: number,
    { level = constants.Z_DEFAULT_COMPRESSION, zoneMinutes = 0, onOddName }: ZipOptions,
  ) {
    this.level = level;
    this.onOddName = onOddName;
    const clock = new Date((timeSeconds + zoneMinutes * 60) * 1000);
    const year = clock.getUTCFullYear() - 1980;
    this.date = (clock.getUTCDate() + (clock.getUTCMonth() + 1) * 32 + year * 512) & MAX16;
    this.time = Math.floor(clock.getUTCSeconds() / 2) + clock.getUTCMinutes() * 32 + clock.getUTCHours() * 2048;
    // Only the modification time in Unix format ("UT").
    this.stamp = fields([2, 0x5455], [2, 5], [1, 1], [4, timeSeconds % 2 ** 32]);
  }

  async *add(store: ObjectSource, entry: ArchiveEntry, source: ArchiveSource): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const { mode } = entry;
    const item = this.itemOf(entry);
    if (item.name.length > MAX16) throw new RangeError("a path is too long for zip");
    const content = isTreeMode(mode) || mode === MODE_GITLINK ? undefined : contentOf(store, entry, source);
    if (content?.pieces) yield* this.stream(item, entry, content);
    else this.whole(item, entry, content?.data);
  }

  addFile(entry: ArchiveEntry, data: Uint8Array): void {
    this.whole(this.itemOf(entry), entry, data);
  }

  /** Adds a stream of unknown length. */
  addStream(entry: ArchiveEntry, pieces: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    return this.stream(this.itemOf(entry), entry, { sizeBytes: undefined, pieces });
  }

  private itemOf({ path, mode }: ArchiveEntry): Item {
    const name = Buffer.from(path, "latin1");
    const isLink = (mode & MODE_KIND) === MODE_SYMLINK;
    const isLeaf = !isTreeMode(mode) && mode !== MODE_GITLINK;
    const isSpecial = isLeaf && (isLink || (mode & 0o111) !== 0);
    const isAscii = !/[\x80-\xff]/.test(path);
    const utf8 = !isAscii && decodeName(name).isWellFormed();
    if (!isAscii && !utf8) this.onOddName?.(decodeName(name));
    return {
      name,
      offset: this.sink.offset,
      creator: isSpecial ? CREATOR_UNIX : 0,
      flags: utf8 ? FLAG_UTF8 : 0,
      attributes: !isLeaf ? ATTRIBUTE_DIRECTORY : isSpecial ? ((isLink ? mode | 0o777 : mode) << 16) >>> 0 : 0,
      version: VERSION,
      method: STORE,
      crc: 0,
      size: 0,
      packedSize: 0,
      isText: false,
    };
  }

  private whole(item: Item, entry: ArchiveEntry, data: Uint8Array | undefined): void {
    let packed = data;
    if (data) {
      item.size = item.packedSize = data.length;
      item.crc = crc32(data);
      item.isText = !this.isBinary(entry, data);
      if ((entry.mode & MODE_KIND) !== MODE_SYMLINK && this.level !== 0 && data.length > 0) {
        const deflated = deflateRawSync(data, { level: this.level });
        if (deflated.length < data.length) {
          packed = deflated;
          item.method = DEFLATE;
          item.packedSize = deflated.length;
        }
      }
    }
    this.localHeader(item, false);
    if (packed) this.sink.write(packed);
    this.record(item);
  }

  private async *stream(
    item: Item,
    entry: ArchiveEntry,
    content: { readonly sizeBytes: number | undefined; pieces(): AsyncIterable<Uint8Array> },
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const { sink } = this;
    item.flags |= FLAG_STREAM;
    item.size = content.sizeBytes ?? 0;
    item.method = this.level === 0 ? STORE : DEFLATE;
    item.packedSize = item.method === STORE ? item.size : 0;
    const isLarge = content.sizeBytes === undefined || item.size > MAX_PLAIN_STREAM;
    if (isLarge) item.version = VERSION_ZIP64;
    this.localHeader(item, isLarge);
    const start = sink.offset;
    let size = 0;
    const watched = async function* (this: ZipWriter) {
      for await (const piece of content.pieces()) {
        if (size === 0) item.isText = !this.isBinary(entry, piece);
        item.crc = crc32(piece, item.crc);
        size += piece.length;
        yield piece;
      }
    }.call(this);
    for await (const piece of item.method === STORE ? watched : deflated(watched, this.level)) {
      sink.write(piece);
      for (let piece = sink.take(); piece; piece = sink.take()) yield piece;
    }
    if (content.sizeBytes === undefined) item.size = size;
    if (size !== item.size) throw new CorruptObject(`blob ${entry.oid} is not as long as it says`);
    item.packedSize = sink.offset - start;
    const digits = isLarge ? 8 : 4;
    sink.write(fields([4, DESCRIPTOR], [4, item.crc], [digits, item.packedSize], [digits, item.size]));
    this.record(item);
  }

  /** As in git: the `diff` attribute decides, otherwise a NUL near the start. */
  private isBinary({ attributes }: ArchiveEntry, data: Uint8Array): boolean {
    return attributes?.isBinary ?? isBinary(data);
  }

  /** The fields shared by the header before an entry and its row in the directory. */
  private contentFields(item: Item): Field[] {
    return [
      [2, item.version],
      [2, item.flags],
      [2, item.method],
      [2, this.time],
      [2, this.date],
      [4, item.crc],
    ];
  }

  private localHeader(item: Item, isLarge: boolean): void {
    const { sink } = this;
    const more = isLarge ? 20 : 0;
    sink.write(
      fields(
        [4, LOCAL],
        ...this.contentFields(item),
        [4, isLarge ? MAX32 : item.packedSize],
        [4, isLarge ? MAX32 : item.size],
        [2, item.name.length],
        [2, this.stamp.length + more],
      ),
    );
    sink.write(item.name);
    sink.write(this.stamp);
    if (isLarge) sink.write(fields([2, 1], [2, 16], [8, item.size], [8, item.packedSize]));
  }

  private record(item: Item): void {
    const large = [item.size, item.packedSize, item.offset].filter((value) => value >= MAX32);
    const extra =
      large.length === 0 ? [] : fields([2, 1], [2, 8 * large.length], ...large.map((value) => [8, value] as const));
    const { directory } = this;
    directory.write(
      fields(
        [4, DIRECTORY],
        [2, item.creator],
        ...this.contentFields(item),
        [4, Math.min(item.packedSize, MAX32)],
        [4, Math.min(item.size, MAX32)],
        [2, item.name.length],
        [2, this.stamp.length + extra.length],
        [2, 0],
        [2, 0],
        [2, item.isText ? 1 : 0],
        [4, item.attributes],
        [4, Math.min(item.offset, MAX32)],
      ),
    );
    directory.write(item.name);
    directory.write(this.stamp);
    directory.write(Uint8Array.from(extra));
    this.newestVersion = Math.max(this.newestVersion, item.creator);
    this.entries++;
  }

  finish(comment: string): void {
    const { sink, directory, entries } = this;
    const start = sink.offset;
    const size = directory.offset;
    for (const piece of directory.rest()) sink.write(piece);
    if (entries > MAX16 || size > MAX32 || start > MAX32) {
      const at = sink.offset;
      sink.write(
        fields(
          [4, END64],
          [8, 44],
          [2, this.newestVersion],
          [2, VERSION_ZIP64],
          [4, 0],
          [4, 0],
          [8, entries],
          [8, entries],
          [8, size],
          [8, start],
        ),
      );
      sink.write(fields([4, LOCATOR64], [4, 0], [8, at], [4, 1]));
    }
    const shown = Math.min(entries, MAX16);
    sink.write(
      fields(
        [4, END],
        [2, 0],
        [2, 0],
        [2, shown],
        [2, shown],
        [4, Math.min(size, MAX32)],
        [4, Math.min(start, MAX32)],
        [2, comment.length],
      ),
    );
    sink.write(Buffer.from(comment, "latin1"));
  }
}

type Field = readonly [bytes: number, value: number];

/** Encodes numbers with the given sizes in bytes, little-endian. */
function fields(...values: readonly Field[]): Uint8Array {
  const data = new Uint8Array(values.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of values) {
    let rest = value;
    for (let i = 0; i < bytes; i++) {
      data[at++] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  }
  return data;
}

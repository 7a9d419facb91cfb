import { CorruptObject } from "../errors.ts";
import type { ObjectSource } from "../objects/source.ts";
import { isTreeMode, MODE_GITLINK, MODE_SYMLINK } from "../objects/tree.ts";
import { MODE_KIND } from "../objects/tree-cursor.ts";
import type { Oid } from "../objects/types.ts";
import { type Content, contentOf } from "./content.ts";
import type { ArchiveEntry } from "./entries.ts";
import { Sink } from "./sink.ts";
import type { ArchiveSource } from "./source.ts";

/**
 * tar as `git archive` writes it: POSIX ustar (pax(1)), with pax headers for what does not fit.
 *
 *     global header with the commit's id | entry… | zeros, at least two records, up to a block
 *     entry: [pax header] header | content, filled up to a record
 *     header: name 100, mode 8, uid 8, gid 8, size 12, mtime 12, checksum 8, type 1, link 100,
 *             "ustar\0" 6, "00" 2, user 32, group 32, device 8 + 8, prefix 155
 */

const RECORD = 512;
const BLOCK = 20 * RECORD;
/** Others must not get write access to unpacked files; git's default for `tar.umask`. */
const DEFAULT_UMASK = 0o002;
/** Eleven octal digits. */
const MAX_NUMBER = 0o77777777777;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

/** Yields buffers that the caller may keep or transfer. @throws CorruptObject if an object is missing */
export async function* tarPieces(
  store: ObjectSource,
  source: ArchiveSource,
  umask = DEFAULT_UMASK,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const sink = new Sink();
  const writer = new TarWriter(sink, source.timeSeconds, umask);
  writer.globalHeader(source.commit?.oid);
  const { substitution, lineEnds } = source;
  const how = { substitution, lineEnds, lent: true };
  for (const entry of source.entries()) {
    const content = isTreeMode(entry.mode) || entry.mode === MODE_GITLINK ? undefined : contentOf(store, entry, how);
    writer.entry(entry, content);
    if (content?.pieces) {
      let bytes = 0;
      for await (const part of content.pieces()) {
        bytes += part.length;
        sink.write(part);
        for (let piece = sink.take(); piece; piece = sink.take()) yield piece;
      }
      if (bytes !== content.sizeBytes) throw new CorruptObject(`blob ${entry.oid} is not as long as it says`);
      writer.fillRecord(bytes);
    }
    for (let piece = sink.take(); piece; piece = sink.take()) yield piece;
  }
  const tail = BLOCK - (sink.offset % BLOCK);
  sink.writeZeros(tail < 2 * RECORD ? tail + BLOCK : tail);
  yield* sink.rest();
}

export class TarWriter {
  private readonly header = Buffer.alloc(RECORD);
  /** The bytes that all headers share: owner, time, format, and spaces in place of the checksum. */
  private readonly common = Buffer.alloc(RECORD);

  constructor(
    private readonly sink: Sink,
    private readonly timeSeconds: number,
    private readonly umask: number,
  ) {
    const { common } = this;
    common.write("0000000\x000000000", 108, "latin1");
    common.write("        ", 148, "latin1");
    common.write("ustar\x0000root", 257, "latin1");
    common.write("root", 297, "latin1");
    common.write("0000000\x000000000", 329, "latin1");
  }

  /** This is where `git get-tar-commit-id` looks for the commit. */
  globalHeader(commit: Oid | undefined): void {
    let text = commit === undefined ? "" : paxRecord("comment", commit);
    let mtime = this.timeSeconds;
    // Dates before 1970 are far in the future for git, whose timestamps are unsigned.
    if (mtime < 0 || mtime > MAX_NUMBER) {
      text += paxRecord("mtime", String(BigInt.asUintN(64, BigInt(mtime))));
      mtime = MAX_NUMBER;
    }
    writeOctal(this.common, 136, 11, mtime);
    if (text !== "") this.pax("pax_global_header", "g", text);
  }

  /** Writes the header, and the content if it is available as a whole. */
  entry({ path, mode, oid }: ArchiveEntry, content: Content | undefined): void {
    const { header } = this;
    header.set(this.common);
    let pax = "";
    if (path.length <= NAME_BYTES) header.write(path, 0, "latin1");
    else {
      const cut = prefixLength(path);
      const rest = path.length - cut - 1;
      if (cut > 0 && rest <= NAME_BYTES) {
        header.write(path.slice(0, cut), 345, "latin1");
        header.write(path.slice(cut + 1), 0, "latin1");
      } else {
        header.write(`${oid}.data`, 0, "latin1");
        pax += paxRecord("path", path);
      }
    }
    let size = 0;
    let type = "5";
    let permissions = (mode | 0o777) & ~this.umask;
    if ((mode & MODE_KIND) === MODE_SYMLINK) {
      type = "2";
      permissions = mode | 0o777;
      const target = content?.data ? Buffer.from(content.data).toString("latin1") : "";
      if (target.length > NAME_BYTES) {
        header.write(`see ${oid}.paxheader`, 157, "latin1");
        pax += paxRecord("linkpath", target);
      } else header.write(target, 157, "latin1");
    } else if (content) {
      type = "0";
      permissions = (mode | (mode & 0o100 ? 0o777 : 0o666)) & ~this.umask;
      size = content.data ? content.data.length : content.sizeBytes;
      if (size > MAX_NUMBER) pax += paxRecord("size", String(size));
    }
    if (pax !== "") {
      const kept = Buffer.from(header);
      this.pax(`${oid}.paxheader`, "x", pax);
      header.set(kept);
    }
    this.finish(permissions, size > MAX_NUMBER ? 0 : size, type);
    if (type === "0" && content?.data) {
      this.sink.write(content.data);
      this.fillRecord(size);
    }
  }

  fillRecord(size: number): void {
    const over = size % RECORD;
    if (over > 0) this.sink.writeZeros(RECORD - over);
  }

  private pax(name: string, type: string, text: string): void {
    this.header.set(this.common);
    this.header.write(name, 0, "latin1");
    this.finish(0o666, text.length, type);
    this.sink.write(Buffer.from(text, "latin1"));
    this.fillRecord(text.length);
  }

  /**
   * Fills in the fields that every header has, and its checksum: the sum of all bytes, with spaces for the checksum
   * itself.
   */
  private finish(permissions: number, size: number, type: string): void {
    const { header } = this;
    writeOctal(header, 100, 7, permissions & 0o7777);
    writeOctal(header, 124, 11, size);
    header[156] = type.charCodeAt(0);
    let sum = 0;
    for (let at = 0; at < RECORD; at++) sum += header[at]!;
    writeOctal(header, 148, 7, sum);
    header[155] = 0;
    this.sink.write(header);
  }
}

function writeOctal(header: Uint8Array, start: number, digits: number, value: number): void {
  let rest = value;
  for (let at = start + digits - 1; at >= start; at--) {
    header[at] = 0x30 + (rest % 8);
    rest = Math.floor(rest / 8);
  }
}

/**
 * `<length> <keyword>=<value>
 * `, where the length includes its own digits.
 */
function paxRecord(keyword: string, value: string): string {
  const rest = ` ${keyword}=${value}\n`;
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return length + rest;
}

/** The slash up to which a long path goes into the header's prefix. */
function prefixLength(path: string): number {
  let at = path.length;
  if (at > 1 && path[at - 1] === "/") at--;
  at = Math.min(at, PREFIX_BYTES);
  do at--;
  while (at > 0 && path[at] !== "/");
  return at;
}

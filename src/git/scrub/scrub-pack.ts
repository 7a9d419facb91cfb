import { existsSync, fstatSync, readSync } from "node:fs";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { GitError, ObjectTooLarge } from "../errors.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { hashObject } from "../objects/hash.ts";
import type { ObjectType, Oid } from "../objects/types.ts";
import { ByteCache } from "../packs/byte-cache.ts";
import { PackFile } from "../packs/pack-file.ts";
import { PackIndex } from "../packs/pack-index.ts";
import { Windows } from "../packs/windows.ts";
import { OWN_LIMITS } from "../receive/index-pack.ts";
import { PackIndexing } from "../receive/pack-indexing.ts";
import type { Pacer } from "./pacer.ts";

/** The problems of a pack and its index: each file's error, and the objects that can no longer be read. */
export interface PackTrouble {
  readonly extension: "pack" | "idx";
  readonly message: string;
  readonly oids: Set<Oid>;
}

export interface ScrubbedPack {
  readonly objects: number;
  readonly bytes: number;
  readonly troubles: readonly PackTrouble[];
}

const PIECE_BYTES = 256 * 1024;
/** Packs are added pack first and removed index first, so a lone file is checked again after this long. */
const SETTLE_MS = 200;

/**
 * Verifies `<stem>.pack` and `<stem>.idx`: the checksums of both, every object's id, and the offsets in the index. Each
 * byte is read once, unless the pack is damaged.
 * @returns undefined if they were removed in the meantime
 * @throws the pacer's abort; the system's error
 */
export async function scrubPack(
  stem: string,
  format: ObjectFormat,
  pacer: Pacer,
  onBytes: (bytes: number) => void,
  signal?: AbortSignal,
): Promise<ScrubbedPack | undefined> {
  let fd: number;
  try {
    fd = openFile(`${stem}.pack`, "r");
  } catch (error) {
    if (isMissing(error)) return lonelyIndex(stem);
    throw error;
  }
  const indexing = new PackIndexing({
    fd,
    isStored: true,
    format,
    completeThin: false,
    checks: "none",
    limits: OWN_LIMITS,
    onWork: () => pacer.rest(),
    ...(signal ? { signal } : {}),
  });
  try {
    const bytes = fstatSync(fd).size;
    let checksum: Buffer | undefined;
    const troubles: PackTrouble[] = [];
    try {
      checksum = await indexing.run(piecesOf(fd, onBytes));
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      troubles.push({ extension: "pack", message: error.message, oids: await unreadable(stem, format, pacer) });
    }
    const { entries, objectLinks } = indexing.indexer;
    const offsets = function* (): Generator<readonly [Oid, number]> {
      for (let entry = 0; checksum && entry < entries.count; entry++)
        yield [objectLinks.table.oidOf(entries.slots[entry]!), entries.offsets[entry]!];
    };
    const indexTrouble = scrubIndex(stem, format, checksum, offsets(), pacer);
    if (indexTrouble) troubles.push(indexTrouble);
    return { objects: entries.count, bytes, troubles };
  } finally {
    indexing.close();
    closeFile(fd);
  }
}

/** The objects that can no longer be read from a damaged pack, as far as its index names them. */
async function unreadable(stem: string, format: ObjectFormat, pacer: Pacer): Promise<Set<Oid>> {
  const bad = new Set<Oid>();
  const windows = new Windows();
  let pack: PackFile | undefined;
  try {
    const cache = new ByteCache(16 * 1024 * 1024);
    const maxObjectBytes = 128 * 1024 * 1024;
    try {
      pack = PackFile.open(stem, { format, windows, cache, maxObjectBytes, meter: undefined, waste: undefined });
    } catch (error) {
      if (!(error instanceof GitError) && !isMissing(error)) throw error;
      return namesIn(stem, format);
    }
    for (let row = 0; row < pack.index.objectCount; row++) {
      pacer.rest();
      const oid = pack.index.oidOf(row);
      if (!(await isWhole(pack, oid, format, pacer))) bad.add(oid);
    }
    return bad;
  } finally {
    pack?.release();
    windows.close();
  }
}

/** Every id in an index, for a pack that cannot even be opened. */
function namesIn(stem: string, format: ObjectFormat): Set<Oid> {
  const names = new Set<Oid>();
  let index: PackIndex | undefined;
  try {
    index = PackIndex.open(`${stem}.idx`, format);
    for (let row = 0; row < index.objectCount; row++) names.add(index.oidOf(row));
  } catch (error) {
    if (!(error instanceof GitError) && !isMissing(error)) throw error;
  } finally {
    index?.close();
  }
  return names;
}

async function isWhole(pack: PackFile, oid: Oid, format: ObjectFormat, pacer: Pacer): Promise<boolean> {
  try {
    const offset = pack.index.find(oid);
    try {
      const { type, data } = pack.object(offset, oid);
      return hashObject(format, type, data) === oid;
    } catch (error) {
      if (!(error instanceof ObjectTooLarge)) throw error;
    }
    const entry = pack.entryAt(offset);
    if (entry.base) return false;
    const { type, sizeBytes } = pack.objectHeader(offset);
    return (await hashStream(format, type, sizeBytes, pack.stream(entry), pacer)) === oid;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** The id of an object that is read in pieces. */
export async function hashStream(
  format: ObjectFormat,
  type: ObjectType,
  sizeBytes: number,
  stream: AsyncIterable<Uint8Array>,
  pacer: Pacer,
): Promise<Oid> {
  const hasher = new Bun.CryptoHasher(format.name).update(`${type} ${sizeBytes}\0`);
  for await (const piece of stream) {
    hasher.update(piece);
    pacer.rest();
  }
  return hasher.digest("hex");
}

function scrubIndex(
  stem: string,
  format: ObjectFormat,
  packChecksum: Buffer | undefined,
  entries: Iterable<readonly [Oid, number]>,
  pacer: Pacer,
): PackTrouble | undefined {
  const path = `${stem}.idx`;
  const trouble = (message: string, oids: Set<Oid>): PackTrouble => ({ extension: "idx", message, oids });
  try {
    const sums = checksumsOf(path, format, pacer);
    const index = PackIndex.open(path, format);
    try {
      const misplaced = new Set<Oid>();
      for (const [oid, offset] of entries) {
        pacer.rest();
        if (index.find(oid) !== offset) misplaced.add(oid);
      }
      if (!sums.stored.equals(sums.actual)) return trouble("the index's checksum is wrong", misplaced);
      if (packChecksum && !sums.pack.equals(packChecksum)) return trouble("the index is of another pack", misplaced);
      return misplaced.size > 0 ? trouble("the index does not say where the pack's objects are", misplaced) : undefined;
    } finally {
      index.close();
    }
  } catch (error) {
    if (isMissing(error)) {
      Bun.sleepSync(SETTLE_MS);
      if (existsSync(path) || !existsSync(`${stem}.pack`)) return undefined;
    } else if (!(error instanceof GitError)) throw error;
    const message = isMissing(error) ? "the pack has no index" : "the index cannot be read";
    return trouble(message, new Set([...entries].map(([oid]) => oid)));
  }
}

/** An index whose pack is missing. */
function lonelyIndex(stem: string): ScrubbedPack | undefined {
  Bun.sleepSync(SETTLE_MS);
  if (existsSync(`${stem}.pack`) || !existsSync(`${stem}.idx`)) return undefined;
  return {
    objects: 0,
    bytes: 0,
    troubles: [{ extension: "pack", message: "the file is missing", oids: new Set() }],
  };
}

function checksumsOf(path: string, format: ObjectFormat, pacer: Pacer) {
  const { oidBytes } = format;
  const fd = openFile(path, "r");
  try {
    const hasher = new Bun.CryptoHasher(format.name);
    const end = Math.max(0, fstatSync(fd).size - oidBytes);
    const piece = new Uint8Array(PIECE_BYTES);
    for (let at = 0; at < end; ) {
      const got = readSync(fd, piece, 0, Math.min(piece.length, end - at), at);
      if (got === 0) break;
      hasher.update(piece.subarray(0, got));
      at += got;
      pacer.rest();
    }
    const tail = Buffer.alloc(2 * oidBytes);
    readSync(fd, tail, 0, tail.length, Math.max(0, end - oidBytes));
    return { actual: hasher.digest(), pack: tail.subarray(0, oidBytes), stored: tail.subarray(oidBytes) };
  } finally {
    closeFile(fd);
  }
}

async function* piecesOf(fd: number, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(PIECE_BYTES);
  for (let at = 0; ; ) {
    const got = readSync(fd, buffer, 0, buffer.length, at);
    if (got === 0) return;
    onBytes(got);
    yield buffer.subarray(0, got);
    at += got;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

import { chmodSync, existsSync, readSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { BadPack } from "../errors.ts";
import type { Problem } from "../object-checks/fsck.ts";
import type { ObjectFormat } from "../objects/format.ts";
import type { Oid } from "../objects/types.ts";
import type { ObjectStore } from "../odb/store.ts";
import { asBadPack } from "./indexer.ts";
import { DEFAULT_LIMITS, type ReceiveLimits } from "./limits.ts";
import { PackIndexing } from "./pack-indexing.ts";
import { admit, discard, newQuarantine } from "./quarantine.ts";

export interface IndexPackOptions {
  readonly format: ObjectFormat;
  /** The pack's repository: objects it already holds must have the same content, and links may point into it. */
  readonly store?: ObjectStore;
  /** Whether to check every object as `git fsck --strict` does. */
  readonly fsck: boolean;
  /** Whether everything the pack's objects point to must exist. */
  readonly links: boolean;
  readonly onProgress?: (text: string) => void;
  /** Called with the fsck problems of an object, whether or not it is refused for them. */
  readonly onProblems?: (oid: Oid, problems: readonly Problem[]) => void;
  readonly signal?: AbortSignal;
}

export interface IndexedPack {
  /** The pack's checksum in hex, which names it. */
  readonly packId: string;
  readonly objects: number;
  /** Objects that trees name `.gitmodules` but that are missing; as in git, the caller must deal with them. */
  readonly missingModules: readonly Oid[];
}

/** For users who index their own pack on the command line: trusted, so memory is the only limit. */
export const OWN_LIMITS: ReceiveLimits = {
  ...DEFAULT_LIMITS,
  packBytes: Number.MAX_SAFE_INTEGER,
  objectBytes: Number.MAX_SAFE_INTEGER,
  wholeObjectBytes: 1024 * 1024 * 1024,
  objects: 50_000_000,
  deltaDepth: 65_000,
  chainFloorBytes: Number.MAX_SAFE_INTEGER,
  inflateFloorBytes: Number.MAX_SAFE_INTEGER,
};

/**
 * Writes the index of the pack at `packPath` to `indexPath`, replacing any existing one.
 * @throws BadPack CorruptObject; no index is written then
 */
export async function indexPackFile(
  packPath: string,
  indexPath: string,
  options: IndexPackOptions,
): Promise<IndexedPack> {
  const fd = openFile(packPath, "r");
  const run = new Run(fd, true, false, options);
  const temporary = `${indexPath}.${crypto.randomUUID()}.tmp`;
  try {
    const checksum = await run.index(piecesOf(fd));
    run.indexing.writeIndex(temporary, checksum);
    renameSync(temporary, indexPath);
    return run.result(checksum);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw asBadPack(error);
  } finally {
    run.indexing.close();
    closeFile(fd);
  }
}

/**
 * Receives a streamed pack into `repoDir`; a thin pack is completed if `completeThin` is set. `keep` and `promisor`:
 * contents of the files with those extensions, written before the pack becomes visible.
 * @throws BadPack CorruptObject; nothing is left then
 */
export async function indexPackStream(
  repoDir: string,
  pack: AsyncIterable<Uint8Array>,
  options: IndexPackOptions & { readonly completeThin: boolean; readonly keep?: string; readonly promisor?: string },
): Promise<IndexedPack> {
  const quarantineDir = newQuarantine(repoDir);
  const path = join(quarantineDir, "incoming.pack");
  const fd = openFile(path, "wx+", 0o600);
  const run = new Run(fd, false, options.completeThin, options);
  try {
    const checksum = await run.index(pack);
    const result = run.result(checksum);
    renameSync(path, join(quarantineDir, `pack-${result.packId}.pack`));
    run.indexing.writeIndex(join(quarantineDir, `pack-${result.packId}.idx`), checksum);
    for (const kind of ["keep", "promisor"] as const)
      if (options[kind] !== undefined) writeBeside(repoDir, `pack-${result.packId}.${kind}`, options[kind]);
    const { indexer, sizeBytes, appended } = run.indexing;
    admit({
      repoDir,
      quarantineDir,
      packId: result.packId,
      objects: result.objects,
      bytes: sizeBytes,
      inflatedBytes: indexer.inflatedBytes,
      closure: null,
      appendedBases: appended,
    });
    return result;
  } catch (error) {
    throw asBadPack(error);
  } finally {
    run.indexing.close();
    closeFile(fd);
    discard({ quarantineDir });
  }
}

/**
 * Copies a streamed pack to `packPath` and writes its index to `indexPath`.
 * @throws BadPack CorruptObject; nothing is left then
 */
export async function indexPackCopy(
  packPath: string,
  indexPath: string,
  pack: AsyncIterable<Uint8Array>,
  options: IndexPackOptions & { readonly completeThin: boolean },
): Promise<IndexedPack> {
  if (existsSync(packPath)) throw new BadPack(`unable to create '${packPath}': File exists`);
  const fd = openFile(packPath, "wx+", 0o600);
  const run = new Run(fd, false, options.completeThin, options);
  let isWhole = false;
  try {
    const checksum = await run.index(pack);
    rmSync(indexPath, { force: true });
    run.indexing.writeIndex(indexPath, checksum);
    chmodSync(packPath, 0o444);
    isWhole = true;
    return run.result(checksum);
  } catch (error) {
    throw asBadPack(error);
  } finally {
    run.indexing.close();
    closeFile(fd);
    if (!isWhole) rmSync(packPath, { force: true });
  }
}

class Run {
  readonly indexing: PackIndexing;
  private readonly missingModules: Oid[] = [];

  constructor(
    fd: number,
    isStored: boolean,
    completeThin: boolean,
    private readonly options: IndexPackOptions,
  ) {
    const { format, store, fsck, links, onProgress, onProblems, signal } = options;
    const checks = fsck ? "fsck" : links ? "links" : "none";
    this.indexing = new PackIndexing({
      fd,
      isStored,
      format,
      completeThin,
      checks,
      limits: OWN_LIMITS,
      onMissingModules: (oid) => this.missingModules.push(oid),
      ...(store ? { store } : {}),
      ...(onProgress ? { onProgress } : {}),
      ...(onProblems ? { onProblems } : {}),
      ...(signal ? { signal } : {}),
    });
  }

  async index(pack: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const checksum = await this.indexing.run(pack);
    if (this.options.links) this.indexing.checkLinks();
    return checksum;
  }

  result(checksum: Buffer): IndexedPack {
    const packId = checksum.toString("hex");
    return { packId, objects: this.indexing.indexer.entries.count, missingModules: this.missingModules };
  }
}

function writeBeside(repoDir: string, name: string, words: string): void {
  const path = join(repoDir, "objects", "pack", name);
  if (!existsSync(path)) writeFileSync(path, words === "" ? "" : `${words}\n`, { mode: 0o600 });
}

/** Pieces of a file, in one reused buffer. */
async function* piecesOf(fd: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(256 * 1024);
  for (;;) {
    const got = readSync(fd, buffer, 0, buffer.length, null);
    if (got === 0) return;
    yield buffer.subarray(0, got);
  }
}

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
  /** The repository the pack belongs to: what it holds must not come with other content, and links may lead there. */
  readonly store?: ObjectStore;
  /** Judge every object as `git fsck --strict` does. */
  readonly fsck: boolean;
  /** What the pack's objects point to must be there. */
  readonly links: boolean;
  readonly onProgress?: (text: string) => void;
  /** Hears what fsck has to say of an object, whether it is refused for it or not. */
  readonly onProblems?: (oid: Oid, problems: readonly Problem[]) => void;
  readonly signal?: AbortSignal;
}

export interface IndexedPack {
  /** The pack's checksum in digits, which names it. */
  readonly packId: string;
  readonly objects: number;
  /** What trees name `.gitmodules` and is nowhere: git leaves it to the caller to mind. */
  readonly missingModules: readonly Oid[];
}

/** Whoever indexes a pack of their own at the terminal is no stranger; memory is the only limit. */
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
 * Writes the index of the pack at `packPath` to `indexPath`, in place of one that is there.
 * @throws BadPack CorruptObject; no index is left then
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
 * Takes a pack as it arrives into `repoDir`, completed if it is thin and `completeThin` says so. `keep` and
 * `promisor`: the words of a file of that kind, written before the pack can be seen.
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
 * Copies a pack as it arrives to `packPath` and writes its index to `indexPath`.
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

/** Pieces of a file, in one buffer that is used again. */
async function* piecesOf(fd: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(256 * 1024);
  for (;;) {
    const got = readSync(fd, buffer, 0, buffer.length, null);
    if (got === 0) return;
    yield buffer.subarray(0, got);
  }
}

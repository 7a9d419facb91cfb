import { renameSync } from "node:fs";
import { join } from "node:path";
import { closeFile, openFile } from "../../workers/descriptors.ts";
import { BadPack } from "../errors.ts";
import type { FsckId } from "../object-checks/fsck.ts";
import type { Oid } from "../objects/types.ts";
import { ObjectStore } from "../odb/store.ts";
import { type Closure, MAX_BOUNDARY } from "./closure.ts";
import { assertSameContent, type CollisionGuard } from "./collisions.ts";
import { Connectivity, missing, type Needed } from "./connectivity.ts";
import { asBadPack } from "./indexer.ts";
import { DEFAULT_LIMITS, type ReceiveLimits } from "./limits.ts";
import { APPENDED, BESIDE, PRESENT, REFERENCED } from "./object-links.ts";
import { PackIndexing } from "./pack-indexing.ts";
import { type CrashPoint, discard, newQuarantine, type Quarantined } from "./quarantine.ts";

export interface IngestOptions {
  /** The bare repository. */
  readonly repoDir: string;
  /** A directory from `newQuarantine`, for callers that must be able to remove it in any case. */
  readonly quarantineDir?: string;
  /** The pack as received from the client; null for a push without one. */
  readonly pack: AsyncIterable<Uint8Array> | null;
  /** The pack comes over a connection that may stay open, so the end of the pack ends the input. */
  readonly packEndsItself?: boolean;
  readonly limits?: Partial<ReceiveLimits>;
  /** The new targets of the refs: everything reachable from them must be present. */
  readonly newTips: readonly Oid[];
  /** The tips of all present refs, including hidden ones: everything reachable from them is known to be complete. */
  readonly connectedTo: readonly Oid[];
  /**
   * Returns those of some stored commits that are reachable from `connectedTo`, where a graph is faster than a walk. It
   * may miss some: those are then found by walking.
   */
  readonly findReachable?: (commits: readonly Oid[]) => ReadonlySet<Oid>;
  /** Whether to refuse objects with errors of `git fsck --strict`. */
  readonly strict: boolean;
  /** Errors that are accepted nevertheless. */
  readonly accepted?: readonly FsckId[];
  readonly onProgress?: (text: string) => void;
  /** Called once the pack has arrived, before objects of many megabytes are held in memory; may block. */
  readonly beforeLargeObjects?: () => void;
  readonly signal?: AbortSignal;
  readonly crashPoint?: CrashPoint;
}

/**
 * Receives a pack into a quarantine directory of the repository and verifies it: format, checksums, fsck checks of each
 * object, no id with two contents, and everything reachable from the new tips present. Readers see nothing of it before
 * `admit`. Runs in a worker, as it blocks between chunks.
 * @throws BadPack with a message for the client; the quarantine is gone then
 * @throws DOMException AbortError when `signal` is aborted
 */
export async function ingestPack(options: IngestOptions): Promise<Quarantined> {
  const quarantineDir = options.quarantineDir ?? newQuarantine(options.repoDir);
  const store = ObjectStore.open(options.repoDir);
  try {
    options.crashPoint?.("ingest: quarantine made");
    if (!options.pack) return nothingReceived(options, store, quarantineDir);
    return await new Ingest(options, options.pack, store, quarantineDir).run();
  } catch (error) {
    discard({ quarantineDir });
    throw asBadPack(error);
  } finally {
    store.close();
  }
}

function nothingReceived(options: IngestOptions, store: ObjectStore, quarantineDir: string): Quarantined {
  new Connectivity(store, options.connectedTo, options.findReachable).prove(options.newTips.map((oid) => ({ oid })));
  return {
    repoDir: options.repoDir,
    quarantineDir,
    packId: null,
    objects: 0,
    bytes: 0,
    inflatedBytes: 0,
    closure: null,
    appendedBases: [],
  };
}

class Ingest {
  private readonly indexing: PackIndexing;
  private readonly path: string;
  private readonly fd: number;

  constructor(
    private readonly options: IngestOptions,
    private readonly pack: AsyncIterable<Uint8Array>,
    private readonly store: ObjectStore,
    private readonly quarantineDir: string,
  ) {
    this.path = join(quarantineDir, "incoming.pack");
    this.fd = openFile(this.path, "wx+", 0o600);
    this.indexing = new PackIndexing({
      fd: this.fd,
      isStored: false,
      format: store.format,
      store,
      completeThin: true,
      endsItself: options.packEndsItself ?? false,
      checks: options.strict ? "fsck" : "links",
      ...(options.accepted ? { accepted: options.accepted } : {}),
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
      ...(options.beforeLargeObjects ? { beforeLargeObjects: options.beforeLargeObjects } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
  }

  async run(): Promise<Quarantined> {
    const { indexing, store, options } = this;
    const { indexer } = indexing;
    try {
      const checksum = await indexing.run(this.pack, () => options.crashPoint?.("ingest: pack received"));
      if (indexer.entries.count === 0) return nothingReceived(options, store, this.quarantineDir);
      const packId = checksum.toString("hex");
      const stem = join(this.quarantineDir, `pack-${packId}`);
      renameSync(this.path, `${stem}.pack`);
      indexing.writeIndex(`${stem}.idx`, checksum);
      options.crashPoint?.("ingest: index written");
      await this.checkStreamed(indexing.guard);
      const closure = this.checkConnectivity();
      options.crashPoint?.("ingest: connectivity checked");
      return {
        repoDir: options.repoDir,
        quarantineDir: this.quarantineDir,
        packId,
        objects: indexer.entries.count,
        bytes: indexing.sizeBytes,
        inflatedBytes: indexer.inflatedBytes,
        closure,
        appendedBases: indexing.appended,
      };
    } finally {
      closeFile(this.fd);
      indexing.close();
    }
  }

  /** Compares streamed blobs whose ids the repository already has, now that both copies can be read. */
  private async checkStreamed(guard: CollisionGuard | undefined): Promise<void> {
    const { indexer } = this.indexing;
    const known = indexer.streamed
      .map((entry) => indexer.objectLinks.table.oidOf(indexer.entries.slots[entry]!))
      .filter((oid) => guard?.isStored(oid));
    if (known.length === 0) return;
    const received = ObjectStore.open(this.quarantineDir, {
      extraPackDirs: [this.quarantineDir],
      format: this.store.format,
    });
    try {
      for (const oid of known) await assertSameContent(oid, received, this.store);
    } finally {
      received.close();
    }
  }

  private checkConnectivity(): Closure | null {
    const { options, store } = this;
    const { objectLinks } = this.indexing.indexer;
    const { table } = objectLinks;
    const tips = new Set(options.newTips);
    // Roots are collected only as long as all of them are tips: a pack may hold millions of unrequested ones.
    const roots: Oid[] = [];
    let rootsAreTips = true;
    let absent: Oid | undefined;
    const needed: Needed[] = [];
    const boundary: Oid[] = [];
    const unproven = new Set<Oid>();
    for (let slot = 0; slot < table.size; slot++) {
      const flags = table.flags[slot]!;
      const own = (flags & PRESENT) !== 0 && (flags & APPENDED) === 0;
      if (own && !(flags & REFERENCED) && rootsAreTips) {
        const oid = table.oidOf(slot);
        rootsAreTips = tips.has(oid);
        roots.push(oid);
      }
      // One missing object settles it; listing millions more that a tree may name would only cost memory.
      if (own || absent !== undefined || !(flags & (REFERENCED | BESIDE | APPENDED))) continue;
      const oid = table.oidOf(slot);
      if (flags & REFERENCED) {
        needed.push({ oid, type: objectLinks.expectedType(slot) });
        if (!(flags & PRESENT) && !store.has(oid)) absent = oid;
      }
      if (!(flags & PRESENT)) boundary.push(oid);
      else if (!(flags & REFERENCED)) unproven.add(oid);
    }
    for (const oid of tips) {
      const slot = table.findOid(oid);
      if (slot < 0 || !(table.flags[slot]! & PRESENT) || table.flags[slot]! & APPENDED) needed.push({ oid });
    }
    let seen: Set<Oid>;
    try {
      if (absent !== undefined) throw missing(absent);
      seen = new Connectivity(store, options.connectedTo, options.findReachable).prove(needed, unproven);
    } catch (error) {
      // The missing object may be referenced only by objects of the pack that no tip reaches: walk from the tips.
      if (rootsAreTips || !(error instanceof BadPack)) throw error;
      this.walkFromTips();
      return null;
    }
    if (boundary.length > MAX_BOUNDARY) return null;
    const exact = rootsAreTips && seen.size === unproven.size;
    return { tips: rootsAreTips ? roots : [...tips], boundary, exact };
  }

  private walkFromTips(): void {
    const both = ObjectStore.open(this.options.repoDir, { extraPackDirs: [this.quarantineDir] });
    try {
      new Connectivity(both, this.options.connectedTo, this.options.findReachable).prove(
        this.options.newTips.map((oid) => ({ oid })),
      );
    } finally {
      both.close();
    }
  }
}

import { join } from "node:path";
import { makeDirectory } from "../git/durable.ts";
import { randomHex } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import { Making, type MakingSource, type ReadableArchive, wholeArchive } from "./making.ts";

const NAME = /^[0-9a-f]{64}$/;

interface Entry {
  readonly repoId: number;
  readonly sizeBytes: number;
}

/**
 * Archives on disk, each made once and cached within the budget; the least recently used are evicted first:
 *
 *     cache/archives/<repository id>/<key>           a complete archive; its mtime is when it was last used
 *     cache/archives/<repository id>/<key>.<random>  an unfinished one, possibly left by a killed server
 *
 * Missing archives are made again, so the folder may be deleted at any time and needs no backup.
 */
export class ArchiveCache {
  private readonly root: string;
  /** By key, least recently used first. */
  private readonly entries = new Map<string, Entry>();
  private readonly makings = new Map<string, Making>();
  private loaded: Promise<void> | undefined;
  private totalBytes = 0;

  constructor(
    dataDir: string,
    private readonly maxBytes: number,
    private readonly isThere: (repoId: number) => boolean,
    private readonly log: Log,
  ) {
    this.root = join(dataDir, "cache", "archives");
  }

  /** Whether the complete archive is cached. */
  async has(key: string): Promise<boolean> {
    await this.load();
    return this.entries.has(key);
  }

  /**
   * The archive, from disk or from `make`; requests that arrive while it is being made share it.
   * @param key 64 hexadecimal digits
   * @throws what `make` fails with before it has produced anything
   */
  async open(repoId: number, key: string, make: () => MakingSource): Promise<ReadableArchive> {
    await this.load();
    return (await this.whole(key)) ?? this.makings.get(key)?.join() ?? this.begin(repoId, key, make);
  }

  /** Removes all archives of a deleted repository. */
  async removeAll(repoId: number): Promise<void> {
    const { rm } = await import("node:fs/promises");
    for (const [key, entry] of this.entries) if (entry.repoId === repoId) this.forget(key, entry);
    await rm(join(this.root, String(repoId)), { recursive: true, force: true });
  }

  /** Removes everything, for every repository. */
  async clear(): Promise<void> {
    await this.load();
    for (const repoId of new Set([...this.entries.values()].map((entry) => entry.repoId))) await this.removeAll(repoId);
  }

  /** Aborts archives being made. */
  async drain(): Promise<void> {
    const makings = [...this.makings.values()];
    for (const making of makings) making.abort();
    await Promise.all(makings.map((making) => making.ended));
  }

  private async whole(key: string): Promise<ReadableArchive | undefined> {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    const { utimes } = await import("node:fs/promises");
    const path = this.pathOf(entry.repoId, key);
    try {
      const now = new Date();
      await utimes(path, now, now);
      if (this.entries.delete(key)) this.entries.set(key, entry);
      return wholeArchive(path, entry.sizeBytes);
    } catch {
      // Deleted by hand; it is made again.
      this.forget(key, entry);
      return undefined;
    }
  }

  private async begin(repoId: number, key: string, make: () => MakingSource): Promise<ReadableArchive> {
    const { open, rename, rm } = await import("node:fs/promises");
    const path = this.pathOf(repoId, key);
    makeDirectory(join(this.root, String(repoId)), 0o700);
    const temporary = `${path}.${randomHex(8)}`;
    const handle = await open(temporary, "wx+", 0o600);
    // Someone else may have started while the file was being opened.
    const other = this.makings.get(key)?.join();
    if (other) {
      await handle.close();
      await rm(temporary, { force: true });
      return other;
    }
    const keep = async (sizeBytes: number) => {
      await rename(temporary, path);
      if (!this.isThere(repoId)) return this.removeAll(repoId);
      this.remember(key, { repoId, sizeBytes });
      await this.evict();
    };
    const making = new Making(handle, make(), keep, (error) =>
      this.log.warn("an archive was cut short", { repository: repoId, error }),
    );
    this.makings.set(key, making);
    void making.ended.then(async () => {
      if (this.makings.get(key) === making) this.makings.delete(key);
      await rm(temporary, { force: true });
    });
    return making.first();
  }

  /** Loads the archives found at startup, by last use; deletes unfinished ones, and those of unknown repositories. */
  private load(): Promise<void> {
    this.loaded ??= this.readFolder();
    return this.loaded;
  }

  private async readFolder(): Promise<void> {
    const { readdir, rm, stat } = await import("node:fs/promises");
    const found: { key: string; repoId: number; sizeBytes: number; usedAt: number }[] = [];
    for (const folder of await readdir(this.root).catch(() => [])) {
      const repoId = Number(folder);
      if (!/^\d+$/.test(folder) || !this.isThere(repoId)) {
        await rm(join(this.root, folder), { recursive: true, force: true });
        continue;
      }
      for (const key of await readdir(join(this.root, folder))) {
        const path = join(this.root, folder, key);
        if (!NAME.test(key)) {
          await rm(path, { recursive: true, force: true });
          continue;
        }
        const { size, mtimeMs } = await stat(path);
        found.push({ key, repoId, sizeBytes: size, usedAt: mtimeMs });
      }
    }
    found.sort((a, b) => a.usedAt - b.usedAt);
    for (const { key, repoId, sizeBytes } of found) this.remember(key, { repoId, sizeBytes });
    await this.evict();
  }

  private async evict(): Promise<void> {
    const { rm } = await import("node:fs/promises");
    for (const [key, entry] of this.entries) {
      if (this.totalBytes <= this.maxBytes) return;
      this.forget(key, entry);
      // Readers have it open and can continue.
      await rm(this.pathOf(entry.repoId, key), { force: true });
    }
  }

  private remember(key: string, entry: Entry): void {
    const before = this.entries.get(key);
    if (before) this.forget(key, before);
    this.entries.set(key, entry);
    this.totalBytes += entry.sizeBytes;
  }

  private forget(key: string, entry: Entry): void {
    if (this.entries.delete(key)) this.totalBytes -= entry.sizeBytes;
  }

  private pathOf(repoId: number, key: string): string {
    return join(this.root, String(repoId), key);
  }
}

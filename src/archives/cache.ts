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
 * Archives on disk, each made once and cached while the budget lasts, the least recently used going first:
 *
 *     cache/archives/<repository id>/<key>           a whole archive; its time of change says when it was last used
 *     cache/archives/<repository id>/<key>.<random>  one that is being made, or was when the server was killed
 *
 * Whatever is not there is made again, so the folder may be deleted at any time and belongs in no backup.
 */
export class ArchiveCache {
  private readonly root: string;
  /** By key, the least recently used first. */
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

  /** Whether the archive is there whole. */
  async has(key: string): Promise<boolean> {
    await this.load();
    return this.entries.has(key);
  }

  /**
   * The archive, from the disk or from `make`; whoever asks while it is being made gets the same one.
   * @param key 64 hexadecimal digits
   * @throws what `make` fails with before it has made anything
   */
  async open(repoId: number, key: string, make: () => MakingSource): Promise<ReadableArchive> {
    await this.load();
    return (await this.whole(key)) ?? this.makings.get(key)?.join() ?? this.begin(repoId, key, make);
  }

  /** All of a repository: it is gone. */
  async removeAll(repoId: number): Promise<void> {
    const { rm } = await import("node:fs/promises");
    for (const [key, entry] of this.entries) if (entry.repoId === repoId) this.forget(key, entry);
    await rm(join(this.root, String(repoId)), { recursive: true, force: true });
  }

  /** Everything, of every repository. */
  async clear(): Promise<void> {
    await this.load();
    for (const repoId of new Set([...this.entries.values()].map((entry) => entry.repoId))) await this.removeAll(repoId);
  }

  /** Ends what is being made. */
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
    // Someone may have begun while the file was opened.
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

  /** What a start finds, by when it was last used; what was being made goes, and what is of no repository. */
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
      // Whoever reads it has it open, and goes on reading.
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

import type { Database } from "../db/database.ts";
import { addDownloads } from "./store.ts";

/** Counts downloads in memory, so that each causes no database write; counts are written every half minute. */
export class DownloadCounter {
  private counts = new Map<number, number>();

  constructor(private readonly db: Database) {}

  add(versionId: number): void {
    this.counts.set(versionId, (this.counts.get(versionId) ?? 0) + 1);
  }

  /** Downloads of a version that are not written yet. */
  pending(versionId: number): number {
    return this.counts.get(versionId) ?? 0;
  }

  write(): void {
    if (this.counts.size === 0) return;
    const { counts } = this;
    this.counts = new Map();
    this.db.transaction(() => addDownloads(this.db, counts));
  }
}

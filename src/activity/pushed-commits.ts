import type { CommitService, ReadCommit } from "../content/commits/service.ts";
import type { FileService } from "../content/files/service.ts";
import type { HistoryService } from "../content/history/service.ts";
import { CorruptObject } from "../git/errors.ts";
import type { SeenRepo } from "../repos/types.ts";
import { JobFailed } from "../workers/pool.ts";

/** The commits a push brought to a branch: the newest ones, and their number. */
export interface PushedCommits {
  /** Newest first. */
  readonly commits: readonly ReadCommit[];
  readonly total: number;
  /** There are more than `total`. */
  readonly hasMore: boolean;
}

const SHOWN = 5;
/** More need not be counted. */
const MAX_COUNTED = 500;

/** Finds the commits of pushes. The walk runs in the background, and its result is cached with the history. */
export class PushedCommitFinder {
  constructor(
    private readonly commits: CommitService,
    private readonly files: FileService,
    private readonly history: HistoryService,
  ) {}

  /** undefined: they are gone, or damaged. */
  async find(seen: SeenRepo, oldOid: string | null, newOid: string): Promise<PushedCommits | undefined> {
    try {
      // Maintenance after a force push may have deleted either.
      if (this.files.header(seen, newOid)?.type !== "commit") return undefined;
      const not = oldOid !== null && this.files.header(seen, oldOid)?.type === "commit" ? [oldOid] : [];
      const range = { tips: [newOid], not, skip: 0, limit: MAX_COUNTED, count: false };
      const { oids, more } = await this.history.page(seen, range);
      return { commits: this.commits.readAll(seen, oids.slice(0, SHOWN)), total: oids.length, hasMore: more };
    } catch (error) {
      // A damaged repository's pushes are shown without commits.
      if (error instanceof JobFailed ? error.originalName === "CorruptObject" : error instanceof CorruptObject)
        return undefined;
      throw error;
    }
  }
}

import { join } from "node:path";
import type { FileService } from "../content/files/service.ts";
import type { HistoryService } from "../content/history/service.ts";
import { decodeName } from "../git/objects/names.ts";
import type { Oid } from "../git/objects/types.ts";
import type { Cache, CacheBudget } from "../kernel/cache.ts";
import type { Clock } from "../kernel/clock.ts";
import { InFlight } from "../kernel/in-flight.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { WorkerPool } from "../workers/pool.ts";
import type { ContributorsSummary } from "./contributors.job.ts";
import type { Recent } from "./recent.job.ts";

export interface InsightsParts {
  readonly caches: CacheBudget;
  readonly clock: Clock;
  readonly files: FileService;
  readonly history: HistoryService;
  readonly pool: WorkerPool;
  readonly storage: RepoStorage;
}

const MAX_MAILMAP_BYTES = 512 * 1024;
/** In longer histories only commits are counted, not lines: that would occupy a thread for minutes. */
const MAX_COMMITS_WITH_LINES = 20_000;
const WEEK_BYTES = 40;
const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;

/** Contributors and commit activity in the history of a commit, counted in workers. */
export class InsightsService {
  private readonly summaries: Cache<string, ContributorsSummary>;
  private readonly recents: Cache<string, Recent>;
  private readonly counting = new InFlight<string, ContributorsSummary>();
  private readonly looking = new InFlight<string, Recent>();

  constructor(
    private readonly dataDir: string,
    private readonly parts: InsightsParts,
  ) {
    this.summaries = parts.caches.cache(
      ({ weeks, authors }) =>
        (weeks.length + authors.reduce((sum, author) => sum + author.weeks.length + 5, 0)) * WEEK_BYTES,
    );
    this.recents = parts.caches.cache(() => 8_000);
  }

  /** All contributors to the history of a commit, by week. The first count of a long history takes minutes. */
  async contributors(seen: SeenRepo, commit: Oid): Promise<ContributorsSummary> {
    const { repo } = seen;
    const { files, history, pool, storage } = this.parts;
    const key = `${repo.id} ${commit}`;
    const cached = this.summaries.get(key);
    if (cached) return cached;
    const mailmap = files.find(seen, commit, ".mailmap");
    const data = mailmap?.kind === "file" ? files.bytes(seen, mailmap.oid, MAX_MAILMAP_BYTES) : undefined;
    return this.counting.once(key, async () => {
      const total = await history.count(seen, { tips: [commit] });
      const summary = await pool.run(
        "insights.contributors",
        {
          repoDir: storage.dirOf(repo.id),
          tips: [commit],
          lines: total <= MAX_COMMITS_WITH_LINES,
          cachePath: join(this.dataDir, "cache", "contributors", `${repo.id}.json`),
          ...(data ? { mailmap: decodeName(data) } : {}),
        },
        // No page waits long for it, and pushes and fetches must not wait at all.
        { lane: "maintenance" },
      );
      this.summaries.set(key, summary);
      return summary;
    });
  }

  /** Commits of the last days in the history of a commit. */
  async recent({ repo }: SeenRepo, commit: Oid, days: number): Promise<Recent> {
    const { clock, pool, storage } = this.parts;
    // Rounded, so that the result is shared within an hour.
    const now = Math.floor(clock() / 1000 / HOUR_SECONDS) * HOUR_SECONDS;
    const since = now - days * DAY_SECONDS;
    const key = `${repo.id} ${commit} ${since}`;
    const cached = this.recents.get(key);
    if (cached) return cached;
    return this.looking.once(key, async () => {
      const recent = await pool.run("insights.recent", { repoDir: storage.dirOf(repo.id), tip: commit, since });
      this.recents.set(key, recent);
      return recent;
    });
  }
}

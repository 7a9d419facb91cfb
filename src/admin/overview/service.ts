import { statfsSync } from "node:fs";
import type { Principal } from "../../access/principal.ts";
import { requireSiteAdmin } from "../../access/requirements.ts";
import { type ShownSetting, shownSettings } from "../../config/describe.ts";
import type { Config } from "../../config/schema.ts";
import type { Database } from "../../db/database.ts";
import { SCHEMA_VERSION } from "../../db/migrate.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { OrganizationService } from "../../organizations/service.ts";
import type { RepoService } from "../../repos/service.ts";
import { HEARTH_VERSION } from "../../version.ts";
import { databaseSize, sqliteVersion } from "./store.ts";

export interface OverviewNeeds {
  readonly config: Config;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly jobs: JobQueue;
  readonly organizations: OrganizationService;
  readonly outbox: Outbox;
  readonly repos: RepoService;
}

/** The site's current state. */
export interface Overview {
  readonly people: number;
  readonly activePeople: number;
  readonly organizations: number;
  readonly repositories: number;
  readonly failedJobs: number;
  readonly runningJobs: number;
  readonly waitingJobs: number;
  readonly eventsSetAside: number;
  /** All in bytes. */
  readonly repositoriesSize: number;
  readonly databaseSize: number;
  readonly memory: number;
  readonly diskFree: number;
  readonly diskSize: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly versions: {
    readonly hearth: string;
    readonly schema: number;
    readonly bun: string;
    readonly sqlite: string;
  };
}

const MONTH_MS = 30 * 86_400_000;
const ONE = { page: 1, limit: 1, offset: 0 };

/** The state of the site, for administrators. All methods throw Forbidden for others. */
export class OverviewService {
  constructor(
    private readonly needs: OverviewNeeds,
    private readonly clock: () => number,
  ) {}

  show(principal: Principal): Overview {
    requireSiteAdmin(principal, "read");
    const { config, db, identity, jobs, organizations, outbox, repos } = this.needs;
    const disk = statfsSync(config.data);
    const inState = (state: "failed" | "running" | "waiting") => jobs.list({ state }, ONE).total;
    const { count, sizeBytes } = repos.totals();
    return {
      people: identity.countPeople(),
      activePeople: identity.countPeople(this.clock() - MONTH_MS),
      organizations: organizations.list(principal, ONE).total,
      repositories: count,
      failedJobs: inState("failed"),
      runningJobs: inState("running"),
      waitingJobs: inState("waiting"),
      eventsSetAside: outbox.setAside(ONE).total,
      repositoriesSize: sizeBytes,
      databaseSize: databaseSize(db),
      memory: process.memoryUsage.rss(),
      diskFree: disk.bavail * disk.bsize,
      diskSize: disk.blocks * disk.bsize,
      startedAt: performance.timeOrigin,
      versions: { hearth: HEARTH_VERSION, schema: SCHEMA_VERSION, bun: Bun.version, sqlite: sqliteVersion(db) },
    };
  }

  /** Every setting with its value, with secrets hidden. */
  settings(principal: Principal): ShownSetting[] {
    requireSiteAdmin(principal, "read");
    return shownSettings(this.needs.config);
  }
}

import type { Config } from "../config/schema.ts";
import { lockFolder } from "../db/folder-lock.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Schedules } from "../jobs/schedules.ts";
import type { JobRun } from "../jobs/types.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { lastBackupAt, makeBackupFolder } from "./folder.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Makes a backup in the configured folder. */
    "backup.create": object;
  }
}

export interface BackupNeeds {
  readonly config: Config;
  readonly clock: Clock;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly pool: WorkerPool;
  readonly schedules: Schedules;
}

const HOUR_MS = 3_600_000;
const TIMES = {
  hourly: { cron: "5 * * * *", everyMs: HOUR_MS },
  daily: { cron: "0 2 * * *", everyMs: 24 * HOUR_MS },
  weekly: { cron: "0 2 * * 0", everyMs: 7 * 24 * HOUR_MS },
};
const TIME_LIMIT_MS = 24 * HOUR_MS;

/** Automatic backups, if a folder for them is configured. */
export class BackupService {
  private readonly times: { readonly cron: string; readonly everyMs: number };

  constructor(private readonly needs: BackupNeeds) {
    const { config, jobs, schedules } = needs;
    this.times = TIMES[config["backup.schedule"]];
    jobs.handle("backup.create", {
      parse: () => ({}),
      run: (_, run) => this.create(run),
      timeLimitMs: TIME_LIMIT_MS,
      maxTries: 2,
    });
    if (config["backup.folder"] !== "")
      schedules.add({ name: "backup", cron: this.times.cron, kind: "backup.create", payload: {} });
  }

  /** Whether an administrator should intervene: no backup was made for twice the interval. */
  isOverdue(): boolean {
    const folder = this.needs.config["backup.folder"];
    if (folder === "") return false;
    return (this.lastAt(folder) ?? 0) < this.needs.clock() - 2 * this.times.everyMs;
  }

  private lastAt(folder: string): number | undefined {
    try {
      return lastBackupAt(folder);
    } catch {
      // An unmounted disk has no backups.
      return undefined;
    }
  }

  /** @throws BackupError; FolderInUse a manual one is running; the file system's error */
  private async create(run: JobRun): Promise<void> {
    const { clock, config, log, pool } = this.needs;
    const folder = config["backup.folder"];
    if (folder === "") return;
    makeBackupFolder(folder, config.data);
    const lock = lockFolder(folder);
    try {
      run.progress("copying");
      const input = {
        dataDir: config.data,
        folder,
        withKey: config["backup.with_key"],
        keep: config["backup.keep"],
        now: clock(),
      };
      const { name, files, bytes, faults } = await pool.run("backup.create", input, {
        lane: "paced",
        signal: run.signal,
      });
      if (faults.length > 0) log.error("a backup lacks files that the data folder lost", { backup: name, faults });
      else log.info("a backup was made", { backup: name, files, bytes });
    } finally {
      lock.release();
    }
  }
}

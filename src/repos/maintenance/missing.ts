import { operator } from "../../access/principal.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Schedules } from "../../jobs/schedules.ts";
import type { JobRun } from "../../jobs/types.ts";
import type { Log } from "../../kernel/log.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import type { GitFolders } from "../folders/service.ts";
import type { GitFolder } from "../folders/types.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoRemoval } from "../removal.ts";
import type { RepoService } from "../service.ts";
import type { RepoStorage } from "../storage.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Recreates folders missing from the disk, without branches. */
    "repositories.reinit-missing": Record<string, never>;
    /** Deletes repositories whose folder is missing from the disk. */
    "repositories.delete-missing": Record<string, never>;
  }
}

export interface MissingFolderParts {
  readonly folders: GitFolders;
  readonly jobs: JobQueue;
  readonly log: Log;
  readonly refs: RefService;
  readonly repoRemoval: RepoRemoval;
  readonly repos: RepoService;
  readonly schedules: Schedules;
  readonly storage: RepoStorage;
}

const EVERY_THREE_DAYS = "0 0 */3 * *";
/** Per transaction. */
const REFS_AT_ONCE = 500;

/**
 * Lets administrators deal with repositories whose folder is missing from the disk (contract identity.md 15.2). An
 * unmounted disk looks the same for every folder, so nothing is done unless at least as many folders are present as
 * missing.
 */
export class MissingFolders {
  constructor(private readonly parts: MissingFolderParts) {
    const { jobs, schedules } = parts;
    const rules = { parse: () => ({}), maxTries: 1, exclusionKey: () => "repositories.missing" };
    jobs.handle("repositories.reinit-missing", { ...rules, run: (_, run) => this.reinit(run) });
    jobs.handle("repositories.delete-missing", { ...rules, run: (_, run) => this.remove(run) });
    const manual = { cron: EVERY_THREE_DAYS, payload: {}, isManual: true };
    schedules.add({ ...manual, name: "reinit_missing_repos", kind: "repositories.reinit-missing" });
    schedules.add({ ...manual, name: "delete_missing_repos", kind: "repositories.delete-missing" });
  }

  private async reinit(run: JobRun): Promise<void> {
    const { log, storage } = this.parts;
    for (const folder of await this.missing(run)) {
      run.signal.throwIfAborted();
      if (!(await this.isGone(folder))) continue;
      const { defaultBranch, id, objectFormat: format } = folder;
      storage.reopen(id);
      await storage.init(id, { defaultBranch, format });
      await this.dropRefs(folder);
      log.warn("the folder of a repository was gone; there is an empty one again", { folder: id });
    }
  }

  /** The objects they pointed to are gone. */
  private async dropRefs({ id }: GitFolder): Promise<void> {
    const { refs } = this.parts;
    for (let some = refs.list(id).slice(0, REFS_AT_ONCE); some.length > 0; ) {
      const changes = some.map(({ name, oid }) => ({ name, oldOid: oid, newOid: null }));
      refs.change(id, { principal: operator, changes, atomic: false });
      await nextTurn();
      const left = refs.list(id).slice(0, REFS_AT_ONCE);
      some = left.length < some.length || left[0]?.name !== some[0]?.name ? left : [];
    }
  }

  private async remove(run: JobRun): Promise<void> {
    const { log, repoRemoval, repos } = this.parts;
    for (const folder of await this.missing(run)) {
      run.signal.throwIfAborted();
      const repo = folder.kind === "code" ? repos.byId(folder.repoId) : undefined;
      if (!repo || !(await this.isGone(folder))) continue;
      repoRemoval.remove(operator, repo);
      log.warn("a repository whose folder was gone is deleted", { repository: repo.id, name: repo.name });
      await nextTurn();
    }
  }

  /** @throws Error too few other folders are present to be sure that the disk is mounted */
  private async missing(run: JobRun): Promise<GitFolder[]> {
    const all = this.parts.folders.all();
    const missing: GitFolder[] = [];
    for (const [at, folder] of all.entries()) {
      if (await this.isGone(folder)) missing.push(folder);
      if (at % 200 === 0) run.progress(`${at} folders`, Math.floor((100 * at) / all.length));
      run.signal.throwIfAborted();
    }
    if (missing.length > all.length - missing.length)
      throw new Error(
        `${missing.length} of ${all.length} folders are gone: is the disk with the repositories mounted?`,
      );
    return missing;
  }

  /** Whether the folder does not exist; an unreadable folder exists. */
  private async isGone({ id }: GitFolder): Promise<boolean> {
    const { lstat } = await import("node:fs/promises");
    try {
      await lstat(this.parts.storage.dirOf(id));
      return false;
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "ENOENT";
    }
  }
}

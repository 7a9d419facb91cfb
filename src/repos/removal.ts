import { atLeast } from "../access/levels.ts";
import { operator, type Principal } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import { eraseDependents, hasMuch, inSlices } from "../db/erase.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import { disown, disowned, putIntoBin } from "./bin/store.ts";
import type { GitFolders } from "./folders/service.ts";
import type { GitFolder } from "./folders/types.ts";
import type { RefService } from "./refs/service.ts";
import type { RepoService } from "./service.ts";
import * as store from "./store.ts";
import type { Repo } from "./types.ts";

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Deletes the rows of an ownerless repository, in many small transactions. */
    "repository.erase": { readonly id: number };
  }
}

const DAY_MS = 86_400_000;

export interface RemovalParts {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly folders: GitFolders;
  readonly jobs: JobQueue;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly clock: Clock;
  readonly crash: CrashPoint;
  /** Days for which a deleted repository can be restored; 0 disables that. */
  readonly binDays: number;
}

/** Removes repositories: into the bin, or for good. */
export class RepoRemoval {
  constructor(private readonly parts: RemovalParts) {
    parts.jobs.handle("repository.erase", {
      parse: parseErasure,
      run: ({ id }, { signal }) => this.erase(id, signal),
      timeLimitMs: DAY_MS,
    });
  }

  /**
   * Removes a repository. No one can see it once the transaction commits; large sets of rows are deleted later in
   * batches, and its files leave the disk after the grace period.
   * @throws NotFound missing or invisible; Forbidden the principal does not own it
   */
  remove(principal: Principal, repo: Repo): void {
    this.parts.db.transaction(() => {
      const seen = this.parts.repos.seeById(principal, repo.id);
      if (!seen) throw new NotFound();
      if (!atLeast(seen.access.level, "owner")) throw new Forbidden("repository.needs-owner");
      if (this.parts.binDays > 0) this.putIntoBin(principal, seen.repo);
      else this.discard(principal, seen.repo);
    });
    this.parts.crash("delete.after-transaction");
  }

  /** Removes it for good, even if its owner is removed too. Joins the running transaction. */
  removeForGood(principal: Principal, repo: Repo): void {
    this.discard(principal, repo);
  }

  /** Deletes a binned repository for good; at once if it has few rows, else in a job. Joins the running transaction. */
  removeBinned(id: number): void {
    const { clock, db, folders, jobs } = this.parts;
    disown(db, id, clock());
    const ofRepo = folders.of(id);
    const rows = [{ table: "repositories", id }, ...ofRepo.map((folder) => ({ table: "git_folders", id: folder.id }))];
    if (hasMuch(db, rows)) jobs.enqueue("repository.erase", { id }, { uniqueKey: `repository.erase ${id}` });
    else this.finish(id, ofRepo);
  }

  /** Abandons a staged repository; if nothing was staged, only its folder is removed. */
  abandon(id: number): void {
    const { db, folders } = this.parts;
    if (store.findRepoById(db, id)) db.transaction(() => this.removeBinned(id));
    else folders.discardIncomplete(id);
  }

  /** At start: discards repositories whose creation was interrupted, and resumes interrupted removals. */
  recover(): void {
    const { db } = this.parts;
    const ids = disowned(db);
    if (ids.length > 0) db.transaction(() => ids.forEach((id) => void this.removeBinned(id)));
  }

  /** Deletes all rows that depend on an ownerless repository, and then its own. */
  private async erase(id: number, signal: AbortSignal): Promise<void> {
    const { crash, db, folders } = this.parts;
    if (!disowned(db).includes(id)) return;
    const ofRepo = folders.of(id);
    for (const folder of ofRepo) await inSlices(db, eraseDependents(db, "git_folders", folder.id), signal);
    crash("erase.folders-empty");
    await inSlices(db, eraseDependents(db, "repositories", id, { except: ["git_folders"] }), signal);
    db.transaction(() => {
      this.finish(id, ofRepo);
      crash("erase.in-transaction");
    });
  }

  /** Deletes its row and everything left. Joins the running transaction. */
  private finish(id: number, ofRepo: readonly GitFolder[]): void {
    const { db, folders } = this.parts;
    for (const folder of ofRepo) folders.discard(folder.id);
    store.deleteRepoRow(db, id);
    // It was only staged, so it had no folder in use.
    if (ofRepo.length === 0) db.onCommit(() => folders.discardIncomplete(id));
  }

  private putIntoBin(principal: Principal, repo: Repo): void {
    this.tellDeleted(principal, repo);
    putIntoBin(this.parts.db, repo.id, principal.user?.id, this.parts.clock());
    this.parts.crash("delete.in-transaction");
  }

  private discard(principal: Principal, repo: Repo): void {
    this.parts.db.transaction(() => {
      this.tellDeleted(principal, repo);
      this.removeBinned(repo.id);
      this.parts.crash("delete.in-transaction");
    });
  }

  private tellDeleted(principal: Principal, { id, name, ownerId }: Repo): void {
    const context = { repoId: id, ownerId, principal: storedPrincipal(principal) };
    this.parts.outbox.append("repo.deleted", context, { name, ownerId });
    this.parts.outbox.append("access.changed", { repoId: id, ownerId }, { userId: null });
  }

  /** Ends the push that created a repository: if no ref exists, the repository is removed again. */
  pushEnded(principal: Principal, repo: Repo): void {
    this.parts.db.transaction(() => {
      store.removeAwaitingPush(this.parts.db, repo.id);
      if (this.parts.repos.byId(repo.id) && this.parts.refs.count(repo.id, "refs/") === 0)
        this.discard(principal, repo);
    });
  }

  /** Whether any push that created its repository is running or has died. */
  hasPushes(): boolean {
    return store.awaitingPush(this.parts.db).length > 0;
  }

  /**
   * At start and periodically: ends pushes that died, or whose repository could not be removed because the disk was
   * full.
   * @param isPushed whether a push to it is running; those are skipped
   */
  endPushes(isPushed: (repoId: number) => boolean): void {
    for (const id of store.awaitingPush(this.parts.db)) {
      if (isPushed(id)) continue;
      const repo = this.parts.repos.byId(id);
      if (repo) this.pushEnded(operator, repo);
    }
  }
}

function parseErasure(payload: unknown): { id: number } {
  const { id } = (payload ?? {}) as { id?: unknown };
  if (typeof id !== "number") throw new Error("the job names no repository");
  return { id };
}

import { atLeast } from "../access/levels.ts";
import { operator, type Principal } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import { putIntoBin } from "./bin/store.ts";
import type { GitFolders } from "./folders/service.ts";
import type { RefService } from "./refs/service.ts";
import type { RepoService } from "./service.ts";
import * as store from "./store.ts";
import type { Repo } from "./types.ts";

export interface RemovalParts {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly folders: GitFolders;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly clock: Clock;
  readonly crash: CrashPoint;
  /** Days that a deleted repository can be restored; 0: not at all. */
  readonly binDays: number;
}

/** Repositories going: into the bin, or for good. */
export class RepoRemoval {
  constructor(private readonly parts: RemovalParts) {}

  /**
   * Removes a repository: it is gone with the transaction, its files leave the disk after the grace time.
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

  /** The same for good, for an owner that goes too. Joins the running transaction. */
  removeForGood(principal: Principal, repo: Repo): void {
    this.discard(principal, repo);
  }

  /** What was in the bin leaves it for good. Joins the running transaction. */
  removeBinned(id: number): void {
    for (const folder of this.parts.folders.of(id)) this.parts.folders.discard(folder.id);
    store.deleteRepoRow(this.parts.db, id);
  }

  private putIntoBin(principal: Principal, repo: Repo): void {
    this.tellDeleted(principal, repo);
    putIntoBin(this.parts.db, repo.id, principal.user?.id, this.parts.clock());
    this.parts.crash("delete.in-transaction");
  }

  private discard(principal: Principal, repo: Repo): void {
    this.parts.db.transaction(() => {
      this.tellDeleted(principal, repo);
      for (const { id } of this.parts.folders.of(repo.id)) this.parts.folders.discard(id);
      store.deleteRepoRow(this.parts.db, repo.id);
      this.parts.crash("delete.in-transaction");
    });
  }

  private tellDeleted(principal: Principal, { id, name, ownerId }: Repo): void {
    const context = { repoId: id, ownerId, principal: storedPrincipal(principal) };
    this.parts.outbox.append("repo.deleted", context, { name, ownerId });
    this.parts.outbox.append("access.changed", { repoId: id, ownerId }, { userId: null });
  }

  /** The push that made a repository is over, well or not: without a ref it goes again. */
  pushEnded(principal: Principal, repo: Repo): void {
    this.parts.db.transaction(() => {
      store.removeAwaitingPush(this.parts.db, repo.id);
      if (this.parts.repos.byId(repo.id) && this.parts.refs.count(repo.id, "refs/") === 0)
        this.discard(principal, repo);
    });
  }

  /** Whether pushes are under way, or died, that made their repository. */
  hasPushes(): boolean {
    return store.awaitingPush(this.parts.db).length > 0;
  }

  /** At start and now and then: what pushes made that died, or could not be taken away on a full disk. @param isPushed whether a push is under way: not these */
  endPushes(isPushed: (repoId: number) => boolean): void {
    for (const id of store.awaitingPush(this.parts.db)) {
      if (isPushed(id)) continue;
      const repo = this.parts.repos.byId(id);
      if (repo) this.pushEnded(operator, repo);
    }
  }
}

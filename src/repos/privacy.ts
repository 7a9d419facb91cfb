import type { Principal } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import * as store from "./store.ts";
import type { Repo } from "./types.ts";

/** Who may see a repository: what its owner chose, or, of a fork, what holds for its base (contract repositories.md 5.5). */
export class RepoPrivacy {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly identity: IdentityService,
    private readonly forcePrivate: boolean,
  ) {}

  /** A fork is private where its base is, or where the base's owner is private. */
  ofForks(base: Repo): boolean {
    return base.isPrivate || this.identity.byId(base.ownerId)?.visibility === "private";
  }

  /** What a repository becomes when something is asked for; undefined: it stays as it is. */
  allowed(repo: Repo, requested: boolean | undefined): boolean | undefined {
    const base = repo.forkOf === undefined ? undefined : store.findRepoById(this.db, repo.forkOf);
    return requested === undefined || !base ? requested : this.ofForks(base);
  }

  /** A repository became private or public, or another's: its forks follow, and theirs. In the transaction. */
  takeForksAlong(principal: Principal, id: number): void {
    const base = store.findRepoById(this.db, id);
    if (!base) return;
    const forks = new Map(store.forksBelow(this.db, id).map((fork) => [fork.id, fork]));
    const all = new Map([[id, base], ...forks]);
    const privacyOf = (repo: Repo): boolean => {
      const above = repo.id === id ? undefined : all.get(repo.forkOf ?? 0);
      if (!above) return repo.isPrivate;
      return this.forcePrivate || this.ofForks({ ...above, isPrivate: privacyOf(above) });
    };
    for (const fork of forks.values()) {
      const isPrivate = privacyOf(fork);
      if (isPrivate === fork.isPrivate) continue;
      store.updateRepo(this.db, fork.id, { isPrivate }, undefined);
      this.tell(principal, fork, isPrivate);
    }
  }

  /** Tells that access changed. @param isPrivate what the repository is from now on, if that was asked for */
  tell(principal: Principal, before: Repo, isPrivate: boolean | undefined): void {
    const context = { repoId: before.id, ownerId: before.ownerId };
    if (isPrivate === true && !before.isPrivate)
      this.outbox.append("repo.hidden", { ...context, principal: storedPrincipal(principal) }, {});
    this.outbox.append("access.changed", context, { userId: null });
  }
}

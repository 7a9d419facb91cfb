import type { Principal } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import * as store from "./store.ts";
import type { Repo } from "./types.ts";

/**
 * Whether a repository is private: the owner's choice or, for a fork, whatever applies to its base (contract
 * repositories.md 5.5).
 */
export class RepoPrivacy {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly identity: IdentityService,
    private readonly forcePrivate: boolean,
  ) {}

  /** A fork is private if its base is, or if the base's owner is private. */
  ofForks(base: Repo): boolean {
    return base.isPrivate || this.identity.byId(base.ownerId)?.visibility === "private";
  }

  /** The privacy that results from a request; undefined leaves it unchanged. */
  allowed(repo: Repo, requested: boolean | undefined): boolean | undefined {
    const base = repo.forkOf === undefined ? undefined : store.findRepoById(this.db, repo.forkOf);
    return requested === undefined || !base ? requested : this.ofForks(base);
  }

  /** Applies a change of privacy or owner to all direct and indirect forks. Runs in the caller's transaction. */
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

  /** Emits that access changed. @param isPrivate the new privacy, if it was requested */
  tell(principal: Principal, before: Repo, isPrivate: boolean | undefined): void {
    const context = { repoId: before.id, ownerId: before.ownerId };
    if (isPrivate === true && !before.isPrivate)
      this.outbox.append("repo.hidden", { ...context, principal: storedPrincipal(principal) }, {});
    this.outbox.append("access.changed", context, { userId: null });
  }
}

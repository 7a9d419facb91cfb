import type { Database } from "../db/database.ts";
import { BRANCHES } from "../git/refs/names.ts";
import type { Clock } from "../kernel/clock.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import * as store from "./store.ts";

const RECENT_MS = 2 * 60 * 60 * 1000;
const MAX_OFFERED = 2;
/** If more was pushed within two hours, only some of it is considered. */
const MAX_LOOKED_AT = 20;

export interface RecentBranch {
  /** The repository of the branch: the one being viewed, or a fork. */
  readonly home: SeenRepo;
  readonly branch: string;
  readonly at: number;
}

interface RecentBranchParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly refs: RefService;
  readonly repos: Pick<RepoService, "seeById">;
}

/** Branches that someone may want to open a pull request for (contract pulls.md 22.1). */
export class RecentBranches {
  constructor(private readonly parts: RecentBranchParts) {}

  /**
   * Branches without a pull request that the caller pushed within two hours, to the repository or their own fork of it.
   */
  of(seen: SeenRepo): RecentBranch[] {
    const { clock, refs } = this.parts;
    const { principal, repo } = seen;
    if (!principal.user || repo.isArchived || repo.isEmpty || seen.access.on("pulls") === "none") return [];
    const baseTip = refs.find(repo.id, BRANCHES + repo.defaultBranch)?.oid;
    const moved = refs.branchesMovedBy(principal.user.id, clock() - RECENT_MS, MAX_LOOKED_AT);
    const found: RecentBranch[] = [];
    for (const { at, folderId, name } of moved) {
      const home = this.homeOf(seen, folderId);
      const branch = name.slice(BRANCHES.length);
      if (!home || branch === home.repo.defaultBranch) continue;
      const tip = refs.find(home.repo.id, name)?.oid;
      if (tip === undefined || tip === baseTip || store.isProposed(this.parts.db, home.repo.id, branch, tip)) continue;
      found.push({ home, branch, at });
      if (found.length === MAX_OFFERED) break;
    }
    return found;
  }

  private homeOf(seen: SeenRepo, id: number): SeenRepo | undefined {
    if (id === seen.repo.id) return seen;
    const other = this.parts.repos.seeById(seen.principal, id);
    const isOwnFork = other?.repo.forkOf === seen.repo.id && other.owner.id === seen.principal.user?.id;
    return isOwnFork ? other : undefined;
  }
}

import { atLeast } from "../../access/levels.ts";
import type { GitObject } from "../../git/objects/types.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import type { RefChange, RefResult } from "../../git/refs/types.ts";
import { Forbidden, Locked, NotFound } from "../../kernel/errors.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { PushRules } from "../../repos/rules/service.ts";
import type { ChangeVia } from "../../repos/rules/types.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";

export interface RuledChange {
  readonly via: ChangeVia;
  /** All of them are made, or none. */
  readonly changes: readonly RefChange[];
  /** Objects they need that are not stored yet. */
  readonly objects?: readonly GitObject[];
  /** Stores those, once the rules have accepted the change. */
  store?(): Promise<void>;
  /** Further effects in the same transaction as the refs. */
  readonly alongside?: () => void;
  /** Overrides the permission check, which otherwise requires write access to the code. @throws Failure */
  permit?(seen: SeenRepo): void;
}

/** Changes refs for the pages and the API, subject to everything a push is checked for. */
export class RuledRefs {
  constructor(
    private readonly repos: RepoService,
    private readonly refs: RefService,
    private readonly rules: PushRules,
  ) {}

  /**
   * @returns a result for each change; one that is not ok means that a ref did not have its expected value
   * @throws Failure if a rule refuses it; NotFound, Locked, Forbidden if write access was lost meanwhile
   */
  async change(
    seen: SeenRepo,
    { via, changes, objects, store, alongside, permit = requireWriter }: RuledChange,
  ): Promise<RefResult[]> {
    const proposed = (now: SeenRepo) => changes.map((change) => ({ ...change, seen: now, via }));
    // `seen` may be long out of date.
    const before = proposed(this.present(seen, permit));
    const examined = await this.rules.examine(before, { objects });
    this.rules.require(before, examined);
    await store?.();
    // Things may have changed while the disk was read and written.
    this.rules.require(proposed(this.present(seen, permit)), examined);
    const { principal, repo } = seen;
    return this.refs.change(repo.id, {
      principal,
      changes,
      atomic: true,
      alongside: () => {
        this.repos.grow(repo.id, examined.incomingBytes);
        alongside?.();
      },
    });
  }

  /**
   * Requires write access to the code, or to that branch alone: it is the head of a pull request that its maintainers
   * may edit (contract git-content.md 4.1).
   * @param branch undefined: any branch at all
   * @throws Forbidden, Locked
   */
  requireBranchWriter(seen: SeenRepo, branch: string | undefined): void {
    requireEditable(seen);
    if (!this.mayWriteBranch(seen, branch)) throw new Forbidden("branch.not-writable");
  }

  /** Whether `requireBranchWriter` would pass, for a repository that can be edited. */
  mayWriteBranch(seen: SeenRepo, branch: string | undefined): boolean {
    return writesCode(seen) || this.rules.mayWriteRef(seen, branch === undefined ? undefined : BRANCHES + branch);
  }

  /** The repository in its current state. @throws NotFound; what `permit` throws */
  private present(seen: SeenRepo, permit: (now: SeenRepo) => void): SeenRepo {
    const now = this.repos.seeById(seen.principal, seen.repo.id);
    if (!now) throw new NotFound();
    permit(now);
    return now;
  }
}

/** @throws Forbidden without write access, or for a mirror; Locked if archived */
function requireWriter(seen: SeenRepo): void {
  requireEditable(seen);
  if (!writesCode(seen)) throw new Forbidden("branch.not-writable");
}

function requireEditable({ repo }: SeenRepo): void {
  if (repo.isArchived) throw new Locked("repository.not-editable");
  if (repo.isMirror) throw new Forbidden("repository.is-mirror");
}

const writesCode = ({ access }: SeenRepo): boolean => atLeast(access.on("code"), "write");

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
  /** All of them are made or none. */
  readonly changes: readonly RefChange[];
  /** Objects that they need and that are not stored yet. */
  readonly objects?: readonly GitObject[];
  /** Stores those, once the rules have nothing against it. */
  store?(): Promise<void>;
  /** Further effects that must be true together with the refs. */
  readonly alongside?: () => void;
  /** Says who may, where that is not whoever writes to the code. @throws Failure */
  permit?(seen: SeenRepo): void;
}

/** Changes refs for the pages and the API, with everything that a push is asked. */
export class RuledRefs {
  constructor(
    private readonly repos: RepoService,
    private readonly refs: RefService,
    private readonly rules: PushRules,
  ) {}

  /**
   * @returns a result for each change; one that is not ok says that a ref was not what it was thought to be
   * @throws Failure a rule's refusal; NotFound, Locked, Forbidden when the right to write was taken away meanwhile
   */
  async change(
    seen: SeenRepo,
    { via, changes, objects, store, alongside, permit = requireWriter }: RuledChange,
  ): Promise<RefResult[]> {
    const proposed = (now: SeenRepo) => changes.map((change) => ({ ...change, seen: now, via }));
    // Whoever holds `seen` may have seen the repository long ago.
    const before = proposed(this.present(seen, permit));
    const examined = await this.rules.examine(before, { objects });
    this.rules.require(before, examined);
    await store?.();
    // The world went on while the disk was read and written.
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
   * Who writes to the code, or to that branch alone: it is the head of a pull request that its maintainers may edit
   * (contract git-content.md 4.1).
   * @param branch undefined: any branch at all
   * @throws Forbidden, Locked
   */
  requireBranchWriter(seen: SeenRepo, branch: string | undefined): void {
    requireEditable(seen);
    if (!this.mayWriteBranch(seen, branch)) throw new Forbidden("branch.not-writable");
  }

  /** The same as a question, of a repository that can be edited. */
  mayWriteBranch(seen: SeenRepo, branch: string | undefined): boolean {
    return writesCode(seen) || this.rules.mayWriteRef(seen, branch === undefined ? undefined : BRANCHES + branch);
  }

  /** The repository as it is now. @throws NotFound; what `permit` throws */
  private present(seen: SeenRepo, permit: (now: SeenRepo) => void): SeenRepo {
    const now = this.repos.seeById(seen.principal, seen.repo.id);
    if (!now) throw new NotFound();
    permit(now);
    return now;
  }
}

/** @throws Forbidden who may not write, a mirror; Locked archived */
function requireWriter(seen: SeenRepo): void {
  requireEditable(seen);
  if (!writesCode(seen)) throw new Forbidden("branch.not-writable");
}

function requireEditable({ repo }: SeenRepo): void {
  if (repo.isArchived) throw new Locked("repository.not-editable");
  if (repo.isMirror) throw new Forbidden("repository.is-mirror");
}

const writesCode = ({ access }: SeenRepo): boolean => atLeast(access.on("code"), "write");

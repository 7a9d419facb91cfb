import { accountOf } from "../../access/principal.ts";
import type { Signature } from "../../git/objects/signature.ts";
import type { Oid } from "../../git/objects/types.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import type { ReplayOutcome } from "../../git/replay/pick.ts";
import type { ReplayAction } from "../../git/replay/replay.job.ts";
import { gitIdentityOf } from "../../identity/git-identity.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { Links } from "../../kernel/links.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { ChangeVia } from "../../repos/rules/types.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { JobFailed, type WorkerPool } from "../../workers/pool.ts";
import type { RuledRefs } from "../refs/ruled.ts";
import type { CommitSigning } from "../signing/service.ts";

/** Whether two commits can be merged, and what prevents it. */
export interface MergeCheck {
  readonly isClean: boolean;
  /** The merged tree, if it is clean. */
  readonly tree: Oid | undefined;
  /** Conflicting paths. */
  readonly conflicts: readonly string[];
  /** Whether the two have no common ancestor. */
  readonly isUnrelated: boolean;
}

export interface ReplayRequest {
  /** The branch to move; the action starts at its expected tip. */
  readonly branch: string;
  readonly expected: Oid;
  readonly action: ReplayAction;
  readonly via: ChangeVia;
  /** The committer; by default the caller, now. */
  readonly committer?: Signature;
  /** Whether an approval of the pull request counts: one of the conditions for signing its merge. */
  readonly isApproved?: boolean;
  /** Further effects in the same transaction as the branch. */
  readonly alongside?: (commit: Oid) => void;
  /** Overrides the permission check, which otherwise requires write access to the code. @throws Failure */
  readonly permit?: (seen: SeenRepo) => void;
}

const PATH_BYTES = 100;
const CHECK_BYTES = 200;

/**
 * Merges, rebases, squashes, cherry-picks and reverts (contract pulls.md 5.10): creates the resulting commits and moves
 * the branch to them. The work is done in workers; whether two commits merge depends only on the two and is cached.
 */
export class ReplayService {
  private readonly checks: Cache<string, MergeCheck>;
  private readonly checksUnderWay = new InFlight<string, MergeCheck>();

  constructor(
    private readonly refs: RefService,
    private readonly ruled: RuledRefs,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    private readonly links: Links,
    private readonly clock: Clock,
    private readonly signing: CommitSigning,
    caches: CacheBudget,
  ) {
    this.checks = caches.cache(({ conflicts }) => CHECK_BYTES + conflicts.length * PATH_BYTES);
  }

  /** Whether `theirs` can be merged into `ours`. Stores nothing. @throws JobFailed if a commit is missing */
  async check({ repo }: SeenRepo, ours: Oid, theirs: Oid): Promise<MergeCheck> {
    const key = `${repo.id} ${ours} ${theirs}`;
    const cached = this.checks.get(key);
    if (cached) return cached;
    return this.checksUnderWay.once(key, async () => {
      const found = await this.merge(repo.id, ours, theirs);
      this.checks.set(key, found);
      return found;
    });
  }

  /**
   * Makes and stores the commits of an action, signed if the settings require it; no ref moves. A conflict, or an
   * action with nothing left to do, is a result, not an error.
   * @throws ValidationFailed if the action cannot start: unrelated histories, no fast-forward, a merge without mainline
   */
  async make(
    seen: SeenRepo,
    action: ReplayAction,
    committer = this.doer(seen),
    isApproved = false,
  ): Promise<ReplayOutcome> {
    const signing = await this.signing.forReplay(seen, action, committer, isApproved);
    const repoDir = this.storage.dirOf(seen.repo.id);
    const written = this.storage.writing(seen.repo.id);
    try {
      return await this.pool.run("git.replay", { repoDir, action, committer, signing });
    } catch (error) {
      const refusals = ["CannotReplay", "EditRefused", "UnrelatedHistories", "TooManyBases"];
      if (!(error instanceof JobFailed) || !refusals.includes(error.originalName)) throw error;
      throw new ValidationFailed("replay.refused", { params: { reason: error.message } });
    } finally {
      written();
    }
  }

  /**
   * Makes the commits of an action and moves a branch to the last of them, if it still has its expected tip.
   * @throws Conflict if it does not (`branch.changed`); NotFound if there is no such branch; Failure if a rule refuses
   *   it; as `make`
   */
  async publish(seen: SeenRepo, request: ReplayRequest): Promise<ReplayOutcome> {
    const { branch, expected, action, committer, isApproved } = request;
    const present = this.refs.find(seen.repo.id, BRANCHES + branch)?.oid;
    if (present === undefined) throw new NotFound("branch.missing", { params: { repoId: seen.repo.id, name: branch } });
    if (present !== expected) throw new Conflict("branch.changed");
    const outcome = await this.make(seen, action, committer, isApproved);
    if (outcome.kind === "done" && outcome.commit !== expected) await this.move(seen, request, outcome.commit);
    return outcome;
  }

  /**
   * Moves a branch to a commit made by `make`, if it still has its expected tip.
   * @throws Conflict if it does not (`branch.changed`); Failure if a rule refuses it
   */
  async move(
    seen: SeenRepo,
    { alongside, branch, expected, permit, via }: Omit<ReplayRequest, "action">,
    commit: Oid,
  ): Promise<void> {
    const [result] = await this.ruled.change(seen, {
      via,
      changes: [{ name: BRANCHES + branch, oldOid: expected, newOid: commit }],
      ...(alongside ? { alongside: () => alongside(commit) } : {}),
      ...(permit ? { permit } : {}),
    });
    if (!result?.ok) throw new Conflict("branch.changed");
  }

  private async merge(repoId: number, ours: Oid, theirs: Oid): Promise<MergeCheck> {
    try {
      const input = { repoDir: this.storage.dirOf(repoId), ours, theirs };
      const { clean, tree, conflicts } = await this.pool.run("git.merge", input);
      const paths = conflicts.map(({ path }) => path);
      return { isClean: clean, tree: clean ? tree : undefined, conflicts: paths, isUnrelated: false };
    } catch (error) {
      if (!(error instanceof JobFailed) || error.originalName !== "UnrelatedHistories") throw error;
      return { isClean: false, tree: undefined, conflicts: [], isUnrelated: true };
    }
  }

  private doer({ principal }: SeenRepo): Signature {
    const timestamp = Math.floor(this.clock() / 1000);
    return { ...gitIdentityOf(accountOf(principal), this.links), timestamp, offsetMinutes: 0 };
  }
}

import { atLeast } from "../access/levels.ts";
import type { HistoryService } from "../content/history/service.ts";
import type { Oid } from "../git/objects/types.ts";
import { gitIdentityOf } from "../identity/git-identity.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Conflict, Forbidden, Locked, NotFound } from "../kernel/errors.ts";
import type { Links } from "../kernel/links.ts";
import type { LfsSharing } from "../lfs/sharing.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { SeenRepo } from "../repos/types.ts";
import { JobFailed, type WorkerPool } from "../workers/pool.ts";

export interface SyncParts {
  readonly clock: Clock;
  readonly history: HistoryService;
  readonly lfsSharing: LfsSharing;
  readonly links: Links;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
}

export type MergeType = "up-to-date" | "fast-forward" | "merge";

/** How far a fork's branch has diverged from the base's. */
export interface Divergence {
  readonly ahead: number;
  readonly behind: number;
}

/** Max conflicting files named in an error. */
const NAMED_FILES = 10;

/** Syncs branches of forks with the repositories they were forked from. */
export class ForkSync {
  constructor(private readonly parts: SyncParts) {}

  /**
   * Fast-forwards a branch to the base's, or merges that into it (contract repositories.md 7). If anything fails, the
   * branch is unchanged.
   * @throws BadRequest not a fork, or diverged with `ffOnly`; Forbidden the base may not be read; NotFound no such
   * branch, or the base has none; Conflict of contents, or the branch moved meanwhile
   */
  async merge(seen: SeenRepo, branch: string, ffOnly: boolean): Promise<MergeType> {
    const { lfsSharing, pool, refs, storage } = this.parts;
    const { repo } = seen;
    const base = this.baseOf(seen);
    const ref = `refs/heads/${branch}`;
    const present = refs.find(repo.id, ref)?.oid;
    if (present === undefined) throw new NotFound("branch.missing", { params: { repoId: repo.id, name: branch } });
    const theirs = this.branchAbove(base, branch);
    if (!theirs) throw new NotFound("fork.base-empty");
    if (theirs.oid === present) return "up-to-date";
    const held = [storage.writing(repo.id), storage.writing(base.repo.id)];
    try {
      await pool.run("git.fetchLocally", {
        fromDir: storage.dirOf(base.repo.id),
        repoDir: storage.dirOf(repo.id),
        tips: [theirs.oid],
        connectedTo: [...new Set(refs.list(repo.id).map(({ oid }) => oid))],
      });
      const { type, commit } = await this.plan(seen, base, branch, theirs, present, ffOnly);
      if (type === "up-to-date") return type;
      await lfsSharing.share({ fromRepoId: base.repo.id, toRepoId: repo.id, wants: [theirs.oid], haves: [present] });
      this.move(seen, ref, present, commit);
      await refs.projected();
      return type;
    } catch (error) {
      storage.noteFailure(error);
      throw error;
    } finally {
      for (const release of held) release();
    }
  }

  /**
   * How far the fork's branch has diverged from the base's; undefined if there is no base branch, or it may not be
   * seen.
   */
  async divergence(seen: SeenRepo, branch: string): Promise<Divergence | undefined> {
    const { history, refs, repos, storage } = this.parts;
    const base = seen.repo.forkOf === undefined ? undefined : repos.seeById(seen.principal, seen.repo.forkOf);
    const present = refs.find(seen.repo.id, `refs/heads/${branch}`)?.oid;
    if (!base || !atLeast(base.access.on("code"), "read") || present === undefined) return undefined;
    const theirs = this.branchAbove(base, branch);
    if (!theirs) return undefined;
    // Whichever repository has both commits can compare them. If neither has, both have moved on.
    const here = storage.objects(seen.repo.id).has(theirs.oid);
    if (!here && !storage.objects(base.repo.id).has(present)) return undefined;
    const [distance] = await history.aheadBehind(here ? seen : base, theirs.oid, [present]);
    return distance;
  }

  private async plan(
    seen: SeenRepo,
    base: SeenRepo,
    branch: string,
    theirs: { readonly name: string; readonly oid: Oid },
    present: Oid,
    ffOnly: boolean,
  ): Promise<{ readonly type: MergeType; readonly commit: Oid }> {
    const { history } = this.parts;
    if (await history.isAncestor(seen, theirs.oid, present)) return { type: "up-to-date", commit: present };
    if (await history.isAncestor(seen, present, theirs.oid)) return { type: "fast-forward", commit: theirs.oid };
    if (ffOnly) throw new BadRequest("fork.diverged");
    const message = `Merge branch '${theirs.name}' of ${this.parts.links.rootUrl}${base.owner.login}/${base.repo.name} into ${branch}\n`;
    return { type: "merge", commit: await this.mergeCommit(seen, present, theirs.oid, message) };
  }

  private async mergeCommit(seen: SeenRepo, ours: Oid, theirs: Oid, message: string): Promise<Oid> {
    const { clock, links, pool, storage } = this.parts;
    const { user } = seen.principal;
    if (!user) throw new Forbidden("repository.needs-write");
    const outcome = await pool
      .run("git.replay", {
        repoDir: storage.dirOf(seen.repo.id),
        action: { kind: "merge", base: ours, head: theirs, message },
        committer: { ...gitIdentityOf(user, links), timestamp: Math.floor(clock() / 1000), offsetMinutes: 0 },
      })
      .catch((error: unknown) => {
        if (error instanceof JobFailed && error.originalName === "UnrelatedHistories")
          throw new Conflict("fork.unrelated");
        throw error;
      });
    if (outcome.kind === "done") return outcome.commit;
    const files = outcome.kind === "conflict" ? outcome.merge.conflicts.map(({ path }) => path) : [];
    throw new Conflict("fork.conflict", { params: { files: [...new Set(files)].slice(0, NAMED_FILES).join(", ") } });
  }

  private move(seen: SeenRepo, ref: string, present: Oid, commit: Oid): void {
    const { refs, repos } = this.parts;
    const now = repos.seeById(seen.principal, seen.repo.id);
    if (!now || !atLeast(now.access.on("code"), "write")) throw new Forbidden("repository.needs-write");
    if (now.repo.isArchived) throw new Locked("repository.archived");
    // If the base has become private meanwhile, the fork gets nothing more from it.
    this.baseOf(now);
    const changes = [{ name: ref, oldOid: present, newOid: commit }];
    const [result] = refs.change(seen.repo.id, { principal: seen.principal, changes, atomic: true });
    if (!result?.ok) throw new Conflict("fork.branch-changed", { params: { branch: ref.slice("refs/heads/".length) } });
  }

  /** @throws BadRequest Forbidden */
  private baseOf({ principal, repo }: SeenRepo): SeenRepo {
    if (repo.forkOf === undefined) throw new BadRequest("fork.not-a-fork");
    const base = this.parts.repos.seeById(principal, repo.forkOf);
    if (!base || !atLeast(base.access.on("code"), "read")) throw new Forbidden("fork.base-hidden");
    return base;
  }

  /** The base's branch with that name, else its default branch. */
  private branchAbove(base: SeenRepo, branch: string): { readonly name: string; readonly oid: Oid } | undefined {
    for (const name of [branch, base.repo.defaultBranch]) {
      const ref = this.parts.refs.find(base.repo.id, `refs/heads/${name}`);
      if (ref) return { name, oid: ref.oid };
    }
    return undefined;
  }
}

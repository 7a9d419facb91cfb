import { atLeast } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { BlockService } from "../blocks/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import { BRANCHES, TAGS } from "../git/refs/names.ts";
import type { Ref } from "../git/refs/types.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { BadRequest, Conflict, Forbidden, NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { LfsSharing } from "../lfs/sharing.ts";
import type { RepoRegistration } from "../repos/creation/registration.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { Repo, RepoSettings, SeenRepo } from "../repos/types.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { countForks, forksOf } from "./store.ts";

export interface ForkRequest {
  /** The future owner; the caller has checked that the principal may create repositories there. */
  readonly owner: User;
  /** Defaults to the base's. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Only this branch; by default all branches and tags. */
  readonly branch?: string | undefined;
}

export interface ForkParts {
  readonly access: AccessControl;
  readonly blocks: BlockService;
  readonly crash: CrashPoint;
  readonly db: Database;
  readonly folders: GitFolders;
  readonly lfsSharing: LfsSharing;
  readonly outbox: Outbox;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly repoRegistration: RepoRegistration;
  readonly repoRemoval: RepoRemoval;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
}

/** A fork has only code and pull requests (contract repositories.md 4.4). */
const SETTINGS: RepoSettings = { off: ["issues", "releases", "wiki", "projects", "packages", "actions"] };

/** Forks: repositories that start as a copy of another, and share its files as long as both need them. */
export class ForkService {
  constructor(private readonly parts: ForkParts) {}

  /** Forks of a repository that the principal can see, oldest first. */
  list({ principal, repo }: SeenRepo, { limit, offset }: Paging): Slice<SeenRepo> {
    const { access, db, repos } = this.parts;
    const viewer = { isVisible: access.repoCondition(), params: access.params(principal) };
    const { ids, total } = forksOf(db, repo.id, viewer, limit, offset);
    const seen = new Map(repos.seeEach(principal, ids).map((each) => [each.repo.id, each]));
    return { items: ids.flatMap((id) => seen.get(id) ?? []), total };
  }

  /** Number of forks, including invisible ones. */
  count({ repo }: SeenRepo): number {
    return countForks(this.parts.db, repo.id);
  }

  /** The repository it was forked from; also undefined if the principal cannot see that. */
  baseOf({ principal, repo }: SeenRepo): SeenRepo | undefined {
    return repo.forkOf === undefined ? undefined : this.parts.repos.seeById(principal, repo.forkOf);
  }

  /** The account's fork of a repository, if the principal can see it. */
  forkBy({ principal, repo }: SeenRepo, owner: User): SeenRepo | undefined {
    const fork = this.parts.repos.forkOf(repo.id, owner.id);
    return fork && this.parts.repos.seeById(principal, fork.id);
  }

  /**
   * The account's repository in the same fork network, if the principal can see it: the repository itself, one it was
   * forked from, or a fork of any of those. undefined: none; null: one the principal cannot see.
   */
  relativeBy({ principal, repo }: SeenRepo, owner: User): SeenRepo | null | undefined {
    const { repos } = this.parts;
    const relative = repos.relativeOf(repo, owner);
    return relative && (repos.seeById(principal, relative.id) ?? null);
  }

  /**
   * Turns a fork into an independent repository outside any fork network. Pull requests opened from its branches stay
   * open.
   * @throws Forbidden the caller does not own it; BadRequest not a fork
   */
  detach(seen: SeenRepo): void {
    const { db, repos } = this.parts;
    if (!atLeast(seen.access.level, "owner")) throw new Forbidden("repository.needs-owner");
    if (seen.repo.forkOf === undefined) throw new BadRequest("fork.not-a-fork");
    db.transaction(() => repos.endForking(seen));
  }

  /** Whether two repositories belong to the same fork network. */
  areRelated(one: Repo, other: Repo): boolean {
    return this.parts.repos.familyRoot(one) === this.parts.repos.familyRoot(other);
  }

  /**
   * Creates a fork: first objects and large files, durably, then everything else in one transaction. Packs are
   * hard-linked with the base's; only objects reachable from the fork's refs are included.
   * @throws Conflict a fork already exists, or the name is taken; ValidationFailed bad name; NotFound no such branch,
   * or the base was deleted meanwhile; Forbidden the owner has reached the repository limit, or the base's owner blocks
   * the caller
   */
  async create(seen: SeenRepo, request: ForkRequest): Promise<Repo> {
    const { blocks, crash, db, folders, lfsSharing, pool, repoRemoval, repos, storage } = this.parts;
    const { principal, repo: base } = seen;
    if (principal.user) blocks.requireUnblocked(seen.owner, principal.user);
    const name = request.name || base.name;
    const description = request.description ?? base.description;
    this.check(seen, { ...request, name, description });
    const taken = this.refsOf(base, request.branch);
    const defaultBranch = request.branch ?? base.defaultBranch;
    const id = folders.reserve();
    // While held, no object of the base is deleted for good.
    const held = storage.writing(base.id);
    try {
      await storage.init(id, { defaultBranch, format: base.objectFormat });
      crash("fork.after-init");
      const tips = [...new Set(taken.map(({ oid }) => oid))];
      const input = { fromDir: storage.dirOf(base.id), repoDir: storage.dirOf(id), tips, connectedTo: [] };
      if (tips.length > 0) await pool.run("git.fetchLocally", input, { lane: "bulk" });
      crash("fork.after-objects");
      const bringLargeFiles = await lfsSharing.prepareFork(base.id, id, request.owner);
      crash("fork.after-large-files");
      db.transaction(() => {
        // Copying may have taken long.
        const now = this.stillReadable(seen);
        this.check(now, { ...request, name, description });
        this.register(principal, now.repo, { id, name, description, defaultBranch, owner: request.owner, refs: taken });
        bringLargeFiles();
        crash("fork.in-transaction");
      });
    } catch (error) {
      storage.noteFailure(error);
      repoRemoval.abandon(id);
      throw error;
    } finally {
      held();
    }
    crash("fork.after-transaction");
    const made = repos.byId(id);
    if (!made) throw new NotFound();
    return made;
  }

  private register(
    principal: Principal,
    base: Repo,
    fork: {
      readonly id: number;
      readonly owner: User;
      readonly name: string;
      readonly description: string;
      readonly defaultBranch: string;
      readonly refs: readonly Ref[];
    },
  ): void {
    const { outbox, refs, repos } = this.parts;
    const { id, owner, name, description, defaultBranch } = fork;
    const { objectFormat, languages, licenses, primaryLanguage, sizeBytes } = base;
    this.parts.repoRegistration.register(principal, {
      id,
      owner,
      name,
      description,
      defaultBranch,
      objectFormat,
      licenses,
      isPrivate: repos.privacy.ofForks(base),
      forkOf: base.id,
      settings: SETTINGS,
    });
    repos.setDerived(id, { languages, primaryLanguage, sizeBytes });
    refs.fill(id, fork.refs);
    const context = { repoId: base.id, ownerId: base.ownerId, principal: storedPrincipal(principal) };
    outbox.append("repo.forked", context, { forkId: id });
  }

  /** @throws Conflict ValidationFailed Forbidden */
  private check(seen: SeenRepo, request: ForkRequest & { readonly name: string }): void {
    const { repos } = this.parts;
    const { owner, name } = request;
    const fork = repos.forkOf(seen.repo.id, owner.id);
    if (fork)
      throw new Conflict("fork.exists", {
        params: {
          owner: owner.login,
          base: `${seen.owner.login}/${seen.repo.name}`,
          fork: `${owner.login}/${fork.name}`,
        },
      });
    this.parts.repoRegistration.checkNew(seen.principal, {
      owner,
      name,
      description: request.description ?? "",
      isPrivate: repos.privacy.ofForks(seen.repo),
      moreBytes: seen.repo.sizeBytes,
      isFork: true,
    });
  }

  /** @throws NotFound it was deleted, or is no longer visible to the principal */
  private stillReadable({ principal, repo }: SeenRepo): SeenRepo {
    const now = this.parts.repos.seeById(principal, repo.id);
    if (!now || !atLeast(now.access.on("code"), "read")) throw new NotFound();
    return now;
  }

  /** The refs a fork starts with. @throws NotFound no such branch */
  private refsOf(base: Repo, branch: string | undefined): Ref[] {
    const { refs } = this.parts;
    if (branch === undefined) return [...refs.list(base.id, BRANCHES), ...refs.list(base.id, TAGS)];
    const one = refs.find(base.id, BRANCHES + branch);
    if (!one) throw new ValidationFailed("fork.branch-missing", { field: "branch", params: { name: branch } });
    return [one];
  }
}

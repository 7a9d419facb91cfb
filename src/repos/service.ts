import type { Decision, RepoFacts } from "../access/decide.ts";
import type { Unit } from "../access/levels.ts";
import { asAccount, isSiteAdmin, type Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Clock } from "../kernel/clock.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { NotFound, Redirected, ValidationFailed } from "../kernel/errors.ts";
import { checkRepoName } from "../kernel/names.ts";
import type { GitFolders } from "./folders/service.ts";
import { setDefaultBranch } from "./folders/store.ts";
import { RepoPrivacy } from "./privacy.ts";
import type { RefService } from "./refs/service.ts";
import { unitsOn } from "./settings/defaults.ts";
import { editSettings, type SettingsEdit } from "./settings/edit.ts";
import * as store from "./store.ts";
import type { Repo, RepoCountName, RepoListName, RepoSummary, SeenRepo } from "./types.ts";
import { checkDefaultBranch, checkDescription, checkWebsite } from "./values.ts";

/** Absent fields are left unchanged. */
export interface EditRepo {
  readonly name?: string;
  readonly description?: string;
  readonly website?: string;
  readonly isPrivate?: boolean;
  readonly isTemplate?: boolean;
  readonly isArchived?: boolean;
  readonly defaultBranch?: string;
  readonly wikiBranch?: string;
  readonly settings?: SettingsEdit;
}

/**
 * Lets an area take part in an edit of a repository: runs in its transaction, before the other changes.
 * @throws Failure
 */
export type RepoEditor = (seen: SeenRepo, edit: EditRepo) => void;

/** Finds and changes repositories. */
export class RepoService {
  /** Decides whether repositories and their forks are private. */
  readonly privacy: RepoPrivacy;
  private readonly editors: RepoEditor[] = [];
  private readonly countSql = new Map<RepoCountName, string>();
  private readonly listSql = new Map<RepoListName, string>();

  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
    private readonly folders: GitFolders,
    private readonly access: AccessControl,
    private readonly identity: IdentityService,
    private readonly refs: RefService,
    private readonly clock: Clock,
    private readonly crash: CrashPoint,
    private readonly forcePrivate: boolean,
  ) {
    this.privacy = new RepoPrivacy(db, outbox, identity, forcePrivate);
    this.addCount("branches", store.branchCount);
  }

  /**
   * Registers a per-repository count; called by areas while they are wired.
   * @param sql takes the SQL expression of a repository's id and returns a query for one number; it must use an index
   */
  addCount(name: RepoCountName, sql: (repo: string) => string): void {
    if (this.countSql.has(name)) throw new Error(`two areas count the ${name} of repositories`);
    this.countSql.set(name, sql("wanted.value"));
  }

  /**
   * Registers a list of texts shown beside each repository.
   * @param sql takes the SQL expression of a repository's id and returns a query for one JSON array of texts
   */
  addList(name: RepoListName, sql: (repo: string) => string): void {
    if (this.listSql.has(name)) throw new Error(`two areas list the ${name} of repositories`);
    this.listSql.set(name, sql("wanted.value"));
  }

  /** Registers an area's part in edits; called while areas are wired. */
  addEditor(editor: RepoEditor): void {
    this.editors.push(editor);
  }

  /**
   * The repository with that name as the principal sees it.
   * @throws NotFound missing or invisible (callers cannot tell which); Redirected 301 if the repository was renamed,
   * 307 if its owner was
   */
  see(
    principal: Principal,
    ownerName: string,
    name: string,
    redirect: (owner: string, name: string) => string,
  ): SeenRepo {
    const owner = this.identity.byLogin(ownerName);
    if (!owner) throw this.movedOwner(principal, ownerName, name, redirect);
    const repo = store.findRepo(this.db, owner.id, name);
    if (repo) return this.requireVisible(principal, repo, owner);
    const movedId = store.redirectedRepoId(this.db, owner.id, name);
    const moved = movedId === undefined ? undefined : this.seeById(principal, movedId);
    if (moved) throw new Redirected(301, redirect(moved.owner.login, moved.repo.name));
    throw new NotFound();
  }

  /** Returns undefined if the repository is missing or invisible. */
  seeById(principal: Principal, id: number): SeenRepo | undefined {
    const repo = store.findRepoById(this.db, id);
    const owner = repo && this.identity.byId(repo.ownerId);
    if (!repo || !owner) return undefined;
    const access = this.accessOf(principal, repo, owner);
    return access.level === "none" ? undefined : { repo, owner, access, principal };
  }

  /** The repository whose uploaded avatar has that address, or undefined if it is missing or invisible. */
  seeByAvatar(principal: Principal, address: string): SeenRepo | undefined {
    const id = store.repoIdByAvatar(this.db, address);
    return id === undefined ? undefined : this.seeById(principal, id);
  }

  /** Joins the running transaction. @param address of the uploaded avatar; empty for none */
  setAvatar({ repo }: Pick<SeenRepo, "repo">, address: string): void {
    store.updateRepo(this.db, repo.id, { avatar: address }, this.clock());
  }

  /** Whether the principal may read that unit of the repository or, if no unit is given, see the repository at all. */
  mayRead(principal: Principal, id: number, unit: Unit | undefined): boolean {
    const seen = this.seeById(principal, id);
    return seen !== undefined && (unit === undefined || seen.access.on(unit) !== "none");
  }

  /** The repositories with these ids that the principal can see. */
  seeEach(principal: Principal, ids: readonly number[]): SeenRepo[] {
    return this.seeAll(principal, store.findReposById(this.db, ids));
  }

  /** The repositories with these current names that the principal can see, keyed by lower-case `owner/name`. */
  seeNamed(principal: Principal, names: readonly (readonly [owner: string, name: string])[]): Map<string, SeenRepo> {
    const seen = this.seeAll(principal, store.findReposByNames(this.db, names));
    return new Map(seen.map((each) => [`${each.owner.login}/${each.repo.name}`.toLowerCase(), each]));
  }

  /**
   * Filters repositories to those the principal can see, keeping the order; one query for owners and one for grants.
   */
  seeAll(principal: Principal, repos: readonly Repo[]): SeenRepo[] {
    const owners = this.identity.byIds([...new Set(repos.map((repo) => repo.ownerId))]);
    const owned = repos.flatMap((repo) => {
      const owner = owners.get(repo.ownerId);
      return owner ? [{ repo, owner }] : [];
    });
    const decisions = this.access.onEach(
      principal,
      owned.map(({ repo, owner }) => factsOf(repo, owner)),
    );
    return owned.flatMap(({ repo, owner }) => {
      const access = decisions.get(repo.id);
      return !access || access.level === "none" ? [] : [{ repo, owner, access, principal }];
    });
  }

  /** Counts and lists for each of these repositories, in one query. */
  summaries(repoIds: readonly number[]): Map<number, RepoSummary> {
    return store.repoSummariesOf(this.db, this.countSql, this.listSql, repoIds);
  }

  /** Finds a repository by name without an access check; for the server's own use. */
  find(owner: User, name: string): Repo | undefined {
    return store.findRepo(this.db, owner.id, name);
  }

  byId(id: number): Repo | undefined {
    return store.findRepoById(this.db, id);
  }

  /** Whether an account can see the repository, leaving token scopes aside. */
  mayReadAs(user: User, id: number): boolean {
    return this.mayRead(asAccount(user), id, undefined);
  }

  /** @throws ValidationFailed the owner already has a repository with that name */
  requireFreeName(owner: User, name: string): void {
    if (store.findRepo(this.db, owner.id, name))
      throw new ValidationFailed("repository.rename-taken", { field: "name", params: { owner: owner.login, name } });
  }

  /**
   * Transfers a repository to another owner and redirects the old address. The caller has checked that this is allowed
   * and joins the running transaction with whatever else is transferred.
   * @throws ValidationFailed the new owner already has a repository with that name
   */
  changeOwner(principal: Principal, repo: Repo, newOwner: User): Repo {
    return this.db.transaction(() => {
      const before = this.identity.byId(repo.ownerId);
      this.requireFreeName(newOwner, repo.name);
      store.removeRepoRedirect(this.db, newOwner.id, repo.name);
      store.addRepoRedirect(this.db, repo.ownerId, repo.name, repo.id);
      store.setOwner(this.db, repo.id, newOwner.id, this.clock());
      this.outbox.append(
        "repo.transferred",
        { repoId: repo.id, ownerId: newOwner.id, principal: storedPrincipal(principal) },
        { fromId: repo.ownerId, from: `${before?.login ?? ""}/${repo.name}` },
      );
      this.outbox.append("access.changed", { repoId: repo.id, ownerId: newOwner.id }, { userId: null });
      this.privacy.takeForksAlong(principal, repo.id);
      return this.require(repo.id);
    });
  }

  /** What a principal may do on a repository. Every access check goes through here. */
  accessOf(principal: Principal, repo: Repo, owner: User): Decision {
    return this.access.on(principal, factsOf(repo, owner));
  }

  /** Number of repositories on the site and total size of their git folders, without an access check. */
  totals(): { count: number; sizeBytes: number } {
    return store.totals(this.db);
  }

  /** How many repositories each of these accounts owns, without an access check; for admin lists. */
  countsOwned(owners: readonly User[]): Map<number, number> {
    return store.countOwnedByEach(
      this.db,
      owners.map((owner) => owner.id),
    );
  }

  ownedBy(user: User): Repo[] {
    return store.ownedRepos(this.db, user.id);
  }

  /** Id of the repository at the root of this one's fork network. */
  familyRoot(repo: Repo): number {
    return store.rootOf(this.db, repo.id);
  }

  /**
   * The account's repository in this fork network: the repository itself if it owns that, else its fork nearest the
   * root.
   */
  relativeOf(repo: Repo, owner: { readonly id: number }): Repo | undefined {
    if (owner.id === repo.ownerId) return repo;
    const id = store.relativeOf(this.db, this.familyRoot(repo), owner.id);
    return id === undefined ? undefined : this.byId(id);
  }

  /** The account's fork of a repository, without an access check. */
  forkOf(baseId: number, ownerId: number): Repo | undefined {
    return store.findForkOf(this.db, baseId, ownerId);
  }

  /**
   * Applies the given fields, all or nothing. An unknown default branch is ignored, as clients expect.
   * @throws ValidationFailed bad or taken name, or conflicting settings
   */
  edit(seen: SeenRepo, edit: EditRepo): Repo {
    const { repo, owner, principal } = seen;
    if (edit.name !== undefined && edit.name !== repo.name) checkRepoName(edit.name);
    if (edit.description !== undefined) checkDescription(edit.description);
    if (edit.website !== undefined) checkWebsite(edit.website);
    if (edit.isPrivate === false && repo.isPrivate && this.forcePrivate && !isSiteAdmin(principal))
      throw new ValidationFailed("repository.must-stay-private", { field: "private" });
    if (this.forcePrivate && Object.keys(edit.settings?.opened ?? {}).length > 0)
      throw new ValidationFailed("repository.must-stay-private");
    this.db.transaction(() => {
      const now = this.clock();
      // Read again: the repository may have changed since the access check.
      const present = this.require(repo.id);
      if (edit.isArchived !== undefined && present.isMirror)
        throw new ValidationFailed("repository.mirror-archive", { field: "archived" });
      for (const editor of this.editors) editor({ ...seen, repo: present }, edit);
      const requested = present.isMirror ? withoutPulls(edit.settings) : edit.settings;
      const settings = requested && editSettings(present.settings, requested);
      if (edit.name !== undefined && edit.name !== present.name)
        this.renameWithin(principal, present, owner, edit.name, now);
      const newBranch = this.newDefaultBranch(present, edit.defaultBranch);
      const isPrivate = this.privacy.allowed(present, edit.isPrivate);
      const archives = edit.isArchived !== undefined && edit.isArchived !== present.isArchived;
      store.updateRepo(
        this.db,
        repo.id,
        {
          ...(edit.description === undefined ? {} : { description: edit.description }),
          ...(edit.website === undefined ? {} : { website: edit.website }),
          ...(isPrivate === undefined ? {} : { isPrivate }),
          ...(edit.isTemplate === undefined ? {} : { isTemplate: edit.isTemplate }),
          ...(archives ? { isArchived: edit.isArchived, archivedAt: edit.isArchived ? now : null } : {}),
          ...(settings === undefined ? {} : { settings }),
        },
        now,
      );
      if (newBranch !== undefined) this.followDefaultBranch(repo.id, newBranch);
      if (edit.wikiBranch !== undefined) this.followWikiBranch(repo, edit.wikiBranch);
      this.outbox.append(
        "repo.edited",
        { repoId: repo.id, ownerId: repo.ownerId, principal: storedPrincipal(principal) },
        { fields: [...Object.keys(edit), ...givenIn(edit.settings ?? {})] },
      );
      if (isPrivate !== undefined || settings !== undefined) this.privacy.tell(principal, present, isPrivate);
      if (isPrivate !== undefined) this.privacy.takeForksAlong(principal, repo.id);
      this.crash("edit.in-transaction");
    });
    this.crash("edit.after-transaction");
    return this.require(repo.id);
  }

  /**
   * Sets the flags that the first push to an empty repository may pass as push options. Joins the running transaction.
   */
  setByPush(repo: Repo, flags: { isPrivate?: boolean; isTemplate?: boolean }): void {
    const isPrivate = flags.isPrivate === undefined ? undefined : flags.isPrivate || this.forcePrivate;
    store.updateRepo(this.db, repo.id, { ...flags, ...(isPrivate === undefined ? {} : { isPrivate }) }, this.clock());
  }

  /** Changes the default branch. Joins the running transaction. */
  followDefaultBranch(repoId: number, branch: string): void {
    this.db.transaction(() => {
      setDefaultBranch(this.db, repoId, branch);
      store.updateRepo(this.db, repoId, {}, this.clock());
      this.refs.projectAfterCommit(repoId);
    });
  }

  /** Turns a mirror into an ordinary repository. Joins the running transaction. */
  endMirroring({ principal, repo }: SeenRepo): void {
    store.updateRepo(this.db, repo.id, { isMirror: false }, this.clock());
    const context = { repoId: repo.id, ownerId: repo.ownerId, principal: storedPrincipal(principal) };
    this.outbox.append("repo.edited", context, { fields: ["mirror"] });
  }

  /** Detaches a fork from its base. Joins the running transaction. */
  endForking({ principal, repo }: SeenRepo): void {
    store.endForking(this.db, repo.id, this.clock());
    const context = { repoId: repo.id, ownerId: repo.ownerId, principal: storedPrincipal(principal) };
    this.outbox.append("repo.edited", context, { fields: ["fork"] });
  }

  /** Records where the repository was imported from. Joins the running transaction. @param url without credentials */
  setOriginalUrl(repoId: number, url: string): void {
    store.updateRepo(this.db, repoId, { originalUrl: url }, this.clock());
  }

  /**
   * Adds received bytes to the size right away; maintenance measures it properly later. Joins the running transaction.
   */
  grow(repoId: number, bytes: number): void {
    if (bytes > 0) store.addSize(this.db, repoId, bytes);
  }

  /** Sets the wiki's default branch; ignored if it does not exist. @throws ValidationFailed not a valid branch name */
  private followWikiBranch({ id }: Repo, branch: string): void {
    const folder = this.folders.find(id, "wiki");
    if (!folder || branch === "" || branch === folder.defaultBranch) return;
    if (folder.isEmpty) checkDefaultBranch(branch);
    else if (!this.refs.find(folder.id, `refs/heads/${branch}`)) return;
    setDefaultBranch(this.db, folder.id, branch);
    this.refs.projectAfterCommit(folder.id);
  }

  /** Stores facts derived from the content; leaves `updated_at` alone. */
  setDerived(
    repoId: number,
    facts: Partial<
      Pick<Repo, "sizeBytes" | "primaryLanguage" | "languages" | "licenses" | "countedTip" | "commitCount">
    >,
  ): void {
    store.updateRepo(this.db, repoId, facts, undefined);
  }

  private renameWithin(principal: Principal, repo: Repo, owner: User, name: string, now: number): void {
    const other = store.findRepo(this.db, owner.id, name);
    if (other && other.id !== repo.id)
      throw new ValidationFailed("repository.rename-taken", { field: "name", params: { owner: owner.login, name } });
    store.removeRepoRedirect(this.db, owner.id, name);
    if (name.toLowerCase() !== repo.name.toLowerCase()) store.addRepoRedirect(this.db, owner.id, repo.name, repo.id);
    store.renameRepoRow(this.db, repo.id, name, now);
    this.outbox.append(
      "repo.renamed",
      { repoId: repo.id, ownerId: repo.ownerId, principal: storedPrincipal(principal) },
      { from: repo.name, to: name },
    );
    this.crash("rename.in-transaction");
  }

  /**
   * Returns undefined to keep the current one, including when the requested branch does not exist. An empty repository
   * accepts any branch.
   */
  private newDefaultBranch(repo: Repo, requested: string | undefined): string | undefined {
    if (requested === undefined || requested === "" || requested === repo.defaultBranch) return undefined;
    if (repo.isEmpty) checkDefaultBranch(requested);
    return repo.isEmpty || this.refs.find(repo.id, `refs/heads/${requested}`) ? requested : undefined;
  }

  private requireVisible(principal: Principal, repo: Repo, owner: User): SeenRepo {
    const access = this.accessOf(principal, repo, owner);
    if (access.level === "none") throw new NotFound();
    return { repo, owner, access, principal };
  }

  /**
   * The error for an owner name that no account has: a redirect to the new name if the caller can see the repository
   * there.
   */
  private movedOwner(
    principal: Principal,
    ownerName: string,
    name: string,
    redirect: (owner: string, name: string) => string,
  ): Error {
    const renamed = this.identity.renamedTo(ownerName);
    if (!renamed || !this.identity.sees(principal, renamed)) return new NotFound();
    const repo = store.findRepo(this.db, renamed.id, name);
    const visible = repo && this.accessOf(principal, repo, renamed).level !== "none";
    return visible ? new Redirected(307, redirect(renamed.login, repo.name)) : new NotFound();
  }

  private require(id: number): Repo {
    const repo = store.findRepoById(this.db, id);
    if (!repo) throw new NotFound();
    return repo;
  }
}

function factsOf(repo: Repo, owner: User): RepoFacts {
  return {
    id: repo.id,
    ownerId: repo.ownerId,
    ownerVisibility: owner.visibility,
    isPrivate: repo.isPrivate,
    isBinned: repo.isBinned,
    units: unitsOn(repo.settings),
    opened: repo.settings.opened,
    sharedUnit: repo.settings.wikiForEveryone ? "wiki" : undefined,
  };
}

/** Mirrors take no pull requests: their content comes from elsewhere (contract repositories.md 4.4). */
function withoutPulls(edit: SettingsEdit | undefined): SettingsEdit | undefined {
  return edit?.units ? { ...edit, units: { ...edit.units, pulls: undefined } } : edit;
}

/** Names of the fields that are set. */
function givenIn(values: object): string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

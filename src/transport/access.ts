import { atLeast } from "../access/levels.ts";
import { anonymous, type Principal } from "../access/principal.ts";
import { hasScope } from "../access/scopes.ts";
import type { User } from "../access/user.ts";
import type { Service } from "../git/transport/protocol.ts";
import type { IdentityService } from "../identity/service.ts";
import { BadRequest, Forbidden, NotFound, Redirected, Unauthorised } from "../kernel/errors.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import { codeFolderOf, type FolderKind, folderUnits, type GitFolder } from "../repos/folders/types.ts";
import type { RepoService } from "../repos/service.ts";
import { keepsWiki } from "../repos/settings/defaults.ts";
import type { SeenRepo } from "../repos/types.ts";

export interface GitRequest {
  readonly principal: Principal;
  readonly user: User | undefined;
  readonly owner: string;
  /** As in the address, with or without `.git`. */
  readonly name: string;
  readonly service: Service;
  /** Which of the repository's git directories is meant; default: the code. */
  readonly folder?: FolderKind;
  /** Whether a fetch from a directory that does not exist yet is answered; otherwise it is missing. */
  readonly allowsNewFolder?: boolean;
  /** The same address under another owner and name. */
  redirect(owner: string, name: string): string;
}

export interface GitAccessOptions {
  readonly requireSignin: boolean;
  readonly pushCreate: boolean;
}

/** A git directory of a repository, as seen by the principal. */
export interface SeenFolder {
  readonly seen: SeenRepo;
  readonly folder: GitFolder;
}

/** A git directory that does not exist yet: the first push creates it. */
export interface NewFolder {
  readonly seen: SeenRepo;
  readonly begins: Exclude<FolderKind, "code">;
}

/** The target of an admitted request; `create`: a push to a missing repository that its owner may create. */
export type GitTarget = SeenFolder | NewFolder | { readonly create: { readonly owner: User; readonly name: string } };

const missing = () => new NotFound("git.repository-missing");

/** It may be read but not written: over HTTP indistinguishable from missing. */
export class NotWritable extends NotFound {
  override name = "NotWritable";
  constructor() {
    super("git.repository-missing");
  }
}

/**
 * Access for fetches and pushes: contract git-content.md 12.2, the same for every transport. Whether a pusher may
 * change a certain ref is decided per ref when the refs change.
 */
export class GitAccess {
  constructor(
    private readonly identity: IdentityService,
    private readonly repos: RepoService,
    private readonly folders: GitFolders,
    private readonly organizations: OrganizationService,
    private readonly options: GitAccessOptions,
  ) {}

  /** @throws Redirected, Unauthorised (ask for credentials), Forbidden, NotFound, BadRequest */
  target(request: GitRequest): GitTarget {
    const { principal, user } = request;
    const name = request.name.replace(/\.git$/i, "");
    if (name === "") throw new BadRequest("git.no-repository-named");
    const owner = this.identity.byLogin(request.owner);
    if (!owner) throw this.unknownOwner(request, name);
    if (user && principal.via !== "job") requireUsable(this.identity, user);
    const isOwn = user?.id === owner.id || user?.isAdmin === true;
    if (!isOwn && isSwitchedOff(owner)) throw nothingThere(principal);
    // Visibility is decided for the token's owner, ignoring the scope; the scope limits what may be done.
    const unscoped: Principal = principal.scope ? { ...principal, scope: undefined } : principal;
    const seen = this.look(request, unscoped, name);
    // A hidden account looks like a missing one, except to those who may see one of its repositories.
    if (!seen && !isOwn && !this.identity.sees(unscoped, owner)) throw nothingThere(principal);
    const pulls = request.service === "git-upload-pack";
    const kind = request.folder ?? "code";
    const unit = folderUnits[kind];
    if (seen && kind === "wiki" && !keepsWiki(seen.repo.settings))
      throw isSomeone(principal) || pulls ? new Forbidden("git.wiki-disabled") : new Unauthorised();
    if (
      seen &&
      pulls &&
      !this.options.requireSignin &&
      this.repos.accessOf(anonymous, seen.repo, seen.owner).on(unit) !== "none"
    )
      return this.inFolder(seen, kind, request);
    if (!isSomeone(principal)) throw new Unauthorised();
    if (seen && seen.access.on(unit) === "none") throw missing();
    if (seen || !pulls) requireScope(principal, pulls ? "read" : "write", seen);
    if (!seen && kind !== "code") throw missing();
    if (!seen) return this.creation(request, owner, name, pulls);
    if (!pulls && seen.repo.isArchived) throw new Forbidden("git.archived");
    if (!pulls && seen.repo.isMirror) throw new Forbidden("git.mirror");
    // Readers of the code may go on: refs are refused one by one, in the push's own report. A wiki has no pull
    // requests, and a deploy key has no account that could ask for one.
    const mayAskForPull = kind === "code" && principal.via !== "deploy-key";
    if (!atLeast(seen.access.on(unit), pulls || mayAskForPull ? "read" : "write")) throw new NotWritable();
    return this.inFolder(seen, kind, request);
  }

  private inFolder(
    seen: SeenRepo,
    kind: FolderKind,
    { allowsNewFolder = false, service }: GitRequest,
  ): SeenFolder | NewFolder {
    const folder = kind === "code" ? codeFolderOf(seen.repo) : this.folders.find(seen.repo.id, kind);
    if (folder) return { seen, folder };
    if (kind === "code" || (service === "git-upload-pack" && !allowsNewFolder)) throw missing();
    return { seen, begins: kind };
  }

  private look(request: GitRequest, principal: Principal, name: string): SeenRepo | undefined {
    try {
      return this.repos.see(principal, request.owner, name, request.redirect);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  private unknownOwner(request: GitRequest, name: string): Error {
    const renamed = this.identity.renamedTo(request.owner);
    return renamed && this.identity.sees(request.principal, renamed)
      ? new Redirected(307, request.redirect(renamed.login, name))
      : nothingThere(request.principal);
  }

  private creation(request: GitRequest, owner: User, name: string, pulls: boolean): GitTarget {
    if (pulls) throw missing();
    const { user } = request.principal;
    const own =
      user?.id === owner.id || user?.isAdmin === true || this.organizations.accountMayCreateRepos(owner, user);
    // Callers who may not create a repository there learn nothing about what exists.
    if (!own) throw missing();
    if (!this.options.pushCreate)
      throw new Forbidden(
        owner.kind === "organization" ? "git.push-create-disabled-in-organizations" : "git.push-create-disabled",
      );
    return { create: { owner, name } };
  }
}

/** Whether it has a credential, possibly one without an account. */
function isSomeone({ via }: Principal): boolean {
  return via !== "nothing";
}

/** @throws Unauthorised, Forbidden the account may not be used now */
export function requireUsable(identity: IdentityService, user: User): void {
  const problem = identity.accountProblem(user);
  if (problem === "must-change-password") throw new Unauthorised("git.password-change-required");
  if (problem === "two-factor-required") throw new Forbidden("git.two-factor-required");
  if (problem) throw new Forbidden("git.account-disabled");
}

/** Only the owner sees the repositories of a deactivated account. */
export function isSwitchedOff(owner: User): boolean {
  return !owner.isActive && owner.kind === "individual";
}

/**
 * The answer for accounts that do not exist and for hidden ones: they must be indistinguishable, and callers who
 * could see more are asked to authenticate (the contract's order, which answers 404 here, would give hidden ones
 * away).
 */
function nothingThere(principal: Principal): Error {
  return isSomeone(principal) ? missing() : new Unauthorised();
}

/**
 * @param seen undefined: it does not exist yet, and will be private @throws Forbidden the token may not do that there
 */
export function requireScope(principal: Principal, level: "read" | "write", seen: SeenRepo | undefined): void {
  if (!hasScope(principal, "repository", level)) throw new Forbidden("git.scope-missing", { params: { level } });
  const hidden = seen === undefined || seen.repo.isPrivate || seen.owner.visibility !== "public";
  if (principal.scope?.publicOnly && hidden) throw new Forbidden("repository.public-only");
}

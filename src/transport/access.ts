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
  /** Which of the repository's git folders is meant; without it that of the code. */
  readonly folder?: FolderKind;
  /** A folder that the repository has not got yet is answered for a fetch, too; otherwise it is missing. */
  readonly allowsNewFolder?: boolean;
  /** The address of the same thing under another owner and name. */
  redirect(owner: string, name: string): string;
}

export interface GitAccessOptions {
  readonly requireSignin: boolean;
  readonly pushCreate: boolean;
}

/** A git folder of a repository, with who sees it. */
export interface SeenFolder {
  readonly seen: SeenRepo;
  readonly folder: GitFolder;
}

/** A git folder that a repository has not got yet: the first push makes it. */
export interface NewFolder {
  readonly seen: SeenRepo;
  readonly begins: Exclude<FolderKind, "code">;
}

/** What the caller may go on with; `create`: a push to a repository that is not there yet, which its owner may make. */
export type GitTarget = SeenFolder | NewFolder | { readonly create: { readonly owner: User; readonly name: string } };

const missing = () => new NotFound("git.repository-missing");

/** It may be read, and not written: over HTTP no other than what is not there. */
export class NotWritable extends NotFound {
  override name = "NotWritable";
  constructor() {
    super("git.repository-missing");
  }
}

/**
 * Who may fetch from or push to what: contract git-content.md 12.2, the same for every transport.
 * Whether a pusher may change a certain ref is decided per ref when the refs change.
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
    // Without its scope the token's owner decides whether the thing exists for them; the scope, what they may do with it.
    const unscoped: Principal = principal.scope ? { ...principal, scope: undefined } : principal;
    const seen = this.look(request, unscoped, name);
    // An account that hides is one that does not exist, except to who may see a repository of it.
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
    // A reader of the code may go on: refs are refused one by one, in the push's own report. A wiki takes no pull requests,
    // and no one is there to ask for one with a deploy key.
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
    // Who may not make a repository there learns nothing about what is there.
    if (!own) throw missing();
    if (!this.options.pushCreate)
      throw new Forbidden(
        owner.kind === "organization" ? "git.push-create-disabled-in-organizations" : "git.push-create-disabled",
      );
    return { create: { owner, name } };
  }
}

/** Whether it came with a credential, though it may be one without an account. */
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

/** Nobody else sees what someone has whose account was switched off. */
export function isSwitchedOff(owner: User): boolean {
  return !owner.isActive && owner.kind === "individual";
}

/**
 * What is answered of an account that does not exist, and of one that hides: nobody may tell them apart, and whoever may
 * see more is asked who they are (where the contract's order, which answers 404 here, would give the hidden ones away).
 */
function nothingThere(principal: Principal): Error {
  return isSomeone(principal) ? missing() : new Unauthorised();
}

/** @param seen undefined: it is not there yet, and will be private @throws Forbidden its token may not do that there */
export function requireScope(principal: Principal, level: "read" | "write", seen: SeenRepo | undefined): void {
  if (!hasScope(principal, "repository", level)) throw new Forbidden("git.scope-missing", { params: { level } });
  const hidden = seen === undefined || seen.repo.isPrivate || seen.owner.visibility !== "public";
  if (principal.scope?.publicOnly && hidden) throw new Forbidden("repository.public-only");
}

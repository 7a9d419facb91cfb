import { atLeast } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { Authenticator } from "../identity/authenticate.ts";
import type { IdentityService } from "../identity/service.ts";
import { Forbidden, NotFound, Unauthorised } from "../kernel/errors.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import { isSwitchedOff, requireScope, requireUsable } from "../transport/access.ts";
import type { LfsLevel } from "./types.ts";

export interface LfsRequest {
  readonly principal: Principal;
  readonly owner: string;
  /** As in the address, with or without `.git`. */
  readonly name: string;
  readonly level: LfsLevel;
  /** For locks: reading needs an account or a key too, and a missing repository is reported as an unreadable one. */
  readonly isAboutLocks: boolean;
  /** The code of the refusal. */
  readonly refusal: string;
  /** The same address under another owner and name. */
  redirect(owner: string, name: string): string;
}

/**
 * Access to the large files of a repository (contract git-content.md 16.2). git-lfs asks for credentials on a 401, so
 * refusals are 401 too; only its owner is told that a repository is missing.
 */
export class LfsAccess {
  constructor(
    private readonly identity: IdentityService,
    private readonly repos: RepoService,
    private readonly authenticator: Authenticator,
  ) {}

  /** @throws Redirected; Unauthorised; Forbidden a token's scope, an unusable account, an archive; NotFound */
  target(request: LfsRequest): SeenRepo {
    const { level, principal, refusal } = request;
    const { user } = principal;
    if (user && principal.via !== "job") requireUsable(this.identity, user);
    const seen = this.look(request);
    if (!seen) throw this.nothingThere(request);
    const isKnown = user !== undefined || principal.repoCredential !== undefined;
    if (!isKnown && (level === "write" || request.isAboutLocks)) throw new Unauthorised(refusal);
    requireScope(principal, level, seen);
    if (!atLeast(seen.access.on("code"), level)) throw new Unauthorised(refusal);
    if (level === "write") requireOpen(seen);
    return seen;
  }

  /** The repository as it is now, after something that took time. @throws Unauthorised, Forbidden */
  still({ principal, repo }: SeenRepo, level: LfsLevel, refusal: string): SeenRepo {
    const now = this.authenticator.refreshed(principal);
    const seen = now && this.repos.seeById(now, repo.id);
    if (!seen || !atLeast(seen.access.on("code"), level)) throw new Unauthorised(refusal);
    if (level === "write") requireOpen(seen);
    return seen;
  }

  /** What the principal's account may see, whatever its token allows: the scope is checked later. */
  private look({ name, owner, principal, redirect }: LfsRequest): SeenRepo | undefined {
    const account = this.identity.byLogin(owner);
    const isOwn = principal.user?.isAdmin === true || principal.user?.id === account?.id;
    if (account && !isOwn && isSwitchedOff(account)) return undefined;
    const unscoped: Principal = principal.scope ? { ...principal, scope: undefined } : principal;
    try {
      const seen = this.repos.see(unscoped, owner, name.replace(/\.git$/i, ""), redirect);
      return seen.access.on("code") === "none" ? undefined : { ...seen, principal };
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  private nothingThere({ isAboutLocks, owner, principal: { onlyIn, user }, refusal }: LfsRequest): Error {
    // For another repository, a token limited to one is the same as an invalid one.
    const seesAll = user !== undefined && !onlyIn && (user.isAdmin || user.id === this.identity.byLogin(owner)?.id);
    return seesAll && !isAboutLocks ? new NotFound("git.repository-missing") : new Unauthorised(refusal);
  }
}

/** @throws Forbidden no uploads where pushing is impossible */
function requireOpen({ repo }: SeenRepo): void {
  if (repo.isArchived) throw new Forbidden("git.archived");
  if (repo.isMirror) throw new Forbidden("git.mirror");
}

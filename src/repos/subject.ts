import { onPages } from "../access/decide.ts";
import { atLeast, type Level, type Unit, units } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { Access, Call } from "../http/route.ts";
import type { SubjectLook, SubjectResolver } from "../http/subject.ts";
import { Forbidden, Locked, NotFound, Redirected, Unauthorised } from "../kernel/errors.ts";
import type { RepoService } from "./service.ts";
import { unitsOn } from "./settings/defaults.ts";
import type { Repo, SeenRepo } from "./types.ts";

/**
 * `unarchived`; `editable` and `own`: neither archived nor a mirror, with different messages (contract repositories.md
 * 1.2, git-content.md 10).
 */
export type RepoState = "unarchived" | "editable" | "own";

/** What a route requires of the repository named by `:owner` and `:repo` in its path. */
export interface RepoNeeds {
  /** On the unit, or on the repository as a whole if no unit is named. */
  readonly level: Exclude<Level, "none">;
  readonly unit?: Unit;
  /** Over REST too, a unit that is disabled or that the caller may not read looks missing. */
  readonly unreadable?: "missing";
  readonly state?: RepoState;
}

declare module "../http/subject.ts" {
  interface SubjectKinds {
    repository: { needs: RepoNeeds; found: SeenRepo };
  }
}

/** Finds the repository a path names, with the errors of the contract (repositories.md 1.2). */
export function repositorySubject(repos: RepoService): SubjectResolver<"repository"> {
  return {
    find: ({ principal, params, surface, moved }) => {
      const { owner, repo } = params;
      if (owner === undefined || repo === undefined) throw new Error("the path names no repository");
      // The web serves `name.git` like `name`.
      const name = surface === "api" ? repo : repo.replace(/\.git$/i, "");
      const seeAs = (who: Principal, known: string) =>
        repos.see(who, owner, known, (newOwner, newName) => moved({ owner: newOwner, repo: newName }));
      const see = (known: string) => {
        try {
          return seeAs(principal, known);
        } catch (error) {
          if (surface !== "bytes" || !principal.scope?.publicOnly || !(error instanceof NotFound)) throw error;
          // Clients fetching with a token learn that the token is insufficient (contract git-content.md 11).
          seeAs({ ...principal, scope: { ...principal.scope, publicOnly: false } }, known);
          throw new Forbidden("repository.public-only");
        }
      };
      const isPage = surface === "page" || surface === "bytes";
      // The clone name of a wiki; no repository can have it.
      if (isPage && /\.wiki$/i.test(name)) {
        const { owner: account, repo: present } = see(name.slice(0, -".wiki".length));
        throw new Redirected(303, inWiki(moved({ owner: account.login, repo: present.name })));
      }
      const seen = see(name);
      return isPage ? { ...seen, access: onPages(seen.access, unitsOn(seen.repo.settings)) } : seen;
    },
    require: (seen, needs, look) => {
      requireLevel(seen, needs, look);
      if (needs.state) requireState(seen, needs.state, look);
    },
    standing: ({ access, repo }) =>
      [
        repo.id,
        repo.ownerId,
        repo.isPrivate,
        repo.isArchived,
        repo.isMirror,
        access.level,
        ...units.map(access.on),
      ].join(" "),
  };
}

/** The matching address below the repository's wiki. */
const inWiki = (target: string) => target.replace(/^(\/[^/?]+\/[^/?]+?)(?:\.git)?(?=[/?]|$)/i, "$1/wiki");

function requireLevel(seen: SeenRepo, { unit, level, unreadable }: RepoNeeds, look: SubjectLook): void {
  const { principal, surface } = look;
  if (atLeast(unit ? seen.access.on(unit) : seen.access.level, level)) return;
  if (surface === "api" && unit && unreadable && !atLeast(seen.access.on(unit), "read")) throw new NotFound();
  if (surface === "api")
    throw principal.user || level === "read" ? new Forbidden(`repository.needs-${level}`) : new Unauthorised();
  // A page that only others may see looks missing; anonymous visitors may sign in first.
  if (!principal.user && level !== "read" && surface === "page") throw look.signInFirst();
  throw new NotFound();
}

function requireState({ repo }: SeenRepo, state: RepoState, { surface }: SubjectLook): void {
  if (isInState(repo, state)) return;
  if (surface !== "api") throw new NotFound();
  if (state === "own" && !repo.isArchived) throw new Forbidden("repository.is-mirror");
  throw new Locked(state === "editable" ? "repository.not-editable" : "repository.archived");
}

/** Whether the repository's state allows its content to be changed. */
function isInState({ isArchived, isMirror }: Repo, state: RepoState): boolean {
  return !isArchived && (state === "unarchived" || !isMirror);
}

/** Whether a route with that access admits the principal; pages ask before they show a link to it. */
export function mayUse({ who, subject }: Access, { access, principal, repo }: SeenRepo): boolean {
  if (subject?.kind !== "repository") throw new Error("the access is not to a repository");
  const { unit, level, state } = subject;
  if (who !== "anyone" && !principal.user) return false;
  return atLeast(unit ? access.on(unit) : access.level, level) && (!state || isInState(repo, state));
}

/** The repository of a route that declares one. */
export function seenRepo(call: Call): SeenRepo {
  const seen = call.found.repository;
  if (!seen) throw new Error(`${call.path} was reached without a repository`);
  return seen;
}

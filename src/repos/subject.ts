import { onPages } from "../access/decide.ts";
import { atLeast, type Level, type Unit, units } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { Access, Call } from "../http/route.ts";
import type { SubjectLook, SubjectResolver } from "../http/subject.ts";
import { Forbidden, Locked, NotFound, Redirected, Unauthorised } from "../kernel/errors.ts";
import type { RepoService } from "./service.ts";
import { unitsOn } from "./settings/defaults.ts";
import type { Repo, SeenRepo } from "./types.ts";

/** `unarchived`; `editable`, `own`: neither archived nor a mirror, each with words of its own (contract repositories.md 1.2, git-content.md 10). */
export type RepoState = "unarchived" | "editable" | "own";

/** What a route needs on the repository named by `:owner` and `:repo` of its path. */
export interface RepoNeeds {
  /** On the unit, or on the repository as a whole when no unit is named. */
  readonly level: Exclude<Level, "none">;
  readonly unit?: Unit;
  /** Over REST too, a unit that is off, or that the caller may not read, looks as if it were not there. */
  readonly unreadable?: "missing";
  readonly state?: RepoState;
}

declare module "../http/subject.ts" {
  interface SubjectKinds {
    repository: { needs: RepoNeeds; found: SeenRepo };
  }
}

/** Finds repositories of paths, and refuses in the words of the contract (repositories.md 1.2). */
export function repositorySubject(repos: RepoService): SubjectResolver<"repository"> {
  return {
    find: ({ principal, params, surface, moved }) => {
      const { owner, repo } = params;
      if (owner === undefined || repo === undefined) throw new Error("the path names no repository");
      // The web answers under `name.git` as under `name`.
      const name = surface === "api" ? repo : repo.replace(/\.git$/i, "");
      const seeAs = (who: Principal, known: string) =>
        repos.see(who, owner, known, (newOwner, newName) => moved({ owner: newOwner, repo: newName }));
      const see = (known: string) => {
        try {
          return seeAs(principal, known);
        } catch (error) {
          if (surface !== "bytes" || !principal.scope?.publicOnly || !(error instanceof NotFound)) throw error;
          // Programs that fetch with a token are told that the token does not do (contract git-content.md 11).
          seeAs({ ...principal, scope: { ...principal.scope, publicOnly: false } }, known);
          throw new Forbidden("repository.public-only");
        }
      };
      const isPage = surface === "page" || surface === "bytes";
      // The name that a wiki is cloned by; no repository is called so.
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

/** An address below a repository's, below its wiki. */
const inWiki = (target: string) => target.replace(/^(\/[^/?]+\/[^/?]+?)(?:\.git)?(?=[/?]|$)/i, "$1/wiki");

function requireLevel(seen: SeenRepo, { unit, level, unreadable }: RepoNeeds, look: SubjectLook): void {
  const { principal, surface } = look;
  if (atLeast(unit ? seen.access.on(unit) : seen.access.level, level)) return;
  if (surface === "api" && unit && unreadable && !atLeast(seen.access.on(unit), "read")) throw new NotFound();
  if (surface === "api")
    throw principal.user || level === "read" ? new Forbidden(`repository.needs-${level}`) : new Unauthorised();
  // A page that exists only for others looks like one that does not exist; a visitor may first say who they are.
  if (!principal.user && level !== "read" && surface === "page") throw look.signInFirst();
  throw new NotFound();
}

function requireState({ repo }: SeenRepo, state: RepoState, { surface }: SubjectLook): void {
  if (isInState(repo, state)) return;
  if (surface !== "api") throw new NotFound();
  if (state === "own" && !repo.isArchived) throw new Forbidden("repository.is-mirror");
  throw new Locked(state === "editable" ? "repository.not-editable" : "repository.archived");
}

/** Whether its content may be changed, as far as the repository itself says. */
function isInState({ isArchived, isMirror }: Repo, state: RepoState): boolean {
  return !isArchived && (state === "unarchived" || !isMirror);
}

/** Whether a route of that access lets the principal in: what a page asks before it shows the way there. */
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

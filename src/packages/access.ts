import { atLeast, higher, type Level, lower } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import { isSiteAdmin } from "../access/principal.ts";
import { hasScope } from "../access/scopes.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { Access } from "../http/route.ts";
import type { SubjectLook, SubjectResolver } from "../http/subject.ts";
import type { IdentityService } from "../identity/service.ts";
import { Forbidden, NotFound, Redirected, Unauthorised } from "../kernel/errors.ts";
import type { TeamService } from "../organizations/teams/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenPackages } from "./types.ts";

/** What a route requires on the packages of the account named by `:owner`. */
export interface PackagesNeeds {
  readonly level: "read" | "write";
}

declare module "../http/subject.ts" {
  interface SubjectKinds {
    packages: { needs: PackagesNeeds; found: SeenPackages };
  }
}

/** REST requires credentials even for what everyone may see (contract packages.md 5). */
const api: Access = {
  who: "user",
  signedInFirst: true,
  scopes: ["package"],
  publicOnly: "filtered",
  forJobs: true,
};
export const readsPackages: Access = { ...api, subject: { kind: "packages", level: "read" } };
export const writesPackages: Access = { ...api, subject: { kind: "packages", level: "write" } };

/** Callers who may not see packages are not shown their pages. */
export const packagesOnPages = (level: "read" | "write"): Access => ({
  who: "anyone",
  scopes: ["package"],
  publicOnly: "filtered",
  subject: { kind: "packages", level },
});

/** Registries check closed sites and jobs themselves. */
export const registryAccess = (level: "read" | "write"): Access => ({
  who: "anyone",
  scopes: ["package"],
  publicOnly: "filtered",
  forJobs: true,
  beforeSignIn: true,
  subject: { kind: "packages", level },
});

export interface PackagesAccessNeeds {
  readonly access: AccessControl;
  readonly identity: IdentityService;
  readonly repos: Pick<RepoService, "byId">;
  readonly teams: TeamService;
  readonly requireSignIn: boolean;
}

/** Who may do what with the packages of an account (contract packages.md 2.1). */
export class PackagesAccess {
  constructor(private readonly needs: PackagesAccessNeeds) {}

  /** The packages of the account with that login; undefined if there is none, or the principal may not read them. */
  see(principal: Principal, login: string): SeenPackages | undefined {
    const owner = this.needs.identity.byLogin(login);
    if (!owner || !hasScope(principal, "package", "read")) return undefined;
    if (principal.scope?.publicOnly && owner.visibility !== "public") return undefined;
    const level = this.levelOf(principal, owner);
    return level === "none" ? undefined : { principal, owner, level, challenges: false };
  }

  levelOf(principal: Principal, owner: User): Level {
    const { user } = principal;
    if (principal.via === "operator") return "owner";
    if (principal.via === "job") return this.levelOfJob(principal, owner);
    if (!user) return owner.visibility === "public" && !this.needs.requireSignIn ? "read" : "none";
    if (this.needs.identity.accountProblem(user) !== undefined) return "none";
    if (isSiteAdmin({ ...principal, scope: undefined })) return "owner";
    if (owner.kind !== "organization") {
      if (user.id === owner.id) return "owner";
      return owner.visibility === "private" ? "none" : "read";
    }
    const given = this.needs.teams
      .ofMember(owner, user)
      .map(({ level, units }) => (level === "none" ? (units.packages ?? "none") : level))
      .reduce<Level>(higher, "none");
    if (given !== "none") return given;
    return this.needs.access.sees({ ...principal, scope: undefined }, owner) ? "read" : "none";
  }

  /**
   * A job may read packages as everyone does, and those of its repository's owner as far as its token grants packages;
   * `requireWrite` decides which of them it may change (contract actions.md 7.1).
   */
  private levelOfJob({ repoCredential }: Principal, owner: User): Level {
    const repo = repoCredential && this.needs.repos.byId(repoCredential.repoId);
    const given = repo?.ownerId === owner.id ? (repoCredential?.units.packages ?? "none") : "none";
    return higher(owner.visibility === "private" ? "none" : "read", lower(given, "write"));
  }
}

/** Resolves `:owner` in paths to accounts; errors use the contract's wording (packages.md 2.3). */
export function packagesSubject(identity: IdentityService, access: PackagesAccess): SubjectResolver<"packages"> {
  return {
    find: ({ moved, params, principal, surface }) => {
      const name = params["owner"] ?? params["username"] ?? params["org"] ?? "";
      const owner = identity.byLogin(name);
      if (!owner) {
        const renamed = identity.renamedTo(name);
        if (!renamed || (surface === "page" && !identity.sees(principal, renamed))) throw missing(surface, name);
        throw new Redirected(307, moved({ owner: renamed.login }));
      }
      return { principal, owner, level: access.levelOf(principal, owner), challenges: surface === "registry" };
    },
    standing: ({ level, owner }) => `${owner.id} ${level}`,
    require: ({ level, owner }, needs, { principal, surface }: SubjectLook) => {
      if (surface === "page" || surface === "bytes") {
        const isHidden = principal.scope?.publicOnly === true && owner.visibility !== "public";
        if (isHidden || !atLeast(level, needs.level)) throw new NotFound();
        return;
      }
      if (surface === "registry" && !hasScope(principal, "package", needs.level))
        throw registryRefusal(principal, owner, "scope");
      if (principal.scope?.publicOnly && owner.visibility !== "public") throw new Forbidden("packages.public-only");
      if (atLeast(level, needs.level)) return;
      throw surface === "registry" ? registryRefusal(principal, owner) : new Forbidden("packages.api-needs-access");
    },
  };
}

const missing = (surface: SubjectLook["surface"], name: string) =>
  surface === "api"
    ? new NotFound("account.no-such-name", { params: { name } })
    : new NotFound("packages.owner-missing");

/** Asks for credentials, or better ones: clients send them only after this status. @param lacks what is missing */
export function registryRefusal(
  { user }: Principal,
  { visibility }: Pick<User, "visibility">,
  lacks: "level" | "scope" = "level",
): Unauthorised {
  const params = { owner: visibility, lacks };
  return new Unauthorised(user ? "packages.needs-access" : "packages.needs-credentials", { params });
}

import { anonymous, asAccount, type Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { IdentityService } from "../identity/service.ts";
import { BadRequest, Failure, Forbidden, NotFound } from "../kernel/errors.ts";
import type { Links } from "../kernel/links.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import { repositoryActor } from "./addresses.ts";
import { noteLike } from "./store.ts";

export interface FederationParts {
  readonly db: Database;
  readonly identity: IdentityService;
  readonly links: Links;
  readonly repos: RepoService;
}

/** A Like of a repository (contract identity.md 16.6). */
export interface Activity {
  readonly type: unknown;
  readonly actor: unknown;
  readonly object: unknown;
  readonly startTime: unknown;
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;
/** Tolerated clock difference of another server. */
const AHEAD_MS = 60_000;

/** People and repositories as visible to other servers: invisible ones are reported as missing. */
export class FederationService {
  constructor(private readonly parts: FederationParts) {}

  /** @throws NotFound; Forbidden a public-only token requests one that is not public */
  userById(principal: Principal, given: string): User {
    const id = /^\d{1,15}$/.test(given) ? Number(given) : 0;
    return this.seen(principal, this.parts.identity.byId(id), () => missingUser(given));
  }

  /** By name, ignoring case. @throws NotFound; Forbidden */
  userByName(principal: Principal, name: string): User {
    const user = this.parts.identity.byLogin(name);
    return this.seen(principal, user, () => new NotFound("federation.no-such-name", { params: { name } }));
  }

  /** @throws NotFound */
  repositoryById(principal: Principal, given: string): SeenRepo {
    const seen = /^\d{1,15}$/.test(given) ? this.parts.repos.seeById(principal, Number(given)) : undefined;
    if (!seen) throw new NotFound("federation.no-such-repository", { params: { id: given } });
    return seen;
  }

  /**
   * The account that a WebFinger resource names; the same for everyone, ignoring credentials.
   * @throws BadRequest not an address of this site; NotFound
   */
  find(resource: string): User {
    const user = this.named(resource);
    if (!user || !isActor(user) || !this.parts.identity.sees(anonymous, user)) throw new NotFound();
    return user;
  }

  /**
   * Checks and records a signed Like; only accounts here can star.
   * @param signer the actor who signed it
   * @throws Failure 406 not a Like, for another repository, or not newer than the last one from its server
   */
  receiveLike({ repo }: SeenRepo, { type, actor, object, startTime }: Activity, signer: string, now: number): void {
    const { db, links } = this.parts;
    const at = typeof startTime === "string" && RFC_3339.test(startTime) ? Date.parse(startTime) : Number.NaN;
    const isLike = type === "Like" && object === repositoryActor(links, repo) && at <= now + AHEAD_MS;
    if (!isLike || hostOf(actor) !== hostOf(signer) || !db.transaction(() => noteLike(db, hostOf(signer), at)))
      throw new Failure(406, "federation.not-acceptable");
  }

  /** @throws Forbidden its claimed actor is on another server than its signer */
  requireFrom(signer: string, { actor }: Activity): void {
    if (actor !== undefined && hostOf(actor) !== hostOf(signer)) throw new Forbidden("federation.wrong-signature");
  }

  private seen(principal: Principal, user: User | undefined, missing: () => NotFound): User {
    const { identity } = this.parts;
    if (!user || !isActor(user)) throw missing();
    if (identity.sees(principal, user)) return user;
    const isTokensFault =
      principal.scope?.publicOnly && principal.user && identity.sees(asAccount(principal.user), user);
    throw isTokensFault ? new Forbidden("federation.public-only") : missing();
  }

  private named(resource: string): User | undefined {
    const { identity, links } = this.parts;
    const site = new URL(links.rootUrl);
    const [, name, host] = /^acct:([^@\s]{1,64})@([^@\s/]{1,255})$/i.exec(resource) ?? [];
    if (name !== undefined) {
      if (host?.toLowerCase() !== site.host) throw malformed();
      return identity.byLogin(name);
    }
    const [, address] = /^mailto:([^@\s]{1,64}@[^@\s]{1,255})$/i.exec(resource) ?? [];
    if (address !== undefined) {
      const user = identity.byEmail(address);
      return user && !user.hideEmail && user.email.toLowerCase() === address.toLowerCase() ? user : undefined;
    }
    if (!/^https?:\/\//i.test(resource) || !URL.canParse(resource)) throw malformed();
    const url = new URL(resource);
    if (url.host !== site.host || !url.pathname.startsWith(site.pathname)) throw malformed();
    return identity.byLogin(url.pathname.slice(site.pathname.length));
  }
}

/** Accounts exposed as actors. */
const isActor = ({ kind }: User) => kind !== "reserved";

const malformed = () => new BadRequest("federation.resource-malformed");
const missingUser = (id: string) => new NotFound("federation.no-such-user", { params: { id } });

function hostOf(address: unknown): string {
  return typeof address === "string" && URL.canParse(address) ? new URL(address).host : "";
}

import { atLeast } from "../access/levels.ts";
import { accountOf, asAccount, isSiteAdmin, operator, type Principal } from "../access/principal.ts";
import { administersSite } from "../access/requirements.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { AvatarService } from "../avatars/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import type { OrganizationAccounts, OrganizationProfile } from "../identity/organization-accounts.ts";
import type { IdentityService } from "../identity/service.ts";
import { requirePerson } from "../identity/values.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Clock } from "../kernel/clock.ts";
import { Forbidden, NotFound, Redirected, ValidationFailed } from "../kernel/errors.ts";
import { nextTurn } from "../kernel/next-turn.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { RepoRemoval } from "../repos/removal.ts";
import type { RepoSearch } from "../repos/search/service.ts";
import type { RepoService } from "../repos/service.ts";
import * as store from "./store.ts";
import { addToTeam, findTeam, insertTeam } from "./teams/store.ts";
import type { Organization, SeenOrganization, Standing } from "./types.ts";
import { OWNERS_TEAM } from "./values.ts";

export interface OrganizationNeeds {
  readonly db: Database;
  readonly access: AccessControl;
  readonly outbox: Outbox;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly identity: IdentityService;
  readonly accounts: OrganizationAccounts;
  readonly avatars: AvatarService;
  readonly repoRemoval: RepoRemoval;
  readonly repos: RepoService;
  readonly repoSearch: RepoSearch;
}

type AccountOrder = Parameters<IdentityService["list"]>[2];

const byName: AccountOrder = { by: "name", descending: false };

/** Absent fields stay as they are. */
export interface OrganizationEdit extends OrganizationProfile {
  readonly repoAdminsChangeTeams?: boolean | undefined;
}

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Deletes the organization's repositories created up to `until` (milliseconds), as far as that account may. */
    "organization.delete-repositories": {
      readonly organizationId: number;
      readonly userId: number;
      readonly until: number;
    };
  }
}

/** Organizations: creating, changing, finding and removing them (contract identity.md 12). */
export class OrganizationService {
  constructor(private readonly needs: OrganizationNeeds) {
    needs.jobs.handle("organization.delete-repositories", {
      parse: parseDeletion,
      run: ({ organizationId, userId, until }, { signal }) => this.runDeletion(organizationId, userId, until, signal),
    });
  }

  /**
   * The organization of that name as the principal sees it.
   * @param redirect builds the address to redirect to when it was renamed
   * @throws NotFound missing, invisible or not an organization; Redirected 307; Forbidden only the token's
   * `public-only` hides it
   */
  see(principal: Principal, name: string, redirect: (presentName: string) => string): SeenOrganization {
    const { identity } = this.needs;
    const present = identity.byLogin(name);
    const found = present ?? identity.renamedTo(name);
    if (found?.kind !== "organization") throw new NotFound();
    const seen = this.seen(principal, found);
    if (!present) throw new Redirected(307, redirect(found.login));
    return seen;
  }

  /**
   * The organization with that current name, as the owner of a new repository.
   * @throws NotFound missing or invisible; Forbidden the principal may not create repositories there
   */
  ownerFor(principal: Principal, name: string): User {
    const found = this.needs.identity.byLogin(name);
    if (found?.kind !== "organization") throw new NotFound();
    const seen = this.seen(principal, found);
    if (!this.mayCreateRepos(seen)) throw new Forbidden("organization.no-repo-creation");
    return found;
  }

  /** @throws NotFound; Forbidden only the token's `public-only` hides it */
  seeById(principal: Principal, id: number): SeenOrganization {
    const found = this.needs.identity.byId(id);
    if (found?.kind !== "organization") throw new NotFound();
    return this.seen(principal, found);
  }

  private seen(principal: Principal, organization: User): SeenOrganization {
    const { access } = this.needs;
    if (!access.sees({ ...principal, scope: undefined }, organization)) throw new NotFound();
    if (!access.sees(principal, organization)) throw new Forbidden("organization.public-only");
    return this.standingIn(principal, organization);
  }

  /** The principal's standing in it, even if they can only see one of its repositories. */
  standingIn(principal: Principal, organization: User): SeenOrganization {
    const { db } = this.needs;
    const row = store.standingOf(db, organization.id, principal.user?.id ?? 0);
    if (!row) throw new NotFound();
    const isMember = row.isMember === 1;
    const standing: Standing = row.isOwner === 1 || administersSite(principal) ? "owner" : isMember ? "member" : "none";
    return { principal, organization, standing, isMember, repoAdminsChangeTeams: row.repoAdminsChangeTeams === 1 };
  }

  /** Organizations the principal may see. @param text part of the name; empty: all */
  list(principal: Principal, paging: Paging, text = "", order: AccountOrder = byName): Slice<Organization> {
    const { items, total } = this.needs.identity.list(principal, { kinds: ["organization"], text }, order, paging);
    return { items: this.withSettings(items), total };
  }

  /**
   * The organizations an account belongs to, as far as the principal may know. The caller has checked that the
   * account is visible.
   */
  ofUser(principal: Principal, user: User, paging: Paging): Slice<Organization> {
    const { access, db, identity } = this.needs;
    const own = principal.user?.id === user.id;
    const knowsAll = own || isSiteAdmin(principal);
    const viewer = { isVisible: access.accountCondition("users"), params: access.params(principal) };
    const filter = { publicOnly: !knowsAll, withPrivate: knowsAll };
    const all = identity.rememberedIds(["organizations", user.id, filter, viewer.params], () =>
      store.organizationsOf(db, user.id, filter, viewer),
    );
    const ids = [...all.subarray(paging.offset, paging.offset + paging.limit)];
    const found = identity.byIds(ids);
    return { items: this.withSettings(ids.flatMap((id) => found.get(id) ?? [])), total: all.length };
  }

  /** These accounts with the settings specific to organizations, in one query. */
  withSettings(accounts: readonly User[]): Organization[] {
    const changing = store.repoAdminsChangeTeams(
      this.needs.db,
      accounts.map(({ id }) => id),
    );
    return accounts.map((account) => ({ account, repoAdminsChangeTeams: changing.has(account.id) }));
  }

  /** Whether the account may create organizations. */
  mayCreate(user: User): boolean {
    return user.isAdmin || user.allowCreateOrganization;
  }

  /**
   * @param owner its only owner
   * @throws Forbidden the owner may not create any; ValidationFailed a value that breaks a rule, or a name that is
   * taken
   */
  create(principal: Principal, owner: User, name: string, edit: OrganizationEdit): Organization {
    const { accounts, clock, db } = this.needs;
    requirePerson(owner);
    if (!this.mayCreate(owner)) throw new Forbidden("organization.creation-not-allowed");
    const { repoAdminsChangeTeams = false, ...profile } = edit;
    return db.transaction(() => {
      const account = accounts.create(principal, name, profile);
      store.insertOrganization(db, account.id, repoAdminsChangeTeams);
      store.addMember(db, account.id, owner.id, clock());
      const teamId = insertTeam(
        db,
        {
          organizationId: account.id,
          name: OWNERS_TEAM,
          description: "",
          level: "owner",
          units: {},
          includesAll: true,
          canCreateRepos: true,
          visibility: "limited",
        },
        clock(),
      );
      const team = findTeam(db, teamId);
      if (team) addToTeam(db, team, owner.id, clock());
      return { account, repoAdminsChangeTeams };
    });
  }

  /** @throws Forbidden not an owner; ValidationFailed a value that breaks a rule; nothing was changed */
  edit(seen: SeenOrganization, edit: OrganizationEdit): Organization {
    requireOwner(seen);
    const { accounts, db, outbox } = this.needs;
    const { organization } = seen;
    const { repoAdminsChangeTeams, ...profile } = edit;
    return db.transaction(() => {
      const account = accounts.edit(organization, profile);
      if (repoAdminsChangeTeams !== undefined)
        store.setRepoAdminsChangeTeams(db, organization.id, repoAdminsChangeTeams);
      if (account.visibility !== organization.visibility)
        outbox.append("access.changed", { ownerId: organization.id }, { userId: null });
      return { account, repoAdminsChangeTeams: repoAdminsChangeTeams ?? seen.repoAdminsChangeTeams };
    });
  }

  /**
   * Renames it; the former name redirects to it from then on.
   * @throws Forbidden not an owner; ValidationFailed a name that is malformed, reserved or taken
   */
  rename(seen: SeenOrganization, name: string): void {
    requireOwner(seen);
    const { accounts, db } = this.needs;
    db.transaction(() => accounts.rename(seen.principal, seen.organization, name));
  }

  /** @throws Forbidden not an owner; ValidationFailed it has repositories or packages */
  remove(seen: SeenOrganization): void {
    requireOwner(seen);
    const { accounts, db, identity, repos } = this.needs;
    const { organization } = seen;
    db.transaction(() => {
      if ((repos.countsOwned([organization]).get(organization.id) ?? 0) > 0)
        throw new ValidationFailed("organization.owns-repositories", { params: { id: organization.id } });
      identity.requireWithoutBelongings(organization);
      accounts.remove(seen.principal, organization);
    });
  }

  /** @throws Forbidden not an owner; ValidationFailed not a picture, or too large */
  async setAvatar(seen: SeenOrganization, upload: Uint8Array): Promise<void> {
    requireOwner(seen);
    const { accounts, avatars } = this.needs;
    await avatars.keep(upload, (address) => accounts.setAvatar(seen.organization, address));
  }

  /** Restores the generated picture. @throws Forbidden not an owner */
  removeAvatar(seen: SeenOrganization): void {
    requireOwner(seen);
    this.needs.accounts.setAvatar(seen.organization, "");
  }

  /** Whether the principal may create repositories there. */
  mayCreateRepos({ principal, organization, standing }: SeenOrganization): boolean {
    return standing === "owner" || this.accountMayCreateRepos(organization, principal.user);
  }

  /** The organizations in which the account's teams may create repositories, by name. */
  creatableFor(user: User): User[] {
    const { db, identity } = this.needs;
    const ids = store.creatableFor(db, user.id);
    const found = identity.byIds(ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Whether one of the account's teams may create repositories, regardless of the account's other rights. */
  accountMayCreateRepos(organization: User, user: User | undefined): boolean {
    return user !== undefined && store.mayCreateRepos(this.needs.db, organization.id, user.id);
  }

  /**
   * Deletes every repository, in the background.
   * @returns whether there was one
   * @throws Forbidden not an owner
   */
  removeRepos(seen: SeenOrganization): boolean {
    requireOwner(seen);
    const { clock, jobs, repos } = this.needs;
    const { id } = seen.organization;
    if ((repos.countsOwned([seen.organization]).get(id) ?? 0) === 0) return false;
    const user = accountOf(seen.principal);
    jobs.enqueue("organization.delete-repositories", { organizationId: id, userId: user.id, until: clock() });
    return true;
  }

  private async runDeletion(organizationId: number, userId: number, until: number, signal: AbortSignal) {
    const { identity, repoRemoval, repoSearch } = this.needs;
    for (;;) {
      // Read each time: permission may be revoked meanwhile, and other work is waiting for this thread.
      const [organization, user] = [identity.byId(organizationId), identity.byId(userId)];
      if (!organization || !user) return;
      const [oldest] = repoSearch.ownedBy(operator, organization, { page: 1, limit: 1, offset: 0 }).items;
      if (!oldest || oldest.repo.createdAt > until) return;
      repoRemoval.remove(asAccount(user), oldest.repo);
      signal.throwIfAborted();
      await nextTurn();
    }
  }

  // For other areas.

  /** Whether the account is a member; no permission is checked. */
  belongs(organization: User, user: User): boolean {
    return store.membershipIsPublic(this.needs.db, organization.id, user.id) !== undefined;
  }

  /** The organizations an account belongs to; no permission is checked. */
  membershipsOf(user: User): User[] {
    const { db, identity } = this.needs;
    return [...identity.byIds(store.membershipsOf(db, user.id)).values()];
  }

  /** The organizations of which an account is the only owner. */
  ownedAlone(user: User): User[] {
    return this.membershipsOf(user).filter(({ id }) => store.isLastOwner(this.needs.db, id, user.id));
  }

  /**
   * Prepares the removal of an account: its memberships end, and organizations it alone owns are deleted with
   * everything in them. Joins the running transaction.
   */
  purge(principal: Principal, user: User): void {
    const { accounts, db, repoRemoval, repos } = this.needs;
    for (const organization of this.membershipsOf(user)) {
      if (store.isLastOwner(db, organization.id, user.id)) {
        for (const repo of repos.ownedBy(organization)) repoRemoval.removeForGood(principal, repo);
        accounts.remove(principal, organization);
      } else store.deleteMember(db, organization.id, user.id);
    }
  }

  /**
   * Called when a repository was created in an organization: the creator needs admin rights if no team grants them.
   * Joins the running transaction.
   * @returns the account to give that level to
   */
  creatorWithoutRights(repoId: number, userId: number): User | undefined {
    const { db, identity, repos } = this.needs;
    const user = identity.byId(userId);
    const repo = repos.byId(repoId);
    const owner = repo && identity.byId(repo.ownerId);
    if (!user || !repo || owner?.kind !== "organization" || store.standingOf(db, owner.id, user.id)?.isMember !== 1)
      return undefined;
    return atLeast(repos.accessOf(asAccount(user), repo, owner).level, "admin") ? undefined : user;
  }
}

/** @throws Forbidden */
export function requireOwner({ standing }: SeenOrganization): void {
  if (standing !== "owner") throw new Forbidden("organization.needs-owner");
}

function parseDeletion(payload: unknown): { organizationId: number; userId: number; until: number } {
  const { organizationId, userId, until } = (payload ?? {}) as Record<string, unknown>;
  if (typeof organizationId !== "number" || typeof userId !== "number" || typeof until !== "number")
    throw new Error("the job names no organization");
  return { organizationId, userId, until };
}

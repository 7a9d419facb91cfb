import { atLeast, higher, type Level, type Visibility } from "../../access/levels.ts";
import { accountOf, type Principal } from "../../access/principal.ts";
import type { AccessControl } from "../../access/service.ts";
import type { User } from "../../access/user.ts";
import type { BlockService } from "../../blocks/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RepoService } from "../../repos/service.ts";
import { knowsMembers } from "../members/service.ts";
import { type OrganizationService, requireOwner } from "../service.ts";
import { addMember, deleteMember, isLastOwner, membershipIsPublic } from "../store.ts";
import type { SeenOrganization, SeenTeam, Team } from "../types.ts";
import { checkTeamDescription, checkTeamName, type GivenRights, rightsOf } from "../values.ts";
import { TeamRepos, tellRightsLost } from "./repos.ts";
import * as store from "./store.ts";

export interface TeamNeeds {
  readonly db: Database;
  readonly access: AccessControl;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly identity: IdentityService;
  readonly blocks: BlockService;
  readonly repos: RepoService;
  readonly organizations: OrganizationService;
}

/** Fields of a new or changed team; absent ones stay as they are. */
export interface TeamEdit extends GivenRights {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly includesAll?: boolean | undefined;
  readonly canCreateRepos?: boolean | undefined;
  readonly visibility?: Visibility | undefined;
}

/** Teams: their rights and members (contract identity.md 13). */
export class TeamService {
  /** The repositories of teams. */
  readonly repos: TeamRepos;

  constructor(private readonly needs: TeamNeeds) {
    this.repos = new TeamRepos(needs);
  }

  /**
   * A team of an organization that the principal may see; `reads` checks whether its content is visible. @throws
   * NotFound
   */
  find(principal: Principal, id: number): SeenTeam {
    const team = store.findTeam(this.needs.db, id);
    if (!team) throw new NotFound();
    return this.seen(this.needs.organizations.seeById(principal, team.organizationId), team);
  }

  /** The team of that name, in any letter case. @throws NotFound missing or not visible */
  named(seen: SeenOrganization, name: string): SeenTeam {
    const team = this.findNamed(seen, name);
    if (!team) throw new NotFound();
    return this.seen(seen, team);
  }

  /** The same; undefined if missing or not visible. */
  findNamed(seen: SeenOrganization, name: string): Team | undefined {
    const team = store.findTeamByName(this.needs.db, seen.organization.id, name);
    return team && this.reads(this.seen(seen, team)) ? team : undefined;
  }

  private seen(seen: SeenOrganization, team: Team): SeenTeam {
    const { user } = seen.principal;
    return { team, seen, isMember: user !== undefined && store.isInTeam(this.needs.db, team.id, user.id) };
  }

  /** Whether the principal may see the team. */
  reads({ team, seen, isMember }: SeenTeam): boolean {
    if (isMember || seen.standing === "owner" || team.visibility === "public") return true;
    return team.visibility === "limited" && seen.standing === "member";
  }

  /** Teams visible to the principal: the owners first, then by name. @param text part of the name or description */
  list(
    { organization, principal, standing }: SeenOrganization,
    paging: Paging,
    text = "",
    inDescription = true,
  ): Slice<Team> {
    const viewer = {
      userId: principal.user?.id ?? 0,
      seesAll: standing === "owner",
      publicOnly: principal.scope?.publicOnly === true,
    };
    return store.teamsOf(this.needs.db, organization.id, viewer, { text, inDescription }, paging);
  }

  /** The caller's teams. */
  own(principal: Principal, paging: Paging): Slice<Team> {
    return store.teamsOfUser(this.needs.db, accountOf(principal).id, paging);
  }

  /** The teams that exist; no permission is checked. */
  byIds(ids: readonly number[]): Team[] {
    return store.findTeams(this.needs.db, ids);
  }

  /** The teams of an account in one organization; no permission is checked. */
  ofMember(organization: User, user: User): Team[] {
    return store.teamsOfMember(this.needs.db, organization.id, user.id);
  }

  /**
   * The organizations and teams of an account as groups for other programs: `org`, `org:team`, in lower case.
   * @param publicOnly leaves out private memberships and organizations
   */
  groupsOf(user: User, publicOnly: boolean): string[] {
    const names = store.teamNamesOf(this.needs.db, user.id, publicOnly);
    return [...new Set(names.flatMap(({ organization, team }) => [organization, `${organization}:${team}`]))];
  }

  /** The rights an account has in the organization through its teams. */
  permissions({ organization }: SeenOrganization, user: User) {
    const teams = this.ofMember(organization, user);
    const highest = teams.reduce<Level>((level, team) => higher(level, highestOf(team)), "none");
    return {
      isOwner: highest === "owner",
      isAdmin: atLeast(highest, "admin"),
      canWrite: atLeast(highest, "write"),
      canRead: atLeast(highest, "read"),
      canCreateRepos: teams.some((team) => team.canCreateRepos || team.level === "owner"),
    };
  }

  /** The number of members, and of individually assigned repositories, of each of the teams. */
  counts(teams: readonly Team[]) {
    return store.countsOfTeams(
      this.needs.db,
      teams.map(({ id }) => id),
    );
  }

  /** @throws Forbidden not an owner; ValidationFailed a value that breaks a rule, or a name that is taken */
  create(seen: SeenOrganization, edit: TeamEdit & { readonly name: string }): Team {
    requireOwner(seen);
    checkTeamName(edit.name);
    checkTeamDescription(edit.description ?? "");
    const rights = rightsOf(edit);
    if (!rights) throw new ValidationFailed("team.no-units", { field: "units" });
    const { clock, db, outbox } = this.needs;
    const { organization, principal } = seen;
    return db.transaction(() => {
      this.requireFreeName(organization, edit.name);
      const id = store.insertTeam(
        db,
        {
          organizationId: organization.id,
          name: edit.name,
          description: edit.description ?? "",
          ...rights,
          includesAll: edit.includesAll ?? false,
          canCreateRepos: edit.canCreateRepos ?? false,
          visibility: edit.visibility ?? "private",
        },
        clock(),
      );
      const context = { ownerId: organization.id, principal: storedPrincipal(principal) };
      outbox.append("team.created", context, { teamId: id, name: edit.name });
      return this.require(id);
    });
  }

  /**
   * Changes a team. The owners team keeps its name, rights and visibility.
   * @throws Forbidden not an owner; ValidationFailed a value that breaks a rule, a name that is taken; nothing was
   * changed
   */
  edit({ team: { id }, seen }: SeenTeam, edit: TeamEdit): Team {
    requireOwner(seen);
    if (edit.name !== undefined) checkTeamName(edit.name);
    if (edit.description !== undefined) checkTeamDescription(edit.description);
    const { clock, db, outbox } = this.needs;
    const { organization, principal } = seen;
    return db.transaction(() => {
      const team = this.require(id);
      if (edit.name !== undefined) this.requireFreeName(organization, edit.name, id);
      if (team.level === "owner" && edit.name !== undefined && edit.name !== team.name)
        throw new ValidationFailed("team.owners-stay", { field: "name" });
      const description = edit.description ?? team.description;
      if (team.level === "owner") store.updateTeam(db, { ...team, description }, clock());
      else {
        const rights = rightsOf(edit, team.units) ?? { level: team.level, units: team.units };
        store.updateTeam(
          db,
          {
            id,
            name: edit.name ?? team.name,
            description,
            ...rights,
            includesAll: edit.includesAll ?? team.includesAll,
            canCreateRepos: edit.canCreateRepos ?? team.canCreateRepos,
            visibility: edit.visibility ?? team.visibility,
          },
          clock(),
        );
        tellRightsLost(outbox, team);
      }
      outbox.append("team.edited", { ownerId: organization.id, principal: storedPrincipal(principal) }, { teamId: id });
      return this.require(id);
    });
  }

  /** Members of no other team leave the organization. @throws Forbidden not an owner; ValidationFailed the owners */
  remove({ team, seen }: SeenTeam): void {
    requireOwner(seen);
    if (team.level === "owner") throw new ValidationFailed("team.owners-stay");
    const { db, outbox } = this.needs;
    db.transaction(() => {
      const members = store.allInTeam(db, team.id);
      store.deleteTeam(db, team.id);
      const context = { ownerId: team.organizationId, principal: storedPrincipal(seen.principal) };
      outbox.append("team.deleted", context, { teamId: team.id, name: team.name });
      for (const userId of members) this.leaveIfLast(team, userId);
    });
  }

  /** Members of the organization see everyone, others see public members whose accounts are visible to them. */
  members({ team, seen }: SeenTeam, paging: Paging): Slice<User> {
    const { access, db, identity } = this.needs;
    const viewer = knowsMembers(seen)
      ? { isVisible: "1", params: {} }
      : {
          isVisible: `organization_members.is_public = 1 AND ${access.accountCondition("users")}`,
          params: access.params(seen.principal),
        };
    const { ids, total } = store.teamMembers(db, team.id, viewer, paging);
    const users = identity.byIds(ids);
    return { items: ids.flatMap((id) => users.get(id) ?? []), total };
  }

  /** Everyone in the team; no permission is checked. */
  memberIds(teamId: number): number[] {
    return store.allInTeam(this.needs.db, teamId);
  }

  /** Whether the account is in the result of `members`. */
  isShownIn(found: SeenTeam, user: User): boolean {
    const { seen } = found;
    const mayKnow = knowsMembers(seen) || membershipIsPublic(this.needs.db, seen.organization.id, user.id) === true;
    return mayKnow && this.isIn(found, user);
  }

  isIn({ team }: SeenTeam, user: User): boolean {
    return store.isInTeam(this.needs.db, team.id, user.id);
  }

  /**
   * Adds an account to a team and thereby to the organization. Does nothing if it is already in it.
   * @throws Forbidden not an owner, or one side blocks the other; ValidationFailed the account is not a person's
   */
  addMember({ team, seen }: SeenTeam, user: User): void {
    requireOwner(seen);
    if (user.kind !== "individual" && user.kind !== "bot")
      throw new ValidationFailed("team.member-not-allowed", { field: "username", params: { name: user.login } });
    const { blocks, clock, db, outbox } = this.needs;
    db.transaction(() => {
      blocks.requireUnblocked(seen.organization, user);
      if (seen.principal.user) blocks.requireUnblocked(user, seen.principal.user);
      addMember(db, team.organizationId, user.id, clock());
      if (!store.addToTeam(db, team, user.id, clock())) return;
      const context = { ownerId: team.organizationId, principal: storedPrincipal(seen.principal) };
      outbox.append("team.member-added", context, { teamId: team.id, userId: user.id });
      outbox.append("access.changed", { ownerId: team.organizationId }, { userId: user.id });
    });
  }

  /**
   * Removes an account from a team; does nothing if it is not in it.
   * @throws Forbidden neither an owner nor the account itself; ValidationFailed the last owner
   */
  removeMember({ team, seen }: SeenTeam, user: User): void {
    if (seen.principal.user?.id !== user.id) requireOwner(seen);
    const { db, outbox } = this.needs;
    db.transaction(() => {
      if (team.level === "owner" && isLastOwner(db, team.organizationId, user.id))
        throw new ValidationFailed("organization.last-owner", { params: { id: user.id } });
      if (!store.removeFromTeam(db, team.id, user.id)) return;
      const context = { ownerId: team.organizationId, principal: storedPrincipal(seen.principal) };
      outbox.append("team.member-removed", context, { teamId: team.id, userId: user.id });
      this.leaveIfLast(team, user.id);
    });
  }

  private leaveIfLast(team: Team, userId: number): void {
    const { db, outbox } = this.needs;
    const context = { ownerId: team.organizationId };
    if (!store.isInAnyTeam(db, team.organizationId, userId)) {
      deleteMember(db, team.organizationId, userId);
      outbox.append("organization.member-removed", context, { userId });
    }
    outbox.append("organization.rights-lost", context, { userId });
    outbox.append("access.changed", context, { userId });
  }

  private requireFreeName(organization: User, name: string, exceptId?: number): void {
    const taken = store.findTeamByName(this.needs.db, organization.id, name);
    if (taken && taken.id !== exceptId)
      throw new ValidationFailed("team.name-taken", {
        field: "name",
        params: { id: organization.id, name: name.toLowerCase() },
      });
  }

  private require(id: number): Team {
    const team = store.findTeam(this.needs.db, id);
    if (!team) throw new NotFound();
    return team;
  }
}

/** The highest level that a team has on any unit. */
function highestOf({ level, units }: Team): Level {
  return level === "none" ? Object.values(units).reduce<Level>(higher, "none") : level;
}

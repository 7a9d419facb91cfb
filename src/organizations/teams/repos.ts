import { atLeast, type Unit } from "../../access/levels.ts";
import type { User } from "../../access/user.ts";
import type { Outbox } from "../../events/outbox.ts";
import { storedPrincipal } from "../../events/types.ts";
import { Failure, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { heldByTeam } from "../grants.ts";
import { requireOwner } from "../service.ts";
import type { SeenOrganization, SeenTeam, Team } from "../types.ts";
import type { TeamNeeds } from "./service.ts";
import * as store from "./store.ts";

/** Which repositories teams have (contract identity.md 13). */
export class TeamRepos {
  constructor(private readonly needs: TeamNeeds) {}

  /** The repositories of a team that the principal may see, by name. */
  list({ team, seen }: SeenTeam, paging: Paging): Slice<SeenRepo> {
    const { access, db, repos } = this.needs;
    const viewer = { isVisible: access.repoCondition(), params: access.params(seen.principal) };
    const { ids, total } = store.reposOfTeam(db, team, viewer, paging);
    const found = new Map(repos.seeEach(seen.principal, ids).map((each) => [each.repo.id, each]));
    return { items: ids.flatMap((id) => found.get(id) ?? []), total };
  }

  has({ team }: Pick<SeenTeam, "team">, { repo }: SeenRepo): boolean {
    return store.teamHasRepo(this.needs.db, team.id, repo.id);
  }

  /** The teams that have a repository, visible to its readers. @throws Failure 405 its owner is not an organization */
  ofRepo({ repo, owner }: SeenRepo, paging: Paging): Slice<Team> {
    requireOrganization(owner);
    return store.teamsOfRepo(this.needs.db, repo.id, paging);
  }

  /** SQL condition: `repositories` is one that the team has. @param team SQL for its id */
  heldBy(team: string): string {
    return heldByTeam(team);
  }

  /** Members of the teams that have the repository and a level on one of these units there. */
  peopleOnRepo({ repo }: SeenRepo, units: readonly Unit[]): User[] {
    const { db, identity } = this.needs;
    return [...identity.byIds(store.peopleOnRepo(db, repo.id, units)).values()];
  }

  /**
   * Members of a team of the repository's organization, if the team has the repository and a level on the unit there.
   */
  membersConcerned({ owner, repo }: SeenRepo, name: string, unit: Unit): User[] {
    const { db, identity } = this.needs;
    const team = store.findTeamByName(db, owner.id, name);
    if (!team || !store.teamHasRepo(db, team.id, repo.id)) return [];
    if (!atLeast(team.level, "admin") && !atLeast(team.units[unit] ?? "none", "read")) return [];
    return [...identity.byIds(store.allInTeam(db, team.id)).values()];
  }

  /** @throws NotFound not a team there; Failure 405 */
  ofRepoNamed({ owner }: SeenRepo, name: string): Team {
    requireOrganization(owner);
    const team = store.findTeamByName(this.needs.db, owner.id, name);
    if (!team) throw new NotFound("team.missing", { params: { id: owner.id, name } });
    return team;
  }

  /**
   * Gives a team a repository of its organization. Does nothing if it already has it.
   * @returns whether that is new
   * @throws Forbidden
   */
  add(seen: SeenRepo, team: Team): boolean {
    this.requireTeamsChangeable(seen);
    const { clock, db, outbox } = this.needs;
    return db.transaction(() => {
      if (team.includesAll || !store.addTeamRepo(db, team.id, seen.repo.id, clock())) return false;
      outbox.append("team.repository-added", contextOf(seen), { teamId: team.id });
      outbox.append("access.changed", { repoId: seen.repo.id, ownerId: seen.owner.id }, { userId: null });
      return true;
    });
  }

  /**
   * Does nothing if the team does not have it.
   * @returns whether it had
   * @throws Forbidden; ValidationFailed a team that has every repository
   */
  remove(seen: SeenRepo, team: Team): boolean {
    this.requireTeamsChangeable(seen);
    if (team.includesAll) throw new ValidationFailed("team.has-every-repository", { field: "team" });
    const { db, outbox } = this.needs;
    return db.transaction(() => {
      if (!store.removeTeamRepo(db, team.id, seen.repo.id)) return false;
      outbox.append("team.repository-removed", contextOf(seen), { teamId: team.id });
      outbox.append("access.changed", { repoId: seen.repo.id, ownerId: seen.owner.id }, { userId: null });
      tellRightsLost(outbox, team);
      return true;
    });
  }

  /** Gives a team every current repository of its organization, but no future ones. @throws Forbidden not an owner */
  addAll({ team, seen }: SeenTeam): void {
    requireOwner(seen);
    if (team.includesAll) return;
    const { clock, db, outbox } = this.needs;
    db.transaction(() => {
      const added = store.addAllRepos(db, team, clock());
      this.tellOfRepos("team.repository-added", seen, team, added);
      if (added.length > 0) outbox.append("access.changed", { ownerId: team.organizationId }, { userId: null });
    });
  }

  /** @throws Forbidden not an owner; ValidationFailed a team that has every repository */
  removeAll({ team, seen }: SeenTeam): void {
    requireOwner(seen);
    if (team.includesAll) throw new ValidationFailed("team.has-every-repository", { field: "team" });
    const { db, outbox } = this.needs;
    db.transaction(() => {
      const removed = store.removeAllRepos(db, team.id);
      this.tellOfRepos("team.repository-removed", seen, team, removed);
      if (removed.length > 0) tellRightsLost(outbox, team);
    });
  }

  private tellOfRepos(
    kind: "team.repository-added" | "team.repository-removed",
    { organization, principal }: SeenOrganization,
    team: Team,
    repoIds: readonly number[],
  ): void {
    const context = { ownerId: organization.id, principal: storedPrincipal(principal) };
    for (const repoId of repoIds) this.needs.outbox.append(kind, { ...context, repoId }, { teamId: team.id });
  }

  /** Whether the principal may add and remove teams of a repository that they administer. */
  mayChangeTeams({ owner, principal, access }: SeenRepo): boolean {
    if (owner.kind !== "organization" || !atLeast(access.level, "admin")) return false;
    const { standing, repoAdminsChangeTeams } = this.needs.organizations.standingIn(principal, owner);
    return standing === "owner" || repoAdminsChangeTeams;
  }

  private requireTeamsChangeable(seen: SeenRepo): void {
    requireOrganization(seen.owner);
    const { standing, repoAdminsChangeTeams } = this.needs.organizations.standingIn(seen.principal, seen.owner);
    if (standing !== "owner" && !repoAdminsChangeTeams) throw new Forbidden("team.needs-repo-admin");
    if (!atLeast(seen.access.level, "admin")) throw new Forbidden("team.needs-admin-level");
  }

  /** Called when a repository left the organization. Joins the running transaction. */
  forget(repoId: number): void {
    store.forgetRepo(this.needs.db, repoId);
  }
}

/** Announces that everyone in the team may have fewer rights than before. Joins the running transaction. */
export function tellRightsLost(outbox: Outbox, { organizationId }: Team): void {
  outbox.append("organization.rights-lost", { ownerId: organizationId }, { userId: null });
  outbox.append("access.changed", { ownerId: organizationId }, { userId: null });
}

function requireOrganization(owner: User): void {
  if (owner.kind !== "organization") throw new Failure(405, "team.repo-owner-is-no-organization");
}

function contextOf({ repo, owner, principal }: SeenRepo) {
  return { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal) };
}

import { atLeast, units } from "../../access/levels.ts";
import { accountOf, asAccount } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { BlockService } from "../../blocks/service.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { IdentityService } from "../../identity/service.ts";
import { BadRequest, type Failure, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { OrganizationService } from "../../organizations/service.ts";
import type { TeamService } from "../../organizations/teams/service.ts";
import type { CollaboratorService } from "../../repos/collaborators/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { contextOf, eventOf } from "../context.ts";
import type { Timeline } from "../timeline/service.ts";
import type { SeenIssue } from "../types.ts";
import * as store from "./store.ts";

/** More than anyone needs; each is looked up. */
const MAX_ASSIGNEES = 100;
/** Max teams offered. */
const MAX_TEAMS = 100;

const tooMany = () => new ValidationFailed("value.too-long", { field: "assignees", params: { name: "Assignees" } });

export interface AssigneeNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly blocks: BlockService;
  readonly collaborators: CollaboratorService;
  readonly identity: IdentityService;
  readonly organizations: OrganizationService;
  readonly repos: RepoService;
  readonly teams: TeamService;
  readonly timeline: Timeline;
}

/**
 * How a route words the refusal of a name: creating and editing items differ from assigning (contract issues.md 3.4,
 * 5).
 */
export interface AssigneeRefusals {
  unknown(name: string): Failure;
  isOrganization(organization: User, seen: SeenRepo): Failure;
  notAssignable(user: User, seen: SeenRepo): Failure;
}

export const refusalsOfEdit: AssigneeRefusals = {
  unknown: (name) => new ValidationFailed("issue.unknown-assignee", { field: "assignees", params: { name } }),
  isOrganization: ({ login }) =>
    new ValidationFailed("issue.unknown-assignee", { field: "assignees", params: { name: login } }),
  notAssignable: ({ id }, { repo }) =>
    new ValidationFailed("issue.assignee-without-access", { field: "assignees", params: { id, repo: repo.name } }),
};

export const refusalsOfAssigning: AssigneeRefusals = {
  unknown: (name) => new ValidationFailed("issue.unknown-user", { field: "assignees", params: { name } }),
  isOrganization: ({ id }, { repo }) =>
    new BadRequest("issue.assignee-is-organization", { field: "assignees", params: { id, repo: repo.id } }),
  notAssignable: () => new Forbidden("issue.not-assignable"),
};

/** Assignees of items (contract issues.md 5). The caller has checked permissions. */
export class AssigneeService {
  constructor(private readonly needs: AssigneeNeeds) {}

  /** Whether an account is a person who may write something here, or read pull requests. */
  isAssignable({ owner, repo }: Pick<SeenRepo, "owner" | "repo">, user: User): boolean {
    if (user.kind === "organization" || user.kind === "reserved" || !user.isActive) return false;
    const access = this.needs.repos.accessOf(asAccount(user), repo, owner);
    return atLeast(access.on("pulls"), "read") || units.some((unit) => atLeast(access.on(unit), "write"));
  }

  /** @throws NotFound no such account, or not assignable here; BadRequest an organization */
  requireAssignable(seen: SeenRepo, name: string): void {
    const user = this.needs.identity.byLogin(name);
    if (!user || user.kind === "reserved" || !this.mayKnow(seen, user))
      throw new NotFound("issue.unknown-user", { params: { name } });
    if (user.kind === "organization") throw refusalsOfAssigning.isOrganization(user, seen);
    if (!this.isAssignable(seen, user)) throw new NotFound();
  }

  /**
   * Suggested assignees, by name: people with write access, members of teams that can read issues or pull requests, and
   * the owner.
   */
  candidates(seen: SeenRepo): User[] {
    const { collaborators, teams } = this.needs;
    const writers = collaborators.all(seen).flatMap(({ level, user }) => (atLeast(level, "write") ? [user] : []));
    const owners =
      seen.owner.kind === "organization" ? teams.repos.peopleOnRepo(seen, ["issues", "pulls"]) : [seen.owner];
    const all = new Map([...writers, ...owners].map((user) => [user.id, user]));
    const isOwner = ({ id }: User) => Number(id === seen.owner.id);
    return [...all.values()]
      .filter((user) => user.isActive && this.mayKnow(seen, user))
      .sort((a, b) => isOwner(a) - isOwner(b) || a.login.localeCompare(b.login, "en"));
  }

  /** Names of assignable teams, `acme/crew`: those with access to the repository that the principal can see. */
  candidateTeams(seen: SeenRepo): string[] {
    const { organizations, teams } = this.needs;
    const { owner, principal } = seen;
    if (owner.kind !== "organization") return [];
    const first = { page: 1, limit: MAX_TEAMS, offset: 0 };
    const shown = new Set(teams.list(organizations.standingIn(principal, owner), first).items.map(({ id }) => id));
    const having = teams.repos.ofRepo(seen, first).items;
    return having.flatMap(({ id, name }) => (shown.has(id) ? [`${owner.login}/${name}`] : []));
  }

  /**
   * The accounts with these names, all of which the principal may assign here. A team, `acme/crew`, stands for its
   * current assignable members; people who join later are not assigned.
   * @throws Failure as the route words it; Forbidden one of them blocks the caller
   */
  named(seen: SeenRepo, names: readonly string[], refusals: AssigneeRefusals = refusalsOfAssigning): User[] {
    if (names.length > MAX_ASSIGNEES) throw tooMany();
    const users = [...new Set(names)].flatMap((name) =>
      name.includes("/") ? this.membersOf(seen, name, refusals) : [this.oneNamed(seen, name, refusals)],
    );
    const all = new Map(users.map((user) => [user.id, user]));
    if (all.size > MAX_ASSIGNEES) throw tooMany();
    return [...all.values()];
  }

  /**
   * The accounts with these names that are assigned to the item, whether or not they could be assigned now.
   * @throws Failure no account has that name
   */
  assignedNamed(item: SeenIssue, names: readonly string[]): User[] {
    const { seen } = item;
    const ids = new Set(this.idsOf(item));
    return names
      .flatMap((name) => (name.includes("/") ? this.named(seen, [name]) : [this.personNamed(seen, name)]))
      .filter(({ id }) => ids.has(id));
  }

  private oneNamed(seen: SeenRepo, name: string, refusals: AssigneeRefusals): User {
    const user = this.personNamed(seen, name, refusals);
    this.needs.blocks.requireUnblocked(user, accountOf(seen.principal));
    if (!this.isAssignable(seen, user)) throw refusals.notAssignable(user, seen);
    return user;
  }

  private personNamed(seen: SeenRepo, name: string, refusals: AssigneeRefusals = refusalsOfAssigning): User {
    const user = this.needs.identity.byLogin(name);
    if (!user || user.kind === "reserved" || !this.mayKnow(seen, user)) throw refusals.unknown(name);
    if (user.kind === "organization") throw refusals.isOrganization(user, seen);
    return user;
  }

  /**
   * @param name of a team of the repository's organization.
   * @throws Failure it is not visible, or no member is assignable
   */
  private membersOf(seen: SeenRepo, name: string, refusals: AssigneeRefusals): User[] {
    const { blocks, organizations, teams } = this.needs;
    const { owner, principal } = seen;
    const doer = accountOf(principal);
    const [login = "", teamName = ""] = name.split("/", 2);
    const isHere = owner.kind === "organization" && owner.login.toLowerCase() === login.toLowerCase();
    const team = isHere ? teams.findNamed(organizations.standingIn(principal, owner), teamName) : undefined;
    const members = team
      ? (["issues", "pulls"] as const).flatMap((unit) => teams.repos.membersConcerned(seen, team.name, unit))
      : [];
    const found = members.filter(
      (user) => this.isAssignable(seen, user) && this.mayKnow(seen, user) && !blocks.isBlocked(user, doer),
    );
    if (found.length === 0) throw refusals.unknown(name);
    return found;
  }

  idsOf({ issue }: SeenIssue): number[] {
    return store.assigneeIdsOf(this.needs.db, issue.id);
  }

  add(item: SeenIssue, users: readonly User[]): void {
    const present = new Set(this.idsOf(item));
    this.change(
      item,
      users.filter(({ id }) => !present.has(id)).map(({ id }) => id),
      [],
    );
  }

  remove(item: SeenIssue, users: readonly User[]): void {
    const present = new Set(this.idsOf(item));
    this.change(
      item,
      [],
      users.filter(({ id }) => present.has(id)).map(({ id }) => id),
    );
  }

  /** Sets exactly these assignees. */
  set(item: SeenIssue, users: readonly User[]): void {
    const present = this.idsOf(item);
    const ids = new Set(users.map(({ id }) => id));
    this.change(
      item,
      [...ids].filter((id) => !present.includes(id)),
      present.filter((id) => !ids.has(id)),
    );
  }

  /**
   * Removes two accounts' assignments in each other's repositories after one blocked the other. Joins the running
   * transaction.
   */
  separate(ownerId: number, userId: number): void {
    store.unassignWithOwner(this.needs.db, ownerId, userId);
    store.unassignWithOwner(this.needs.db, userId, ownerId);
  }

  /** People with write access know each other even if hidden. */
  private mayKnow(seen: SeenRepo, user: User): boolean {
    if (this.needs.identity.sees(seen.principal, user)) return true;
    const access = this.needs.repos.accessOf(asAccount(user), seen.repo, seen.owner);
    return atLeast(seen.access.level, "write") && units.some((unit) => atLeast(access.on(unit), "write"));
  }

  private change(item: SeenIssue, added: readonly number[], removed: readonly number[]): void {
    const { db, outbox, timeline } = this.needs;
    db.transaction(() => {
      for (const [ids, isAssigned] of [
        [removed, false],
        [added, true],
      ] as const)
        for (const id of ids) {
          if (isAssigned) store.insertAssignee(db, item.issue.id, id);
          else store.deleteAssignee(db, item.issue.id, id);
          timeline.append(item, { kind: "assignees", assigneeId: id, isRemoval: !isAssigned });
          const payload = { ...eventOf(item.issue), userId: id, isAssigned };
          outbox.append("issue.assignee-changed", contextOf(item.seen, item.issue), payload);
        }
    });
  }
}

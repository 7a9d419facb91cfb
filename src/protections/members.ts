import type { Level, Unit } from "../access/levels.ts";
import { atLeast } from "../access/levels.ts";
import { asAccount } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { IdentityService } from "../identity/service.ts";
import { NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { TeamService } from "../organizations/teams/service.ts";
import type { Team } from "../organizations/types.ts";
import type { CollaboratorService } from "../repos/collaborators/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";

/** More names than any list has. */
const MAX_NAMES = 500;

/** People and teams listed by rules. */
export class RuleMembersService {
  constructor(
    private readonly identity: IdentityService,
    private readonly repos: RepoService,
    private readonly collaborators: CollaboratorService,
    private readonly teams: TeamService,
  ) {}

  /**
   * The accounts with these names that have at least that level on a unit of the repository; others are ignored
   * silently.
   * @param field of the request
   * @throws ValidationFailed a name the principal cannot see
   */
  usersNamed(seen: SeenRepo, names: readonly string[], field: string, unit: Unit, level: Level): number[] {
    checkCount(names, field);
    const known = this.identity.seenByLogins(seen.principal, names);
    return names.flatMap((name) => {
      const user = known.get(name.toLowerCase()) ?? this.collaboratorNamed(seen, name);
      if (!user || user.kind === "organization" || user.kind === "reserved")
        throw new ValidationFailed("protection.unknown-user", { field, params: { name } });
      return atLeast(this.levelOf(user, seen, unit), level) ? [user.id] : [];
    });
  }

  /**
   * The teams with these names that have access to the repository; others are ignored silently. None if no organization
   * owns it.
   * @throws ValidationFailed an unknown name
   */
  teamsNamed(seen: SeenRepo, names: readonly string[], field: string): number[] {
    if (seen.owner.kind !== "organization") return [];
    checkCount(names, field);
    return names.flatMap((name) => {
      const team = this.teamNamed(seen, name);
      if (!team) throw new ValidationFailed("protection.unknown-team", { field, params: { name } });
      return this.teams.repos.has({ team }, seen) ? [team.id] : [];
    });
  }

  /** Those of the accounts that have write access to a repository. */
  writersAmong(seen: SeenRepo, ids: readonly number[]): number[] {
    const users = this.identity.byIds(ids);
    return ids.filter((id) => {
      const user = users.get(id);
      return user !== undefined && atLeast(this.levelOf(user, seen, "code"), "write");
    });
  }

  /** Those of the teams that have access to a repository. */
  teamsAmong(seen: SeenRepo, ids: readonly number[]): number[] {
    if (ids.length === 0) return [];
    return this.teams.byIds(ids).flatMap((team) => (this.teams.repos.has({ team }, seen) ? [team.id] : []));
  }

  private teamNamed(seen: SeenRepo, name: string): Team | undefined {
    try {
      return this.teams.repos.ofRepoNamed(seen, name);
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }

  userNames(ids: readonly number[]): string[] {
    const users = this.identity.byIds(ids);
    return ids.flatMap((id) => users.get(id)?.login ?? []);
  }

  teamNames(ids: readonly number[]): string[] {
    return ids.length === 0 ? [] : this.teams.byIds(ids).map(({ name }) => name);
  }

  /** Whether the principal is one of these accounts, or a member of one of these teams. */
  isListed({ principal: { user }, owner }: SeenRepo, users: readonly number[], teams: readonly number[]): boolean {
    if (!user) return false;
    if (users.includes(user.id)) return true;
    return teams.length > 0 && this.teams.ofMember(owner, user).some(({ id }) => teams.includes(id));
  }

  private levelOf(user: User, { repo, owner }: SeenRepo, unit: Unit): Level {
    return this.repos.accessOf(asAccount(user), repo, owner).on(unit);
  }

  /** Administrators of a repository see all its collaborators, hidden accounts included. */
  private collaboratorNamed(seen: SeenRepo, name: string): User | undefined {
    const user = this.identity.byLogin(name);
    return user && this.collaborators.isShown(seen, user) ? user : undefined;
  }
}

function checkCount(names: readonly string[], field: string): void {
  if (names.length > MAX_NAMES) throw new ValidationFailed("value.too-long", { field, params: { name: field } });
}

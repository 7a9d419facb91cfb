import type { Level, Unit } from "../access/levels.ts";
import { atLeast } from "../access/levels.ts";
import { asAccount, type Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { IdentityService } from "../identity/service.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import type { CollaboratorService } from "../repos/collaborators/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";

export interface NamedTeam {
  readonly id: number;
  readonly name: string;
}

/** What rules ask the area that has teams. */
export interface TeamDirectory {
  /** The teams of that owner which may read the repository, as the principal sees them, by lower-case name. */
  named(seen: SeenRepo, names: readonly string[]): ReadonlyMap<string, NamedTeam>;
  byIds(ids: readonly number[]): ReadonlyMap<number, NamedTeam>;
  /** Whether the account belongs to one of them. */
  isMemberOfAny(userId: number, teamIds: readonly number[]): boolean;
}

const noTeams: TeamDirectory = {
  named: () => new Map(),
  byIds: () => new Map(),
  isMemberOfAny: () => false,
};

/** More names than any list has. */
const MAX_NAMES = 500;

/** People and teams that rules list. */
export class RuleMembersService {
  private teams: TeamDirectory = noTeams;

  constructor(
    private readonly identity: IdentityService,
    private readonly repos: RepoService,
    private readonly collaborators: CollaboratorService,
  ) {}

  /** Called once, by the area that has teams. Until then no team has a name. */
  findTeamsIn(directory: TeamDirectory): void {
    this.teams = directory;
  }

  /**
   * The accounts of these names that hold a level on a unit of the repository; others are left out silently.
   * @param field of the request
   * @throws ValidationFailed a name that the principal cannot know
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

  /** The teams of these names; of a repository without an organization none. @throws ValidationFailed an unknown name */
  teamsNamed(seen: SeenRepo, names: readonly string[], field: string): number[] {
    if (seen.owner.kind !== "organization") return [];
    checkCount(names, field);
    const known = this.teams.named(seen, names);
    return names.map((name) => {
      const team = known.get(name.toLowerCase());
      if (!team) throw new ValidationFailed("protection.unknown-team", { field, params: { name } });
      return team.id;
    });
  }

  userNames(ids: readonly number[]): string[] {
    const users = this.identity.byIds(ids);
    return ids.flatMap((id) => users.get(id)?.login ?? []);
  }

  teamNames(ids: readonly number[]): string[] {
    if (ids.length === 0) return [];
    const teams = this.teams.byIds(ids);
    return ids.flatMap((id) => teams.get(id)?.name ?? []);
  }

  /** Whether the principal's account is one of these, or belongs to one of these teams. */
  isListed({ user }: Principal, users: readonly number[], teams: readonly number[]): boolean {
    if (!user) return false;
    return users.includes(user.id) || (teams.length > 0 && this.teams.isMemberOfAny(user.id, teams));
  }

  private levelOf(user: User, { repo, owner }: SeenRepo, unit: Unit): Level {
    return this.repos.accessOf(asAccount(user), repo, owner).on(unit);
  }

  /** Whoever administers a repository knows who is on it, hidden accounts too. */
  private collaboratorNamed(seen: SeenRepo, name: string): User | undefined {
    const user = this.identity.byLogin(name);
    return user && this.collaborators.isShown(seen, user) ? user : undefined;
  }
}

function checkCount(names: readonly string[], field: string): void {
  if (names.length > MAX_NAMES) throw new ValidationFailed("value.too-long", { field, params: { name: field } });
}

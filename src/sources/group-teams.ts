import { operator } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { IdentityService } from "../identity/service.ts";
import { Failure, NotFound } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { OrganizationService } from "../organizations/service.ts";
import type { TeamService } from "../organizations/teams/service.ts";
import { readTeamMap } from "./team-map.ts";

/** Adds people to the teams mapped from their external groups. */
export class GroupTeams {
  constructor(
    private readonly identity: IdentityService,
    private readonly organizations: OrganizationService,
    private readonly teams: TeamService,
    private readonly log: Log,
  ) {}

  /**
   * @param groups those the account is in, as named by the source; names of directories are compared ignoring case
   * @param map `{"group": {"organization": ["team"]}}`
   * @param removes whether to remove the account from mapped teams that none of its groups map to
   */
  apply(user: User, groups: readonly string[], map: string, removes: boolean): void {
    const held = new Set(groups.map((group) => group.toLowerCase()));
    const wanted = new Map<string, { organization: string; team: string; isIn: boolean }>();
    for (const [group, teams] of readTeamMap(map))
      for (const { organization, team } of teams) {
        const key = `${organization.toLowerCase()}\0${team.toLowerCase()}`;
        const isIn = held.has(group.toLowerCase()) || wanted.get(key)?.isIn === true;
        wanted.set(key, { organization, team, isIn });
      }
    for (const { organization, team, isIn } of wanted.values()) {
      try {
        this.put(user, organization, team, isIn, removes);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.log.warn("a team of a sign-in source's map could not be changed", { organization, team, error });
      }
    }
  }

  private put(user: User, organization: string, team: string, isIn: boolean, removes: boolean): void {
    const account = this.identity.byLogin(organization);
    if (account?.kind !== "organization") throw new NotFound();
    const found = this.teams.named(this.organizations.standingIn(operator, account), team);
    const wasIn = this.teams.isIn(found, user);
    if (isIn && !wasIn) this.teams.addMember(found, user);
    if (!isIn && wasIn && removes) this.teams.removeMember(found, user);
  }
}

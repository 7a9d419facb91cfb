import type { IdentityService } from "../../identity/service.ts";
import { segment } from "../../kernel/url-path.ts";
import type { TeamReference } from "../../references/grammar.ts";
import type { Resolver } from "../../references/service.ts";
import type { OrganizationService } from "../service.ts";
import type { TeamService } from "./service.ts";

/** Maximum number of teams looked up per page, one query each; the rest stay text. */
const MAX_TEAMS = 20;

/** `@org/team`: teams that the reader may see. */
export function teamReferences(
  identity: IdentityService,
  organizations: OrganizationService,
  teams: TeamService,
): Resolver<TeamReference> {
  return ({ principal }, references) => {
    const logins = references.slice(0, MAX_TEAMS).map(({ organization }) => organization);
    const accounts = identity.seenByLogins(principal, logins);
    return references.map(({ organization: login, team: name }, at) => {
      const account = at < MAX_TEAMS ? accounts.get(login.toLowerCase()) : undefined;
      if (account?.kind !== "organization") return undefined;
      const team = teams.findNamed(organizations.standingIn(principal, account), name);
      if (!team) return undefined;
      const about = team.description === "" ? {} : { title: team.description };
      return {
        href: `/org/${segment(account.login)}/teams/${segment(team.name)}`,
        label: `@${account.login}/${team.name}`,
        className: "mention",
        ...about,
      };
    });
  };
}

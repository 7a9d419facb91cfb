import { operator } from "../access/principal.ts";
import type { Area } from "../area.ts";
import { onDemand, whenMade } from "../kernel/on-demand.ts";
import { organizationErrorWords } from "./error-words.ts";
import { heldByTeam, isFellowMember, organizationGrants, organizationMembers, sharedByTeams } from "./grants.ts";
import type { TeamInvitations } from "./invitations/service.ts";
import type { MemberService } from "./members/service.ts";
import { OrganizationService } from "./service.ts";
import { organizationSubject, teamSubject } from "./subject.ts";
import { teamReferences } from "./teams/references.ts";
import type { TeamService } from "./teams/service.ts";

declare module "../services.ts" {
  interface Services {
    readonly organizations: OrganizationService;
    readonly members: MemberService;
    readonly teams: TeamService;
    readonly teamInvitations: TeamInvitations;
  }
}

/** Organizations, their members, and their teams. */
export const organizationsArea: Area = {
  name: "organizations",
  errorWords: organizationErrorWords,
  routes: async () => (await import("./api.ts")).organizationRoutes,
  open: (
    { access, clock, db, jobs, links, mail, mailWords, outbox, secret, subjects },
    {
      accountCreation,
      audit,
      avatars,
      blocks,
      collaborators,
      emails,
      identity,
      oauth2Claims,
      organizationAccounts,
      references,
      repoRemoval,
      repos,
      repoSearch,
    },
  ) => {
    for (const source of organizationGrants) access.addGrants(source);
    access.addMembers(organizationMembers);
    identity.addAcquaintance(isFellowMember);
    const organizations = new OrganizationService({
      db,
      access,
      outbox,
      jobs,
      clock,
      identity,
      accounts: organizationAccounts,
      avatars,
      repos,
      repoRemoval,
      repoSearch,
    });
    const members = onDemand(
      () =>
        new (require("./members/service.ts") as typeof import("./members/service.ts")).MemberService({
          db,
          access,
          outbox,
          identity,
        }),
    );
    const teams = onDemand(
      () =>
        new (require("./teams/service.ts") as typeof import("./teams/service.ts")).TeamService({
          db,
          access,
          outbox,
          clock,
          identity,
          blocks,
          repos,
          organizations,
        }),
    );
    const teamInvitations = onDemand(
      () =>
        new (require("./invitations/service.ts") as typeof import("./invitations/service.ts")).TeamInvitations({
          db,
          clock,
          audit,
          identity,
          emails,
          mail,
          teams,
          secret,
          words: mailWords.invitation,
          rootUrl: links.rootUrl,
          isRegistrationOpen: () => accountCreation.isRegistrationOpen(),
        }),
    );
    references.register("team", teamReferences(identity, organizations, teams));
    subjects.add("organization", organizationSubject(organizations));
    subjects.add("team", teamSubject(organizations, teams));
    repoSearch.addShared(sharedByTeams);
    repoSearch.addFilter({
      name: "team_id",
      description: "Number of a team; only its repositories.",
      condition: heldByTeam,
    });
    whenMade(oauth2Claims, (claims) => claims.addGroups((user, { publicOnly }) => teams.groupsOf(user, publicOnly)));
    outbox.react("repo.created", ({ repoId, principal }) => {
      if (repoId === undefined || principal?.userId === undefined) return;
      const creator = organizations.creatorWithoutRights(repoId, principal.userId);
      const seen = creator && repos.seeById(operator, repoId);
      if (seen) collaborators.put(seen, creator, "admin");
    });
    return { services: { organizations, members, teams, teamInvitations } };
  },
};

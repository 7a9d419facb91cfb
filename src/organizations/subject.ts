import type { Call } from "../http/route.ts";
import type { SubjectResolver } from "../http/subject.ts";
import { Forbidden, NotFound } from "../kernel/errors.ts";
import { type OrganizationService, requireOwner } from "./service.ts";
import type { TeamService } from "./teams/service.ts";
import type { SeenOrganization, SeenTeam } from "./types.ts";

/** The standing required in the organization named by `:org`; it must always be visible. */
export interface OrganizationNeeds {
  readonly standing: "none" | "member" | "owner";
}

/** The standing required in the team with the id `:id`, or the name `:team` in `:org`. */
export interface TeamNeeds {
  /** `reader`: may see the team; `member`: of the organization; `owner`: of the organization. */
  readonly standing: "reader" | "member" | "owner";
}

declare module "../http/subject.ts" {
  interface SubjectKinds {
    organization: { needs: OrganizationNeeds; found: SeenOrganization };
    team: { needs: TeamNeeds; found: SeenTeam };
  }
}

export function organizationSubject(organizations: OrganizationService): SubjectResolver<"organization"> {
  return {
    find: ({ principal, params, moved }) => organizations.see(principal, params["org"] ?? "", (org) => moved({ org })),
    require: (seen, { standing }, { surface }) => {
      // A page the caller may not see is indistinguishable from a missing one.
      if (surface !== "api" && !stands(seen, standing)) throw new NotFound();
      if (standing === "owner") requireOwner(seen);
      if (standing === "member") requireMember(seen);
    },
    standing: standingIn,
  };
}

const standingIn = ({ organization, standing }: SeenOrganization) => `${organization.id} ${standing}`;

function requireMember({ standing }: SeenOrganization): void {
  if (standing === "none") throw new Forbidden("organization.needs-member");
}

function stands(seen: SeenOrganization, needed: OrganizationNeeds["standing"]): boolean {
  return needed === "none" || seen.standing === "owner" || (needed === "member" && seen.standing === "member");
}

export function teamSubject(organizations: OrganizationService, teams: TeamService): SubjectResolver<"team"> {
  return {
    find: ({ principal, params, moved, signInFirst }) => {
      const { id, org, team } = params;
      if (org !== undefined && team !== undefined) {
        const seen = organizations.see(principal, org, (present) => moved({ org: present }));
        // Checked before the look-up: visitors must not learn which team names exist.
        if (!principal.user) throw signInFirst();
        return teams.named(seen, team);
      }
      if (id === undefined || !/^\d{1,15}$/.test(id)) throw new NotFound();
      return teams.find(principal, Number(id));
    },
    require: (found, { standing }, { surface }) => {
      const { seen } = found;
      if (surface !== "api" && standing !== "reader" && !stands(seen, standing)) throw new NotFound();
      if (standing === "owner") return requireOwner(seen);
      if (standing === "member") return requireMember(seen);
      if (teams.reads(found)) return;
      throw seen.standing === "none" ? new NotFound() : new Forbidden("team.needs-member");
    },
    standing: ({ seen, team }) => `${standingIn(seen)} ${team.id}`,
  };
}

/** The organization of a route that declares one. */
export function seenOrganization(call: Call): SeenOrganization {
  const seen = call.found.organization;
  if (!seen) throw new Error(`${call.path} was reached without an organization`);
  return seen;
}

/** The team of a route that declares one. */
export function seenTeam(call: Call): SeenTeam {
  const seen = call.found.team;
  if (!seen) throw new Error(`${call.path} was reached without a team`);
  return seen;
}

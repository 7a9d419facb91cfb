import { atLeast } from "../../access/levels.ts";
import { asAccount } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { TeamService } from "../../organizations/teams/service.ts";
import type { Team } from "../../organizations/types.ts";
import type { BranchProtections } from "../../protections/branches/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";

/** Whose reviews count for the rule of a branch (contract pulls.md 11.3). */
export class OfficialReviewers {
  constructor(
    private readonly repos: RepoService,
    private readonly teams: TeamService,
    private readonly protections: BranchProtections,
  ) {}

  isOfficial({ owner, repo }: SeenRepo, branch: string, user: User): boolean {
    const principal = asAccount(user);
    const seen = { principal, owner, repo, access: this.repos.accessOf(principal, repo, owner) };
    const rule = this.protections.ruleOf(seen, branch);
    return rule
      ? this.protections.permissions.isOfficialReviewer(seen, rule)
      : atLeast(seen.access.on("code"), "write");
  }

  /** A team listed by the rule or, without a list, one that can write. */
  isOfficialTeam(seen: SeenRepo, branch: string, team: Team): boolean {
    const rule = this.protections.ruleOf(seen, branch);
    if (rule?.settings.enableApprovalsWhitelist) return (rule.teams.approvals ?? []).includes(team.id);
    const level = team.level === "none" ? (team.units.code ?? "none") : team.level;
    return this.teams.repos.has({ team }, seen) && atLeast(level, "write");
  }
}

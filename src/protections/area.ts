import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { branchRule } from "./branches/rule.ts";
import type { BranchProtections } from "./branches/service.ts";
import { protectionErrorWords } from "./error-words.ts";
import { pushLimitRule } from "./pushes/rule.ts";
import type { PushLimitService } from "./pushes/service.ts";
import { tagRule } from "./tags/rule.ts";
import type { TagProtections } from "./tags/service.ts";

declare module "../services.ts" {
  interface Services {
    readonly branchProtections: BranchProtections;
    readonly tagProtections: TagProtections;
    readonly pushLimits: PushLimitService;
  }
}

/** Rules for who may change which branches and tags, and what pushes may contain. */
export const protectionsArea: Area = {
  name: "protections",
  errorWords: protectionErrorWords,
  routes: async () => (await import("./api.ts")).protectionRoutes,
  open: ({ clock, config, db, outbox }, { collaborators, identity, pushRules, repos, teams }) => {
    const ruleMembers = onDemand(
      () =>
        new (require("./members.ts") as typeof import("./members.ts")).RuleMembersService(
          identity,
          repos,
          collaborators,
          teams,
        ),
    );
    const branchProtections = onDemand(
      () =>
        new (require("./branches/service.ts") as typeof import("./branches/service.ts")).BranchProtections(
          db,
          outbox,
          clock,
          ruleMembers,
        ),
    );
    const tagProtections = onDemand(
      () =>
        new (require("./tags/service.ts") as typeof import("./tags/service.ts")).TagProtections(
          db,
          outbox,
          clock,
          ruleMembers,
        ),
    );
    pushRules.add(branchRule(branchProtections));
    const pushLimits = onDemand(
      () =>
        new (require("./pushes/service.ts") as typeof import("./pushes/service.ts")).PushLimitService(db, {
          maxFileBytes: config["git.max_file_mib"] * 2 ** 20,
          refusesSecrets: config["git.refuse_secrets"],
        }),
    );
    pushRules.add(tagRule(tagProtections));
    pushRules.add(pushLimitRule(pushLimits));
    outbox.react("branch.renamed", ({ repoId }, { from, to }) => {
      if (repoId !== undefined) branchProtections.followBranch(repoId, from, to);
    });
    outbox.react("collaborator.removed", ({ repoId }, { userId }) => {
      if (repoId === undefined) return;
      branchProtections.forget(repoId, "user", userId);
      tagProtections.forget(repoId, "user", userId);
    });
    outbox.react("team.repository-removed", ({ repoId }, { teamId }) => {
      if (repoId === undefined) return;
      branchProtections.forget(repoId, "team", teamId);
      tagProtections.forget(repoId, "team", teamId);
    });
    outbox.react("repo.transferred", ({ repoId }) => {
      if (repoId === undefined) return;
      branchProtections.forgetTeams(repoId);
      tagProtections.forgetTeams(repoId);
    });
    return { services: { branchProtections, tagProtections, pushLimits } };
  },
};

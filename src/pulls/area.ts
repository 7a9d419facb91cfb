import type { Area } from "../area.ts";
import { eachOnDemand, whenMade } from "../kernel/on-demand.ts";
import { pullErrorWords } from "./error-words.ts";
import { addPullFilters } from "./item-filters.ts";
import { handlePullJobs } from "./jobs.ts";
import { tellMergeBoxes } from "./live.ts";
import { autoMerge } from "./merge/auto-merge.ts";
import { pullMetas } from "./metas.ts";
import { tellOfPulls } from "./occasions.ts";
import { pushHints } from "./push-hints.ts";
import { wirePulls } from "./wiring.ts";
import "./events.ts";

/** Pull requests: issues with a branch to be merged into another. */
export const pullsArea: Area = {
  name: "pulls",
  errorWords: pullErrorWords,
  routes: async () => (await import("./api.ts")).pullRoutes,
  open: (core, services) => {
    const { config, db, jobs, links, live, log, outbox } = core;
    const { comments, identity, itemParts, refsFor } = services;
    const { byPush, pushes, state, turns, ...opened } = eachOnDemand(
      () => (require("./opening.ts") as typeof import("./opening.ts")).openPulls(core, services),
      {
        branchRemoval: true,
        branchUpdates: true,
        byPush: true,
        codeComments: true,
        codeOwners: true,
        mergeConditions: true,
        mergedBetween: true,
        mergeMessages: true,
        mergeQueue: true,
        mergeSchedule: true,
        pullChanges: true,
        pullChecks: true,
        pullConflicts: true,
        pullCreation: true,
        pullEditing: true,
        pullHeads: true,
        pullImports: true,
        pullMerges: true,
        pulls: true,
        pullVersions: true,
        recentBranches: true,
        pushes: true,
        reviewRequests: true,
        reviews: true,
        state: true,
        suggestions: true,
        turns: true,
        viewedFiles: true,
      },
    );
    const { branchUpdates: updates, mergeQueue: queue, mergeSchedule: schedule, pullMerges: merges, pulls } = opened;
    addPullFilters(services.itemLists);
    tellOfPulls(services.occasions, services);
    comments.addVeil((principal, entry) => opened.reviews.hides(principal, entry));
    whenMade(refsFor, (made) => made.receiveWith((seen, request, say) => byPush.receive(seen, request, say)));
    if (config["pulls.push_hints"])
      whenMade(services.pushes, (made) => made.adviseWith(pushHints(pulls, services.repos, links)));
    itemParts.add("pull_request", (items) => pullMetas({ links, pulls }, items));
    autoMerge({ db, identity, jobs, log, merges, pulls, queue });
    handlePullJobs(jobs, { checks: opened.pullChecks, pushes, turns });
    tellMergeBoxes(live, outbox, db);
    wirePulls({ core, services, pulls, pushes, queue, schedule, state, updates });
    return { services: opened };
  },
};

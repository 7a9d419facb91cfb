import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import type { PushedCommitFinder } from "./pushed-commits.ts";
import { ActivityService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly activity: ActivityService;
    readonly pushedCommits: PushedCommitFinder;
  }
}

/** Activity feeds. */
export const activityArea: Area = {
  name: "activity",
  routes: async () => (await import("./api.ts")).activityRoutes,
  open: (
    { access, clock, config, db, live, outbox, retention },
    { commits, files, history, identity, issues, repos, repoSearch, timeline },
  ) => {
    const items = { issues, timeline };
    const activity = new ActivityService(db, access, identity, repos, repoSearch, items, clock, live);
    outbox.add(activity);
    retention.add({
      name: "activities",
      days: config["retention.activities_days"],
      task: "delete_old_actions",
      prune: (before, limit) => activity.prune(before, limit),
    });
    return {
      services: {
        activity,
        pushedCommits: onDemand(
          () =>
            new (require("./pushed-commits.ts") as typeof import("./pushed-commits.ts")).PushedCommitFinder(
              commits,
              files,
              history,
            ),
        ),
      },
    };
  },
};

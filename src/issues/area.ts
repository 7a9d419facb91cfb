import type { Area } from "../area.ts";
import { Audience } from "./audience/service.ts";
import { IssueService } from "./service.ts";
import { Timeline } from "./timeline/service.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services {
    readonly issues: IssueService;
    readonly timeline: Timeline;
    readonly audience: Audience;
  }
}

/** Issues, and what pull requests have in common with them. */
export const issuesArea: Area = {
  name: "issues",
  routes: async () => (await import("./api.ts")).issueRoutes,
  open: ({ clock, db, outbox }, { blocks, labels, milestones, repos, watches }) => {
    repos.addCount("openIssues", openCount(0));
    repos.addCount("openPulls", openCount(1));
    const timeline = new Timeline(db, outbox, clock);
    const issues = new IssueService({ blocks, clock, db, labels, milestones, outbox, repos, timeline });
    return { services: { issues, timeline, audience: new Audience(db, watches) } };
  },
};

const openCount = (isPull: 0 | 1) => (repo: string) =>
  `coalesce((SELECT open_items FROM issue_counts WHERE repo_id = ${repo} AND is_pull = ${isPull}), 0)`;

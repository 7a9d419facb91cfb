import type { Area } from "../area.ts";
import { Comments } from "./comments/service.ts";
import { issueErrorWords } from "./error-words.ts";
import { IssueService } from "./service.ts";
import { Timeline } from "./timeline/service.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services {
    readonly comments: Comments;
    readonly issues: IssueService;
    readonly timeline: Timeline;
  }
}

/** Issues, and what pull requests have in common with them. */
export const issuesArea: Area = {
  name: "issues",
  routes: async () => (await import("./routes.ts")).routesOfItems,
  errorWords: issueErrorWords,
  open: ({ access, clock, db, outbox }, { blocks, identity, labels, milestones, repos }) => {
    repos.addCount("openIssues", openCount(0));
    repos.addCount("openPulls", openCount(1));
    const timeline = new Timeline(db, outbox, access, clock);
    const issues = new IssueService({ blocks, clock, db, labels, milestones, outbox, repos, timeline });
    const comments = new Comments({ blocks, clock, db, identity, issues, outbox, timeline });
    return { services: { comments, issues, timeline } };
  },
};

const openCount = (isPull: 0 | 1) => (repo: string) =>
  `coalesce((SELECT open_items FROM issue_counts WHERE repo_id = ${repo} AND is_pull = ${isPull}), 0)`;

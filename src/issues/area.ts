import type { Area } from "../area.ts";
import { rulesOf } from "./attachments/rules.ts";
import { Attachments } from "./attachments/service.ts";
import { Comments } from "./comments/service.ts";
import { issueErrorWords } from "./error-words.ts";
import { Reactions } from "./reactions/service.ts";
import { IssueService } from "./service.ts";
import { Timeline } from "./timeline/service.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services {
    readonly attachments: Attachments;
    readonly comments: Comments;
    readonly issues: IssueService;
    readonly reactions: Reactions;
    readonly timeline: Timeline;
  }
}

/** Issues, and what pull requests have in common with them. */
export const issuesArea: Area = {
  name: "issues",
  routes: async () => (await import("./routes.ts")).routesOfItems,
  errorWords: issueErrorWords,
  open: ({ access, clock, config, db, outbox, retention }, { blobs, blocks, identity, labels, milestones, repos }) => {
    repos.addCount("openIssues", openCount(0));
    repos.addCount("openPulls", openCount(1));
    const timeline = new Timeline(db, outbox, access, clock);
    const issues = new IssueService({ blocks, clock, db, labels, milestones, outbox, repos, timeline });
    const comments = new Comments({ blocks, clock, db, identity, issues, outbox, timeline });
    const attachments = new Attachments({ blobs, clock, db, issues, outbox, rules: rulesOf(config) });
    retention.add({
      name: "unused attachments",
      days: 1,
      prune: (before, limit) => attachments.removeUnused(before, limit),
    });
    const offered = config["issues.reactions"];
    const reactions = new Reactions({ clock, comments, db, outbox, offered });
    return { services: { attachments, comments, issues, reactions, timeline } };
  },
};

const openCount = (isPull: 0 | 1) => (repo: string) =>
  `coalesce((SELECT open_items FROM issue_counts WHERE repo_id = ${repo} AND is_pull = ${isPull}), 0)`;

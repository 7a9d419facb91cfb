import type { Messages } from "../../../src/language/catalogue.ts";

/** Who works on a repository, how much and when. */
export const en = {
  activity: "Activity",
  pulse: "Pulse",
  contributors: "Contributors",
  "code-frequency": "Code frequency",
  "recent-commits": "Recent commits",
  period: "Period",
  "last-daily": "1 day",
  "last-halfweekly": "3 days",
  "last-weekly": "1 week",
  "last-monthly": "1 month",
  "last-quarterly": "3 months",
  "last-semiyearly": "6 months",
  "last-yearly": "1 year",
  codeIn: "Commits to {branch}",
  commitsBy: { one: "{count} commit by {authors}.", other: "{count} commits by {authors}." },
  authorCount: { one: "{count} author", other: "{count} authors" },
  mergesBesides: { one: "{count} merge besides.", other: "{count} merges besides." },
  counting:
    "This is being counted. The page shows it as soon as it is there; a long history takes minutes the first time.",
  commitsOverTime: "Commits over time, merges left out",
  commitsOf: "Commits of {name}",
  commitCount: { one: "{count} commit", other: "{count} commits" },
  additions: "Added lines",
  deletions: "Deleted lines",
  tooLong: "Lines are not counted in a history of more than 20,000 commits.",
  lastYear: {
    one: "{count} commit in the last year, merges left out",
    other: "{count} commits in the last year, merges left out",
  },
  commitsAWeek: "Commits a week",
  hours: "Commits of the last year by hour, as the authors’ clocks had it",
} as const satisfies Messages;

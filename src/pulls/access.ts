import type { Access } from "../http/route.ts";

/**
 * Who may come in at the routes of pull requests. Whether there are any to read, and what may be done with one, is decided
 * by `PullService` and what builds on it: it depends on the pull request (contract pulls.md 4).
 */
const onPulls = (who: Access["who"], state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", level: "read", ...(state ? { state } : {}) },
  scopes: ["repository"],
  publicOnly: "filtered",
});

export const readsPulls = onPulls("anyone");
/** Changes, refused in archived repositories. */
export const changesPulls = onPulls("user", "unarchived");
/** What is refused in archived repositories in words of its own. */
export const asksPulls = onPulls("user");

import type { Access } from "../http/route.ts";

/**
 * Access to the routes of pull requests. Whether any can be read, and what may be done with one, is decided by
 * `PullService` and the services built on it: it depends on the pull request (contract pulls.md 4).
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
/** Requests that archived repositories refuse with their own message. */
export const asksPulls = onPulls("user");

import type { Access } from "../http/route.ts";

/** The caller's notifications; not available to public-only tokens. */
export const ownNotifications: Access = { who: "user", scopes: ["notification"], publicOnly: "refused" };
/** Those about one repository, if such a token may see it. */
export const ownNotificationsOfRepo: Access = {
  ...ownNotifications,
  publicOnly: "filtered",
  subject: { kind: "repository", level: "read" },
};

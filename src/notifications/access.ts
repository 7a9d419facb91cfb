import type { Access } from "../http/route.ts";

/** One's own notifications: a token for what is public has none. */
export const ownNotifications: Access = { who: "user", scopes: ["notification"], publicOnly: "refused" };
/** Those about one repository. */
export const ownNotificationsOfRepo: Access = {
  ...ownNotifications,
  subject: { kind: "repository", level: "read" },
};

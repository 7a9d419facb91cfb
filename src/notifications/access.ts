import type { Access } from "../http/route.ts";

/** One's own notifications: a token for what is public has none. */
export const ownNotifications: Access = { who: "user", scopes: ["notification"], publicOnly: "refused" };
/** Those about one repository, where such a token may see it. */
export const ownNotificationsOfRepo: Access = {
  ...ownNotifications,
  publicOnly: "filtered",
  subject: { kind: "repository", level: "read" },
};

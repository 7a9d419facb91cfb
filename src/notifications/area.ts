import { operator } from "../access/principal.ts";
import type { Area } from "../area.ts";
import { notificationErrorWords } from "./error-words.ts";
import { Occasions, occasionFor, occasionForAll } from "./occasions.ts";
import { NotificationService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly notifications: NotificationService;
    /** What events tell whom: areas that come later add theirs. */
    readonly occasions: Occasions;
  }
}

/** Members of an organization who are told of one event, at most. */
const MAX_MEMBERS = 1_000;

/** Notifications: what people are told of. */
export const notificationsArea: Area = {
  name: "notifications",
  errorWords: notificationErrorWords,
  routes: async () => (await import("./api.ts")).notificationRoutes,
  open: (core, { audience, identity, issues, members, organizations, repos }) => {
    const { access, clock, db, jobs, live, outbox } = core;
    const notifications = new NotificationService({ access, audience, clock, db, identity, issues, jobs, live, repos });
    const occasions = new Occasions((occasion) => notifications.tell(occasion));
    occasions.add("issue.created", (event) => occasionForAll(event));
    occasions.add("comment.created", (event) => occasionForAll(event));
    occasions.add("issue.state-changed", (event) => occasionForAll(event));
    occasions.add("issue.assignee-changed", (event) =>
      event.payload.isAssigned ? occasionFor(event, [{ userId: event.payload.userId, reason: "assigned" }]) : undefined,
    );
    occasions.add("issue.mentioned", (event) =>
      occasionFor(
        event,
        event.payload.userIds.map((userId) => ({ userId, reason: "mentioned" })),
      ),
    );
    occasions.add("repo.transfer-started", ({ at, payload, principal, repoId }) => {
      const recipient = identity.byId(payload.recipientId);
      if (!recipient || repoId === undefined) return undefined;
      const people =
        recipient.kind === "organization"
          ? members
              .list(organizations.standingIn(operator, recipient), { page: 1, limit: MAX_MEMBERS, offset: 0 })
              .items.filter((user) => organizations.accountMayCreateRepos(recipient, user))
          : [recipient];
      return {
        repoId,
        issueId: null,
        subject: "repository",
        unit: null,
        at,
        doerId: principal.userId ?? null,
        toAll: false,
        withWatchers: false,
        to: people.map(({ id }) => ({ userId: id, reason: "offered" })),
      };
    });
    outbox.add(occasions);
    return { services: { notifications, occasions } };
  },
};

import { operator } from "../access/principal.ts";
import type { Area } from "../area.ts";
import { notificationErrorWords } from "./error-words.ts";
import { Notices, noticeTo, noticeToAll } from "./notices.ts";
import { NotificationService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly notifications: NotificationService;
    /** What events tell whom: areas that come later add theirs. */
    readonly notices: Notices;
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
    const notices = new Notices((notice) => notifications.tell(notice));
    notices.add("issue.created", (event) => noticeToAll(event));
    notices.add("comment.created", (event) => noticeToAll(event));
    notices.add("issue.state-changed", (event) => noticeToAll(event));
    notices.add("issue.assignee-changed", (event) =>
      event.payload.isAssigned ? noticeTo(event, [{ userId: event.payload.userId, reason: "assigned" }]) : undefined,
    );
    notices.add("repo.transfer-started", ({ payload, principal, repoId }) => {
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
        doerId: principal.userId ?? null,
        toAll: false,
        withWatchers: false,
        to: people.map(({ id }) => ({ userId: id, reason: "offered" })),
      };
    });
    outbox.add(notices);
    return { services: { notifications, notices } };
  },
};

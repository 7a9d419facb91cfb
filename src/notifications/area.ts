import { operator } from "../access/principal.ts";
import type { Area } from "../area.ts";
import { notificationErrorWords } from "./error-words.ts";
import { MailPreferences } from "./mails/preferences.ts";
import { ItemMails } from "./mails/service.ts";
import { MailTexts } from "./mails/texts.ts";
import { Occasions, occasionFor, occasionForAll } from "./occasions.ts";
import { NotificationService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly mailPreferences: MailPreferences;
    readonly mailTexts: MailTexts;
    readonly notifications: NotificationService;
    /** Which events notify whom: later areas add theirs. */
    readonly occasions: Occasions;
  }
}

/** Maximum number of organization members notified of one event. */
const MAX_MEMBERS = 1_000;

/** Notifications to people. */
export const notificationsArea: Area = {
  name: "notifications",
  errorWords: notificationErrorWords,
  routes: async () => (await import("./api.ts")).notificationRoutes,
  open: (core, services) => {
    const { audience, identity, issues, markup, members, organizations, references, repos, storage, timeline } =
      services;
    const { access, clock, config, db, jobs, links, live, mail, mailWords, outbox, retention } = core;
    const mailPreferences = new MailPreferences(db, config["notifications.mail"]);
    const mailTexts = new MailTexts({ links, markup, references, storage });
    const itemMails = new ItemMails({
      clock,
      db,
      identity,
      issues,
      links,
      mail,
      preferences: mailPreferences,
      repos,
      texts: mailTexts,
      timeline,
      words: mailWords.items,
    });
    retention.add({ name: "notes of mails", days: 30, prune: (before, limit) => itemMails.prune(before, limit) });
    const notifications = new NotificationService({
      access,
      audience,
      clock,
      db,
      identity,
      issues,
      itemMails,
      jobs,
      live,
      repos,
    });
    const occasions = new Occasions((occasion) => notifications.tell(occasion));
    occasions.add("issue.created", (event) => occasionForAll(event, { what: "new" }));
    occasions.add("comment.created", (event) =>
      occasionForAll(event, { what: "comment", entryId: event.payload.entryId }),
    );
    occasions.add("issue.state-changed", (event) => {
      const { isClosed, isMerge } = event.payload;
      // A merge has an event of its own.
      return occasionForAll(event, isMerge ? undefined : { what: isClosed ? "close" : "reopen" });
    });
    occasions.add("issue.assignee-changed", (event) =>
      event.payload.isAssigned
        ? occasionFor(event, [{ userId: event.payload.userId, reason: "assigned" }], { what: "assigned" })
        : undefined,
    );
    occasions.add("issue.mentioned", (event) =>
      occasionFor(
        event,
        event.payload.userIds.map((userId) => ({ userId, reason: "mentioned" })),
        event.payload.entryId === null ? { what: "new" } : { what: "comment", entryId: event.payload.entryId },
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
        what: "transfer",
      };
    });
    outbox.add(occasions);
    return { services: { mailPreferences, mailTexts, notifications, occasions } };
  },
};

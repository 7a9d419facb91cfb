import { type Static, Type } from "@sinclair/typebox";
import type { Principal } from "../access/principal.ts";
import { text, time, whole, yesNo } from "../http/fields.ts";
import { issueAddress, issuePage } from "../issues/addresses.ts";
import { stateOf } from "../issues/resource.ts";
import type { SeenIssue } from "../issues/types.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { repoAddress, repoPage } from "../repos/addresses.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";
import type { Notification } from "./types.ts";

export const NotificationSubjectResource = Type.Object(
  {
    title: text("Title of the issue or pull request, or name of the repository."),
    url: text("API address of the issue, or path of the repository."),
    latest_comment_url: text("API address of the newest comment; empty if there is none."),
    html_url: text("Its page."),
    latest_comment_html_url: text("Page of the newest comment; empty if there is none."),
    type: text("Issue, Pull or Repository."),
    state: text("open, closed or merged; empty for a repository."),
  },
  { $id: "NotificationSubject", description: "The subject of a thread." },
);

export const NotificationThreadResource = Type.Object(
  {
    id: whole("Number of the thread."),
    repository: Type.Union([RepoResource, Type.Null()], {
      description: "The repository; null if the reader has lost access to it.",
    }),
    subject: Type.Union([NotificationSubjectResource, Type.Null()], {
      description: "The subject; null if the reader has lost access to it.",
    }),
    unread: yesNo("Whether there is something the reader has not seen."),
    pinned: yesNo("Whether the reader pinned it."),
    updated_at: time("When it last changed."),
    url: text("API address of the thread."),
  },
  { $id: "NotificationThread", description: "A notification thread about an issue, pull request or repository." },
);
export type NotificationThreadResource = Static<typeof NotificationThreadResource>;

export const NotificationCountResource = Type.Object(
  { new: whole("Threads that are unread.") },
  { $id: "NotificationCount", description: "Number of unread notification threads." },
);

/** A thread with its subject, as the reader sees it now. */
export interface ShownNotification {
  readonly notification: Notification;
  /** Undefined: the reader lost access. */
  readonly seen: SeenRepo | undefined;
  readonly item: SeenIssue | undefined;
  readonly latestComment: number | undefined;
}

/** The subjects of threads for their reader, in a fixed number of queries. */
export function shownNotifications(
  { issues, repos, timeline }: Pick<Services, "issues" | "repos" | "timeline">,
  reader: Principal,
  notifications: readonly Notification[],
): ShownNotification[] {
  const issueIds = notifications.flatMap(({ issueId }) => issueId ?? []);
  const items = new Map(issues.seeEach(reader, issueIds).map((item) => [item.issue.id, item]));
  const whole = notifications.flatMap(({ issueId, repoId }) => (issueId === undefined ? [repoId] : []));
  const seen = new Map(repos.seeEach(reader, [...new Set(whole)]).map((each) => [each.repo.id, each]));
  const latest = timeline.latestComments([...items.keys()]);
  return notifications.map((notification) => {
    const { issueId, repoId } = notification;
    const item = issueId === undefined ? undefined : items.get(issueId);
    return {
      notification,
      item,
      seen: issueId === undefined ? seen.get(repoId) : item?.seen,
      latestComment: issueId === undefined ? undefined : latest.get(issueId),
    };
  });
}

const SUBJECT_TYPES = { issue: "Issue", pull: "Pull", commit: "Commit", repository: "Repository" } as const;

/** Threads as shown to their reader. */
export function notificationResources(
  services: Services,
  reader: Principal,
  notifications: readonly Notification[],
): NotificationThreadResource[] {
  const { links } = services;
  const shown = shownNotifications(services, reader, notifications);
  const seen = new Map(shown.flatMap(({ seen }) => (seen ? [[seen.repo.id, seen] as const] : [])));
  const repos = new Map(
    repoResources(services, [...seen.values()]).map((resource) => [resource.id, withoutPermissions(resource)]),
  );
  const states = stateOf(
    services,
    shown.flatMap(({ item }) => item ?? []),
  );
  return shown.map(({ item, latestComment, notification, seen }) => {
    const page = item ? issuePage(item, links) : "";
    return {
      id: notification.id,
      repository: (seen && repos.get(seen.repo.id)) ?? null,
      subject: !seen
        ? null
        : {
            title: item?.issue.title ?? `${seen.owner.login}/${seen.repo.name}`,
            url: item ? issueAddress(item, links) : `/${seen.owner.login}/${seen.repo.name}`,
            latest_comment_url:
              item && latestComment !== undefined ? `${repoAddress(seen, links)}/issues/comments/${latestComment}` : "",
            html_url: item ? page : repoPage(seen, links),
            latest_comment_html_url: latestComment === undefined ? "" : `${page}#issuecomment-${latestComment}`,
            type: SUBJECT_TYPES[notification.subject],
            state: item ? (states.get(item.issue.id) ?? "") : "",
          },
      unread: notification.status === "unread",
      pinned: notification.status === "pinned",
      updated_at: rfc3339(notification.updatedAt),
      url: `${links.rootUrl}api/v1/notifications/threads/${notification.id}`,
    };
  });
}

/** Threads say where something happened, not what the reader may do there (contract webhooks.md 10.2). */
function withoutPermissions(resource: RepoResource): RepoResource {
  const { parent, permissions: _, ...repo } = resource;
  return parent ? { ...repo, parent: withoutPermissions(parent) } : repo;
}

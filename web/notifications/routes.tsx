import { isPartial, json } from "../../src/http/respond.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { type ShownNotification, shownNotifications } from "../../src/notifications/resource.ts";
import type { NotificationStatus } from "../../src/notifications/types.ts";
import type { WebServices } from "../area.ts";
import { itemHref } from "../conversation/entries.ts";
import { readForm } from "../form-data.ts";
import { pageHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { eventStream } from "../live.ts";
import { localPath } from "../redirect-target.ts";
import { homeOf } from "../repos/frame.ts";
import { repoItem } from "../repos/items.ts";
import { redirectAfterPost, shellOf, show, showPart } from "../visit.ts";
import { type Inbox, InboxList, InboxPage, type Thread, WatchingPage } from "./inbox.tsx";
import { mailSettingsPages } from "./mail-settings.tsx";

const PER_PAGE = 20;
const own = { who: "user", scopes: [], publicOnly: "refused" } as const;
const HOME = "/notifications";

/** The values that forms send, as the contract names them (web.md 1.6). */
const ACTIONS: Readonly<Record<string, NotificationStatus>> = {
  mark_as_read: "read",
  mark_as_unread: "unread",
  pin: "pinned",
};

/** A user's notifications and watched repositories. */
export function notificationPages(services: WebServices): Route[] {
  const { notifications, watches } = services;
  const read = { method: "GET", surface: "page", access: own } as const;
  const post = { method: "POST", surface: "page", access: own } as const;
  return [
    { ...read, path: HOME, handle: (call) => inbox(services, call) },
    {
      ...read,
      path: `${HOME}/new`,
      handle: ({ principal }) => json({ new: notifications.countUnread(principal) }),
    },
    {
      ...read,
      path: `${HOME}/watching`,
      handle: (call) => {
        const slice = pageOf(call, PER_PAGE);
        const { items, total } = watches.followedBy(call.principal, signedIn(call), slice);
        return show(
          call,
          <WatchingPage
            shell={shellOf(services, call)}
            repos={items.map(repoItem)}
            pages={{ page: slice.page, perPage: PER_PAGE, total, href: call.target }}
          />,
        );
      },
    },
    {
      ...post,
      path: `${HOME}/status`,
      handle: async (call) => {
        const form = await readForm(call);
        const status = ACTIONS[form.text("notification_action")];
        const id = form.number("notification_id");
        if (!status || id === undefined) throw new NotFound();
        notifications.mark(call.principal, id, status);
        if (isPartial(call.request)) return showPart(call, <InboxList inbox={inboxOf(services, call)} />);
        return redirectAfterPost(services, call, localPath(form.text("redirect_to")) ?? HOME);
      },
    },
    {
      ...post,
      path: `${HOME}/purge`,
      handle: (call) => {
        notifications.markAll(call.principal, { statuses: ["unread"], subjects: [] }, "read");
        return redirectAfterPost(services, call, HOME);
      },
    },
    ...mailSettingsPages(services),
    {
      ...read,
      path: "/user/events",
      handle: (call) => eventStream(services, call, `notifications:${signedIn(call).id}`),
    },
  ];
}

function inbox(services: WebServices, call: Call): Response {
  return show(call, <InboxPage shell={shellOf(services, call)} inbox={inboxOf(services, call)} />);
}

/** The list that a request, or the page of a form, shows. */
function inboxOf(services: WebServices, call: Call): Inbox {
  const { notifications } = services;
  const showsRead = call.query.get("type") === "read";
  const slice = pageOf(call, PER_PAGE);
  const statuses: readonly NotificationStatus[] = showsRead ? ["read"] : ["unread", "pinned"];
  const { items, total } = notifications.list(call.principal, { statuses, subjects: [] }, slice, true);
  const href = withQuery(HOME, { type: showsRead ? "read" : undefined });
  const threads = shownNotifications(services, call.principal, items).flatMap((shown) => threadOf(shown));
  return {
    showsRead,
    threads,
    here: slice.page > 1 ? pageHref(href, slice.page) : href,
    pages: { page: slice.page, perPage: PER_PAGE, total, href },
  };
}

function threadOf({ item, notification, seen }: ShownNotification): Thread[] {
  if (!seen) return [];
  const { isClosed = false, isPull = false, number, title } = item?.issue ?? {};
  return [
    {
      id: notification.id,
      owner: seen.owner.login,
      repo: seen.repo.name,
      title: title ?? `${seen.owner.login}/${seen.repo.name}`,
      href: item ? itemHref(item) : homeOf(seen),
      kind: item ? (isPull ? "pull" : "issue") : "repository",
      isClosed,
      reason: notification.reason,
      status: notification.status,
      updatedAt: notification.updatedAt,
      ...(number === undefined ? {} : { number }),
    },
  ];
}

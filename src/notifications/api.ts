import { Type } from "@sinclair/typebox";
import {
  asksInForm,
  flagParam,
  type ListCall,
  lists,
  textParam,
  textsParam,
  timeParam,
  type ValuesOf,
} from "../http/query.ts";
import { json, page } from "../http/respond.ts";
import { type Call, param, type Route } from "../http/route.ts";
import { BadRequest, NotFound, ValidationFailed } from "../kernel/errors.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { ownNotifications, ownNotificationsOfRepo } from "./access.ts";
import { NotificationCountResource, NotificationThreadResource, notificationResources } from "./resource.ts";
import { type Notification, type NotificationStatus, notificationStatuses, notificationSubjects } from "./types.ts";

const statusesParam = textsParam("unread, read or pinned; may be repeated.");

const wanted = {
  all: flagParam("Threads of every status.", false),
  "status-types": statusesParam,
  "subject-type": textsParam("issue, pull, commit or repository; may be repeated."),
  since: timeParam("Only threads that changed at this time or later, as RFC 3339."),
  before: timeParam("Only threads that changed at this time or earlier, as RFC 3339."),
};

/** In the query, or as a form. */
const marking = {
  all: flagParam("Threads of every status.", false),
  "status-types": statusesParam,
  "to-status": textParam("unread, read or pinned; read by default."),
  last_read_at: textParam("Only threads that changed at this time or earlier, as RFC 3339."),
};

/** Notifications over REST (contract issues.md 20). */
export function notificationRoutes(services: Services): Route[] {
  const { links, notifications } = services;
  const api = { surface: "api" } as const;
  const show = (call: Call, items: readonly Notification[]) => notificationResources(services, call.principal, items);
  const list = (call: ListCall, query: ValuesOf<typeof wanted>, repoId?: number) => {
    const filter = {
      statuses: query.all ? [] : known(query["status-types"], notificationStatuses, ["unread", "pinned"]),
      subjects: known(query["subject-type"], notificationSubjects, []),
      since: query.since,
      before: wholeSecond(query.before),
      repoId,
    };
    const { items, total } = notifications.list(call.principal, filter, call.paging);
    return page(show(call, items), total, { rootUrl: links.rootUrl, ...call });
  };
  const markAll = (call: Call, query: ValuesOf<typeof marking>, repoId?: number) => {
    const filter = {
      statuses: query.all ? [] : known(query["status-types"], notificationStatuses, ["unread"]),
      subjects: [],
      before: wholeSecond(lastRead(query.last_read_at)),
      repoId,
    };
    const changed = notifications.markAll(call.principal, filter, toStatus(query["to-status"]));
    return json(show(call, changed), 205);
  };
  const threads = Type.Array(NotificationThreadResource);
  const listed = { 200: { description: "The threads, most recently changed first.", schema: threads } };
  const marked = {
    205: { description: "The threads that changed.", schema: threads },
    400: { description: "The time is not in RFC 3339 format." },
  };
  const id = { id: "Number of the thread." };
  const missing = {
    403: { description: "It belongs to someone else." },
    404: { description: "There is no such thread." },
  };

  return [
    {
      ...api,
      method: "GET",
      path: "/api/v1/notifications",
      access: ownNotifications,
      doc: {
        id: "notifyGetList",
        tag: "notification",
        summary: "List the authenticated user's notification threads",
        answers: listed,
      },
      ...lists(wanted, (call, query) => list(call, query)),
    },
    {
      ...api,
      method: "PUT",
      path: "/api/v1/notifications",
      access: ownNotifications,
      doc: {
        id: "notifyReadList",
        tag: "notification",
        summary: "Mark the authenticated user's notification threads",
        answers: marked,
      },
      ...asksInForm(marking, (call, query) => markAll(call, query)),
    },
    {
      ...api,
      method: "GET",
      path: "/api/v1/notifications/new",
      access: ownNotifications,
      doc: {
        id: "notifyNewAvailable",
        tag: "notification",
        summary: "Count the authenticated user's unread threads",
        answers: { 200: { description: "How many there are.", schema: NotificationCountResource } },
      },
      handle: ({ principal }) => json({ new: notifications.countUnread(principal) }),
    },
    {
      ...api,
      method: "GET",
      path: "/api/v1/notifications/threads/:id",
      access: ownNotifications,
      doc: {
        id: "notifyGetThread",
        tag: "notification",
        summary: "Get a thread",
        params: id,
        answers: { 200: { description: "The thread.", schema: NotificationThreadResource }, ...missing },
      },
      handle: (call) => json(show(call, [notifications.see(call.principal, threadId(call))])[0]),
    },
    {
      ...api,
      method: "PATCH",
      path: "/api/v1/notifications/threads/:id",
      access: ownNotifications,
      doc: {
        id: "notifyReadThread",
        tag: "notification",
        summary: "Mark a thread",
        params: id,
        answers: { 205: { description: "The thread.", schema: NotificationThreadResource }, ...missing },
      },
      ...asksInForm({ "to-status": marking["to-status"] }, (call, query) => {
        const thread = notifications.mark(call.principal, threadId(call), toStatus(query["to-status"]));
        return json(show(call, [thread])[0], 205);
      }),
    },
    {
      ...api,
      method: "GET",
      path: "/api/v1/repos/:owner/:repo/notifications",
      access: ownNotificationsOfRepo,
      doc: {
        id: "notifyGetRepoList",
        tag: "notification",
        summary: "List the authenticated user's threads about a repository",
        answers: listed,
      },
      ...lists(wanted, (call, query) => list(call, query, seenRepo(call).repo.id)),
    },
    {
      ...api,
      method: "PUT",
      path: "/api/v1/repos/:owner/:repo/notifications",
      access: ownNotificationsOfRepo,
      doc: {
        id: "notifyReadRepoList",
        tag: "notification",
        summary: "Mark the authenticated user's threads about a repository",
        answers: marked,
      },
      ...asksInForm(marking, (call, query) => markAll(call, query, seenRepo(call).repo.id)),
    },
  ];
}

/** @throws NotFound not a number */
function threadId(call: Call): number {
  const id = param(call, "id");
  if (!/^\d{1,15}$/.test(id)) throw new NotFound("notification.missing", { params: { id } });
  return Number(id);
}

/** The known words, in any letter case; `whenAbsent` if there are none. */
function known<T extends string>(
  given: readonly string[],
  words: readonly T[],
  whenAbsent: readonly T[],
): readonly T[] {
  const requested = new Set(given.map((word) => word.toLowerCase()));
  const found = words.filter((word) => requested.has(word));
  return found.length === 0 ? whenAbsent : found;
}

function toStatus(given: string): NotificationStatus {
  return notificationStatuses.find((status) => status === given.toLowerCase()) ?? "read";
}

/** Responses show whole seconds: a change within the shown second does not count as later. */
function wholeSecond(time: number | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(time / 1000) * 1000 + 999;
}

/** @throws BadRequest not an RFC 3339 time */
function lastRead(given: string): number | undefined {
  const name = "last_read_at";
  try {
    return timeParam("").read(given, name, [given]);
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    throw new BadRequest(error.code, { field: name, params: error.params });
  }
}

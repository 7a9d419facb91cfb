import { Type } from "@sinclair/typebox";
import { parseRfc3339 } from "../content/values.ts";
import { maybeText } from "../http/fields.ts";
import { type ListCall, lists, type Parameter, textParam } from "../http/query.ts";
import { json, noContent, page } from "../http/respond.ts";
import { type Call, param, type Route, takes } from "../http/route.ts";
import { changesItems } from "../issues/access.ts";
import { namedIssue, seenIssue } from "../issues/item.ts";
import { badTime } from "../kernel/errors.ts";
import type { Slice } from "../kernel/paging.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { readsItemTimes, readsOwnTimes, readsRepoTimes } from "./access.ts";
import { StopWatchResource, stopWatchResource, TrackedTimeResource, trackedTimeResources } from "./resource.ts";
import type { TrackedTime } from "./types.ts";

const repoPath = "/api/v1/repos/:owner/:repo";
const itemPath = `${repoPath}/issues/:index`;

const AddTimeBody = Type.Object(
  {
    time: Type.Integer({ description: "Seconds." }),
    created: maybeText("When it was spent, as RFC 3339; now by default."),
    user_name: maybeText("Who spent it; only administrators of the repository may name another."),
  },
  { $id: "AddTimeOption", description: "Time to log." },
);

/** Milliseconds. @throws ValidationFailed */
function timeOf(given: string, field: string): number {
  const time = parseRfc3339(given);
  if (!time) throw badTime(field, given);
  return time.timestamp * 1000;
}

const timeParam = (description: string): Parameter<number | undefined> => ({
  description,
  schema: Type.String({ format: "date-time" }),
  read: (given, name) => (given === "" ? undefined : timeOf(given, name)),
});

const bounds = {
  since: timeParam("Only time logged at or after this time, as RFC 3339."),
  before: timeParam("Only time logged at or before this time, as RFC 3339."),
};
const filters = { user: textParam("Only time logged by this account."), ...bounds };

const timeList = (description: string) => ({ 200: { description, schema: Type.Array(TrackedTimeResource) } });

/** Stopwatches and tracked times over REST (contract issues.md 15). */
export function timeRoutes(services: Services): Route[] {
  return [...stopwatchRoutes(services), ...itemRoutes(services), ...listRoutes(services)];
}

function stopwatchRoutes({ issues, links, times }: Services): Route[] {
  const api = { surface: "api", access: changesItems } as const;
  const params = { index: "Number of the item." };
  const refused = {
    403: { description: "The caller has no write access, or time tracking is disabled." },
    404: { description: "There is no such item, or the caller may not read it." },
  };
  const empty = () => new Response(null, { status: 201 });
  return [
    {
      ...api,
      method: "POST",
      path: `${itemPath}/stopwatch/start`,
      doc: {
        id: "issueStartStopWatch",
        tag: "issue",
        summary: "Start a stopwatch on an issue",
        params,
        answers: {
          201: { description: "Started." },
          409: { description: "A stopwatch is already running on it." },
          ...refused,
        },
      },
      handle: (call) => {
        times.start(seenIssue(call, issues));
        return empty();
      },
    },
    {
      ...api,
      method: "POST",
      path: `${itemPath}/stopwatch/stop`,
      doc: {
        id: "issueStopStopWatch",
        tag: "issue",
        summary: "Stop a stopwatch and log its time",
        params,
        answers: {
          201: { description: "The time was logged." },
          409: { description: "No stopwatch is running on it." },
          ...refused,
        },
      },
      handle: (call) => {
        times.stop(seenIssue(call, issues));
        return empty();
      },
    },
    {
      ...api,
      method: "DELETE",
      path: `${itemPath}/stopwatch/delete`,
      doc: {
        id: "issueDeleteStopWatch",
        tag: "issue",
        summary: "Discard a stopwatch",
        params,
        answers: {
          204: { description: "Deleted." },
          409: { description: "No stopwatch is running on it." },
          ...refused,
        },
      },
      handle: (call) => {
        times.cancel(seenIssue(call, issues));
        return noContent();
      },
    },
    {
      surface: "api",
      method: "GET",
      path: "/api/v1/user/stopwatches",
      access: readsOwnTimes,
      doc: {
        id: "userGetStopWatches",
        tag: "user",
        summary: "List the stopwatches of the authenticated user",
        answers: {
          200: { description: "At most one, on an item that they may read.", schema: Type.Array(StopWatchResource) },
        },
      },
      ...lists({}, (call) => {
        const found = times.running(call.principal);
        const all = found ? [stopWatchResource(found)] : [];
        const { limit, offset } = call.paging;
        return page(all.slice(offset, offset + limit), all.length, { rootUrl: links.rootUrl, ...call });
      }),
    },
  ];
}

/** A page of times with their items. */
function timePage(services: Services, call: ListCall, { items, total }: Slice<TrackedTime>): Response {
  const seen = services.issues.seeEach(call.principal, [...new Set(items.map(({ issueId }) => issueId))]);
  const shown = trackedTimeResources(services, items, seen);
  return page(shown, total, { rootUrl: services.links.rootUrl, ...call });
}

/** Clients expect this message under a capitalized key; other errors use lower case (contract issues.md 15.2). */
function disabled({ links }: Services): Response {
  const message = "time tracking disabled";
  return json({ message, Message: message, url: `${links.rootUrl}api/swagger` }, 400);
}

function itemRoutes(services: Services): Route[] {
  const { issues, times } = services;
  const path = `${itemPath}/times`;
  const item = (call: Call) => namedIssue(call, issues);
  const params = { index: "Number of the item." };
  const refused = {
    400: { description: "Time tracking is disabled here." },
    403: { description: "The caller may not log time here." },
    404: { description: "There is no such item, or nothing to delete." },
  };
  return [
    {
      surface: "api",
      method: "GET",
      path,
      access: readsItemTimes,
      doc: {
        id: "issueTrackedTimes",
        tag: "issue",
        summary: "List tracked time on an issue",
        params,
        answers: {
          ...timeList("The caller's own entries; with write access, everyone's. Oldest first."),
          403: { description: "The caller may not see this user's times." },
          404: { description: "There is no such item or user, or time tracking is disabled here." },
        },
      },
      ...lists(filters, (call, filter) => timePage(services, call, times.ofItem(item(call), filter, call.paging))),
    },
    {
      surface: "api",
      method: "POST",
      path,
      access: changesItems,
      doc: {
        id: "issueAddTime",
        tag: "issue",
        summary: "Track time on an issue",
        params,
        answers: {
          200: { description: "The logged time.", schema: TrackedTimeResource },
          ...refused,
          422: { description: "A value is invalid." },
        },
      },
      ...takes(
        AddTimeBody,
        (call, { created, time, user_name }) => {
          const seen = item(call);
          const at = created ? timeOf(created, "created") : undefined;
          const made = times.add(seen, { seconds: time, at, userName: user_name });
          return json(trackedTimeResources(services, [made], [item(call)])[0]);
        },
        { before: item },
      ),
    },
    {
      surface: "api",
      method: "DELETE",
      path,
      access: changesItems,
      doc: {
        id: "issueResetTime",
        tag: "issue",
        summary: "Delete the authenticated user's tracked time on an issue",
        params,
        answers: { 204: { description: "The caller's entries were deleted." }, ...refused },
      },
      handle: (call) => {
        const seen = item(call);
        if (!times.isOn(seen.seen)) return disabled(services);
        times.deleteOwn(seen);
        return noContent();
      },
    },
    {
      surface: "api",
      method: "DELETE",
      path: `${path}/:id`,
      access: changesItems,
      doc: {
        id: "issueDeleteTime",
        tag: "issue",
        summary: "Delete a tracked time",
        params: { ...params, id: "Number of the entry." },
        answers: { 204: { description: "Deleted." }, ...refused },
      },
      handle: (call) => {
        const id = param(call, "id");
        const seen = item(call);
        if (!times.isOn(seen.seen)) return disabled(services);
        times.delete(seen, /^\d{1,15}$/.test(id) ? Number(id) : 0);
        return noContent();
      },
    },
  ];
}

function listRoutes(services: Services): Route[] {
  const { times } = services;
  const api = { surface: "api", method: "GET" } as const;
  const refused = {
    400: { description: "Time tracking is disabled here." },
    403: { description: "The caller may not see this user's times." },
    404: { description: "There is no such user." },
  };
  return [
    {
      ...api,
      path: `${repoPath}/times`,
      access: readsRepoTimes,
      doc: {
        id: "repoTrackedTimes",
        tag: "repository",
        summary: "List tracked time in a repository",
        answers: {
          ...timeList("The caller's own entries; with write access, everyone's. Oldest first."),
          ...refused,
        },
      },
      ...lists(filters, (call, filter) => timePage(services, call, times.ofRepo(seenRepo(call), filter, call.paging))),
    },
    {
      ...api,
      path: `${repoPath}/times/:user`,
      access: readsRepoTimes,
      doc: {
        id: "userTrackedTimes",
        tag: "repository",
        summary: "List a user's tracked time in a repository",
        params: { user: "Name of the account." },
        answers: { ...timeList("Time logged by the account, oldest first."), ...refused },
      },
      ...lists({}, (call) =>
        timePage(services, call, times.ofUserInRepo(seenRepo(call), param(call, "user"), call.paging)),
      ),
    },
    {
      ...api,
      path: "/api/v1/user/times",
      access: readsOwnTimes,
      doc: {
        id: "userCurrentTrackedTimes",
        tag: "user",
        summary: "List the authenticated user's tracked time",
        answers: timeList("Time logged on items that they can still read, oldest first."),
      },
      ...lists(bounds, (call, bound) =>
        timePage(services, call, times.ofPrincipal(call.principal, bound, call.paging)),
      ),
    },
  ];
}

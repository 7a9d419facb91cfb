import { Type } from "@sinclair/typebox";
import { readCode } from "../content/access.ts";
import { maybeText } from "../http/fields.ts";
import { choiceParam, type ListCall, lists } from "../http/query.ts";
import { created, json, page, pageHeaders } from "../http/respond.ts";
import { type Access, type Call, param, type Route, takes } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import { repoAddress } from "../repos/addresses.ts";
import { repoResources } from "../repos/resource.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { CombinedStatusResource, CommitStatusResource, statusResources } from "./resource.ts";
import { combinedState, type StatusOrder, type StatusState, statusOrders, statusStates } from "./types.ts";

const path = "/api/v1/repos/:owner/:repo";

const writeCode: Access = {
  who: "user",
  subject: { kind: "repository", unit: "code", level: "write" },
  scopes: ["repository"],
  publicOnly: "filtered",
};

const NewStatusBody = Type.Object(
  {
    state: Type.String({ description: "pending, success, error, failure, warning or skipped.", field: "State" }),
    target_url: maybeText("Address of the details."),
    description: maybeText("A short description."),
    context: maybeText("Name of the check."),
  },
  { $id: "CreateStatusOption", description: "A status that a check reported for a commit." },
);

const wanted = {
  sort: choiceParam("Order of the list; newest first by default.", statusOrders, "sort mode"),
  state: choiceParam("Only statuses with this state.", statusStates, "state"),
};

/** Commit statuses over REST (contract git-content.md 7.4). */
export function statusRoutes(services: Services): Route[] {
  const { links, statuses } = services;
  const show = (call: Call, items: Parameters<typeof statusResources>[3]) =>
    statusResources(services, call.principal, seenRepo(call), items);
  const list = (
    call: ListCall,
    commit: string,
    { sort, state }: { sort: StatusOrder | undefined; state: StatusState | undefined },
  ) => {
    const { items, total } = statuses.list(seenRepo(call), commit, { order: sort, state }, call.paging);
    return page(show(call, items), total, { rootUrl: links.rootUrl, ...call });
  };
  const api = { surface: "api" } as const;
  const listed = { description: "The statuses.", schema: Type.Array(CommitStatusResource) };
  const missing = { 404: { description: "There is no such commit." } };
  const byId = lists(wanted, async (call, query) => {
    const id = param(call, "sha");
    const commit = await statuses.commitOf(seenRepo(call), id);
    if (commit !== id) throw new NotFound("object.missing", { params: { id } });
    return list(call, commit, query);
  });
  const byRef = lists(wanted, async (call, query) => {
    const [, ref = "", what] = /^(.*)\/(status|statuses)$/.exec(call.params["*"] ?? "") ?? [];
    if (what === undefined) throw new NotFound();
    const commit = await statuses.commitOf(seenRepo(call), ref);
    return what === "statuses" ? list(call, commit, query) : combined(services, call, commit);
  });

  return [
    {
      ...api,
      method: "POST",
      path: `${path}/statuses/:sha`,
      access: writeCode,
      doc: {
        id: "repoCreateStatus",
        tag: "repository",
        summary: "Create a commit status",
        params: { sha: "Id of the commit; a branch or tag stands for its commit." },
        answers: {
          201: { description: "The status.", schema: CommitStatusResource },
          ...missing,
          422: { description: "A value is invalid." },
        },
      },
      ...takes(NewStatusBody, async (call, body) => {
        const made = await statuses.create(seenRepo(call), param(call, "sha"), {
          state: body.state,
          context: body.context,
          description: body.description,
          targetUrl: body.target_url,
        });
        return created(show(call, [made])[0]);
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/statuses/:sha`,
      access: readCode,
      doc: {
        id: "repoListStatuses",
        tag: "repository",
        summary: "List a commit's statuses",
        params: { sha: "Id of the commit, in full." },
        answers: { 200: listed, ...missing },
      },
      ...byId,
    },
    {
      ...api,
      method: "GET",
      path: `${path}/commits/*`,
      access: readCode,
      doc: {
        id: "repoGetCombinedStatusByRef",
        tag: "repository",
        summary: "Get a commit's combined status (`{ref}/status`), or list its statuses (`{ref}/statuses`)",
        params: { path: "A branch, a tag or an id, and `/status` or `/statuses`." },
        answers: { 200: { description: "The combined status.", schema: CombinedStatusResource }, ...missing },
      },
      ...byRef,
    },
  ];
}

function combined(services: Services, call: ListCall, commit: string): Response {
  const { links, statuses } = services;
  const seen = seenRepo(call);
  const latest = statuses.latest(seen, commit);
  const { offset, limit } = call.paging;
  const shown = latest.slice(offset, offset + limit);
  const url = `${repoAddress(seen, links)}/commits/${commit}`;
  const body = {
    state: combinedState(latest.map(({ state }) => state)),
    sha: commit,
    total_count: shown.length,
    statuses: statusResources(services, call.principal, seen, shown),
    repository: repoResources(services, [seen])[0],
    commit_url: url,
    url: `${url}/status`,
  };
  return json(body, 200, pageHeaders(latest.length, { rootUrl: links.rootUrl, ...call }));
}

import { Type } from "@sinclair/typebox";
import { asks, lists, type Parameter, textParam } from "../http/query.ts";
import { created, json, noContent, page } from "../http/respond.ts";
import { type Access, type Call, idParam, type Route, takes } from "../http/route.ts";
import { seenOrganization } from "../organizations/subject.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { hooksOfAccount, hooksOfOrganization, hooksOfRepo, hooksOfSite } from "./access.ts";
import { CreateHookBody, EditHookBody, hookEditOf, newHookOf, systemFlagOf } from "./bodies.ts";
import { HookResource, hookResource } from "./resource.ts";
import type { HookHome, HookLevel } from "./types.ts";

/** A place for hooks, and its access. */
interface HookPlace {
  readonly path: string;
  readonly tag: string;
  /** Names of the operations. */
  readonly names: readonly [list: string, create: string, get: string, edit: string, remove: string];
  readonly what: string;
  readonly access: Access;
  /** @param levels only these */
  home(call: Call, level: "read" | "write", levels?: readonly HookLevel[]): HookHome;
  /** The level of a new hook there. */
  level(body: Parameters<typeof newHookOf>[0]): HookLevel;
}

/** Which hooks of the site to list; anything else means `system`. */
const siteLevels: Parameter<readonly HookLevel[]> = {
  description: "system (the default), default (copied to new repositories) or all.",
  schema: Type.String({ enum: ["system", "default", "all"], default: "system" }),
  read: (given) => {
    if (given === "all") return ["system", "default"];
    return given === "default" ? ["default"] : ["system"];
  },
};

/** Webhooks over REST (contract webhooks.md 1.5). */
export function webhookRoutes(services: Services): Route[] {
  const { webhookDeliveries, webhooks } = services;
  const repo: HookPlace = {
    path: "/api/v1/repos/:owner/:repo/hooks",
    tag: "repository",
    names: ["repoListHooks", "repoCreateHook", "repoGetHook", "repoEditHook", "repoDeleteHook"],
    what: "a repository",
    access: hooksOfRepo,
    home: (call) => webhooks.ofRepo(seenRepo(call)),
    level: () => "repository",
  };
  const organization: HookPlace = {
    path: "/api/v1/orgs/:org/hooks",
    tag: "organization",
    names: ["orgListHooks", "orgCreateHook", "orgGetHook", "orgEditHook", "orgDeleteHook"],
    what: "an organization",
    access: hooksOfOrganization,
    home: (call) => webhooks.ofOrganization(seenOrganization(call)),
    level: () => "account",
  };
  const account: HookPlace = {
    path: "/api/v1/user/hooks",
    tag: "user",
    names: ["userListHooks", "userCreateHook", "userGetHook", "userEditHook", "userDeleteHook"],
    what: "the authenticated user",
    access: hooksOfAccount,
    home: ({ principal }) => webhooks.ofAccount(principal),
    level: () => "account",
  };
  const site: HookPlace = {
    path: "/api/v1/admin/hooks",
    tag: "admin",
    names: ["adminListHooks", "adminCreateHook", "adminGetHook", "adminEditHook", "adminDeleteHook"],
    what: "the site",
    access: hooksOfSite,
    home: ({ principal }, level, levels) => webhooks.ofSite(principal, level, levels),
    level: (body) => (systemFlagOf(body) ? "system" : "default"),
  };
  const test: Route = {
    surface: "api",
    method: "POST",
    path: `${repo.path}/:id/tests`,
    access: hooksOfRepo,
    doc: {
      id: "repoTestHook",
      tag: "repository",
      summary: "Send a test push event to a webhook",
      params: { id: "Number of the webhook." },
      answers: {
        204: { description: "The delivery is queued." },
        404: { description: "There is no such webhook or ref, or the repository is empty." },
      },
    },
    ...asks(
      { ref: textParam("A branch, tag or commit; the head of the default branch by default.") },
      async (call, { ref }) => {
        await webhookDeliveries.test(repo.home(call, "write"), idParam(call, "id"), seenRepo(call), ref);
        return noContent();
      },
    ),
  };
  return [...routesAt(services, repo), test, ...[organization, account, site].flatMap((at) => routesAt(services, at))];
}

function routesAt({ links, webhooks }: Services, place: HookPlace): Route[] {
  const { access, home, level, names, path, tag, what } = place;
  const [list, create, get, edit, remove] = names;
  const api = { surface: "api", access } as const;
  const one = { description: "The webhook.", schema: HookResource };
  const params = { id: "Number of the webhook." };
  const refused = { 403: { description: "Webhooks are disabled here." } };
  const missing = { 404: { description: "There is no such webhook." }, ...refused };
  const values = {
    400: { description: "The channel of the chat service is missing." },
    422: { description: "A value is invalid, or there are too many webhooks." },
  };
  const pages = place.tag === "admin" ? { type: siteLevels } : {};
  return [
    {
      ...api,
      method: "POST",
      path,
      doc: { id: create, tag, summary: `Create a webhook of ${what}`, answers: { 201: one, ...refused, ...values } },
      ...takes(CreateHookBody, (call, body) => {
        const values = newHookOf(body);
        return created(hookResource(webhooks.create(home(call, "write"), level(body), values)));
      }),
    },
    {
      ...api,
      method: "GET",
      path,
      doc: {
        id: list,
        tag,
        summary: `List the webhooks of ${what}`,
        answers: { 200: { description: "Oldest first.", schema: Type.Array(HookResource) }, ...refused },
      },
      ...lists<{ type?: Parameter<readonly HookLevel[]> }>(pages, (call, { type }) => {
        const { items, total } = webhooks.list(home(call, "read", type), call.paging);
        return page(items.map(hookResource), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:id`,
      doc: { id: get, tag, summary: `Get a webhook of ${what}`, params, answers: { 200: one, ...missing } },
      handle: (call) => json(hookResource(webhooks.get(home(call, "read"), idParam(call, "id")))),
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/:id`,
      doc: {
        id: edit,
        tag,
        summary: `Change a webhook of ${what}`,
        params,
        answers: { 200: one, ...missing, ...values },
      },
      ...takes(EditHookBody, (call, body) => {
        const at = home(call, "write");
        const { id, type } = webhooks.get(at, idParam(call, "id"));
        return json(hookResource(webhooks.edit(at, id, hookEditOf(type, body))));
      }),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:id`,
      doc: {
        id: remove,
        tag,
        summary: `Delete a webhook of ${what} and its delivery history`,
        params,
        answers: { 204: { description: "Deleted." }, ...missing },
      },
      handle: (call) => {
        webhooks.delete(home(call, "write"), idParam(call, "id"));
        return noContent();
      },
    },
  ];
}

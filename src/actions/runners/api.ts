import { Type } from "@sinclair/typebox";
import { flagParam, lists } from "../../http/query.ts";
import { json, noContent, pageHeaders } from "../../http/respond.ts";
import { type Access, type Call, idParam, type Route, takes } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { actionsOfSite } from "../access.ts";
import { homeOfSite } from "../homes.ts";
import type { ActionsPlace } from "../places.ts";
import type { ActionsHome } from "../types.ts";
import { RegistrationTokenResource, RunnerResource, RunnersResource, runnerResource } from "./resource.ts";

const EditRunnerBody = Type.Object(
  { disabled: Type.Boolean({ description: "Whether it is disabled and gets no jobs." }) },
  { $id: "EditActionRunnerOption", description: "What to change of a runner." },
);

interface RunnerPlace extends Pick<ActionsPlace, "access" | "path" | "tag" | "what"> {
  readonly word: ActionsPlace["word"] | "Admin";
  home(call: Call, level: "read" | "write"): ActionsHome;
}

/** Runners over REST (contract actions.md 8.4). */
export function runnerRoutes(services: Services, place: RunnerPlace): Route[] {
  const { actionsRunners: runners, links } = services;
  const { access, home, path, tag, what, word } = place;
  const api = { surface: "api", access } as const;
  const one = `${path}/runners/:runner_id`;
  const doc = { tag, params: { runner_id: "Number of the runner." } };
  const runner = { 200: { description: "The runner.", schema: RunnerResource } };
  const missing = { 404: { description: "There is no such runner." } };
  return [
    tokenRoute(services, place, "POST"),
    // The API document names the administrator's operation after the older address.
    tokenRoute(services, place, "GET", word === "Admin" ? "Here" : ""),
    {
      ...api,
      method: "GET",
      path: `${path}/runners`,
      doc: {
        id: `get${word}Runners`,
        tag,
        summary: `List the runners of ${what}`,
        answers: { 200: { description: "Online runners first.", schema: RunnersResource } },
      },
      ...lists({ disabled: flagParam("Only disabled runners, or only enabled ones.") }, (call, { disabled }) => {
        const { items, total } = runners.list(home(call, "read"), call.paging, disabled);
        const body = { runners: items.map((item) => runnerResource(runners, item)), total_count: total };
        return json(body, 200, pageHeaders(total, { rootUrl: links.rootUrl, ...call }));
      }),
    },
    {
      ...api,
      method: "GET",
      path: one,
      doc: { ...doc, id: `get${word}Runner`, summary: `Get a runner of ${what}`, answers: { ...runner, ...missing } },
      handle: (call) => json(runnerResource(runners, runners.get(home(call, "read"), idParam(call, "runner_id")))),
    },
    {
      ...api,
      method: "PATCH",
      path: one,
      doc: {
        ...doc,
        id: `update${word}Runner`,
        summary: `Change a runner of ${what}`,
        answers: { ...runner, ...missing, 422: { description: "The body does not say what to change." } },
      },
      ...takes(EditRunnerBody, (call, { disabled }) => {
        const changed = runners.setDisabled(home(call, "write"), idParam(call, "runner_id"), disabled);
        return json(runnerResource(runners, changed));
      }),
    },
    {
      ...api,
      method: "DELETE",
      path: one,
      doc: {
        ...doc,
        id: `delete${word}Runner`,
        summary: `Delete a runner of ${what}`,
        answers: { 204: { description: "Deleted." }, ...missing },
      },
      handle: (call) => {
        runners.delete(home(call, "write"), idParam(call, "runner_id"));
        return noContent();
      },
    },
  ];
}

/** The same for the site, whose list contains all runners of the server. */
export function siteRunnerRoutes(services: Services): Route[] {
  const place: RunnerPlace = {
    path: "/api/v1/admin/actions",
    tag: "admin",
    word: "Admin",
    what: "the whole site",
    access: actionsOfSite,
    home: ({ principal }, level) => homeOfSite(principal, level),
  };
  const olderAddress = { ...place, path: "/api/v1/admin" };
  return [
    tokenRoute(services, olderAddress, "GET"),
    tokenRoute(services, olderAddress, "POST", "AtOlderAddress"),
    ...runnerRoutes(services, place),
  ];
}

/**
 * The token lets runners register, and runners get secrets. Whatever the method, showing it requires write access, so
 * that a read-only token cannot obtain it.
 */
function tokenRoute({ actionsRunners }: Services, place: RunnerPlace, method: "GET" | "POST", idEnd = ""): Route {
  const { home, path, tag, what, word } = place;
  const access: Access = { ...place.access, scopeLevel: "write" };
  const does = method === "POST" ? "Create" : "Get";
  return {
    surface: "api",
    method,
    path: `${path}/runners/registration-token`,
    access,
    doc: {
      id: `${word.toLowerCase()}${does}RunnerRegistrationToken${idEnd}`,
      tag,
      summary: `${method === "POST" ? "Get, or create, the" : "Get the"} registration token of ${what}`,
      answers: { 200: { description: "The current token.", schema: RegistrationTokenResource } },
    },
    handle: (call) => json({ token: actionsRunners.registrationToken(home(call, "write")) }),
  };
}

import { type Static, Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../http/fields.ts";
import { lists } from "../http/query.ts";
import { json, noContent, page } from "../http/respond.ts";
import { param, type Route, takes } from "../http/route.ts";
import { BadRequest } from "../kernel/errors.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { changesPushMirrors, readsPushMirrors, syncsMirror } from "./access.ts";
import { PushMirrorResource, pushMirrorResource } from "./push/resource.ts";

const CreatePushMirrorBody = Type.Object(
  {
    remote_address: maybeText("Address to push to, with the scheme http, https or git."),
    remote_username: maybeText("User name for the remote."),
    remote_password: maybeText("Password or token for the remote."),
    interval: maybeText("Interval, such as 8h; 0 to push only after changes or on request."),
    sync_on_commit: maybeYesNo("Push after every change."),
    use_ssh: maybeYesNo("Push over SSH, which this server does not support."),
    branch_filter: maybeText("Patterns for the branches to push, separated by commas; all by default."),
  },
  { $id: "CreatePushMirrorOption", description: "A push mirror to add." },
);

const path = "/api/v1/repos/:owner/:repo";
const off = { 400: { description: "Mirrors are disabled." } };
const name = { name: "Name of the mirror." };
/** Answers 200 and nothing else. */
const empty = () => new Response(null);

/** Mirrors over REST (contract repositories.md 10). */
export function mirrorRoutes(services: Services): Route[] {
  const { links, pullMirrors, pushMirrors } = services;
  const add = (body: Static<typeof CreatePushMirrorBody>) => {
    if (body.use_ssh) throw new BadRequest("push-mirror.no-ssh", { field: "use_ssh" });
    return {
      address: body.remote_address ?? "",
      username: body.remote_username ?? "",
      password: body.remote_password ?? "",
      interval: body.interval ?? "",
      syncOnCommit: body.sync_on_commit ?? false,
      branches: body.branch_filter ?? "",
    };
  };
  return [
    {
      method: "POST",
      path: `${path}/mirror-sync`,
      surface: "api",
      access: syncsMirror,
      doc: {
        id: "repoMirrorSync",
        tag: "repository",
        summary: "Sync a mirror",
        answers: {
          200: { description: "The sync is queued." },
          400: { description: "The repository is not a mirror, or mirrors are disabled." },
          413: { description: "Its owner has reached their storage limit." },
          423: { description: "The repository is archived." },
        },
      },
      handle: (call) => {
        pullMirrors.request(seenRepo(call));
        return empty();
      },
    },
    {
      method: "POST",
      path: `${path}/push_mirrors`,
      surface: "api",
      access: changesPushMirrors,
      doc: {
        id: "repoAddPushMirror",
        tag: "repository",
        summary: "Add a push mirror",
        answers: {
          200: { description: "The mirror.", schema: PushMirrorResource },
          400: { description: "The address or interval is invalid, or mirrors are disabled." },
          401: { description: "The server may not connect to this address." },
          423: { description: "The repository is archived." },
        },
      },
      ...takes(CreatePushMirrorBody, async (call, body) => {
        const seen = seenRepo(call);
        return json(pushMirrorResource(services, seen.repo, await pushMirrors.add(seen, add(body))));
      }),
    },
    {
      method: "GET",
      path: `${path}/push_mirrors`,
      surface: "api",
      access: readsPushMirrors,
      doc: {
        id: "repoListPushMirrors",
        tag: "repository",
        summary: "List push mirrors",
        answers: {
          200: { description: "The mirrors, oldest first.", schema: Type.Array(PushMirrorResource) },
          ...off,
        },
      },
      ...lists({}, (call) => {
        const seen = seenRepo(call);
        const { items, total } = pushMirrors.list(seen, call.paging);
        const shown = items.map((mirror) => pushMirrorResource(services, seen.repo, mirror));
        return page(shown, total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "GET",
      path: `${path}/push_mirrors/:name`,
      surface: "api",
      access: readsPushMirrors,
      doc: {
        id: "repoGetPushMirrorByRemoteName",
        tag: "repository",
        summary: "Get a push mirror",
        params: name,
        answers: {
          200: { description: "The mirror.", schema: PushMirrorResource },
          ...off,
          404: { description: "There is no mirror of that name." },
        },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        return json(pushMirrorResource(services, seen.repo, pushMirrors.get(seen, param(call, "name"))));
      },
    },
    {
      method: "DELETE",
      path: `${path}/push_mirrors/:name`,
      surface: "api",
      access: changesPushMirrors,
      doc: {
        id: "repoDeletePushMirror",
        tag: "repository",
        summary: "Remove a push mirror",
        params: name,
        answers: {
          204: { description: "Removed." },
          ...off,
          423: { description: "The repository is archived." },
        },
      },
      handle: (call) => {
        pushMirrors.delete(seenRepo(call), param(call, "name"));
        return noContent();
      },
    },
    {
      method: "POST",
      path: `${path}/push_mirrors-sync`,
      surface: "api",
      access: changesPushMirrors,
      doc: {
        id: "repoPushMirrorSync",
        tag: "repository",
        summary: "Sync all push mirrors",
        answers: {
          200: { description: "All of them are up to date." },
          ...off,
          422: { description: "Some could not be updated; each one says why." },
          423: { description: "The repository is archived." },
        },
      },
      handle: async (call) => {
        call.keepOpen();
        await pushMirrors.pushAll(seenRepo(call));
        return empty();
      },
    },
  ];
}

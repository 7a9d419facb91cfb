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
    remote_address: maybeText("Where to push: an address of http, https or git."),
    remote_username: maybeText("Whom to sign in as there."),
    remote_password: maybeText("With which password or token."),
    interval: maybeText("How often, such as 8h; 0: only after changes, or when asked to."),
    sync_on_commit: maybeYesNo("Push after every change."),
    use_ssh: maybeYesNo("Push over SSH, which this server does not."),
    branch_filter: maybeText("Patterns of the branches to push, with commas between them; all by default."),
  },
  { $id: "CreatePushMirrorOption", description: "A push mirror to add." },
);

const path = "/api/v1/repos/:owner/:repo";
const off = { 400: { description: "Mirrors are switched off." } };
const name = { name: "What the mirror is called by." };
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
        summary: "Bring a mirror up to date",
        answers: {
          200: { description: "It will be, soon." },
          400: { description: "It is no mirror, or mirrors are switched off." },
          413: { description: "Its owner may store no more." },
          423: { description: "It is archived." },
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
          400: { description: "The address or the interval is not acceptable, or mirrors are switched off." },
          401: { description: "The address is not one that may be gone to." },
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
          200: { description: "The mirrors, the oldest first.", schema: Type.Array(PushMirrorResource) },
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
          404: { description: "There is none of that name." },
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
          204: { description: "There is none of that name any more." },
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
        summary: "Push to all push mirrors",
        answers: {
          200: { description: "All of them are what the repository is." },
          ...off,
          422: { description: "Some could not be pushed to; each says why." },
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

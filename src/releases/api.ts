import { Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../http/fields.ts";
import { flagParam, lists, searchParam } from "../http/query.ts";
import { created, json, noContent, page } from "../http/respond.ts";
import { type Call, param, type Route, takes } from "../http/route.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { changesReleases, readsReleases } from "./access.ts";
import { releaseAssetRoutes } from "./assets/api.ts";
import { releaseOf } from "./release.ts";
import { ReleaseResource, releaseResources } from "./resource.ts";
import type { Release } from "./types.ts";

const path = "/api/v1/repos/:owner/:repo/releases";

const shared = {
  name: maybeText("Its title."),
  body: maybeText("Its notes, as Markdown."),
  draft: maybeYesNo("Whether it is a draft, visible only with write access; its tag is created on publication."),
  prerelease: maybeYesNo("Whether it is a pre-release."),
  target_commitish: maybeText("Branch or commit to create a missing tag from; the default branch by default."),
};

const CreateReleaseBody = Type.Object(
  {
    tag_name: Type.String({ description: "The tag; created if it does not exist." }),
    tag_message: maybeText("If not empty, a missing tag is created as an annotated tag with this message."),
    ...shared,
  },
  { $id: "CreateReleaseOption", description: "A new release." },
);

const EditReleaseBody = Type.Object(
  { tag_name: maybeText("The tag; a missing one is created on publication."), ...shared },
  { $id: "EditReleaseOption", description: "Changes to a release; fields left out or empty are unchanged." },
);

/** Releases over REST (contract repositories.md 17). */
export function releaseRoutes(services: Services): Route[] {
  const { links, releases } = services;
  const api = { surface: "api" } as const;
  const params = { id: "Number of the release." };
  const tagParams = { tag: "Name of its tag, in any letter case." };
  const one = { description: "The release.", schema: ReleaseResource };
  const missing = { 404: { description: "There is no such release, or the target of its tag is missing." } };
  const refused = {
    403: { description: "The caller may not write releases." },
    423: { description: "The repository is archived." },
  };
  const values = {
    409: { description: "The tag already has a release." },
    422: { description: "A value is invalid, the repository is empty, or a rule protects the tag." },
  };
  const show = (call: Call, release: Release) => {
    const [resource] = releaseResources(services, call.principal, seenRepo(call), [release]);
    return resource;
  };
  const ofTag = (call: Call) => releases.ofTag(seenRepo(call), param(call, "tag"));
  return [
    {
      ...api,
      method: "POST",
      path,
      access: changesReleases,
      doc: {
        id: "repoCreateRelease",
        tag: "repository",
        summary: "Create a release or a draft of one",
        answers: { 201: one, ...missing, ...refused, ...values },
      },
      ...takes(CreateReleaseBody, async (call, body) => {
        const made = await releases.create(seenRepo(call), {
          tag: body.tag_name,
          tagMessage: body.tag_message,
          target: body.target_commitish,
          title: body.name ?? "",
          body: body.body ?? "",
          isDraft: body.draft ?? false,
          isPrerelease: body.prerelease ?? false,
        });
        return created(show(call, made));
      }),
    },
    {
      ...api,
      method: "GET",
      path,
      access: readsReleases,
      doc: {
        id: "repoListReleases",
        tag: "repository",
        summary: "List the releases of a repository",
        answers: { 200: { description: "Newest first.", schema: Type.Array(ReleaseResource) } },
      },
      ...lists(
        {
          draft: flagParam("Only drafts, or only published releases."),
          "pre-release": flagParam("Only pre-releases, or only others."),
          q: searchParam("Part of the title or tag."),
        },
        (call, { draft, "pre-release": isPrerelease, q }) => {
          const seen = seenRepo(call);
          const { items, total } = releases.list(seen, { isDraft: draft, isPrerelease, words: q }, call.paging);
          return page(releaseResources(services, call.principal, seen, items), total, {
            rootUrl: links.rootUrl,
            ...call,
          });
        },
      ),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/latest`,
      access: readsReleases,
      doc: {
        id: "repoGetLatestRelease",
        tag: "repository",
        summary: "Get the newest release that is neither a draft nor a pre-release",
        answers: { 200: one, ...missing },
      },
      handle: (call) => json(show(call, releases.latest(seenRepo(call)))),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/tags/:tag`,
      access: readsReleases,
      doc: {
        id: "repoGetReleaseByTag",
        tag: "repository",
        summary: "Get the release of a tag",
        params: tagParams,
        answers: { 200: one, ...missing },
      },
      handle: (call) => json(show(call, ofTag(call))),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/tags/:tag`,
      access: changesReleases,
      doc: {
        id: "repoDeleteReleaseByTag",
        tag: "repository",
        summary: "Delete the release of a tag; the tag stays",
        params: tagParams,
        answers: { 204: { description: "Deleted." }, ...missing, ...refused },
      },
      handle: (call) => {
        releases.delete(seenRepo(call), ofTag(call).id);
        return noContent();
      },
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:id`,
      access: readsReleases,
      doc: {
        id: "repoGetRelease",
        tag: "repository",
        summary: "Get a release",
        params,
        answers: { 200: one, ...missing },
      },
      handle: (call) => json(show(call, releaseOf(services, call))),
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/:id`,
      access: changesReleases,
      doc: {
        id: "repoEditRelease",
        tag: "repository",
        summary: "Change a release",
        params,
        answers: { 200: one, ...missing, ...refused, ...values },
      },
      ...takes(EditReleaseBody, async (call, body) => {
        const changed = await releases.edit(seenRepo(call), releaseOf(services, call).id, {
          tag: body.tag_name || undefined,
          target: body.target_commitish || undefined,
          title: body.name || undefined,
          body: body.body || undefined,
          isDraft: body.draft,
          isPrerelease: body.prerelease,
        });
        return json(show(call, changed));
      }),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:id`,
      access: changesReleases,
      doc: {
        id: "repoDeleteRelease",
        tag: "repository",
        summary: "Delete a release; its tag stays",
        params,
        answers: { 204: { description: "Deleted." }, ...missing, ...refused },
      },
      handle: (call) => {
        releases.delete(seenRepo(call), releaseOf(services, call).id);
        return noContent();
      },
    },
    ...releaseAssetRoutes(services),
  ];
}

import { Type } from "@sinclair/typebox";
import { maybeText, text } from "../../http/fields.ts";
import { lists } from "../../http/query.ts";
import { created, json, noContent, page } from "../../http/respond.ts";
import { type Call, type Route, takes } from "../../http/route.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import { repoAddress, repoPage } from "../../repos/addresses.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { createTag, deleteTag, readCode } from "../access.ts";
import { CommitMetaResource, shownText } from "../commits/resource.ts";
import type { RepoTag } from "./service.ts";

const path = "/api/v1/repos/:owner/:repo/tags";
const params = { path: "Name of the tag." };

export const TagResource = Type.Object(
  {
    name: text("Name of the tag."),
    message: text("Message of the tag; the commit message for a lightweight tag."),
    id: text("Id of the tag object, or of the commit for a lightweight tag."),
    commit: CommitMetaResource,
    zipball_url: Type.Optional(text("Address of its files as zip; absent if archives are disabled.")),
    tarball_url: Type.Optional(text("Address of its files as tar.gz; absent if archives are disabled.")),
  },
  { $id: "Tag", description: "A tag." },
);

const CreateTagBody = Type.Object(
  {
    tag_name: Type.String({ description: "Name of the tag.", maxLength: 100, rule: "GitRefName", field: "TagName" }),
    message: maybeText("Message of an annotated tag; without it the tag is lightweight."),
    target: maybeText("Branch, tag or commit to tag; the default branch by default."),
  },
  { $id: "CreateTagOption", description: "A tag to create." },
);

/** Tags (contract git-content.md 10.1). */
export function tagRoutes({ config, links, tags }: Services): Route[] {
  const nameOf = (call: Call) => call.params["*"] ?? "";
  const show = (call: Call, tag: RepoTag) => {
    const seen = seenRepo(call);
    const archive = `${repoPage(seen, links)}/archive/${encodeURIComponent(tag.name)}`;
    return {
      name: tag.name,
      message: shownText(tag.message),
      id: tag.oid,
      commit: {
        url: `${repoAddress(seen, links)}/git/commits/${tag.oid}`,
        sha: tag.target,
        created: rfc3339(tag.time * 1000),
      },
      ...(config["archives.enabled"] ? { zipball_url: `${archive}.zip`, tarball_url: `${archive}.tar.gz` } : {}),
    };
  };

  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoListTags",
        tag: "repository",
        summary: "List a repository's tags",
        answers: { 200: { description: "The tags, newest first.", schema: Type.Array(TagResource) } },
      },
      ...lists({}, async (call) => {
        const { items, total } = await tags.list(seenRepo(call), call.paging);
        return page(
          items.map((tag) => show(call, tag)),
          total,
          { rootUrl: links.rootUrl, ...call },
        );
      }),
    },
    {
      method: "GET",
      path: `${path}/*`,
      surface: "api",
      access: readCode,
      doc: {
        id: "repoGetTag",
        tag: "repository",
        summary: "Get a tag",
        params,
        answers: {
          200: { description: "The tag.", schema: TagResource },
          404: { description: "There is no such tag." },
        },
      },
      handle: (call) => json(show(call, tags.get(seenRepo(call), nameOf(call)))),
    },
    {
      method: "POST",
      path,
      surface: "api",
      access: createTag,
      doc: {
        id: "repoCreateTag",
        tag: "repository",
        summary: "Create a tag",
        answers: {
          201: { description: "The tag.", schema: TagResource },
          404: { description: "There is nothing to tag." },
          409: { description: "The name is taken." },
          422: { description: "The name is invalid." },
          423: { description: "The repository is archived." },
        },
      },
      ...takes(CreateTagBody, async (call, body) => {
        const requested = { name: body.tag_name, message: body.message, target: body.target };
        const tag = await call.effect.once(() => tags.create(seenRepo(call), requested));
        return created(show(call, tag));
      }),
    },
    {
      method: "DELETE",
      path: `${path}/*`,
      surface: "api",
      access: deleteTag,
      doc: {
        id: "repoDeleteTag",
        tag: "repository",
        summary: "Delete a tag",
        params,
        answers: {
          204: { description: "Deleted." },
          404: { description: "There is no such tag." },
          423: { description: "The repository is archived." },
        },
      },
      handle: async (call) => {
        await tags.remove(seenRepo(call), nameOf(call));
        return noContent();
      },
    },
  ];
}

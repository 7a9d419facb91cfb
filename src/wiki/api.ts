import { Type } from "@sinclair/typebox";
import type { ReadCommit } from "../content/commits/service.ts";
import { decodeBase64 } from "../http/base64.ts";
import { maybeText } from "../http/fields.ts";
import { asks, lists, numberParam } from "../http/query.ts";
import { created, json, noContent, page } from "../http/respond.ts";
import { type Call, param, type Route, takes } from "../http/route.ts";
import { BadRequest, NotFound } from "../kernel/errors.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { changesWiki, readsWiki } from "./access.ts";
import { FOOTER, HOME, SIDEBAR } from "./names.ts";
import {
  WikiCommitListResource,
  WikiPageMetaDataResource,
  WikiPageResource,
  wikiCommitResource,
  wikiPageMetaData,
} from "./resource.ts";
import type { WikiEntry, WrittenWiki } from "./types.ts";

const path = "/api/v1/repos/:owner/:repo/wiki";
/** Revisions per page of a history; clients cannot choose (contract repositories.md 16). */
const REVISIONS = 50;

const PageBody = Type.Object(
  {
    title: maybeText("The title; when changing a page, empty leaves it unchanged."),
    content_base64: maybeText("The text, in base64."),
    message: maybeText("Commit message; generated from the title by default."),
  },
  { $id: "CreateWikiPageOptions", description: "A page to create or change." },
);

/** Wikis over REST (contract repositories.md 16). */
export function wikiRoutes(services: Services): Route[] {
  const { commits, links, wikiEdits, wikis } = services;
  const api = { surface: "api" } as const;
  const named = { path: "Name of the page as in its sub_url; a name that ends in .md is taken as its file name." };
  const missing = { 404: { description: "There is no such page, or no wiki that the caller may read." } };
  const refused = {
    403: { description: "The caller may not write the wiki." },
    423: { description: "The repository is archived." },
  };
  const values = {
    400: { description: "The title or text is invalid, or another page has the title." },
    413: { description: "The text is too large." },
  };
  const one = { description: "The page.", schema: WikiPageResource };

  const readCommit = (wiki: WrittenWiki, oid: string | undefined): ReadCommit => {
    const read = oid === undefined ? undefined : commits.read(wiki.content, oid);
    if (!read) throw new NotFound();
    return read;
  };

  const textOf = (wiki: WrittenWiki, entry: WikiEntry | undefined): string =>
    (entry && wikis.bytes(wiki, entry.oid)?.toBase64()) ?? "";

  const show = async (wiki: WrittenWiki, entry: WikiEntry) => {
    const [last, count, sidebar, footer] = await Promise.all([
      wikis.lastCommit(wiki, entry),
      wikis.countRevisions(wiki, entry),
      wikis.find(wiki, SIDEBAR),
      wikis.find(wiki, FOOTER),
    ]);
    return {
      ...wikiPageMetaData(links, wiki.seen, entry, readCommit(wiki, last)),
      content_base64: textOf(wiki, entry),
      commit_count: count,
      sidebar: textOf(wiki, sidebar),
      footer: textOf(wiki, footer),
    };
  };

  return [
    {
      ...api,
      method: "POST",
      path: `${path}/new`,
      access: changesWiki,
      doc: {
        id: "repoCreateWikiPage",
        tag: "repository",
        summary: "Create a wiki page",
        answers: { 201: one, ...values, ...refused, ...missing },
      },
      ...takes(
        PageBody,
        async (call, body) => {
          const seen = seenRepo(call);
          const content = contentOf(body.content_base64);
          const given = { title: body.title ?? "", content, message: body.message };
          const entry = await call.effect.once(() => wikiEdits.create(seen, given));
          return created(await show(wikis.requireWritten(seen), entry));
        },
        { large: true },
      ),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/pages`,
      access: readsWiki,
      doc: {
        id: "repoGetWikiPages",
        tag: "repository",
        summary: "List wiki pages",
        answers: {
          200: { description: "Sorted by file name.", schema: Type.Array(WikiPageMetaDataResource) },
          ...missing,
        },
      },
      ...lists({}, async (call) => {
        const wiki = wikis.requireWritten(seenRepo(call));
        const { items, total } = await wikis.list(wiki, call.paging);
        const shown = items.map(({ entry, lastCommit }) =>
          wikiPageMetaData(links, wiki.seen, entry, readCommit(wiki, lastCommit)),
        );
        return page(shown, total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/revisions/*`,
      access: readsWiki,
      doc: {
        id: "repoGetWikiPageRevisions",
        tag: "repository",
        summary: "List the commits that changed a wiki page",
        params: { path: "Name of the page as in its sub_url; empty means Home." },
        answers: { 200: { description: "Fifty at a time.", schema: WikiCommitListResource }, ...missing },
      },
      ...asks({ page: numberParam("Page of the list, from 1.") }, async (call, { page: number }) => {
        const wiki = wikis.requireWritten(seenRepo(call));
        const entry = await wikis.get(wiki, addressIn(call) || HOME);
        const offset = (Math.max(1, number ?? 1) - 1) * REVISIONS;
        const { oids, total = 0 } = await wikis.revisions(wiki, entry, { limit: REVISIONS, offset });
        const shown = commits.readAll(wiki.content, oids).map(wikiCommitResource);
        return json({ commits: shown, count: total }, 200, { "x-total-count": String(total) });
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/page/*`,
      access: readsWiki,
      doc: {
        id: "repoGetWikiPage",
        tag: "repository",
        summary: "Get a wiki page",
        params: named,
        answers: { 200: one, ...missing },
      },
      handle: async (call) => {
        const wiki = wikis.requireWritten(seenRepo(call));
        return json(await show(wiki, await wikis.get(wiki, addressIn(call))));
      },
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/page/*`,
      access: changesWiki,
      doc: {
        id: "repoEditWikiPage",
        tag: "repository",
        summary: "Change a wiki page or its title",
        params: named,
        answers: { 200: one, ...values, ...refused, ...missing },
      },
      ...takes(
        PageBody,
        async (call, body) => {
          const seen = seenRepo(call);
          const content = body.content_base64 === undefined ? undefined : contentOf(body.content_base64);
          const given = { title: body.title ?? "", content, message: body.message };
          const entry = await call.effect.once(() => wikiEdits.edit(seen, addressIn(call), given));
          return json(await show(wikis.requireWritten(seen), entry));
        },
        { large: true },
      ),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/page/*`,
      access: changesWiki,
      doc: {
        id: "repoDeleteWikiPage",
        tag: "repository",
        summary: "Delete a wiki page",
        params: named,
        answers: { 204: { description: "Deleted." }, ...refused, ...missing },
      },
      handle: async (call) => {
        await wikiEdits.delete(seenRepo(call), addressIn(call));
        return noContent();
      },
    },
  ];
}

/** The page's name as sent: escapes mean more in it than in other paths. */
function addressIn(call: Call): string {
  return param(call, "raw*");
}

/** @throws BadRequest */
function contentOf(text = ""): Uint8Array {
  const bytes = decodeBase64(text);
  if (bytes instanceof Uint8Array) return bytes;
  throw new BadRequest("wiki.bad-base64", { field: "content_base64", params: { position: bytes.badAt } });
}

import { serveFile } from "../../src/content/raw/serve.ts";
import { readPath } from "../../src/content/values.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { changesWiki, readsWiki, readsWikiFiles } from "../../src/wiki/access.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { WikiPages } from "./common.ts";
import { editForm, MAX_FORM_BYTES, newForm, preview, remove, save } from "./form-routes.tsx";
import { compare, excerpt, revision, revisions } from "./history-routes.tsx";
import { list, search, show } from "./page-routes.tsx";
import { wikiSettingsPages } from "./settings-routes.tsx";

/** Repository wikis (contract web.md 1.10); the query of a URL selects what it shows. */
export function wikiPages(services: WebServices): Route[] {
  const pages = new WikiPages(services);
  const at = (sub: string) => ({ surface: "page", path: `/:owner/:repo/wiki${sub}` }) as const;
  const read = { method: "GET", access: readsWiki } as const;
  const write = { method: "POST", access: changesWiki } as const;
  return [
    { ...at(""), ...read, handle: (call) => open(pages, call) },
    { ...at(""), ...write, handle: (call) => change(pages, call) },
    { ...at("/commit/:sha"), ...read, handle: (call) => revision(pages, call) },
    { ...at("/blob_excerpt/:sha"), ...read, handle: (call) => excerpt(pages, call) },
    {
      ...at("/raw/*"),
      surface: "bytes",
      method: "GET",
      access: readsWikiFiles,
      handle: (call) => raw(services, call),
    },
    { ...at("/*"), ...read, handle: (call) => open(pages, call) },
    { ...at("/*"), ...write, handle: (call) => change(pages, call) },
    ...wikiSettingsPages(services),
  ];
}

function open(pages: WikiPages, call: Call): Promise<Response> {
  // Without search words, it is the page with that title.
  if (call.params["raw*"] === "search" && call.query.has("q")) return search(pages, call);
  switch (call.query.get("action")) {
    case "_pages":
      return list(pages, call);
    case "_new":
      return newForm(pages, call);
    case "_edit":
      return editForm(pages, call);
    case "_revision":
      return revisions(pages, call);
    case "_compare":
      return compare(pages, call);
    default:
      return show(pages, call);
  }
}

/** The action comes from the URL, or else from the form. */
async function change(pages: WikiPages, call: Call): Promise<Response> {
  switch (call.query.get("action") ?? (await readForm(call, MAX_FORM_BYTES)).text("action")) {
    case "_new":
      return save(pages, call, undefined);
    case "_edit":
      return save(pages, call, param(call, "raw*"));
    case "_delete":
      return remove(pages, call);
    case "_preview":
      return preview(pages, call);
    default:
      throw new NotFound();
  }
}

/** The bytes of a wiki file: images, and the source of pages. */
async function raw(services: WebServices, call: Call): Promise<Response> {
  const { wikis } = services;
  const wiki = wikis.requireWritten(seenRepo(call));
  const given = param(call, "raw*");
  const page = given.includes("/") ? undefined : await wikis.find(wiki, given);
  const file = wikis.file(wiki, page?.file ?? readPath(param(call, "*")));
  if (!file) throw new NotFound();
  const { content, commit } = wiki;
  return serveFile(services, call, content, { kind: "commit", name: commit, commit }, file);
}

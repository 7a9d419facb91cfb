import { anonymous } from "../../src/access/principal.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { Paging } from "../../src/kernel/paging.ts";
import type { WebServices } from "../area.ts";
import { repoHref, userHref } from "../links.ts";
import { anyone } from "../visit.ts";

const PER_PAGE = 20;
/** Crawlers read no more lists from one index. */
const MAX_LISTS = 25_000;
const KINDS = ["repos", "users"] as const;
type Kind = (typeof KINDS)[number];

/** The sitemap for crawlers: public repositories and accounts (contract web.md 1.1). */
export function sitemapPages(services: WebServices): Route[] {
  const open = { method: "GET", surface: "open", access: anyone } as const;
  return [
    { ...open, path: "/sitemap.xml", handle: () => index(services) },
    ...KINDS.map((kind) => ({
      ...open,
      path: `/explore/${kind}/:file`,
      handle: (call: Call) => list(services, call, kind),
    })),
  ];
}

function index(services: WebServices): Response {
  const places = KINDS.flatMap((kind) => {
    const lists = Math.max(1, Math.ceil(found(services, kind, pageAt(1)).total / PER_PAGE));
    return Array.from({ length: Math.min(lists, MAX_LISTS) }, (_, at) => `/explore/${kind}/sitemap-${at + 1}.xml`);
  });
  return answer(services, "sitemapindex", "sitemap", places);
}

function list(services: WebServices, call: Call, kind: Kind): Response {
  const number = /^sitemap-([1-9]\d{0,5})\.xml$/.exec(param(call, "file"))?.[1];
  if (number === undefined) throw new NotFound();
  return answer(services, "urlset", "url", found(services, kind, pageAt(Number(number))).paths);
}

function pageAt(page: number): Paging {
  return { page, limit: PER_PAGE, offset: (page - 1) * PER_PAGE };
}

/** Oldest first, so that earlier lists stay the same when new entries are added. */
function found(
  { identity, repoSearch }: WebServices,
  kind: Kind,
  paging: Paging,
): { readonly paths: readonly string[]; readonly total: number } {
  if (kind === "users") {
    const order = { by: "created", descending: false } as const;
    const { items, total } = identity.list(anonymous, { kinds: ["individual"], text: "" }, order, paging);
    return { paths: items.map(({ login }) => userHref(login)), total };
  }
  const { items, total } = repoSearch.search(anonymous, { sort: "created", order: "asc" }, paging);
  return { paths: items.map(({ owner, repo }) => repoHref({ owner: owner.login, name: repo.name })), total };
}

function answer({ links }: WebServices, root: string, entry: string, paths: readonly string[]): Response {
  const base = links.rootUrl.replace(/\/$/, "");
  const entries = paths.map((path) => `<${entry}><loc>${Bun.escapeHTML(base + path)}</loc></${entry}>`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</${root}>
`;
  return new Response(text, { headers: { "content-type": "text/xml", "cache-control": "public, max-age=3600" } });
}

import { readCode } from "../../src/content/access.ts";
import { BRANCHES } from "../../src/git/refs/names.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { paging } from "../../src/kernel/paging.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { RefKind } from "../links.ts";
import { commitHref, refHref, withQuery } from "../links.ts";
import { shellOf, show } from "../visit.ts";
import { readCommitSearch } from "./commit-search.ts";
import { CommitsPage } from "./commits.tsx";
import { placeOf } from "./place.ts";
import { shownCommits } from "./shown-commits.ts";
import type { Sources } from "./sources.ts";

const PER_PAGE = 50;
/** Nobody pages further; a walk that far back could only be an attack. */
const MAX_PAGES = 100_000;
const MAX_QUERY = 500;
const MAX_TIPS = 1_000;
const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];

/** The history of a repository or of a path in it. */
export function historyPages(sources: Sources): Route[] {
  return KINDS.map((kind) => ({
    method: "GET",
    path: `/:owner/:repo/commits/${kind}/*`,
    surface: "page",
    access: readCode,
    handle: (call) => commits(sources, call, kind),
  }));
}

async function commits(sources: Sources, call: Call, kind: RefKind): Promise<Response> {
  const { services } = sources;
  const place = placeOf(services, call, "commits", kind);
  const { seen, at, ref } = place;
  // `…/commits/branch/main/search?q=fix` is a search, although it looks like a path.
  const isSearch = place.path === "search" && call.query.has("q");
  const path = isSearch ? "" : place.path;
  const query = isSearch ? (call.query.get("q") ?? "").trim().slice(0, MAX_QUERY) : "";
  const all = isSearch && call.query.get("all") === "true";
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const follows = path !== "" && call.query.get("follow-rename") === "true";
  const named = services.revisions.byDigits(seen, query);
  if (named !== undefined) return redirect(commitHref(repo, named));
  const { page, limit } = paging(call.query.get("page"), call.query.get("limit"), {
    standard: PER_PAGE,
    largest: PER_PAGE,
  });
  if (page > MAX_PAGES) throw new NotFound();
  const [frame, refs, history] = await Promise.all([
    sources.frame(seen),
    sources.facts.choices(seen),
    services.history.page(seen, {
      tips: all ? tipsOf(services, seen, at.commit) : [at.commit],
      ...readCommitSearch(query),
      ...(path === "" ? {} : { paths: [path], follow: follows }),
      skip: (page - 1) * limit,
      limit,
      count: false,
    }),
  ]);
  // A path that never existed is a 404; a deleted one has a history.
  if (path !== "" && page === 1 && history.oids.length === 0) throw new NotFound();
  const shown = await shownCommits(services, seen, history.oids);
  const search = `${refHref(repo, "commits", ref)}/search`;
  const here = withQuery(isSearch ? search : refHref(repo, "commits", ref, path), {
    limit: limit === PER_PAGE ? undefined : limit,
    q: isSearch ? query : undefined,
    all: all ? "true" : undefined,
    "follow-rename": follows ? "true" : undefined,
  });
  return show(
    call,
    <CommitsPage
      shell={shellOf(services, call)}
      repo={frame}
      at={ref}
      path={path}
      {...(path === ""
        ? {}
        : { follow: { on: follows, href: followHref(refHref(repo, "commits", ref, path), follows) } })}
      {...(path === "" ? { search: { action: search, query, all } } : {})}
      refs={refs}
      commits={shown}
      {...(page > 1 ? { newer: withQuery(here, { page: page === 2 ? undefined : page - 1 }) } : {})}
      {...(history.more ? { older: withQuery(here, { page: page + 1 }) } : {})}
    />,
  );
}

const followHref = (href: string, on: boolean) => (on ? href : withQuery(href, { "follow-rename": "true" }));

/** The tips of branches; a limited number of very many. */
function tipsOf({ refs }: Sources["services"], { repo }: SeenRepo, head: string): string[] {
  const tips = refs.list(repo.id, BRANCHES).map(({ oid }) => oid);
  return [...new Set([head, ...tips])].slice(0, MAX_TIPS);
}

/** `/commits` without a ref: those of the default branch. */
export function toDefaultBranch(sources: Sources, call: Call): Response {
  const seen = call.found.repository;
  const at = seen && sources.services.revisions.head(seen);
  if (!seen || !at) throw new NotFound();
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  return redirect(refHref(repo, "commits", { kind: "branch", name: at.name }));
}

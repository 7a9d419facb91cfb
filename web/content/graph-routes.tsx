import { readCode } from "../../src/content/access.ts";
import { BRANCHES, TAGS } from "../../src/git/refs/names.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { homeOf } from "../repos/frame.ts";
import { shellOf, show } from "../visit.ts";
import { commitSummary } from "./commit-items.ts";
import { type GraphItem, GraphPage, lanesOf } from "./graph.tsx";
import type { Sources } from "./sources.ts";

const PER_PAGE = 100;
/** The other rows of a page are loaded when they are scrolled to. */
const ROWS_SHOWN = 50;
/** A walk further back could only be an attack. */
const MAX_PAGES = 1_000;
const MAX_TIPS = 200;
/** Branches, and tags, named beside one commit; it may have any number. */
const MAX_NAMES = 10;

/** The commit graph of branches (contract web.md 1.6). */
export function graphPages(sources: Sources): Route[] {
  return [
    {
      method: "GET",
      path: "/:owner/:repo/graph",
      surface: "page",
      access: readCode,
      handle: (call) => graph(sources, call),
    },
  ];
}

async function graph(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const seen = seenRepo(call);
  if (seen.repo.isEmpty) throw new NotFound();
  const { page } = pageOf(call, PER_PAGE);
  if (page > MAX_PAGES) throw new NotFound();
  const asked = call.query.getAll("branch").slice(0, MAX_TIPS);
  const chosen = asked.filter((name) => services.revisions.branch(seen, name));
  const monochrome = call.query.get("mode") === "monochrome";
  const request = { tips: tipsOf(services, seen, chosen), skip: (page - 1) * PER_PAGE, limit: PER_PAGE };
  const [frame, choices, { rows, more }] = await Promise.all([
    sources.frame(seen),
    sources.facts.choices(seen),
    services.graph.page(seen, request),
  ]);
  const isRest = call.query.get("rows") === "rest";
  const shown = isRest ? rows.slice(ROWS_SHOWN) : rows.slice(0, ROWS_SHOWN);
  const read = services.commits.readAll(
    seen,
    shown.map(({ oid }) => oid),
  );
  const people = services.commits.peopleOf(call.principal, read);
  const commits = new Map(read.map((each) => [each.oid, commitSummary(each, people)]));
  const names = namesAt(services, seen, new Set(commits.keys()));
  const items = shown.flatMap((row): GraphItem[] => {
    const commit = commits.get(row.oid);
    return commit ? [{ row, commit, ...(names.get(row.oid) ?? noNames()) }] : [];
  });
  const [first] = chosen;
  const here = withQuery(homeOf(seen, "graph"), { branch: first, mode: monochrome ? "monochrome" : undefined });
  const rest = isRest ? 0 : rows.length - shown.length;
  return show(
    call,
    <GraphPage
      shell={shellOf(services, call)}
      repo={frame}
      items={items}
      lanes={lanesOf(rows)}
      {...(rest > 0
        ? { rest: { count: rest, href: withQuery(here, { page: page > 1 ? page : undefined, rows: "rest" }) } }
        : {})}
      chosen={chosen}
      branches={choices.branches}
      monochrome={monochrome}
      {...(page > 1 ? { newer: withQuery(here, { page: page === 2 ? undefined : page - 1 }) } : {})}
      {...(more ? { older: withQuery(here, { page: page + 1 }) } : {})}
    />,
  );
}

/** The tips of the chosen branches, or of all, the default branch first; a limited number of very many. */
function tipsOf({ refs }: WebServices, { repo }: SeenRepo, chosen: readonly string[]): string[] {
  const of = (name: string) => refs.find(repo.id, BRANCHES + name)?.oid ?? [];
  if (chosen.length > 0) return [...new Set(chosen.flatMap(of))];
  const all = refs.list(repo.id, BRANCHES).map(({ oid }) => oid);
  return [...new Set([...[of(repo.defaultBranch)].flat(), ...all])].slice(0, MAX_TIPS);
}

interface NamesAt {
  readonly branches: string[];
  readonly tags: string[];
  /** How many more are not named. */
  unnamed: number;
}

const noNames = (): NamesAt => ({ branches: [], tags: [], unnamed: 0 });

/** The branches and tags that point at each of some commits. */
function namesAt({ refs }: WebServices, { repo }: SeenRepo, commits: ReadonlySet<string>): Map<string, NamesAt> {
  const found = new Map<string, NamesAt>();
  const add = (oid: string, kind: "branches" | "tags", name: string) => {
    if (!commits.has(oid)) return;
    const names = found.get(oid) ?? noNames();
    found.set(oid, names);
    if (names[kind].length < MAX_NAMES) names[kind].push(name);
    else names.unnamed++;
  };
  for (const { name, oid } of refs.list(repo.id, BRANCHES)) add(oid, "branches", name.slice(BRANCHES.length));
  for (const { name, oid, peeled } of refs.list(repo.id, TAGS)) add(peeled ?? oid, "tags", name.slice(TAGS.length));
  return found;
}

import { readCode } from "../../src/content/access.ts";
import { comparisonPatch } from "../../src/content/compare/patch.ts";
import type { Comparison } from "../../src/content/compare/service.ts";
import { type CompareSpec, readCompareSpec, type SpecEnd } from "../../src/content/compare/spec.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { homeOf } from "../repos/frame.ts";
import { shellOf, show } from "../visit.ts";
import { askedDiff } from "./asked-diff.tsx";
import { ComparePage, type ShownComparison } from "./compare.tsx";
import { shownCommits } from "./shown-commits.ts";
import type { Sources } from "./sources.ts";

const MAX_SPEC = 1_000;
/** Further commits are loaded on demand: 250 weigh as much as the rest of the page. */
const COMMITS_SHOWN = 30;

/** Compares two revisions of a repository and its forks. */
export function comparePages(sources: Sources): Route[] {
  const page = { method: "GET", surface: "page", access: readCode } as const;
  return [
    { ...page, path: "/:owner/:repo/compare", handle: (call) => choose(sources, call) },
    { ...page, path: "/:owner/:repo/compare/*", handle: (call) => compare(sources, call) },
  ];
}

/** Redirects the submitted form to the URL of the comparison. */
async function choose(sources: Sources, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  if (seen.repo.isEmpty) throw new NotFound();
  const text = (name: string) => (call.query.get(name) ?? "").trim().slice(0, MAX_SPEC);
  const [base, head] = [text("base") || seen.repo.defaultBranch, text("head")];
  if (head !== "") return redirect(addressOf(seen, `${base}...${head}`));
  return comparePage(sources, call, seen, { base, head });
}

async function compare(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const seen = seenRepo(call);
  const given = call.params["*"] ?? "";
  if (seen.repo.isEmpty || given.length > MAX_SPEC) throw new NotFound();
  const [, text = given, form] = /^(.+)\.(diff|patch)$/.exec(given) ?? [];
  const found = await services.compare.compare(seen, text);
  if (form === "diff" || form === "patch") return comparisonPatch(services, found, form);
  const spec = readCompareSpec(text);
  const address = addressOf(seen, canonical(seen, spec));
  const shown = await shownComparison(sources, call, found, address);
  if (shown instanceof Response) return shown;
  return comparePage(sources, call, seen, {
    base: written(spec.base, seen.repo.defaultBranch),
    head: written(spec.head, found.head.seen.repo.defaultBranch),
    found: shown,
  });
}

async function comparePage(
  sources: Sources,
  call: Call,
  seen: SeenRepo,
  what: { readonly base: string; readonly head: string; readonly found?: ShownComparison },
): Promise<Response> {
  const [frame, choices] = await Promise.all([sources.frame(seen), sources.facts.choices(seen)]);
  const view = (
    <ComparePage shell={shellOf(sources.services, call)} repo={frame} branches={choices.branches} {...what} />
  );
  return show(call, view);
}

async function shownComparison(
  { services }: Sources,
  call: Call,
  found: Comparison,
  address: string,
): Promise<ShownComparison | Response> {
  const { base, head, from, commits, total } = found;
  const to = head.at.commit;
  const fromRepo = from === base.at.commit ? base.seen : head.seen;
  const listed = call.query.get("commits") === "all" ? commits : commits.slice(0, COMMITS_SHOWN);
  const [shown, diff] = await Promise.all([
    shownCommits(services, head.seen, listed),
    askedDiff(services, call, address, (request) =>
      services.history.fileDiffs(head.seen, { from: from ?? to, to, ...request }, fromRepo),
    ),
  ]);
  if (diff instanceof Response) return diff;
  const parts = await Promise.all(services.comparisons.map((part) => part.show(services, call, found)));
  const of = { owner: head.seen.owner.login, name: head.seen.repo.name };
  const rest = commits.length - listed.length;
  return { parts, href: address, of, headCommit: to, from, commits: shown, rest, total, diff };
}

const addressOf = (seen: SeenRepo, spec: string) => homeOf(seen, `compare/${segments(spec)}`);

/** The canonical form of a comparison URL, with both sides. */
function canonical({ repo }: SeenRepo, { base, head, symmetric }: CompareSpec): string {
  return written(base, repo.defaultBranch) + (symmetric ? "..." : "..") + written(head, "");
}

function written({ place, revision }: SpecEnd, whenEmpty: string): string {
  const name = revision || whenEmpty;
  return place === undefined ? name : `${place}:${name}`;
}

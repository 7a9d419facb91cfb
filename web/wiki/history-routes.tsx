import type { FileDiffRequest } from "../../src/content/history/file-diffs.ts";
import { patchAnswer } from "../../src/content/history/patch.ts";
import { type Call, param } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { WrittenWiki } from "../../src/wiki/types.ts";
import { askedDiff } from "../content/asked-diff.tsx";
import { commitSummary } from "../content/commit-items.ts";
import { excerptOf } from "../content/excerpt-routes.tsx";
import { shownCommits } from "../content/shown-commits.ts";
import { pageOf } from "../list-query.ts";
import { show } from "../visit.ts";
import { wikiActionHref, wikiCommitHref } from "./addresses.ts";
import { pageLink, type WikiPages } from "./common.ts";
import { ComparePage, RevisionPage, RevisionsPage } from "./history.tsx";
import { versionOf } from "./page-routes.tsx";

const PER_PAGE = 50;

/** The history of a page. @throws NotFound */
export async function revisions(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.seen(call);
  const { services } = pages;
  const wiki = services.wikis.requireWritten(seen);
  const entry = await services.wikis.get(wiki, param(call, "raw*"));
  const paging = pageOf(call, PER_PAGE);
  const { oids, total = 0 } = await services.wikis.revisions(wiki, entry, paging);
  const commits = await shownCommits(services, wiki.content, oids);
  const frame = await pages.frame(call, seen, wiki);
  const href = wikiActionHref(frame.repo, entry.address, "_revision");
  const view = (
    <RevisionsPage
      {...frame}
      page={pageLink(entry)}
      revisions={commits}
      total={total}
      pages={{ page: paging.page, perPage: PER_PAGE, total, href }}
    />
  );
  return show(call, view);
}

/** The changes of a page between two revisions. @throws NotFound */
export async function compare(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.seen(call);
  const { services } = pages;
  const wiki = services.wikis.requireWritten(seen);
  const entry = await services.wikis.get(wiki, param(call, "raw*"));
  const [from, to] = [versionOf(pages, call, wiki, "from"), versionOf(pages, call, wiki, "to")];
  if (from === undefined || to === undefined) throw new NotFound();
  const frame = await pages.frame(call, seen, wiki);
  const address = wikiActionHref(frame.repo, entry.address, "_compare", { from, to });
  const diff = await wikiDiff(pages, call, wiki, address, { from, to, only: [entry.file] });
  if (diff instanceof Response) return diff;
  return show(call, <ComparePage {...frame} page={pageLink(entry)} from={from} to={to} diff={diff} />);
}

/** A commit of the wiki: as a page, or as text for programs. @throws NotFound */
export async function revision(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.seen(call);
  const { services } = pages;
  const wiki = services.wikis.requireWritten(seen);
  const [, id = "", ending] = /^([0-9a-f]+)(\.diff|\.patch)?$/i.exec(param(call, "sha")) ?? [];
  const oid = services.revisions.byDigits(wiki.content, id);
  const read = oid === undefined ? undefined : services.commits.read(wiki.content, oid);
  if (!read) throw new NotFound();
  if (ending === ".diff") return patchAnswer(services, wiki.content.repo, { kind: "diff", to: read.oid });
  if (ending === ".patch") return patchAnswer(services, wiki.content.repo, { kind: "mail", commit: read.oid });
  const frame = await pages.frame(call, seen, wiki);
  const range = { from: read.commit.parents[0], to: read.oid };
  const diff = await wikiDiff(pages, call, wiki, wikiCommitHref(frame.repo, read.oid), range);
  if (diff instanceof Response) return diff;
  const commit = commitSummary(read, services.commits.peopleOf(seen.principal, [read]));
  return show(call, <RevisionPage {...frame} commit={commit} diff={diff} />);
}

function wikiDiff(
  { services }: WikiPages,
  call: Call,
  { content }: WrittenWiki,
  address: string,
  range: Pick<FileDiffRequest, "from" | "to" | "only">,
) {
  return askedDiff(services, call, address, async (request) => ({
    ...(await services.history.fileDiffs(content, { ...request, ...range })),
    below: "wiki" as const,
  }));
}

/** More lines of a file around a change. @throws NotFound */
export function excerpt(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.seen(call);
  const { content } = pages.services.wikis.requireWritten(seen);
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const hrefOf = (commit: string) => wikiCommitHref(repo, commit);
  return excerptOf({ services: pages.services, rendered: pages.code }, call, content, hrefOf);
}

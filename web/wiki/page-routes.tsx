import { readPath } from "../../src/content/values.ts";
import { flashCookie } from "../../src/http/cookies.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, param } from "../../src/http/route.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import { FOOTER, SIDEBAR, titleOfAddress } from "../../src/wiki/names.ts";
import type { WikiEntry, WrittenWiki } from "../../src/wiki/types.ts";
import { personOfSignature } from "../content/commit-items.ts";
import { outlineOf } from "../content/outline.ts";
import { wordsFor } from "../language.ts";
import { pageOf } from "../list-query.ts";
import { homeOf } from "../repos/frame.ts";
import { isSecure, show as showPage } from "../visit.ts";
import { wikiActionHref, wikiHref } from "./addresses.ts";
import { addressIn, pageLink, type WikiPages } from "./common.ts";
import { type ListedPageItem, WikiListPage } from "./list.tsx";
import { type ShownPage, WelcomePage, WikiPage } from "./page.tsx";
import { wikiWords } from "./words/index.ts";

const PER_PAGE = 50;
const MAX_WORDS = 255;

/** A page, the replacement for a missing one, or a file that is not a page. */
export async function show(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.seen(call);
  const { wikis } = pages.services;
  const present = wikis.written(seen);
  const isStart = !call.params["raw*"];
  if (!present) return isStart ? welcome(pages, call) : missing(pages, call);
  const version = versionOf(pages, call, present);
  const wiki = version === undefined ? present : { ...present, commit: version };
  const entry = await wikis.find(wiki, addressIn(call));
  if (entry) {
    const view = (
      <WikiPage {...(await pages.frame(call, seen, present))} page={await shown(pages, wiki, entry, version)} />
    );
    return showPage(call, view);
  }
  if (version !== undefined) throw new NotFound();
  return isStart ? list(pages, call) : elsewhere(pages, call, wiki);
}

/** The commit named by `version`. @throws NotFound */
export function versionOf({ services }: WikiPages, call: Call, { content }: WrittenWiki, name = "version") {
  const given = call.query.get(name);
  if (!given) return undefined;
  const commit = services.revisions.byDigits(content, given);
  if (commit === undefined) throw new NotFound();
  return commit;
}

/** Where to redirect a URL that matches no page: a file, a page whose title differs in dashes, or the list. */
async function elsewhere(pages: WikiPages, call: Call, wiki: WrittenWiki): Promise<Response> {
  const { wikis } = pages.services;
  const repo = { owner: wiki.seen.owner.login, name: wiki.seen.repo.name };
  const path = pathIn(call);
  const file = path === undefined ? undefined : wikis.file(wiki, path);
  if (file) return redirect(wikiHref(repo, `raw/${segments(file.path)}`));
  const loose = (title: string) => title.replaceAll("-", " ");
  const wanted = loose(titleOfAddress(addressIn(call)));
  const other = (await wikis.pages(wiki)).find(({ title }) => loose(title) === wanted);
  return other ? redirect(wikiHref(repo, other.address)) : missing(pages, call);
}

/** undefined: no tree can contain such a path. */
function pathIn(call: Call): string | undefined {
  try {
    return readPath(param(call, "*"));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function missing({ services }: WikiPages, call: Call): Response {
  const seen = call.found.repository;
  if (!seen) throw new NotFound();
  const title = titleOfAddress(addressIn(call)).toWellFormed().slice(0, 100);
  const text = wordsFor(call, wikiWords)("noSuchPage", { title });
  call.header("set-cookie", flashCookie({ kind: "info", text }, { secure: isSecure(services) }));
  return redirect(homeOf(seen, "wiki/?action=_pages"));
}

async function welcome(pages: WikiPages, call: Call): Promise<Response> {
  return showPage(call, <WelcomePage {...(await pages.frame(call, pages.seen(call), undefined))} />);
}

async function shown(
  { rendered, services }: WikiPages,
  wiki: WrittenWiki,
  entry: WikiEntry,
  version: string | undefined,
): Promise<ShownPage> {
  const { commits, wikis } = services;
  const around = async (title: string, suffix: string) => {
    const other = await wikis.find(wiki, title);
    return other && other.file !== entry.file ? rendered.page(wiki, other, suffix) : undefined;
  };
  const [text, sidebar, footer, last] = await Promise.all([
    rendered.page(wiki, entry),
    around(SIDEBAR, "sidebar"),
    around(FOOTER, "footer"),
    wikis.lastCommit(wiki, entry),
  ]);
  const read = last === undefined ? undefined : commits.read(wiki.content, last);
  const people = commits.peopleOf(wiki.seen.principal, read ? [read] : []);
  return {
    ...pageLink(entry),
    file: entry.file,
    oid: entry.oid,
    text,
    outline: "html" in text ? outlineOf(text.html) : [],
    sidebar,
    footer,
    version,
    ...(read ? { by: personOfSignature(read.commit.author, people), at: read.commit.committer.timestamp * 1000 } : {}),
  };
}

/** All pages. */
export async function list(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.seen(call);
  const { commits, wikis } = pages.services;
  const wiki = wikis.written(seen);
  if (!wiki) return welcome(pages, call);
  const paging = pageOf(call, PER_PAGE);
  const { items, total } = await wikis.list(wiki, paging);
  const read = commits.readAll(wiki.content, [...new Set(items.flatMap(({ lastCommit }) => lastCommit ?? []))]);
  const byId = new Map(read.map((each) => [each.oid, each.commit]));
  const people = commits.peopleOf(seen.principal, read);
  const shownItems = items.map(({ entry, lastCommit }): ListedPageItem => {
    const commit = lastCommit === undefined ? undefined : byId.get(lastCommit);
    return {
      ...pageLink(entry),
      ...(commit ? { by: personOfSignature(commit.author, people), at: commit.committer.timestamp * 1000 } : {}),
    };
  });
  const frame = await pages.frame(call, seen, wiki);
  const href = wikiActionHref(frame.repo, "", "_pages");
  const of = { page: paging.page, perPage: PER_PAGE, total, href };
  return showPage(call, <WikiListPage {...frame} pages={shownItems} of={of} />);
}

/** Pages that contain the search words. */
export async function search(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.seen(call);
  const { wikis } = pages.services;
  const query = (call.query.get("q") ?? "").trim().slice(0, MAX_WORDS);
  const wiki = wikis.written(seen);
  if (query === "" || !wiki) return redirect(homeOf(seen, "wiki/?action=_pages"));
  const found = await wikis.search(wiki, query);
  const items = found.map(({ entry, lines }) => ({ ...pageLink(entry), lines }));
  const frame = await pages.frame(call, seen, wiki);
  return showPage(call, <WikiListPage {...frame} pages={items} query={query} of={undefined} />);
}

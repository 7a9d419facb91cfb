import { readCode } from "../../src/content/access.ts";
import { trimOf } from "../../src/git/text-ends.ts";
import { movedTarget } from "../../src/http/path.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { Failure } from "../../src/kernel/errors.ts";
import type { Paging } from "../../src/kernel/paging.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { type CodeQuery, type FoundFile, type FoundFiles, SEARCH_MODES } from "../../src/search/types.ts";
import type { WebServices } from "../area.ts";
import { refusalOf } from "../form-data.ts";
import { type RefName, refHref, userHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { anyone, shellOf, show } from "../visit.ts";
import { ExploreCodePage, OwnerCodePage, RepoSearchPage } from "./pages.tsx";
import type { FileHit, SearchView } from "./results.tsx";

const PER_PAGE = 20;
const MAX_LANGUAGE = 60;
/** How soon to reload while a repository is being indexed. */
const RELOAD_SECONDS = 3;

/** Code search: in one repository, or in all that the user may read. */
export function searchPages(services: WebServices): Route[] {
  const page = { method: "GET", surface: "page" } as const;
  return [
    { ...page, path: "/explore/code", access: anyone, handle: (call) => everywhere(services, call) },
    { ...page, path: "/:owner/-/code", access: anyone, handle: (call) => ofOwner(services, call) },
    { ...page, path: "/:owner/:repo/search", access: readCode, handle: (call) => inRepo(services, call) },
  ];
}

async function everywhere(services: WebServices, call: Call): Promise<Response> {
  const { codeSearch } = services;
  if (!codeSearch.isEnabled) return redirect("/explore");
  const view = await amongMany(services, call, "/explore/code", (query, slice) =>
    codeSearch.everywhere(call.principal, query, slice),
  );
  return show(call, <ExploreCodePage shell={shellOf(services, call)} view={view} />);
}

async function ofOwner(services: WebServices, call: Call): Promise<Response> {
  const { codeSearch, identity } = services;
  const owner = identity.visible(call.principal, param(call, "owner"), (login) =>
    movedTarget(call.target, call.pattern, { owner: login }),
  );
  if (!codeSearch.isEnabled) return redirect(userHref(owner.login));
  const view = await amongMany(services, call, `${userHref(owner.login)}/-/code`, (query, slice) =>
    codeSearch.ofOwner(call.principal, owner, query, slice),
  );
  return show(call, <OwnerCodePage shell={shellOf(services, call)} owner={personOf(owner)} view={view} />);
}

/** A search across repositories, whose hits name their repository. */
async function amongMany(
  services: WebServices,
  call: Call,
  address: string,
  search: (query: CodeQuery, slice: Paging) => Promise<FoundFiles>,
): Promise<SearchView> {
  const query = queryOf(call);
  const slice = pageOf(call, PER_PAGE);
  const found = await foundOrRefused(call, () => search(query, slice), query);
  const ids = [...new Set(found.files.map(({ repoId }) => repoId))];
  const seen = new Map(services.repos.seeEach(call.principal, ids).map((each) => [each.repo.id, each]));
  const hits = found.files.flatMap((file) => {
    const repo = seen.get(file.repoId);
    return repo ? [hitOf(services, repo, file, true)] : [];
  });
  return viewOf(address, query, found, hits, slice.page);
}

async function inRepo(services: WebServices, call: Call): Promise<Response> {
  const { codeSearch } = services;
  const seen = seenRepo(call);
  if (!codeSearch.isEnabled) return redirect(homeOf(seen));
  const query = queryOf(call);
  const slice = pageOf(call, PER_PAGE);
  const search = async (): Promise<FoundFiles> => (seen.repo.isEmpty ? nothing : codeSearch.inRepo(seen, query, slice));
  const [frame, found] = await Promise.all([repoFrame(services, seen), foundOrRefused(call, search, query)]);
  if (found.isMissing) call.header("refresh", String(RELOAD_SECONDS));
  const hits = found.files.map((file) => hitOf(services, seen, file, false));
  return show(
    call,
    <RepoSearchPage
      shell={shellOf(services, call)}
      repo={frame}
      view={viewOf(homeOf(seen, "search"), query, found, hits, slice.page)}
    />,
  );
}

const nothing: FoundFiles = { files: [], total: 0, isPartial: false, languages: [], isMissing: false };

/** The results, or the error message. */
async function foundOrRefused(
  call: Call,
  search: () => Promise<FoundFiles>,
  query: CodeQuery,
): Promise<FoundFiles & { readonly refusal?: string }> {
  if (query.text.trim() === "") return nothing;
  try {
    return await search();
  } catch (error) {
    if (error instanceof Failure && error.code.startsWith("search."))
      return { ...nothing, refusal: refusalOf(call, error) };
    throw error;
  }
}

function queryOf({ query }: Call): CodeQuery {
  const asked = query.get("t");
  const language = (query.get("l") ?? "").slice(0, MAX_LANGUAGE);
  const path = trimOf((query.get("path") ?? "").slice(0, 1000), "/");
  return {
    text: query.get("q") ?? "",
    mode: SEARCH_MODES.find((mode) => mode === asked) ?? "exact",
    ...(language === "" ? {} : { language }),
    ...(path === "" ? {} : { path }),
  };
}

function hitOf({ refs }: WebServices, { owner, repo }: SeenRepo, file: FoundFile, named: boolean): FileHit {
  const name = { owner: owner.login, name: repo.name };
  // Lines refer to the indexed commit; while the branch still points to it, use the nicer branch URL.
  const isHead = refs.find(repo.id, `refs/heads/${repo.defaultBranch}`)?.oid === file.commit;
  const ref: RefName = isHead ? { kind: "branch", name: repo.defaultBranch } : { kind: "commit", name: file.commit };
  const { path, language, lines, matchCount } = file;
  return { ...(named ? { repo: name } : {}), href: refHref(name, "src", ref, path), path, language, lines, matchCount };
}

function viewOf(
  action: string,
  query: CodeQuery,
  found: FoundFiles & { readonly refusal?: string },
  hits: readonly FileHit[],
  page: number,
): SearchView {
  const { text, mode, language, path } = query;
  const href = withQuery(action, { q: text, t: mode === "exact" ? undefined : mode, l: language, path });
  const { refusal, total, isPartial, isMissing, languages } = found;
  return {
    action,
    href,
    query,
    hits,
    total,
    isPartial,
    isMissing,
    languages,
    pages: { page, perPage: PER_PAGE, total, href },
    ...(refusal === undefined ? {} : { refusal }),
  };
}

import { atLeast } from "../../src/access/levels.ts";
import { readCode } from "../../src/content/access.ts";
import type { FileEntry } from "../../src/content/files/entry.ts";
import type { NamedCommit } from "../../src/content/revisions/service.ts";
import { languageShares } from "../../src/git/languages/shares.ts";
import { decodeSegment } from "../../src/http/path.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { Repo, SeenRepo } from "../../src/repos/types.ts";
import type { LanguageShare } from "../components/languages.tsx";
import { languageOfCall, wordsFor } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { type RefKind, type RefName, type RepoName, refHref, repoHref } from "../links.ts";
import { homeOf } from "../repos/frame.ts";
import { anyone, shellOf, show, showPart } from "../visit.ts";
import type { DirectoryChanges } from "./code-bar.tsx";
import { mayEditAt } from "./edit-place.ts";
import { FilePage } from "./file.tsx";
import { type ShownFile, shownFile } from "./file-body.ts";
import { FileList } from "./file-list.tsx";
import { EmptyRepoPage, NoBranchesPage, type RepoAbout, RepoHomePage } from "./home.tsx";
import { type Place, pathOf, placeOf, rawSegments } from "./place.ts";
import { readmeOf } from "./readmes.ts";
import type { Sources } from "./sources.ts";
import { TreePage } from "./tree.tsx";
import { contentWords } from "./words/index.ts";

const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];
/** The bar shows the largest languages, and the others as one. */
const LANGUAGES_SHOWN = 5;

/** The home of a repository, its directories and its files. */
export function codePages(sources: Sources): Route[] {
  const page = { method: "GET", surface: "page" } as const;
  return [
    {
      ...page,
      path: "/:owner/:repo",
      access: {
        ...anyone,
        subject: { kind: "repository", level: "read" },
        scopes: ["repository"],
        takesBasic: true,
      },
      handle: (call) => home(sources, call),
    },
    ...KINDS.map(
      (kind): Route => ({
        ...page,
        path: `/:owner/:repo/src/${kind}/*`,
        access: readCode,
        handle: (call) => source(sources, call, kind),
      }),
    ),
    { ...page, path: "/:owner/:repo/lastcommit/*", access: readCode, handle: (call) => lastCommits(sources, call) },
  ];
}

/** Where a repository without code opens. @throws NotFound when none of its other units is shown either */
function firstTab({ services }: Sources, frame: RepoFrameProps): Response {
  const tab = services.contributions.repoTabs.find(({ shown }) => shown?.(frame) ?? true);
  if (!tab) throw new NotFound();
  return redirect(tab.href(frame));
}

async function home(sources: Sources, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const { repo, access } = seen;
  const readsCode = atLeast(access.on("code"), "read");
  const at = readsCode && !repo.isEmpty ? sources.services.revisions.head(seen) : undefined;
  // Started before it is known whether the page is shown at all: it almost always is.
  const content = at && homeContent(sources, call, seen, at);
  content?.catch(() => {});
  const frame = await sources.frame(seen);
  for (const state of sources.services.repoStates) {
    const instead = state.show(sources.services, call, seen, frame);
    if (instead) return instead;
  }
  if (!readsCode) return firstTab(sources, frame);
  if (repo.isEmpty) return show(call, <EmptyRepoPage shell={shellOf(sources.services, call)} repo={frame} />);
  if (!content) return show(call, <NoBranchesPage shell={shellOf(sources.services, call)} repo={frame} />);
  const { place, refs, listing, rows, latest, readme } = await content;
  const { ref } = place;
  const notes = await Promise.all(sources.services.homeNotes.map((note) => note.show(sources.services, seen)));
  return show(
    call,
    <RepoHomePage
      shell={shellOf(sources.services, call)}
      repo={frame}
      at={ref}
      refs={refs}
      entries={listing.entries}
      about={{
        ...(sources.services.codeSearch.isEnabled ? { searchHref: homeOf(seen, "search") } : {}),
        website: repo.website,
        topics: sources.services.topics.of(seen),
        sizeBytes: repo.sizeBytes,
        licenses: licensesOf(seen, ref, listing.files),
        languages: languagesOf(call, repo),
        ...latestRelease(sources, seen),
      }}
      {...(latest ? { latest } : {})}
      {...(rows === undefined ? {} : { rows })}
      {...(listing.isComplete ? {} : { lastCommitsHref: lastCommitsHref(place) })}
      {...(readme ? { readme } : {})}
      {...directoryChanges(sources, frame, place)}
      notes={notes}
    />,
  );
}

/** What the home page shows of the default branch. */
async function homeContent(sources: Sources, call: Call, seen: SeenRepo, at: NamedCommit) {
  const place: Place = { seen, at, ref: { kind: "branch", name: at.name }, path: "" };
  const [parts, refs] = await Promise.all([
    directoryParts(sources, call, place, sources.root(seen, at.commit)),
    sources.facts.choices(seen),
  ]);
  return { place, refs, ...parts };
}

/** What the home page and directory pages share, loaded concurrently. */
async function directoryParts(sources: Sources, call: Call, place: Place, directory: FileEntry) {
  const { seen, at, path } = place;
  const language = languageOfCall(call);
  const [listing, latest, readme] = await Promise.all([
    sources.listing(seen, at, directory),
    sources.latest(seen, at, path),
    sources.listings.plain(seen, at, directory).then(({ files }) => readmeOf(sources, place, files, language.code)),
  ]);
  const rows = sources.listings.rowsOf(seen, at, place.ref, path, listing, language);
  return { listing, rows, latest, readme };
}

/** The forms that change a directory, for users who may, on a branch. */
function directoryChanges(
  sources: Sources,
  frame: RepoFrameProps,
  { seen, ref, path }: Place,
): { changes?: DirectoryChanges } {
  if (ref.kind !== "branch" || !frame.may.propose || !mayEditAt(sources.services, { seen, branch: ref.name }))
    return {};
  const href = (word: string) => editHref(frame, word, ref, path);
  return {
    changes: {
      newFile: href("_new"),
      upload: href("_upload"),
      patch: href("_diffpatch"),
      ...(path === "" ? {} : { move: href("_edit"), delete: href("_delete") }),
    },
  };
}

function editHref(repo: RepoName, word: string, ref: RefName, path: string): string {
  return repoHref(repo, [word, segments(ref.name), ...(path === "" ? [] : [segments(path)])].join("/"));
}

function lastCommitsHref({ seen, at, ref, path }: Place): string {
  const sub = ["lastcommit", at.commit, ...(path === "" ? [] : [segments(path)])].join("/");
  return `${homeOf(seen, sub)}?refSubUrl=${encodeURIComponent(`${ref.kind}/${segments(ref.name)}`)}`;
}

function latestRelease({ services }: Sources, seen: SeenRepo): Pick<RepoAbout, "release"> {
  const isShown = atLeast(seen.access.on("releases"), "read");
  const release = isShown ? services.releases.findLatest(seen) : undefined;
  return release ? { release: { title: release.title || release.tag, tag: release.tag } } : {};
}

function licensesOf(seen: SeenRepo, ref: RefName, files: readonly FileEntry[]) {
  const file = files.find(
    (entry) => /^(licen[cs]e|copying|unlicense)(\.|$)/i.test(entry.name) && entry.kind === "file",
  );
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const href = file ? refHref(repo, "src", ref, file.path) : homeOf(seen);
  if (seen.repo.licenses.length === 0) return file ? [{ name: file.name, href }] : [];
  return seen.repo.licenses.map((name) => ({ name, href }));
}

function languagesOf(call: Call, repo: Repo): LanguageShare[] {
  const shares = languageShares(repo.languages).map((share) => ({
    name: share.name,
    share: share.percent,
    colour: share.colour,
  }));
  const shown = shares.slice(0, LANGUAGES_SHOWN).filter((share) => share.share > 0.1);
  const rest = 100 - shown.reduce((sum, share) => sum + share.share, 0);
  if (shown.length === 0 || rest < 0.1) return shown;
  return [
    ...shown,
    { name: wordsFor(call, contentWords)("otherLanguages"), share: Math.round(rest * 10) / 10, colour: "#8b949e" },
  ];
}

async function source(sources: Sources, call: Call, kind: RefKind): Promise<Response> {
  const { services } = sources;
  const seen = seenRepo(call);
  if (
    seen.repo.isEmpty &&
    kind === "branch" &&
    rawSegments(call).map(decodeSegment).join("/") === seen.repo.defaultBranch
  )
    return show(call, <EmptyRepoPage shell={shellOf(services, call)} repo={await sources.frame(seen)} />);
  const place = placeOf(services, call, "src", kind);
  const entry = services.files.entry(seen, place.at.commit, place.path);
  if (kind === "commit" && place.ref.name !== place.at.commit)
    call.header("link", `<${canonical(sources, place)}>; rel="canonical"`);
  if (entry.kind === "dir") return directoryPage(sources, call, place, entry);
  if (entry.kind === "submodule") throw new NotFound();
  if (call.query.get("raw") === "1") return redirect(homeOf(seen, ["raw", kind, ...rawSegments(call)].join("/")));
  if (call.query.get("follow_symlink") === "1" && entry.kind === "symlink") {
    const target = await shownFile(sources, place, entry, false);
    if (target.body.kind === "symlink" && target.body.targetHref) return redirect(target.body.targetHref);
  }
  return filePage(sources, call, place, entry);
}

function canonical({ services }: Sources, { seen, at, path }: Place): string {
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  return services.links.rootUrl.replace(/\/$/, "") + refHref(repo, "src", { kind: "commit", name: at.commit }, path);
}

async function directoryPage(sources: Sources, call: Call, place: Place, directory: FileEntry): Promise<Response> {
  const { seen, ref, path } = place;
  const [frame, refs, { listing, rows, latest, readme }, tree] = await Promise.all([
    sources.frame(seen),
    sources.facts.choices(seen),
    directoryParts(sources, call, place, directory),
    path === "" ? undefined : sources.tree(call, place),
  ]);
  return show(
    call,
    <TreePage
      shell={shellOf(sources.services, call)}
      repo={frame}
      at={ref}
      path={path}
      refs={refs}
      entries={listing.entries}
      {...(latest ? { latest } : {})}
      {...(rows === undefined ? {} : { rows })}
      {...(listing.isComplete ? {} : { lastCommitsHref: lastCommitsHref(place) })}
      {...(readme ? { readme } : {})}
      {...directoryChanges(sources, frame, place)}
      {...(tree ? { tree } : {})}
      {...(listing.hidden > 0 ? { hiddenEntries: listing.hidden } : {})}
    />,
  );
}

async function filePage(sources: Sources, call: Call, place: Place, file: FileEntry): Promise<Response> {
  const { seen, at, ref, path } = place;
  const wantsSource = call.query.get("display") === "source";
  const { services } = sources;
  const [frame, refs, latest, shown, tree, notes] = await Promise.all([
    sources.frame(seen),
    sources.facts.choices(seen),
    sources.latest(seen, at, path),
    shownFile(sources, place, file, wantsSource),
    sources.tree(call, place),
    Promise.all(services.fileNotes.map((note) => note.show(services, call, file))),
  ]);
  return show(
    call,
    <FilePage
      shell={shellOf(services, call)}
      repo={frame}
      at={ref}
      commitSha={at.commit}
      path={path}
      refs={refs}
      tree={tree}
      notes={notes}
      sizeBytes={file.sizeBytes}
      isExecutable={file.isExecutable}
      {...(latest ? { latest } : {})}
      {...shown}
      {...(shown.isText ? { blameHref: refHref(frame, "blame", ref, path) } : {})}
      {...changeHrefs(sources, frame, place, shown)}
    />,
  );
}

/** The forms that change a file on a branch: texts can be edited (by readers, in a fork), any file can be deleted. */
function changeHrefs(sources: Sources, frame: RepoFrameProps, { seen, ref, path }: Place, { body, isText }: ShownFile) {
  if (ref.kind !== "branch" || !frame.may.propose) return {};
  return {
    ...(mayEditAt(sources.services, { seen, branch: ref.name })
      ? { deleteHref: editHref(frame, "_delete", ref, path) }
      : {}),
    ...(isText || body.kind === "empty" ? { editHref: editHref(frame, "_edit", ref, path) } : {}),
  };
}

/** The directory list once its last commits are known; requested by pages that did not wait for them. */
async function lastCommits(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const seen = seenRepo(call);
  const [id = "", ...rest] = rawSegments(call).map(decodeSegment);
  const commit = services.revisions.byDigits(seen, id);
  if (commit === undefined) throw new NotFound();
  const path = pathOf(rest);
  const directory = services.files.entry(seen, commit, path);
  if (directory.kind !== "dir") throw new NotFound();
  const at = { kind: "commit", name: commit, commit } as const;
  const listing = await sources.listing(seen, at, directory, 60_000);
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  return showPart(call, <FileList repo={repo} at={refOf(call, commit)} path={path} entries={listing.entries} />);
}

/** The ref the page was opened at, so that the links in its list keep it. */
function refOf(call: Call, commit: string): RefName {
  const [kind = "", ...name] = (call.query.get("refSubUrl") ?? "").split("/");
  const known = KINDS.find((candidate) => candidate === kind);
  try {
    return known && name.length > 0
      ? { kind: known, name: name.map(decodeURIComponent).join("/") }
      : { kind: "commit", name: commit };
  } catch {
    return { kind: "commit", name: commit };
  }
}

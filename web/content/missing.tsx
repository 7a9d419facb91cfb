import { atLeast } from "../../src/access/levels.ts";
import type { Principal } from "../../src/access/principal.ts";
import { decodeSegment } from "../../src/http/path.ts";
import { Failure, Redirected } from "../../src/kernel/errors.ts";
import type { Translate } from "../../src/language/catalogue.ts";
import type { Language } from "../../src/language/language.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { type RefKind, type RefName, type RepoName, refHref, repoHref } from "../links.ts";
import { repoFrame } from "../repos/frame.ts";
import { pathsOf } from "./tree-list-routes.ts";
import { contentWords } from "./words/index.ts";

/** Something missing in a repository the visitor may see, and suggestions where it may be. */
export interface MissingInRepo {
  readonly repo: RepoFrameProps;
  /** A sentence about what was requested. */
  readonly about: string;
  readonly suggestions: readonly Suggestion[];
}

interface Suggestion {
  readonly icon: IconName;
  readonly label: string;
  readonly href: string;
}

const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];
/** Pages about a path. */
const PATH_PAGES: ReadonlySet<string> = new Set(["src", "raw", "media", "commits", "blame", "render"]);
const MAX_SUGGESTIONS = 6;
/** Maximum suggested files in other places. */
const MAX_OTHERS = 4;

/** The 404 page of a repository. */
export function MissingInRepoPage({ shell, repo, about, suggestions }: MissingInRepo & { shell: Shell }) {
  const t = useWords(contentWords);
  return (
    <RepoPage shell={shell} repo={repo} tab={undefined} title={[t("notFoundTitle")]} noIndex>
      <div class="error-page">
        <h1>{t("notFound")}</h1>
        <p>{about}</p>
        <ul class="ways">
          {[...suggestions, { icon: "repo", label: t("repositoryHome"), href: repoHref(repo) } as const].map((way) => (
            <li>
              <Icon name={way.icon} />
              <a href={way.href}>{way.label}</a>
            </li>
          ))}
        </ul>
      </div>
    </RepoPage>
  );
}

/**
 * What a repository's page can say about a 404 at this URL; undefined when the URL is not in a repository whose code
 * the visitor may read, so that nothing more is revealed than by the plain 404 page.
 */
export async function missingInRepo(
  services: WebServices,
  principal: Principal,
  target: string,
  language: Language,
): Promise<MissingInRepo | undefined> {
  const { seen, rest } = repoAt(services, principal, target);
  if (!seen || rest.length === 0 || !atLeast(seen.access.on("code"), "read")) return undefined;
  const found = await services.revisions.settled(() => lookedFor(services, seen, rest, contentWords.in(language)));
  return {
    repo: await repoFrame(services, seen),
    about: found.about,
    suggestions: found.suggestions.slice(0, MAX_SUGGESTIONS),
  };
}

/** The repository of a URL, if the visitor may see it, and the rest of the path. */
export function repoAt(
  services: WebServices,
  principal: Principal,
  target: string,
): { readonly seen: SeenRepo | undefined; readonly rest: readonly string[] } {
  const [, owner = "", name = "", ...rest] = target.split("?")[0]?.split("/").map(decodeSegment) ?? [];
  return { seen: owner === "" || name === "" ? undefined : seeing(services, principal, owner, name), rest };
}

function seeing(services: WebServices, principal: Principal, owner: string, name: string): SeenRepo | undefined {
  try {
    return services.repos.see(principal, owner, name, repoPath);
  } catch (error) {
    if (error instanceof Failure || error instanceof Redirected) return undefined;
    throw error;
  }
}

const repoPath = (owner: string, name: string) => repoHref({ owner, name });

type Found = Omit<MissingInRepo, "repo">;

type Said = Translate<typeof contentWords.source>;

async function lookedFor(services: WebServices, seen: SeenRepo, rest: readonly string[], t: Said): Promise<Found> {
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const [page, kind, ...parts] = rest;
  if (page === "commit" && kind) return missingCommit(seen, repo, kind, t);
  const known = KINDS.find((each) => each === kind);
  if (known === undefined || parts.length === 0 || !PATH_PAGES.has(page ?? ""))
    return { about: t("noSuchPage"), suggestions: [] };
  if (known === "commit" && services.revisions.byDigits(seen, parts[0] ?? "") === undefined)
    return missingCommit(seen, repo, parts[0] ?? "", t);
  const found = services.revisions.leading(seen, known, parts);
  if (!found) return missingRef(services, seen, known, parts, t);
  const { name, commit } = found.value;
  return missingPath(services, seen, { kind: known, name }, commit, parts.slice(found.count).join("/"), t);
}

function missingCommit({ repo }: SeenRepo, name: RepoName, id: string, t: Said): Found {
  return {
    about: t("noSuch-commit", { name: id.slice(0, 64) }),
    suggestions: [
      {
        icon: "history",
        label: t("commitsOf", { ref: repo.defaultBranch }),
        href: refHref(name, "commits", { kind: "branch", name: repo.defaultBranch }),
      },
    ],
  };
}

/** Refs with similar names, and the path on the default branch. */
async function missingRef(
  services: WebServices,
  seen: SeenRepo,
  kind: RefKind,
  parts: readonly string[],
  t: Said,
): Promise<Found> {
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const main: RefName = { kind: "branch", name: seen.repo.defaultBranch };
  const { branches, tags } = await services.refFacts.choose(seen, parts[0] ?? "");
  const similar: Suggestion[] = [
    ...branches.map((name) => ({ kind: "branch", name }) as const),
    ...tags.map((name) => ({ kind: "tag", name }) as const),
  ].map((ref) => ({
    icon: ref.kind === "branch" ? "git-branch" : "tag",
    label: t(`named-${ref.kind}`, { name: ref.name }),
    href: refHref(repo, "src", ref),
  }));
  const head = services.revisions.head(seen);
  const path = parts.slice(1).join("/");
  const there = head && path !== "" && services.files.find(seen, head.commit, path);
  const onMain: Suggestion[] = there
    ? [{ icon: "file", label: t("pathOn", { path, branch: main.name }), href: refHref(repo, "src", main, path) }]
    : [];
  return {
    about: t(`noSuch-${kind}`, { name: parts.join("/").slice(0, 200) }),
    suggestions: [
      ...onMain,
      ...similar,
      { icon: "git-branch", label: t("allBranches"), href: repoHref(repo, "branches") },
    ],
  };
}

/** Other places for the path: on the default branch, files with the same name, the nearest existing directory. */
async function missingPath(
  services: WebServices,
  seen: SeenRepo,
  ref: RefName,
  commit: string,
  path: string,
  t: Said,
): Promise<Found> {
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const suggestions: Suggestion[] = [];
  const head = services.revisions.head(seen);
  if (head && head.commit !== commit && services.files.find(seen, head.commit, path)) {
    const main: RefName = { kind: "branch", name: head.name };
    suggestions.push({
      icon: "file",
      label: t("pathOn", { path, branch: head.name }),
      href: refHref(repo, "src", main, path),
    });
  }
  const name = path.slice(path.lastIndexOf("/") + 1);
  const root = services.files.find(seen, commit, "");
  const others = root ? await pathsOf(services, seen, root.oid, { name, limit: MAX_OTHERS }) : "[]";
  for (const other of JSON.parse(others) as string[])
    suggestions.push({ icon: "file", label: other, href: refHref(repo, "src", ref, other) });
  let directory = path;
  while (directory.includes("/")) {
    directory = directory.slice(0, directory.lastIndexOf("/"));
    if (services.files.find(seen, commit, directory)?.kind !== "dir") continue;
    suggestions.push({
      icon: "file-directory-fill",
      label: `${directory}/`,
      href: refHref(repo, "src", ref, directory),
    });
    break;
  }
  const shown = ref.kind === "commit" ? ref.name.slice(0, 10) : ref.name;
  return { about: t("noSuchPath", { path: path.slice(0, 200), ref: shown }), suggestions };
}

/** The URLs of pages (contract: web.md section 1), with each part escaped, so that no view assembles a URL by hand. */

import { segment, segments } from "../src/kernel/url-path.ts";

export interface RepoName {
  readonly owner: string;
  readonly name: string;
}

export type RefKind = "branch" | "tag" | "commit";

/** A ref as it appears in a URL: `branch/main`, `tag/v1`, `commit/<sha>`. */
export interface RefName {
  readonly kind: RefKind;
  readonly name: string;
}

export function userHref(name: string): string {
  return `/${segment(name)}`;
}

/** The URL of an account's picture: the uploaded one or the identicon. */
export function avatarHref(user: { readonly login: string; readonly avatar: string }): string {
  return user.avatar === "" ? drawnAvatarHref(user.login) : `/avatars/${segment(user.avatar)}`;
}

/** The URL of the identicon of a name. */
export function drawnAvatarHref(name: string): string {
  return `/avatars/${segment(name.toLowerCase())}`;
}

/** The URL of an uploaded picture as properties for a view; empty when there is none. */
export function uploadedPicture(user: { readonly login: string; readonly avatar: string }): { avatarUrl?: string } {
  return user.avatar === "" ? {} : { avatarUrl: avatarHref(user) };
}

/** A page of the repository; `sub` is already escaped. */
export function repoHref(repo: RepoName, sub = ""): string {
  return `/${segment(repo.owner)}/${segment(repo.name)}${sub === "" ? "" : `/${sub}`}`;
}

type RefPage = "src" | "raw" | "media" | "commits" | "blame" | "find" | "tree-list" | "tree-view" | "render";

/** A page about a path at a ref: `/o/r/src/branch/main/docs/a.md`. */
export function refHref(repo: RepoName, page: RefPage, ref: RefName, path = ""): string {
  return repoHref(repo, `${page}/${ref.kind}/${segments(ref.name)}${path === "" ? "" : `/${segments(path)}`}`);
}

/** An archive of all files at a branch, tag or commit. */
export function archiveHref(repo: RepoName, ref: Pick<RefName, "name">, format: "zip" | "tar.gz" | "bundle"): string {
  return repoHref(repo, `archive/${segments(ref.name)}.${format}`);
}

export function commitHref(repo: RepoName, sha: string): string {
  return repoHref(repo, `commit/${segment(sha)}`);
}

/** The comparison of two revisions: what `head` has that `base` does not. */
export function compareHref(repo: RepoName, base: string, head: string): string {
  return repoHref(repo, `compare/${segments(`${base}...${head}`)}`);
}

/** A feed announced in a page's head. */
export interface FeedLink {
  readonly title: string;
  readonly href: string;
  readonly type: "application/rss+xml" | "application/atom+xml";
}

/** Both formats of a feed. @param hrefOf its URL in one format */
export function feedLinks(title: string, hrefOf: (form: "rss" | "atom") => string): FeedLink[] {
  return (["rss", "atom"] as const).map((form) => ({
    title: `${title} (${form.toUpperCase()})`,
    href: hrefOf(form),
    type: `application/${form}+xml`,
  }));
}

/** Needs no escaping in a query. */
const PLAIN = /^[\w.*-]+$/;

/** A URL with some query parameters set, and those given as `undefined` or empty removed. */
export function withQuery(href: string, changes: Readonly<Record<string, string | number | undefined>>): string {
  const plain = href.includes("?") ? undefined : plainQuery(changes);
  if (plain !== undefined) return plain === "" ? href : `${href}?${plain}`;
  const [path = "", query = ""] = href.split("?", 2);
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") parameters.delete(name);
    else parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}

/**
 * A query string when no value needs escaping, the common case: `URLSearchParams` takes ten times as long. undefined:
 * one does.
 */
function plainQuery(parameters: Readonly<Record<string, string | number | undefined>>): string | undefined {
  let query = "";
  for (const name in parameters) {
    const value = parameters[name];
    if (value === undefined || value === "") continue;
    if (typeof value === "string" && !PLAIN.test(value)) return undefined;
    query += `${query === "" ? "" : "&"}${name}=${value}`;
  }
  return query;
}

/** The URL of a page of a list; the first page has no `page` parameter, so that each page has one URL. */
export function pageHref(href: string, page: number): string {
  return withQuery(href, { page: page > 1 ? page : undefined });
}

/** The sign-in page, returning to this URL afterwards. */
export function signInHref(returnTo: string): string {
  return returnTo === "/" ? "/user/login" : `/user/login?redirect_to=${encodeURIComponent(returnTo)}`;
}

/** The repositories with that topic. */
export function topicHref(topic: string): string {
  return `/explore/repos?q=${encodeURIComponent(topic)}&topic=1`;
}

/** A page of an organization other than its home page; `sub` is already escaped. */
export function organizationHref(name: string, sub: string): string {
  return `/org/${segment(name)}/${sub}`;
}

/** A page of a team; `sub` is already escaped. */
export function teamHref(organization: string, team: string, sub = ""): string {
  return organizationHref(organization, `teams/${segment(team)}${sub === "" ? "" : `/${sub}`}`);
}

/** The addresses of pages (contract: web.md section 1), each part escaped, so that no view puts a URL together by hand. */

import { segment, segments } from "../src/kernel/url-path.ts";

export interface RepoName {
  readonly owner: string;
  readonly name: string;
}

export type RefKind = "branch" | "tag" | "commit";

/** A place in the history as it stands in an address: `branch/main`, `tag/v1`, `commit/<sha>`. */
export interface RefName {
  readonly kind: RefKind;
  readonly name: string;
}

export function userHref(name: string): string {
  return `/${segment(name)}`;
}

/** Where an account's picture is: the uploaded one, or the one drawn from the name. */
export function avatarHref(user: { readonly login: string; readonly avatar: string }): string {
  return user.avatar === "" ? drawnAvatarHref(user.login) : `/avatars/${segment(user.avatar)}`;
}

/** Where the picture drawn from a name is. */
export function drawnAvatarHref(name: string): string {
  return `/avatars/${segment(name.toLowerCase())}`;
}

/** The address of an uploaded picture, for the views; nothing when it is drawn. */
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

/** A download of all files at a branch, tag or commit. */
export function archiveHref(repo: RepoName, ref: Pick<RefName, "name">, format: "zip" | "tar.gz" | "bundle"): string {
  return repoHref(repo, `archive/${segments(ref.name)}.${format}`);
}

export function commitHref(repo: RepoName, sha: string): string {
  return repoHref(repo, `commit/${segment(sha)}`);
}

/** What one revision has that another has not. */
export function compareHref(repo: RepoName, base: string, head: string): string {
  return repoHref(repo, `compare/${segments(`${base}...${head}`)}`);
}

/** A feed that a page names in its head. */
export interface FeedLink {
  readonly title: string;
  readonly href: string;
  readonly type: "application/rss+xml" | "application/atom+xml";
}

/** Both forms of a feed. @param hrefOf its address in a form */
export function feedLinks(title: string, hrefOf: (form: "rss" | "atom") => string): FeedLink[] {
  return (["rss", "atom"] as const).map((form) => ({
    title: `${title} (${form.toUpperCase()})`,
    href: hrefOf(form),
    type: `application/${form}+xml`,
  }));
}

/** What stands in a query as it is. */
const PLAIN = /^[\w.*-]+$/;

/** An address with some query parameters set, and those given as `undefined` or empty removed. */
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

/** Parameters whose values need no escaping, as most: `URLSearchParams` takes ten times as long. undefined: one does. */
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

/** The page of a list, without `page` for the first so that each page has one address. */
export function pageHref(href: string, page: number): string {
  return withQuery(href, { page: page > 1 ? page : undefined });
}

/** Sign-in, coming back to this address afterwards. */
export function signInHref(returnTo: string): string {
  return returnTo === "/" ? "/user/login" : `/user/login?redirect_to=${encodeURIComponent(returnTo)}`;
}

/** The repositories with that topic. */
export function topicHref(topic: string): string {
  return `/explore/repos?q=${encodeURIComponent(topic)}&topic=1`;
}

/** A page of an organization besides its home; `sub` is already escaped. */
export function organizationHref(name: string, sub: string): string {
  return `/org/${segment(name)}/${sub}`;
}

/** A page of a team; `sub` is already escaped. */
export function teamHref(organization: string, team: string, sub = ""): string {
  return organizationHref(organization, `teams/${segment(team)}${sub === "" ? "" : `/${sub}`}`);
}

import { type RepoName, repoHref, withQuery } from "../links.ts";

/** What the URL of a wiki page shows, in the contract's terms (web.md 1.10). */
export type WikiAction = "_pages" | "_new" | "_edit" | "_revision" | "_compare" | "_preview" | "_delete";

/** The URL of a wiki page. @param address as stored by the wiki, escaped; empty: the wiki itself */
export function wikiHref(repo: RepoName, address = ""): string {
  return repoHref(repo, address === "" ? "wiki" : `wiki/${address}`);
}

/** The same with an action. */
export function wikiActionHref(
  repo: RepoName,
  address: string,
  action: WikiAction,
  more: Record<string, string | number | undefined> = {},
): string {
  return withQuery(address === "" ? repoHref(repo, "wiki/") : wikiHref(repo, address), { action, ...more });
}

export function wikiCommitHref(repo: RepoName, sha: string): string {
  return wikiHref(repo, `commit/${sha}`);
}

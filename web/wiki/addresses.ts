import { type RepoName, repoHref, withQuery } from "../links.ts";

/** What a page of a wiki's addresses shows, by the words of the contract (web.md 1.10). */
export type WikiAction = "_pages" | "_new" | "_edit" | "_revision" | "_compare" | "_preview" | "_delete";

/** A page of a wiki. @param address as the wiki has it, escaped; empty: the wiki itself */
export function wikiHref(repo: RepoName, address = ""): string {
  return repoHref(repo, address === "" ? "wiki" : `wiki/${address}`);
}

/** The same with what is to be done. */
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

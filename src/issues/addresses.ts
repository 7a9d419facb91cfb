import type { Links } from "../kernel/links.ts";
import { repoAddress, repoPage } from "../repos/addresses.ts";
import type { SeenIssue } from "./types.ts";

/** The page of an item. */
export function issuePage({ issue, seen }: SeenIssue, links: Links): string {
  return `${repoPage(seen, links)}/${issue.isPull ? "pulls" : "issues"}/${issue.number}`;
}

/** API address of an item; for a pull request, too, that of its issue. */
export function issueAddress({ issue, seen }: SeenIssue, links: Links): string {
  return `${repoAddress(seen, links)}/issues/${issue.number}`;
}

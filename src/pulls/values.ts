import { ValidationFailed } from "../kernel/errors.ts";

/** Title prefixes, case-insensitive, that mark unfinished work (contract pulls.md 7). */
export const DRAFT_PREFIXES = ["WIP:", "[WIP]"];

/** The draft prefix of a title; empty if it is not a draft. */
export function draftPrefix(title: string): string {
  const upper = title.slice(0, 16).toUpperCase();
  const found = DRAFT_PREFIXES.find((prefix) => upper.startsWith(prefix));
  return found === undefined ? "" : title.slice(0, found.length);
}

export const isDraft = (title: string): boolean => draftPrefix(title) !== "";

/** The title with or without the draft prefix. */
export function draftTitle(title: string, draft: boolean): string {
  const plain = title.slice(draftPrefix(title).length).trim();
  return draft ? `${DRAFT_PREFIXES[0]} ${plain}` : plain || title;
}

/** The source of a pull request as named in requests: `branch`, `owner:branch`, `owner/repo:branch`. */
export interface HeadName {
  readonly owner: string | undefined;
  readonly repo: string | undefined;
  readonly branch: string;
}

/** Branch names contain no colons. */
export function parseHead(text: string): HeadName {
  const colon = text.indexOf(":");
  if (colon < 0) return { owner: undefined, repo: undefined, branch: text };
  const [owner = "", repo] = text.slice(0, colon).split("/", 2);
  return { owner, repo, branch: text.slice(colon + 1) };
}

/** @throws ValidationFailed if empty */
export function requireText(text: string, field: string, name: string): string {
  if (text.trim() === "") throw new ValidationFailed("value.required", { field, params: { name } });
  return text;
}

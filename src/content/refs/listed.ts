import { HIDDEN_REFS } from "../../repos/refs/hidden.ts";

/** The server's own refs, and those of other repositories brought along by a mirror, are not listed. */
export const UNLISTED: readonly string[] = [HIDDEN_REFS, "refs/remotes/"];

export function isListed(name: string): boolean {
  return !UNLISTED.some((prefix) => name.startsWith(prefix));
}

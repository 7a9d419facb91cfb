import { HIDDEN_REFS } from "../../repos/refs/hidden.ts";

/** Refs of the server's own, and those of other repositories that a mirror brought along, are in no list. */
export const UNLISTED: readonly string[] = [HIDDEN_REFS, "refs/remotes/"];

export function isListed(name: string): boolean {
  return !UNLISTED.some((prefix) => name.startsWith(prefix));
}

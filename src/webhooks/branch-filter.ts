import { compileGlob } from "../git/patterns/rule-glob.ts";
import { BRANCHES } from "../git/refs/names.ts";

/**
 * Whether a hook with that filter is triggered by a ref (contract webhooks.md 2.4): branches are matched by short and
 * full name, everything else by full name.
 * @param ref in full
 */
export function hearsOf(filter: string, ref: string): boolean {
  if (filter === "" || filter === "*" || filter === "**") return true;
  const glob = compileGlob(filter, "");
  return glob.matches(ref) || (ref.startsWith(BRANCHES) && glob.matches(ref.slice(BRANCHES.length)));
}

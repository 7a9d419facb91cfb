import { atLeast } from "../access/levels.ts";
import { Forbidden } from "../kernel/errors.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { SeenIssue } from "./types.ts";

/** Who may do what with an item (contract issues.md 1), given an item that the principal may read. */

export function mayWrite({ level }: SeenIssue): boolean {
  return atLeast(level, "write");
}

export function isPoster({ issue, seen: { principal } }: SeenIssue): boolean {
  return principal.user !== undefined && principal.user.id === issue.posterId;
}

/** Title, text, ref and state: the author and everyone with write access. */
export function mayEdit(item: SeenIssue): boolean {
  return mayWrite(item) || isPoster(item);
}

/** Deleting, pinning and locking. */
export function mayAdminister({ seen }: SeenIssue): boolean {
  return mayAdministerRepo(seen);
}

export function mayAdministerRepo({ access }: SeenRepo): boolean {
  return atLeast(access.level, "admin");
}

/**
 * @param code error code; messages differ between routes.
 * @throws Forbidden
 */
export function requireWrite(item: SeenIssue, code = "issue.needs-write"): void {
  if (!mayWrite(item)) throw new Forbidden(code);
}

/** @throws Forbidden */
export function requireEdit(item: SeenIssue): void {
  if (!mayEdit(item)) throw new Forbidden("issue.needs-write");
}

/** @throws Forbidden */
export function requireAdminister(item: SeenIssue): void {
  if (!mayAdminister(item)) throw new Forbidden("repository.needs-admin");
}

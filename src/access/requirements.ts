import { Forbidden } from "../kernel/errors.ts";
import type { Principal } from "./principal.ts";
import { hasScope, type ScopeCategory, scopeNames } from "./scopes.ts";

/**
 * What services require of a principal when no repository is involved. Routes declare the same; this is the rule
 * itself.
 */

type ScopeLevel = "read" | "write";

/**
 * For actions reserved to site administrators and the operator. What a public-only token may see is decided where
 * resources are looked up.
 * @throws Forbidden for anyone else, and for a token without the scope
 */
export function requireSiteAdmin(principal: Principal, level: ScopeLevel = "write"): void {
  if (!administersSite(principal)) throw new Forbidden("access.site-admin-required");
  requireScope(principal, ["admin"], level);
}

/**
 * For what belongs to an account: allows the account itself, site administrators and the operator.
 * @throws Forbidden for anyone else, and for a token without the scope
 */
export function requireAccount(principal: Principal, userId: number, level: ScopeLevel = "write"): void {
  if (principal.user?.id !== userId && !administersSite(principal)) throw new Forbidden("account.not-own");
  requireScope(principal, ["user", "admin"], level);
}

export function administersSite({ via, user }: Principal): boolean {
  return via === "operator" || user?.isAdmin === true;
}

/**
 * For resources that must be looked up before the required scope is known.
 * @param categories any one of these is enough
 * @throws Forbidden for a token without the scope
 */
export function requireScope(principal: Principal, categories: readonly ScopeCategory[], level: ScopeLevel): void {
  if (!principal.scope || categories.some((category) => hasScope(principal, category, level))) return;
  const params = { required: `${level}:${categories[0]}`, held: scopeNames(principal.scope).join(",") };
  throw new Forbidden("access.scope-missing", { params });
}

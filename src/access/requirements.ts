import { Forbidden } from "../kernel/errors.ts";
import type { Principal } from "./principal.ts";
import { hasScope, type ScopeCategory, scopeNames } from "./scopes.ts";

/** What services demand of a principal where no repository is concerned. Routes declare the same; this is the rule itself. */

type ScopeLevel = "read" | "write";

/**
 * For what site administrators do, and the operator. What a public-only token may see is decided where things are found.
 * @throws Forbidden anyone else, and a token without the scope
 */
export function requireSiteAdmin(principal: Principal, level: ScopeLevel = "write"): void {
  if (!administersSite(principal)) throw new Forbidden("access.site-admin-required");
  requireScope(principal, ["admin"], level);
}

/**
 * For what belongs to an account: for itself, site administrators and the operator.
 * @throws Forbidden anyone else, and a token without the scope
 */
export function requireAccount(principal: Principal, userId: number, level: ScopeLevel = "write"): void {
  if (principal.user?.id !== userId && !administersSite(principal)) throw new Forbidden("account.not-own");
  requireScope(principal, ["user", "admin"], level);
}

export function administersSite({ via, user }: Principal): boolean {
  return via === "operator" || user?.isAdmin === true;
}

/**
 * For what is found before it is known which scope it takes.
 * @param categories one of which will do
 * @throws Forbidden a token without the scope
 */
export function requireScope(principal: Principal, categories: readonly ScopeCategory[], level: ScopeLevel): void {
  if (!principal.scope || categories.some((category) => hasScope(principal, category, level))) return;
  const params = { required: `${level}:${categories[0]}`, held: scopeNames(principal.scope).join(",") };
  throw new Forbidden("access.scope-missing", { params });
}

import { allScopes, parseScopes, type TokenScope, UnknownScope } from "../access/scopes.ts";

/** The scopes of OpenID Connect itself; all others are token scopes (contract identity.md 6.5). */
const OPENID_SCOPES = ["openid", "profile", "email", "groups"];

export function scopeItems(scope: string): string[] {
  return [...new Set(scope.split(/\s+/).filter((item) => item !== ""))];
}

export function hasItem(scope: string, item: "openid" | "profile" | "email" | "groups"): boolean {
  return scopeItems(scope).includes(item);
}

/** Whether two scopes are equivalent. */
export function isSameScope(a: string, b: string): boolean {
  return scopeItems(a).sort().join(" ") === scopeItems(b).sort().join(" ");
}

/**
 * The token scope for that scope. Clients that predate scopes request none, or those of other servers: their tokens
 * may do everything, and the consent page says so.
 */
export function tokenScopeOf(scope: string): TokenScope {
  const names = scopeItems(scope).filter((item) => !OPENID_SCOPES.includes(item));
  if (names.length === 0) return allScopes;
  try {
    return parseScopes(names);
  } catch (error) {
    if (error instanceof UnknownScope) return allScopes;
    throw error;
  }
}

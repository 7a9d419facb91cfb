import { allScopes, parseScopes, type TokenScope, UnknownScope } from "../access/scopes.ts";

/** What OpenID Connect itself names; the rest of a scope are scopes of tokens (contract identity.md 6.5). */
const OPENID_SCOPES = ["openid", "profile", "email", "groups"];

export function scopeItems(scope: string): string[] {
  return [...new Set(scope.split(/\s+/).filter((item) => item !== ""))];
}

export function hasItem(scope: string, item: "openid" | "profile" | "email" | "groups"): boolean {
  return scopeItems(scope).includes(item);
}

/** Whether two scopes ask for the same. */
export function isSameScope(a: string, b: string): boolean {
  return scopeItems(a).sort().join(" ") === scopeItems(b).sort().join(" ");
}

/**
 * What tokens of that scope may do. Clients that were written before there were scopes ask for none, or for ones of other
 * servers: theirs may do everything, and the consent page says so.
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

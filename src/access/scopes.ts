import type { Principal } from "./principal.ts";

/** The restrictions of access tokens (contract identity.md 3). */

export const scopeCategories = [
  "activitypub",
  "admin",
  "misc",
  "notification",
  "organization",
  "package",
  "issue",
  "repository",
  "user",
  "project",
] as const;
export type ScopeCategory = (typeof scopeCategories)[number];

/** What a token may do: a level per category, and whether it is limited to public data. */
export interface TokenScope {
  readonly categories: Readonly<Partial<Record<ScopeCategory, "read" | "write">>>;
  readonly publicOnly: boolean;
}

/** Whether the principal's token, if any, holds `category` at that level; callers without a token are unrestricted. */
export function hasScope(principal: Principal, category: ScopeCategory, level: "read" | "write"): boolean {
  if (!principal.scope) return true;
  const held = principal.scope.categories[category];
  return held === "write" || (held === "read" && level === "read");
}

/** Its message becomes `invalid access token scope provided: …`. */
export class UnknownScope extends Error {
  override name = "UnknownScope";

  constructor(readonly scope: string) {
    super(`invalid access token scope: ${scope}`);
  }
}

export const allScopes: TokenScope = {
  categories: Object.fromEntries(scopeCategories.map((category) => [category, "write" as const])),
  publicOnly: false,
};

/**
 * Parses a list of scope names (`read:user`, `all`, `public-only`) (contract identity.md 3.1).
 * @throws UnknownScope naming the first invalid one; names are case-sensitive
 */
export function parseScopes(names: readonly string[]): TokenScope {
  const categories: Partial<Record<ScopeCategory, "read" | "write">> = {};
  let publicOnly = false;
  for (const name of names.map((raw) => raw.trim()).filter((trimmed) => trimmed !== "")) {
    if (name === "public-only") publicOnly = true;
    else if (name === "all") Object.assign(categories, allScopes.categories);
    else {
      const [level, category, ...more] = name.split(":");
      const known = scopeCategories.find((candidate) => candidate === category);
      if (!known || (level !== "read" && level !== "write") || more.length > 0) throw new UnknownScope(name);
      if (categories[known] !== "write") categories[known] = level;
    }
  }
  return { categories, publicOnly };
}

/** The canonical form: `all` when every category is writable, otherwise names in a fixed order. */
export function scopeNames(scope: TokenScope): string[] {
  const names = scope.publicOnly ? ["public-only"] : [];
  if (scopeCategories.every((category) => scope.categories[category] === "write")) return [...names, "all"];
  for (const category of scopeCategories) {
    const level = scope.categories[category];
    if (level) names.push(`${level}:${category}`);
  }
  return names;
}

/** Whether `wanted` includes nothing that `held` lacks. */
export function isNarrower(wanted: TokenScope, held: TokenScope): boolean {
  return scopeCategories.every((category) => {
    const want = wanted.categories[category];
    const have = held.categories[category];
    return want === undefined || have === "write" || have === want;
  });
}

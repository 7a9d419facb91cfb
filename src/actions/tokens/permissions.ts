import { atLeast, type Level, lower, type Unit, units } from "../../access/levels.ts";
import type { PermissionText } from "../workflows/types.ts";

/** What a job's token may do on its repository (contract actions.md 3.9). */
export type TokenUnits = Readonly<Partial<Record<Unit, Level>>>;

const scopes: Readonly<Record<string, readonly Unit[]>> = {
  contents: ["code", "releases"],
  code: ["code"],
  issues: ["issues"],
  "pull-requests": ["pulls"],
  packages: ["packages"],
  actions: ["actions"],
  wiki: ["wiki"],
  releases: ["releases"],
  projects: ["projects"],
};

const all = (level: Level): TokenUnits => Object.fromEntries(units.map((unit) => [unit, level]));

/** What files are read from, and nothing else. */
const readOnly: TokenUnits = { code: "read", packages: "read", releases: "read" };

/**
 * @param permissions as the file has them; undefined: it says nothing
 * @param isRestricted what a file that says nothing means
 * @param isOfFork the code that runs is a stranger's
 */
export function tokenUnits(
  permissions: PermissionText | undefined,
  { isOfFork, isRestricted }: { readonly isRestricted: boolean; readonly isOfFork: boolean },
): TokenUnits {
  const given = permissions === undefined ? (isRestricted ? readOnly : all("write")) : stated(permissions);
  return isOfFork ? clamped(given, readOnly) : given;
}

/** What it may do on repositories that let it in besides its own. */
export const elsewhere = (given: TokenUnits): TokenUnits => clamped(given, readOnly);

function stated(permissions: PermissionText): TokenUnits {
  if (permissions === "write-all") return all("write");
  if (permissions === "read-all") return all("read");
  if (typeof permissions === "string") return {};
  const entries = Object.entries(permissions).flatMap(([scope, level]) =>
    (scopes[scope] ?? []).map((unit) => [unit, level] as const),
  );
  // `contents` says the same of two units, and either may be named by itself as well: the higher counts.
  const found: Partial<Record<Unit, Level>> = {};
  for (const [unit, level] of entries) if (atLeast(level, found[unit] ?? "none")) found[unit] = level;
  return found;
}

function clamped(given: TokenUnits, max: TokenUnits): TokenUnits {
  const both = units.map((unit) => [unit, lower(given[unit] ?? "none", max[unit] ?? "none")] as const);
  return Object.fromEntries(both.filter(([, level]) => level !== "none"));
}

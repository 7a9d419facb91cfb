import { atLeast, type Level, lower, type Unit, units } from "../../access/levels.ts";
import type { PermissionText } from "../workflows/types.ts";

/** The access a job's token has to its repository (contract actions.md 3.9). */
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

/** Read access to everything that files are fetched from, and nothing else. */
const readOnly: TokenUnits = { code: "read", packages: "read", releases: "read" };

/**
 * @param permissions as the file states them; undefined if it states none
 * @param isRestricted whether a file that states none gets read access only
 * @param isOfFork whether a stranger's code runs
 */
export function tokenUnits(
  permissions: PermissionText | undefined,
  { isOfFork, isRestricted }: { readonly isRestricted: boolean; readonly isOfFork: boolean },
): TokenUnits {
  const given = permissions === undefined ? (isRestricted ? readOnly : all("write")) : stated(permissions);
  return isOfFork ? clamped(given, readOnly) : given;
}

/** The token's access to repositories, other than its own, that admit it. */
export const elsewhere = (given: TokenUnits): TokenUnits => clamped(given, readOnly);

function stated(permissions: PermissionText): TokenUnits {
  if (permissions === "write-all") return all("write");
  if (permissions === "read-all") return all("read");
  if (typeof permissions === "string") return {};
  const entries = Object.entries(permissions).flatMap(([scope, level]) =>
    (scopes[scope] ?? []).map((unit) => [unit, level] as const),
  );
  // `contents` covers two units, and either may also be named by itself: the higher level counts.
  const found: Partial<Record<Unit, Level>> = {};
  for (const [unit, level] of entries) if (atLeast(level, found[unit] ?? "none")) found[unit] = level;
  return found;
}

function clamped(given: TokenUnits, max: TokenUnits): TokenUnits {
  const both = units.map((unit) => [unit, lower(given[unit] ?? "none", max[unit] ?? "none")] as const);
  return Object.fromEntries(both.filter(([, level]) => level !== "none"));
}

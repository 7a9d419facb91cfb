import { ValidationFailed } from "../kernel/errors.ts";
import { type TeamUnit, teamUnits, type UnitLevel, type UnitLevels } from "./types.ts";

/** Rules for input about teams (contract identity.md 13). */

export const TEAM_LIMITS = { name: 255, description: 255 } as const;

/** The initial name of the owners team. */
export const OWNERS_TEAM = "Owners";

/** @throws ValidationFailed */
export function checkTeamName(name: string): void {
  const refused = (code: string, max = 0) => {
    throw new ValidationFailed(code, { field: "name", params: { name: "Name", max } });
  };
  if (name === "") refused("value.required");
  if (name.length > TEAM_LIMITS.name) refused("value.too-long", TEAM_LIMITS.name);
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) refused("value.not-a-name");
  // Pages have addresses under these names; dots alone would escape the path.
  if (/^(new|\.+)$/i.test(name)) throw new ValidationFailed("name.reserved", { field: "name", params: { name } });
}

/** @throws ValidationFailed */
export function checkTeamDescription(description: string): void {
  const { description: max } = TEAM_LIMITS;
  if ([...description].length > max)
    throw new ValidationFailed("value.too-long", { field: "description", params: { name: "Description", max } });
}

/** What a client requests, in the API's terms; absent: not given. */
export interface GivenRights {
  readonly permission?: string | undefined;
  readonly units?: readonly string[] | undefined;
  readonly unitsMap?: Readonly<Record<string, string>> | undefined;
}

export interface Rights {
  readonly level: "none" | "admin";
  readonly units: UnitLevels;
}

/**
 * The rights resulting from `permission`, `units` and `units_map`; undefined if none is given (contract 13.2).
 * @param present the team's current rights: a permission alone applies to the same units
 * @throws ValidationFailed an unknown level or unit, a level without units, units without a level
 */
export function rightsOf(
  { permission, units = [], unitsMap = {} }: GivenRights,
  present: UnitLevels = {},
): Rights | undefined {
  // Clients send an empty string for values they do not give.
  const level = permission || undefined;
  if (level === "admin") return { level: "admin", units: {} };
  if (level !== undefined && level !== "read" && level !== "write") throw notALevel("permission");
  const named = Object.entries(unitsMap);
  if (named.length > 0) return { level: "none", units: unitLevels(named) };
  if (level === undefined) {
    if (units.length === 0) return undefined;
    throw new ValidationFailed("value.required", { field: "permission", params: { name: "Permission" } });
  }
  const kept = teamUnits.filter((unit) => present[unit] !== undefined).map((unit) => `repo.${unit}`);
  const meant = units.length > 0 ? units : kept;
  if (meant.length === 0) throw new ValidationFailed("team.no-units", { field: "units" });
  return { level: "none", units: unitLevels(meant.map((unit) => [unit, level])) };
}

function unitLevels(named: readonly (readonly [unit: string, level: string])[]): UnitLevels {
  const levels: Partial<Record<TeamUnit, UnitLevel>> = {};
  for (const [name, level] of named) {
    const unit = teamUnits.find((known) => `repo.${known}` === name);
    if (!unit) throw new ValidationFailed("team.unknown-unit", { field: "units", params: { name } });
    if (level !== "none" && level !== "read" && level !== "write" && level !== "admin") throw notALevel("units_map");
    levels[unit] = level;
  }
  return levels;
}

function notALevel(field: string): ValidationFailed {
  return new ValidationFailed("value.not-allowed", {
    field,
    params: { name: field === "permission" ? "Permission" : "UnitsMap" },
  });
}

import { ValidationFailed } from "../kernel/errors.ts";

/** A team that a group of a source maps to. */
export interface MappedTeam {
  readonly organization: string;
  readonly team: string;
}

/** The teams of each group. */
export type TeamMap = ReadonlyMap<string, readonly MappedTeam[]>;

/**
 * Reads `{"group": {"organization": ["team", …]}}`.
 * @throws ValidationFailed `source.bad-team-map`
 */
export function readTeamMap(text: string): TeamMap {
  const map = new Map<string, MappedTeam[]>();
  if (text.trim() === "") return map;
  const bad = new ValidationFailed("source.bad-team-map", { field: "teamMap" });
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw bad;
  }
  for (const [group, organizations] of entriesOf(read, bad)) {
    const teams = entriesOf(organizations, bad).flatMap(([organization, names]) => {
      if (!Array.isArray(names)) throw bad;
      return names.map((team: unknown) => {
        if (typeof team !== "string") throw bad;
        return { organization, team };
      });
    });
    map.set(group, teams);
  }
  return map;
}

function entriesOf(value: unknown, bad: Error): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw bad;
  return Object.entries(value);
}

/** How much a principal may do: on a repository as a whole, and on each of its units. */

export const levels = ["none", "read", "write", "admin", "owner"] as const;
export type Level = (typeof levels)[number];

export function atLeast(level: Level, needed: Level): boolean {
  return levels.indexOf(level) >= levels.indexOf(needed);
}

export function higher(a: Level, b: Level): Level {
  return atLeast(a, b) ? a : b;
}

export function lower(a: Level, b: Level): Level {
  return atLeast(a, b) ? b : a;
}

/** Who sees an account; forms number them in this order. */
export const visibilities = ["public", "limited", "private"] as const;
export type Visibility = (typeof visibilities)[number];

/** The parts of a repository that are switched on and off, and granted, individually. */
export const units = ["code", "issues", "pulls", "releases", "wiki", "projects", "packages", "actions"] as const;
export type Unit = (typeof units)[number];

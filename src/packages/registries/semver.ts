/**
 * Versions as most registries parse them (contract packages.md 1.3): any count of numbers, padded to at least three
 * when normalised, `-pre.release` and `+build`.
 */
export interface Semver {
  readonly numbers: readonly number[];
  readonly prerelease: string;
  readonly build: string;
  /** Normalised: without `v`, with at least three numbers. */
  readonly text: string;
}

const FORM =
  /^v?(\d{1,15}(?:\.\d{1,15}){0,9})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;
const MAX_LENGTH = 255;

/** @returns undefined if it is no version */
export function semverOf(given: string): Semver | undefined {
  const match = given.length <= MAX_LENGTH ? FORM.exec(given) : null;
  if (!match) return undefined;
  const [, core = "", prerelease = "", build = ""] = match;
  const numbers = core.split(".").map(Number);
  while (numbers.length < 3) numbers.push(0);
  const text = `${numbers.join(".")}${prerelease && `-${prerelease}`}${build && `+${build}`}`;
  return { numbers, prerelease, build, text };
}

/** Compares by precedence; invalid versions come first. */
export function compareSemver(a: string, b: string): number {
  const [left, right] = [semverOf(a), semverOf(b)];
  if (!left || !right) return Number(left !== undefined) - Number(right !== undefined);
  return compareNumbers(left.numbers, right.numbers) || comparePrerelease(left.prerelease, right.prerelease);
}

/** Compares element by element. @param missing the value used where one list is shorter */
export function compareNumbers(a: readonly number[], b: readonly number[], missing = 0): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (a[at] ?? missing) - (b[at] ?? missing);
    if (difference !== 0) return difference;
  }
  return 0;
}

function comparePrerelease(a: string, b: string): number {
  if (a === "" || b === "") return Number(a === "") - Number(b === "");
  const [left, right] = [a.split("."), b.split(".")];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [x, y] = [left[at], right[at]];
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    if (x === y) continue;
    const numeric = [/^\d+$/.test(x), /^\d+$/.test(y)];
    if (numeric[0] && numeric[1] && Number(x) !== Number(y)) return Number(x) - Number(y);
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1;
    return x < y ? -1 : 1;
  }
  return 0;
}

/** Ascending. */
export function bySemver<T extends { readonly version: string }>(versions: readonly T[]): T[] {
  return versions.toSorted((a, b) => compareSemver(a.version, b.version));
}

/** The highest release, or else the highest version; undefined if there are none. */
export function newestOf<T extends { readonly version: string }>(versions: readonly T[]): T | undefined {
  const ascending = bySemver(versions);
  return ascending.findLast(({ version }) => !isPrerelease(version)) ?? ascending.at(-1);
}

export const isPrerelease = (version: string): boolean => version.includes("-");

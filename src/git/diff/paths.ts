import { isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import { Glob, MatchBudget } from "../patterns/glob.ts";
import type { WantedPath } from "./pathspec.ts";

interface Wanted extends WantedPath {
  /** The path, in small letters where case does not count. */
  readonly literal: string;
  /** What comes before the first sign; the whole path without any. */
  readonly start: string;
  readonly glob: Glob | undefined;
}

const EVERYTHING: WantedPath = { path: "", onlyDirectory: false, signs: "plain", ignoreCase: false, exclude: false };

/**
 * Which paths are wanted: files, directories with all they hold, and patterns; and not those that are excluded. Paths are
 * latin1 strings, one character a byte.
 */
export class PathFilter {
  private readonly wanted: readonly Wanted[];
  private readonly excluded: readonly Wanted[];
  private readonly budget = new MatchBudget();

  /** @param paths where all of them exclude, everything else is wanted */
  constructor(paths: readonly WantedPath[]) {
    const wanted = paths.filter(({ exclude }) => !exclude);
    this.wanted = (wanted.length > 0 ? wanted : [EVERYTHING]).map(prepared);
    this.excluded = paths.filter(({ exclude }) => exclude).map(prepared);
  }

  /** The directories and files outside of which nothing is wanted; undefined where that cannot be said. */
  get roots(): readonly string[] | undefined {
    const roots = this.wanted.map(({ path, start, glob, ignoreCase }) => {
      if (ignoreCase) return "";
      return glob ? start.slice(0, Math.max(0, start.lastIndexOf("/"))) : path;
    });
    return roots.includes("") ? undefined : roots;
  }

  /**
   * Whether an entry is wanted; of a directory, whether it is as an entry of its own. An excluded directory is one, too: only
   * nothing inside of it is wanted.
   * @throws PatternsTooCostly
   */
  matches(path: string, mode: number): boolean {
    const isTree = isTreeMode(mode);
    const fits = (wanted: Wanted) => this.fits(wanted, path, isTree || mode === MODE_GITLINK);
    return (
      this.wanted.some(fits) && !this.excluded.some((excluded) => (isTree ? holds(excluded, path) : fits(excluded)))
    );
  }

  /** Whether anything inside the directory may be wanted. */
  mayMatchInside(directory: string): boolean {
    if (this.excluded.some((excluded) => holds(excluded, directory) || isDirectoryItself(excluded, directory)))
      return false;
    return this.wanted.some((wanted) => {
      if (holds(wanted, directory) || isDirectoryItself(wanted, directory)) return true;
      const start = `${cased(wanted, directory)}/`;
      return wanted.start.startsWith(start) || (wanted.glob !== undefined && start.startsWith(wanted.start));
    });
  }

  /** Whether a wanted path begins with the directory. */
  leadsInto(directory: string): boolean {
    return this.wanted.some((wanted) => wanted.start.startsWith(`${cased(wanted, directory)}/`));
  }

  private fits(wanted: Wanted, path: string, isDirectoryOrSubmodule: boolean): boolean {
    if (holds(wanted, path)) return true;
    const text = cased(wanted, path);
    if (text === wanted.literal) return isDirectoryOrSubmodule || !wanted.onlyDirectory;
    return wanted.glob?.matches(text, this.budget) ?? false;
  }
}

function prepared(wanted: WantedPath): Wanted {
  const literal = cased(wanted, wanted.path);
  if (wanted.signs === "plain") return { ...wanted, literal, start: literal, glob: undefined };
  const pattern = wanted.onlyDirectory ? `${literal}/` : literal;
  const start = /^[^*?[\\]*/.exec(pattern)![0];
  return { ...wanted, literal, start, glob: new Glob(pattern, wanted.signs === "crossing") };
}

function cased({ ignoreCase }: WantedPath, path: string): string {
  return ignoreCase ? path.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : path;
}

/** Whether the path is everything, or lies in the directory that is wanted. */
function holds(wanted: Wanted, path: string): boolean {
  const { literal } = wanted;
  if (literal === "") return true;
  return path.length > literal.length && path[literal.length] === "/" && cased(wanted, path).startsWith(literal);
}

function isDirectoryItself(wanted: Wanted, directory: string): boolean {
  return cased(wanted, directory) === wanted.literal;
}

import { isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import { Glob, MatchBudget } from "../patterns/glob.ts";
import type { WantedPath } from "./pathspec.ts";

interface Wanted extends WantedPath {
  /** The path, in lower case if case is ignored. */
  readonly literal: string;
  /** The part before the first wildcard; the whole path if there is none. */
  readonly start: string;
  readonly glob: Glob | undefined;
}

const EVERYTHING: WantedPath = { path: "", onlyDirectory: false, signs: "plain", ignoreCase: false, exclude: false };

/**
 * Which paths to include: files, directories with all their contents, and patterns, except those excluded. Paths are
 * latin1 strings, one character per byte.
 */
export class PathFilter {
  private readonly wanted: readonly Wanted[];
  private readonly excluded: readonly Wanted[];
  private readonly budget = new MatchBudget();

  /** @param paths if all of them exclude, everything else is included */
  constructor(paths: readonly WantedPath[]) {
    const wanted = paths.filter(({ exclude }) => !exclude);
    this.wanted = (wanted.length > 0 ? wanted : [EVERYTHING]).map(prepared);
    this.excluded = paths.filter(({ exclude }) => exclude).map(prepared);
  }

  /** The directories and files outside of which nothing can match; undefined if there is no such set. */
  get roots(): readonly string[] | undefined {
    const roots = this.wanted.map(({ path, start, glob, ignoreCase }) => {
      if (ignoreCase) return "";
      return glob ? start.slice(0, Math.max(0, start.lastIndexOf("/"))) : path;
    });
    return roots.includes("") ? undefined : roots;
  }

  /**
   * Whether an entry is included; for a directory, whether it is as an entry itself. An excluded directory still is, if
   * otherwise included: only its contents are left out.
   * @throws PatternsTooCostly
   */
  matches(path: string, mode: number): boolean {
    const isTree = isTreeMode(mode);
    const fits = (wanted: Wanted) => this.fits(wanted, path, isTree || mode === MODE_GITLINK);
    return (
      this.wanted.some(fits) && !this.excluded.some((excluded) => (isTree ? holds(excluded, path) : fits(excluded)))
    );
  }

  /** Whether anything in the directory may be included. */
  mayMatchInside(directory: string): boolean {
    if (this.excluded.some((excluded) => holds(excluded, directory) || isDirectoryItself(excluded, directory)))
      return false;
    return this.wanted.some((wanted) => {
      if (holds(wanted, directory) || isDirectoryItself(wanted, directory)) return true;
      const start = `${cased(wanted, directory)}/`;
      return wanted.start.startsWith(start) || (wanted.glob !== undefined && start.startsWith(wanted.start));
    });
  }

  /** Whether an included path begins with the directory. */
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

/** Whether `wanted` is everything, or a directory that contains the path. */
function holds(wanted: Wanted, path: string): boolean {
  const { literal } = wanted;
  if (literal === "") return true;
  return path.length > literal.length && path[literal.length] === "/" && cased(wanted, path).startsWith(literal);
}

function isDirectoryItself(wanted: Wanted, directory: string): boolean {
  return cased(wanted, directory) === wanted.literal;
}

import { Glob, MatchBudget } from "../attributes/glob.ts";
import { isTreeMode, MODE_GITLINK } from "../objects/tree.ts";
import type { WantedPath } from "./pathspec.ts";

interface Wanted extends WantedPath {
  /** The path, in small letters where case does not count. */
  readonly literal: string;
  /** What comes before the first sign; the whole path without any. */
  readonly start: string;
  readonly glob: Glob | undefined;
}

const EVERYTHING: WantedPath = { path: "", onlyFolder: false, signs: "plain", ignoreCase: false, exclude: false };

/**
 * Which paths are wanted: files, folders with all they hold, and patterns; and not those that are excluded. Paths are
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

  /** The folders and files outside of which nothing is wanted; undefined where that cannot be said. */
  get roots(): readonly string[] | undefined {
    const roots = this.wanted.map(({ path, start, glob, ignoreCase }) => {
      if (ignoreCase) return "";
      return glob ? start.slice(0, Math.max(0, start.lastIndexOf("/"))) : path;
    });
    return roots.includes("") ? undefined : roots;
  }

  /**
   * Whether an entry is wanted; of a folder, whether it is as an entry of its own. An excluded folder is one, too: only
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

  /** Whether anything inside the folder may be wanted. */
  mayMatchInside(folder: string): boolean {
    if (this.excluded.some((excluded) => holds(excluded, folder) || isFolderItself(excluded, folder))) return false;
    return this.wanted.some((wanted) => {
      if (holds(wanted, folder) || isFolderItself(wanted, folder)) return true;
      const start = `${cased(wanted, folder)}/`;
      return wanted.start.startsWith(start) || (wanted.glob !== undefined && start.startsWith(wanted.start));
    });
  }

  /** Whether a wanted path begins with the folder. */
  leadsInto(folder: string): boolean {
    return this.wanted.some((wanted) => wanted.start.startsWith(`${cased(wanted, folder)}/`));
  }

  private fits(wanted: Wanted, path: string, isFolderOrSubmodule: boolean): boolean {
    if (holds(wanted, path)) return true;
    const text = cased(wanted, path);
    if (text === wanted.literal) return isFolderOrSubmodule || !wanted.onlyFolder;
    return wanted.glob?.matches(text, this.budget) ?? false;
  }
}

function prepared(wanted: WantedPath): Wanted {
  const literal = cased(wanted, wanted.path);
  if (wanted.signs === "plain") return { ...wanted, literal, start: literal, glob: undefined };
  const pattern = wanted.onlyFolder ? `${literal}/` : literal;
  const start = /^[^*?[\\]*/.exec(pattern)![0];
  return { ...wanted, literal, start, glob: new Glob(pattern, wanted.signs === "crossing") };
}

function cased({ ignoreCase }: WantedPath, path: string): string {
  return ignoreCase ? path.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : path;
}

/** Whether the path is everything, or lies in the folder that is wanted. */
function holds(wanted: Wanted, path: string): boolean {
  const { literal } = wanted;
  if (literal === "") return true;
  return path.length > literal.length && path[literal.length] === "/" && cased(wanted, path).startsWith(literal);
}

function isFolderItself(wanted: Wanted, folder: string): boolean {
  return cased(wanted, folder) === wanted.literal;
}

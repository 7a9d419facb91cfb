import { Glob, MatchBudget } from "../attributes/glob.ts";
import { GitError } from "../errors.ts";

/** A pathspec that has no meaning. */
export class BadPathspec extends GitError {
  override name = "BadPathspec";
}

type Magic = "top" | "literal" | "glob" | "icase" | "exclude";

/** A pathspec taken apart (gitglossary(7), "pathspec"): `:(icase,exclude)dir/*.c`. */
export interface Pathspec {
  readonly magic: ReadonlySet<Magic>;
  readonly path: string;
}

const LONG: ReadonlySet<string> = new Set<Magic>(["top", "literal", "glob", "icase", "exclude"]);
const SHORT: Readonly<Record<string, Magic>> = { "/": "top", "!": "exclude", "^": "exclude" };

const isMagic = (word: string): word is Magic => LONG.has(word);

/** @throws BadPathspec */
export function parsePathspec(text: string): Pathspec {
  if (!text.startsWith(":")) return { magic: new Set(), path: text };
  if (!text.startsWith(":(")) return shortMagic(text);
  const end = text.indexOf(")");
  if (end < 0) throw new BadPathspec(`Missing ')' at the end of pathspec magic in '${text}'`);
  const magic = new Set<Magic>();
  for (const word of text.slice(2, end).split(",")) {
    if (word === "") continue;
    if (!isMagic(word)) throw new BadPathspec(`Invalid pathspec magic '${word}' in '${text}'`);
    magic.add(word);
  }
  if (magic.has("literal") && magic.has("glob"))
    throw new BadPathspec(`${text}: 'literal' and 'glob' are incompatible`);
  return { magic, path: text.slice(end + 1) };
}

function shortMagic(text: string): Pathspec {
  const magic = new Set<Magic>();
  let at = 1;
  for (; at < text.length && text[at] !== ":"; at++) {
    const known = SHORT[text[at]!];
    if (known) magic.add(known);
    else if (/[!-'+,\-/:-@[-`{-~]/.test(text[at]!) && text[at] !== "." && text[at] !== "_")
      throw new BadPathspec(`Unimplemented pathspec magic '${text[at]}' in '${text}'`);
    else break;
  }
  return { magic, path: text.slice(text[at] === ":" ? at + 1 : at) };
}

/** Whether a pathspec is nothing but the name of a file or folder. */
export function isPlainPath(text: string): boolean {
  return !/^:|[*?[\\]/.test(text);
}

interface Wanted {
  /** Without a slash at its end. */
  readonly literal: string;
  /** There was one. */
  readonly isFolder: boolean;
  /** What comes before the first special sign. */
  readonly start: string;
  readonly glob: Glob | undefined;
  readonly ignoreCase: boolean;
}

/** Which paths are wanted, by pathspecs. Paths are latin1 strings, one character a byte. */
export class PathFilter {
  private readonly wanted: readonly Wanted[];
  private readonly excluded: readonly Wanted[];
  private readonly budget = new MatchBudget();

  /**
   * @param pathspecs from the root on: `dir/file`, `dir` or `dir/`, or with `*`, `?` and `[…]`, where `*` matches slashes,
   * too; with magic before them
   * @throws BadPathspec
   */
  constructor(pathspecs: readonly string[]) {
    const parsed = pathspecs.map(parsePathspec);
    this.excluded = parsed.filter(({ magic }) => magic.has("exclude")).map(wantedOf);
    const wanted = parsed.filter(({ magic }) => !magic.has("exclude")).map(wantedOf);
    this.wanted = wanted.length > 0 ? wanted : [wantedOf({ magic: new Set(), path: "" })];
  }

  /**
   * Whether the file is wanted.
   * @param isFolder what is there is a folder or a submodule, as a slash at the end of a pathspec asks for
   * @throws PatternsTooCostly
   */
  matches(path: string, isFolder = false): boolean {
    return this.covers(this.wanted, path, isFolder) && !this.covers(this.excluded, path, isFolder);
  }

  /** Whether anything inside the folder may be wanted. */
  mayMatchInside(folder: string): boolean {
    if (this.leadsInto(folder)) return true;
    return this.wanted.some(({ start, glob, ignoreCase }) => {
      const inside = `${ignoreCase ? folder.toLowerCase() : folder}/`;
      return glob !== undefined && (start.startsWith(inside) || inside.startsWith(start));
    });
  }

  /** Whether a path leads through the folder or to it, where a pattern is taken for a path. */
  leadsInto(folder: string): boolean {
    const folded = folder.toLowerCase();
    if (this.excluded.some(({ literal, ignoreCase }) => (ignoreCase ? folded : folder).startsWith(`${literal}/`)))
      return false;
    return this.wanted.some(({ literal, ignoreCase }) => {
      const inside = `${ignoreCase ? folded : folder}/`;
      return literal === "" || literal.startsWith(inside) || inside.startsWith(`${literal}/`);
    });
  }

  private covers(wanted: readonly Wanted[], typed: string, isFolder: boolean): boolean {
    return wanted.some(({ literal, glob, ignoreCase, ...entry }) => {
      const path = ignoreCase ? typed.toLowerCase() : typed;
      if (literal === "" || (path === literal && (isFolder || !entry.isFolder))) return true;
      if (path.length > literal.length && path[literal.length] === "/" && path.startsWith(literal)) return true;
      return glob?.matches(path, this.budget) ?? false;
    });
  }
}

function wantedOf({ magic, path }: Pathspec): Wanted {
  const ignoreCase = magic.has("icase");
  const cleaned = path.replace(/^(\.\/+)+|^\.$|\/+$/g, "");
  const literal = ignoreCase ? cleaned.toLowerCase() : cleaned;
  const isGlob = !magic.has("literal") && /[*?[\\]/.test(literal);
  return {
    literal,
    isFolder: path.endsWith("/"),
    start: /^[^*?[\\]*/.exec(literal)![0],
    glob: isGlob ? new Glob(literal, !magic.has("glob")) : undefined,
    ignoreCase,
  };
}

import { GitError } from "../errors.ts";
import { encodeName, toLatin1 } from "../objects/names.ts";
import { trimEndOf } from "../text-ends.ts";

/** The text is not a valid pathspec. */
export class BadPathspec extends GitError {
  override name = "BadPathspec";
}

/** A parsed pathspec (gitglossary(7), "pathspec"). Its path is a latin1 string: one character per byte. */
export interface WantedPath {
  /** From the root of the repository, without leading or trailing slash; empty for everything. */
  readonly path: string;
  /** Ended with a slash, so it does not match a file of that name. */
  readonly onlyDirectory: boolean;
  /** Wildcards (`*`, `?`, `[`): none, matching slashes like any other character, or not matching slashes. */
  readonly signs: "plain" | "crossing" | "within names";
  readonly ignoreCase: boolean;
  /** `:!path`: excludes what matches. */
  readonly exclude: boolean;
}

/** A pathspec for the file or directory itself. @param path encoded as by `decodeName` */
export function literalPath(path: string): WantedPath {
  return { path: toLatin1(encodeName(path)), onlyDirectory: false, signs: "plain", ignoreCase: false, exclude: false };
}

interface Magic {
  readonly words: ReadonlySet<string>;
  readonly rest: string;
}

/** The meaning of a short magic character before a path. */
const SHORT: Readonly<Record<string, string>> = { "/": "top", "!": "exclude", "^": "exclude" };
const WORDS = ["top", "literal", "glob", "icase", "exclude"];

/**
 * @param fromTop converts a path as typed to one from the root of the repository, which `isFromTop` says it already is;
 * keeps a trailing slash; the result is empty for everything
 * @throws BadPathspec, and whatever `fromTop` throws
 */
export function readPathspec(word: string, fromTop: (path: string, isFromTop: boolean) => string): WantedPath {
  const { words, rest } = magicOf(word);
  if (words.has("literal") && words.has("glob"))
    throw new BadPathspec(`${word}: 'literal' and 'glob' are incompatible`);
  const whole = toLatin1(encodeName(fromTop(rest, words.has("top"))));
  const path = trimEndOf(whole, "/");
  const hasSigns = !words.has("literal") && /[*?[\\]/.test(path);
  return {
    path,
    onlyDirectory: path !== whole,
    signs: !hasSigns ? "plain" : words.has("glob") ? "within names" : "crossing",
    ignoreCase: words.has("icase"),
    exclude: words.has("exclude"),
  };
}

function magicOf(word: string): Magic {
  if (!word.startsWith(":")) return { words: new Set(), rest: word };
  if (word.startsWith(":(")) {
    const end = word.indexOf(")");
    if (end < 0) throw new BadPathspec(`Missing ')' at the end of pathspec magic in '${word}'`);
    const words = word.slice(2, end).split(",").filter(Boolean);
    const unknown = words.find((name) => !WORDS.includes(name));
    if (unknown?.startsWith("attr:")) throw new BadPathspec(`pathspec magic 'attr' is not supported: '${word}'`);
    if (unknown !== undefined) throw new BadPathspec(`Invalid pathspec magic '${unknown}' in '${word}'`);
    return { words: new Set(words), rest: word.slice(end + 1) };
  }
  const words = new Set<string>();
  let start = 1;
  for (; start < word.length && word[start] !== ":"; start++) {
    const sign = word[start]!;
    const meaning = SHORT[sign];
    if (meaning !== undefined) words.add(meaning);
    else if (!/[-"#%&',;<=>@_`~]/.test(sign)) break;
    else throw new BadPathspec(`Unimplemented pathspec magic '${sign}' in '${word}'`);
  }
  return { words, rest: word.slice(word[start] === ":" ? start + 1 : start) };
}

import type { RepositoryFolder } from "../../src/git/folder.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Glob, MatchBudget } from "../../src/git/patterns/glob.ts";

const PLACES: Readonly<Record<string, string>> = {
  "--all": "refs/",
  "--branches": "refs/heads/",
  "--tags": "refs/tags/",
  "--remotes": "refs/remotes/",
  "--glob": "refs/",
};

/**
 * Handles `--all`, `--branches[=<pattern>]` and similar options (git-rev-list(1)), and `--exclude`, which applies to
 * the next of them.
 */
export class RefSets {
  private excluded: string[] = [];
  private readonly budget = new MatchBudget();

  constructor(private readonly repository: RepositoryFolder) {}

  /** Whether the word is one of these options. */
  static has(word: string): boolean {
    const [name = "", value] = split(word);
    if (name === "--exclude" || name === "--glob") return value !== undefined;
    return Object.hasOwn(PLACES, name) && !(name === "--all" && value !== undefined);
  }

  /** The refs the word stands for, sorted, each with its display name; undefined for `--exclude`. */
  take(word: string): { readonly name: string; readonly full: string; readonly oid: Oid }[] | undefined {
    const [name = "", value] = split(word);
    if (name === "--exclude") {
      this.excluded.push(value ?? "");
      return undefined;
    }
    const prefix = PLACES[name]!;
    const isGlob = name === "--glob";
    const without = this.excluded.map((text) => new Glob(prefix === "refs/" ? text : prefix + text, true));
    this.excluded = [];
    const wanted =
      value === undefined ? undefined : patternOf(isGlob && value.startsWith("refs/") ? value : prefix + value);
    const shownFrom = isGlob || prefix === "refs/" ? 0 : prefix.length;
    return this.repository
      .allRefs()
      .filter(({ name }) => wanted?.matches(name, this.budget) ?? name.startsWith(prefix))
      .filter(({ name }) => !without.some((glob) => glob.matches(name, this.budget)))
      .map(({ name: full, oid }) => ({ name: full.slice(shownFrom), full, oid }));
  }
}

/** A pattern without wildcards is a directory. */
function patternOf(text: string): Glob {
  return new Glob(/[*?[]/.test(text) ? text : `${text.replace(/\/$/, "")}/*`, true);
}

function split(word: string): string[] {
  const equals = word.indexOf("=");
  return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
}

import { Glob, MatchBudget } from "../../src/git/attributes/glob.ts";
import { toLatin1 } from "../../src/git/diff/content.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit } from "../../src/git/graph/peel.ts";
import { isAncestor } from "../../src/git/history/ancestry.ts";
import { encodeName } from "../../src/git/objects/names.ts";
import { parseTag } from "../../src/git/objects/tag.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { compareRefNames } from "../../src/git/refs/names.ts";
import { Fatal, type GitCommand, GitUsage } from "./command.ts";
import { readWords, type Words } from "./options.ts";
import { Atoms, type AtomValue, type ListedRef } from "./ref-atoms.ts";
import { compileRefFormat } from "./ref-format.ts";
import { QUOTINGS } from "./ref-quotes.ts";
import { openForReading } from "./repository.ts";

const DEFAULT_FORMAT = "%(objectname) %(objecttype)\t%(refname)";

export const forEachRefCommand: GitCommand = {
  name: "for-each-ref",
  usage:
    "[--count=<n>] [--sort=<key>]… [--format=<format>] [--points-at=<object>] [--[no-]contains[=<commit>]] [--[no-]merged[=<commit>]] [<pattern>…]",
  doc: "Lists refs, sorted and in a format",
  run(words, terminal) {
    const options = readWords(withDefaults(words), {
      "--count": ["value", "count"],
      "--sort": ["value", "sort"],
      "--no-sort": ["flag", "no-sort"],
      "--color": ["attached", "color", "color=always"],
      "--no-color": ["flag", "color=never"],
      "--format": ["value", "format"],
      "--points-at": ["value", "points-at"],
      "--contains": ["value", "contains"],
      "--no-contains": ["value", "no-contains"],
      "--merged": ["value", "merged"],
      "--no-merged": ["value", "no-merged"],
      "--ignore-case": ["flag", "ignore-case"],
      "-s": ["flag", "shell"],
      "--shell": ["flag", "shell"],
      "-p": ["flag", "perl"],
      "--perl": ["flag", "perl"],
      "--python": ["flag", "python"],
      "--tcl": ["flag", "tcl"],
    });
    const count = options.value("count");
    if (count !== undefined && !/^\d+$/.test(count)) throw new GitUsage(`invalid --count argument: \`${count}'`);
    const [quoting, another] = Object.keys(QUOTINGS).filter((name) => options.has(name));
    if (another !== undefined) throw new GitUsage("more than one quoting style?");
    const repository = openForReading(terminal);
    try {
      const isWanted = filterOf(options, repository);
      const atoms = new Atoms(repository, showsColours(options));
      const text = options.value("format") ?? DEFAULT_FORMAT;
      if (quoting !== undefined && quoting !== "perl" && /%\(\*?raw\)/.test(text))
        throw new Fatal("--format=raw cannot be used with --python, --shell, --tcl");
      const format = compileRefFormat(text, atoms, quoting === undefined ? undefined : QUOTINGS[quoting]);
      const compare = orderOf(options, atoms);
      const patterns = [...options.rest, ...(options.paths ?? [])];
      const refs: ListedRef[] = repository
        .allRefs()
        .filter(({ name }) => matchesAny(name, patterns, options.has("ignore-case")))
        .filter(isWanted)
        .sort(compare);
      const reset = showsColours(options) && endsInColour(text) ? "\x1b[m" : "";
      for (const ref of refs.slice(0, Number(count ?? 0) || undefined)) terminal.out(`${format(ref)}${reset}\n`);
      return 0;
    } finally {
      repository.close();
    }
  },
};

/** `--contains` and its like take the next word, or HEAD when there is none. */
function withDefaults(words: readonly string[]): string[] {
  const optional = new Set(["--contains", "--no-contains", "--merged", "--no-merged"]);
  return words.map((word, at) => (optional.has(word) && at === words.length - 1 ? `${word}=HEAD` : word));
}

/** Only when asked for: what we print is never a terminal's. */
function showsColours(options: Words): boolean {
  const last = options.options.findLast(({ name }) => name.startsWith("color"));
  const when = last?.name === "color" ? last.value : last?.name.slice("color=".length);
  if (when !== undefined && !["always", "never", "auto"].includes(when))
    throw new GitUsage('option `color\' expects "always", "auto", or "never"');
  return when === "always";
}

/** Whether the last colour of a format is one, which does not reach beyond the line. */
function endsInColour(format: string): boolean {
  const last = [...format.matchAll(/%\(color:([^)]*)\)/g)].at(-1)?.[1];
  return last !== undefined && last !== "reset";
}

/** The last key counts first; refs that are equal in all of them are in the order of their names. */
function orderOf(options: Words, atoms: Atoms): (a: ListedRef, b: ListedRef) => number {
  const asked = options.options.slice(options.options.findLastIndex(({ name }) => name === "no-sort") + 1);
  const sorts = asked.filter(({ name }) => name === "sort");
  const keys = sorts.map(({ value: key }) => {
    const isDown = key.startsWith("-");
    const name = isDown ? key.slice(1) : key;
    const byVersion = /^(?:version|v):/.test(name);
    const atom = atoms.atom(name.replace(/^(?:version|v):/, ""));
    const fold = options.has("ignore-case");
    const values = new Map<ListedRef, AtomValue>();
    const valueFor = (ref: ListedRef) => {
      let value = values.get(ref);
      if (!value) {
        value = atom(ref);
        values.set(ref, value);
      }
      return value;
    };
    return (a: ListedRef, b: ListedRef) => {
      const order = compareValues(valueFor(a), valueFor(b), byVersion, fold);
      return isDown ? -order : order;
    };
  });
  return (a, b) => {
    for (let at = keys.length - 1; at >= 0; at--) {
      const order = keys[at]!(a, b);
      if (order !== 0) return order;
    }
    return compareRefNames(a.name, b.name);
  };
}

function compareValues(a: AtomValue, b: AtomValue, byVersion: boolean, fold: boolean): number {
  if (byVersion) return compareVersions(a.text, b.text);
  if (a.number !== undefined || b.number !== undefined) return (a.number ?? 0) - (b.number ?? 0);
  return fold ? compareRefNames(a.text.toLowerCase(), b.text.toLowerCase()) : compareRefNames(a.text, b.text);
}

/** Runs of digits by their value, the rest by its bytes. A run that begins with zeros is a fraction, as in git. */
function compareVersions(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  let start = at;
  while (start > 0 && /[0-9]/.test(a[start - 1]!)) start--;
  const left = /^\d+/.exec(a.slice(start))?.[0] ?? "";
  const right = /^\d+/.exec(b.slice(start))?.[0] ?? "";
  const isFraction = /^0./.test(left) || /^0./.test(right);
  if (left === "" || right === "" || isFraction || left.length === right.length) return compareRefNames(a, b);
  return left.length - right.length;
}

/** A pattern is the whole name, its beginning up to a slash, or a glob. */
function matchesAny(name: string, patterns: readonly string[], fold: boolean): boolean {
  if (patterns.length === 0) return true;
  const budget = new MatchBudget();
  const bytes = (text: string) => toLatin1(encodeName(fold ? text.toLowerCase() : text));
  const text = bytes(name);
  return patterns.some((typed) => {
    // Letters fold in globs only.
    if (name === typed || name.startsWith(typed.endsWith("/") ? typed : `${typed}/`)) return true;
    return new Glob(bytes(typed)).matches(text, budget);
  });
}

function filterOf(options: Words, repository: RepositoryFolder): (ref: ListedRef) => boolean {
  const { store, commits } = repository;
  const named = (text: string): Oid => {
    const oid = repository.find(text);
    if (oid === undefined || !store.has(oid)) throw new GitUsage(`malformed object name '${text}'`);
    return oid;
  };
  const commitOf = (text: string): Oid => {
    const oid = repository.find(text);
    if (oid === undefined) throw new GitUsage(`malformed object name ${text}`);
    const commit = peelToCommit(store, oid);
    if (commit !== undefined) return commit;
    const type = store.header(oid)?.type;
    throw new GitUsage(`object ${oid} is a ${type}, not a commit\nerror: no such commit ${text}`);
  };
  const points = new Set(options.all("points-at").map(named));
  const contains = options.all("contains").map(commitOf);
  const without = options.all("no-contains").map(commitOf);
  const tipOf = (text: string): Oid => {
    if (repository.find(text) === undefined) throw new Fatal(`malformed object name ${text}`);
    return commitOf(text);
  };
  const merged = options.all("merged").map(tipOf);
  const unmerged = options.all("no-merged").map(tipOf);
  const byHistory = contains.length + without.length + merged.length + unmerged.length > 0;
  return ({ oid }) => {
    if (points.size > 0 && !points.has(oid)) {
      // One step of the way only, as in git.
      const tag = store.header(oid)?.type === "tag" ? store.read(oid) : undefined;
      if (!tag || !points.has(parseTag(tag.data).object)) return false;
    }
    if (!byHistory) return true;
    const commit = peelToCommit(store, oid);
    if (commit === undefined) return false;
    if (contains.length > 0 && !contains.some((one) => isAncestor(commits, one, commit))) return false;
    if (without.some((one) => isAncestor(commits, one, commit))) return false;
    if (merged.length > 0 && !merged.some((one) => isAncestor(commits, commit, one))) return false;
    return !unmerged.some((one) => isAncestor(commits, commit, one));
  };
}

import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { GitError } from "../../src/git/errors.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit } from "../../src/git/graph/peel.ts";
import { mergeBases } from "../../src/git/history/ancestry.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { shortenRefName } from "../../src/git/refs/shorten.ts";
import { NotInReflog, type ObjectKind, RevisionLanguage, RevisionRefused } from "../../src/git/revision-language.ts";
import { approximateDate } from "./approximate-dates.ts";
import { Fatal, type GitCommand, type Terminal } from "./command.ts";
import { explainPath } from "./explain.ts";
import { RefSets } from "./ref-sets.ts";
import { openForReading } from "./repository.ts";

export const revParseCommand: GitCommand = {
  name: "rev-parse",
  usage:
    "[--verify] [-q] [--short[=<n>]] [--abbrev-ref] [--symbolic] [--symbolic-full-name] [--not] [--all] [--branches] [--tags] [--remotes] [--git-dir] [--is-bare-repository] [--show-object-format] <revision>…",
  doc: "Finds the objects that revisions name",
  run(words, terminal) {
    const repository = openForReading(terminal);
    try {
      return new Parser(repository, terminal).run(words);
    } catch (error) {
      // Told to be quiet: git ends without a word.
      if (error instanceof NotInReflog && words.some((word) => word === "-q" || word === "--quiet")) return 128;
      throw error;
    } finally {
      repository.close();
    }
  },
};

interface Shown {
  readonly oid: Oid;
  /** As it was typed; a full name for refs of `--all`. */
  readonly name: string | undefined;
  readonly negated: boolean;
}

/** What git takes for an option of `rev-list`. */
const REV_LIST_OPTION =
  /^(?:-n?\d+|--(?:all|bisect|dense|branches|header|ignore-missing|no-merges|no-min-parents|no-max-parents|objects|objects-edge|parents|pretty|remotes|sparse|tags|topo-order|date-order|unpacked|(?:branches|max-age|max-count|min-age|min-parents|max-parents|remotes|glob|tags)=.*))$/s;

/** Goes through the words in their order, as git does: what is printed before an error stays. */
class Parser {
  private language: RevisionLanguage;
  private verify = false;
  private quiet = false;
  private digits: number | "auto" | undefined;
  private symbolic: "as typed" | "full" | "short" | "loosely short" | undefined;
  private quotes = false;
  private negates = false;
  private defaultName: string | undefined;
  private showsRevisions = true;
  private showsOthers = true;
  private showsFlags = true;
  /** Options that are none of `rev-list`. */
  private showsOddFlags = true;
  /** With `--verify`: what is neither a range nor a set of refs, which git prints in any case. */
  private readonly single: Shown[] = [];
  private readonly sets: RefSets;
  private onlyFiles: "" | "after a file" | "after --" = "";

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly terminal: Terminal,
  ) {
    this.language = new RevisionLanguage(repository);
    this.sets = new RefSets(repository);
  }

  run(words: readonly string[]): number {
    const hasDashes = words.includes("--");
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      if (this.onlyFiles !== "") this.file(word);
      else if (word === "--default") this.defaultName = words[++at];
      else if (word.startsWith("-")) {
        const status = this.option(word);
        if (status !== undefined) return status;
      } else {
        const status = this.argument(word, hasDashes);
        if (status !== undefined) return status;
      }
    }
    this.takeDefault();
    if (!this.verify) return 0;
    const [only] = this.single;
    if (!only || this.single.length > 1) return this.noSingle();
    this.print(only);
    return 0;
  }

  /** The exit status where it ends everything. */
  private option(word: string): number | undefined {
    if (word === "--") {
      this.onlyFiles = "after --";
      if (this.showsOthers && (this.showsRevisions || this.showsFlags)) this.line("--");
      return undefined;
    }
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const value = equals < 0 ? undefined : word.slice(equals + 1);
    if (RefSets.has(word)) {
      for (const ref of this.sets.take(word) ?? []) this.show(ref.oid, ref.name, false);
      return undefined;
    }
    switch (name) {
      case "--verify":
        this.verify = true;
        this.showsFlags = this.showsOthers = false;
        return undefined;
      case "-q":
      case "--quiet":
        this.quiet = true;
        this.language = new RevisionLanguage(this.repository, false);
        return undefined;
      case "--short":
        this.verify = true;
        this.showsFlags = this.showsOthers = false;
        this.digits =
          value === undefined
            ? "auto"
            : Math.max(4, Math.min(Number.parseInt(value, 10) || 0, this.repository.store.format.oidDigits));
        return undefined;
      case "--abbrev-ref":
        if (value !== undefined && value !== "strict" && value !== "loose")
          throw new Fatal(`unknown mode for --abbrev-ref: ${value}`);
        this.symbolic = value === "loose" ? "loosely short" : "short";
        return undefined;
      case "--sq":
        this.quotes = true;
        return undefined;
      case "--symbolic":
        this.symbolic = "as typed";
        return undefined;
      case "--symbolic-full-name":
        this.symbolic = "full";
        return undefined;
      case "--not":
        this.negates = !this.negates;
        return undefined;
      case "--revs-only":
        this.showsOthers = this.showsOddFlags = false;
        return undefined;
      case "--no-revs":
        this.showsRevisions = false;
        return undefined;
      case "--flags":
        this.showsOthers = false;
        return undefined;
      case "--no-flags":
        this.showsFlags = false;
        return undefined;
      case "--since":
      case "--after":
      case "--until":
      case "--before":
        if (value === undefined) break;
        this.flag(`${name === "--since" || name === "--after" ? "--max-age" : "--min-age"}=${approximateDate(value)}`);
        return undefined;
      default: {
        const told = this.about(name, value);
        // Inside of `.git` there is no way up to tell of.
        const isSilent =
          name === "--show-cdup" && isWithin(realpathSync(this.terminal.folder), realpathSync(this.repository.gitDir));
        if (told !== undefined) {
          if (!isSilent) this.line(told);
          return undefined;
        }
      }
    }
    if (this.verify) return this.noSingle();
    this.flag(word);
    return undefined;
  }

  /** What the repository is and where. */
  private about(name: string, value: string | undefined): string | undefined {
    const { repository, terminal } = this;
    const folder = realpathSync(terminal.folder);
    const gitDir = realpathSync(repository.gitDir);
    const top = repository.isBare ? undefined : topOf(folder, gitDir);
    const yes = (is: boolean) => String(is);
    const from = (path: string) => (path === folder ? "." : path === join(folder, ".git") ? ".git" : path);
    switch (name) {
      case "--git-dir":
        return from(gitDir);
      case "--absolute-git-dir":
        return gitDir;
      case "--git-common-dir": {
        const common = realpathSync(repository.commonDir);
        return common === gitDir && top !== undefined && folder !== top ? relative(folder, common) : from(common);
      }
      case "--is-bare-repository":
        return yes(repository.isBare);
      case "--is-inside-git-dir":
        return yes(isWithin(folder, gitDir));
      case "--is-inside-work-tree":
        return yes(top !== undefined && isWithin(folder, top) && !isWithin(folder, gitDir));
      case "--is-shallow-repository":
        return yes(existsSync(join(repository.commonDir, "shallow")));
      case "--show-toplevel":
        if (top === undefined || isWithin(folder, gitDir)) throw new Fatal("this operation must be run in a work tree");
        return top;
      case "--show-prefix":
        return top === undefined || folder === top || isWithin(folder, gitDir) ? "" : `${relative(top, folder)}/`;
      case "--show-cdup":
        return top === undefined || folder === top || isWithin(folder, gitDir) ? "" : `${relative(folder, top)}/`;
      case "--show-object-format":
        if (value !== undefined && !["storage", "input", "output"].includes(value))
          throw new Fatal(`unknown mode for --show-object-format: ${value}`);
        return repository.store.format.name;
      default:
        return undefined;
    }
  }

  private argument(word: string, hasDashes: boolean): number | undefined {
    if (this.dots(word) || this.parents(word)) return undefined;
    const negated = word.startsWith("^");
    const name = negated ? word.slice(1) : word;
    const oid = this.find(name);
    if (oid !== undefined) {
      if (this.verify) this.single.push({ oid, name, negated: negated !== this.negates });
      else this.show(oid, name, negated);
      return undefined;
    }
    if (this.verify) return this.noSingle();
    if (hasDashes) throw new Fatal(`bad revision '${word}'`);
    this.onlyFiles = "after a file";
    this.file(word, true);
    return undefined;
  }

  /** `a..b` and `a...b` */
  private dots(word: string): boolean {
    const at = word.indexOf("..");
    if (at < 0) return false;
    const isSymmetric = word[at + 2] === ".";
    const left = word.slice(0, at) || "HEAD";
    const right = word.slice(at + (isSymmetric ? 3 : 2)) || "HEAD";
    // Two dots alone are the folder above.
    if (word === "..") return false;
    const { store } = this.repository;
    const from = this.find(left, "commit");
    const to = from === undefined ? undefined : this.find(right, "commit");
    const a = from === undefined ? undefined : peelToCommit(store, from);
    const b = to === undefined ? undefined : peelToCommit(store, to);
    if (from === undefined || to === undefined) return false;
    this.show(to, right, false);
    this.show(from, left, !isSymmetric);
    if (isSymmetric && (a === undefined || b === undefined)) return false;
    if (isSymmetric && a !== undefined && b !== undefined)
      for (const base of mergeBases(this.repository.commits, a, b)) this.show(base, undefined, true);
    return true;
  }

  /** `X^@`, `X^!` and `X^-2` */
  private parents(word: string): boolean {
    const match = /^(.+)\^(@|!|-(\d*))$/.exec(word);
    if (!match) return false;
    const [, name, kind, digits] = match;
    const oid = this.find(name!, "commit");
    const commit = oid === undefined ? undefined : peelToCommit(this.repository.store, oid);
    if (oid === undefined || commit === undefined) return false;
    const { commits } = this.repository;
    const all = commits.parentsOf(commits.numberOf(commit)).map((parent) => commits.oidOf(parent));
    const one = kind!.startsWith("-") ? Number(digits === "" ? 1 : digits) : undefined;
    if (one !== undefined && (one < 1 || one > all.length)) return false;
    if (kind !== "@") this.show(oid, name, false);
    for (const [i, parent] of all.entries())
      if (one === undefined || one === i + 1)
        this.show(
          parent,
          this.symbolic === "as typed" || this.symbolic === "full" ? `${name}^${i + 1}` : undefined,
          kind !== "@",
        );
    return true;
  }

  private find(name: string, kind?: ObjectKind): Oid | undefined {
    try {
      return this.language.find(name, kind);
    } catch (error) {
      if (error instanceof RevisionRefused) throw error;
      if (error instanceof GitError) return undefined;
      throw error;
    }
  }

  private show(oid: Oid, name: string | undefined, negated: boolean): void {
    if (!this.showsRevisions) return;
    this.defaultName = undefined;
    this.print({ oid, name, negated: negated !== this.negates });
  }

  private print({ oid, name, negated }: Shown): void {
    const sign = negated ? "^" : "";
    if (this.symbolic && name !== undefined) {
      const text = this.symbolicName(name);
      if (text !== undefined) this.line(sign + text);
    } else if (this.digits !== undefined)
      this.line(sign + new Abbreviator(this.repository.store, this.digits).abbreviate(oid));
    else this.line(sign + oid);
  }

  private symbolicName(name: string): string | undefined {
    if (this.symbolic === "as typed") return name;
    const refs = this.language.namedRefs(name === "@" ? "HEAD" : name);
    if (refs.length === 0) return undefined;
    if (refs.length > 1) {
      this.terminal.err(`error: refname '${name}' is ambiguous`);
      return undefined;
    }
    const full = refs[0]!.name;
    if (this.symbolic === "full") return full;
    return shortenRefName(full, (other) => this.exists(other), this.symbolic === "loosely short");
  }

  private exists(full: string): boolean {
    return full.startsWith("refs/")
      ? this.repository.refs.resolve(full) !== undefined
      : existsSync(join(this.repository.gitDir, full));
  }

  private takeDefault(): void {
    const name = this.defaultName;
    if (name === undefined) return;
    this.defaultName = undefined;
    const oid = this.find(name);
    if (oid !== undefined) this.show(oid, name, false);
  }

  private flag(word: string): void {
    if (this.showsFlags && (REV_LIST_OPTION.test(word) ? this.showsRevisions : this.showsOddFlags)) this.line(word);
  }

  /** What is no revision must be a file, unless `--` said so before. */
  private file(word: string, isFirst = false): void {
    this.takeDefault();
    const isShown = this.showsOthers;
    // The folder above is a file like any other; what may be a pattern is not looked for.
    const isMagic = word === ":/" || word.startsWith(":(") || /[*?[\\]/.test(word);
    if (isShown) this.line(word);
    if (!isShown || isMagic || this.onlyFiles === "after --") return;
    if (
      (word !== "" || this.repository.prefix !== "") &&
      existsSync(resolve(this.terminal.folder, word)) &&
      !this.repository.isBare
    )
      return;
    if (!isFirst)
      throw new Fatal(
        `${word}: no such path in the working tree.\n` +
          "Use 'git <command> -- <path>...' to specify paths that do not exist locally.",
      );
    explainPath(this.repository, this.terminal, word, { warns: true });
    throw new Fatal(
      `ambiguous argument '${word}': unknown revision or path not in the working tree.\n` +
        "Use '--' to separate paths from revisions, like this:\n" +
        "'git <command> [<revision>...] -- [<file>...]'",
    );
  }

  private noSingle(): number {
    if (this.quiet) return 1;
    throw new Fatal("Needed a single revision");
  }

  private line(text: string): void {
    this.terminal.out(this.quotes ? `'${text.replaceAll("'", "'\\''")}' ` : `${text}\n`);
  }
}

function topOf(folder: string, gitDir: string): string | undefined {
  if (basename(gitDir) === ".git") return dirname(gitDir);
  // A linked working tree: its `.git` is a file.
  for (let at = folder; ; at = dirname(at)) {
    if (statSync(join(at, ".git"), { throwIfNoEntry: false })?.isFile()) return at;
    if (dirname(at) === at) return undefined;
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

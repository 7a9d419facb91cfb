import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { GitError } from "../../src/git/errors.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelToCommit } from "../../src/git/graph/peel.ts";
import { mergeBases } from "../../src/git/history/ancestry.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Abbreviator } from "../../src/git/pretty/abbreviate.ts";
import { shortenRefName } from "../../src/git/refs/shorten.ts";
import { NotInReflog, type ObjectKind, RevisionLanguage, RevisionRefused } from "../../src/git/revision-language.ts";
import { Fatal, type GitCommand, GitUsage, type Terminal } from "./command.ts";
import { requirePath } from "./explain.ts";
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
      // With --quiet, git exits without a message.
      if (error instanceof NotInReflog && words.some((word) => word === "-q" || word === "--quiet")) return 128;
      throw error;
    } finally {
      repository.close();
    }
  },
};

interface Shown {
  readonly oid: Oid;
  /** As typed; the full name for refs of `--all`. */
  readonly name: string | undefined;
  readonly negated: boolean;
}

/** Processes the words in order, as git does: output printed before an error remains. */
class Parser {
  private language: RevisionLanguage;
  private verify = false;
  private quiet = false;
  private digits: number | "auto" | undefined;
  private symbolic: "as typed" | "full" | "short" | "loosely short" | undefined;
  private negates = false;
  /** With `--verify`: revisions other than ranges and ref sets, which git prints in any case. */
  private readonly single: Shown[] = [];
  private readonly sets: RefSets;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly terminal: Terminal,
  ) {
    this.language = new RevisionLanguage(repository);
    this.sets = new RefSets(repository);
  }

  run(words: readonly string[]): number {
    const end = words.indexOf("--");
    for (const word of end < 0 ? words : words.slice(0, end)) {
      if (word.startsWith("-")) this.option(word);
      else if (!this.argument(word, end >= 0)) return this.noSingle();
    }
    if (!this.verify) {
      if (end >= 0) for (const word of words.slice(end)) this.line(word);
      return 0;
    }
    const [only] = this.single;
    if (!only || this.single.length > 1) return this.noSingle();
    this.print(only);
    return 0;
  }

  private option(word: string): void {
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const value = equals < 0 ? undefined : word.slice(equals + 1);
    if (RefSets.has(word)) for (const ref of this.sets.take(word) ?? []) this.show(ref.oid, ref.name, false);
    else if (name === "--verify") this.verify = true;
    else if (name === "-q" || name === "--quiet") {
      this.quiet = true;
      this.language = new RevisionLanguage(this.repository, false);
    } else if (name === "--short") {
      this.verify = true;
      const { oidDigits } = this.repository.store.format;
      this.digits = value === undefined ? "auto" : Math.max(4, Math.min(Number.parseInt(value, 10) || 0, oidDigits));
    } else if (name === "--abbrev-ref") {
      if (value !== undefined && value !== "strict" && value !== "loose")
        throw new Fatal(`unknown mode for --abbrev-ref: ${value}`);
      this.symbolic = value === "loose" ? "loosely short" : "short";
    } else if (name === "--symbolic") this.symbolic = "as typed";
    else if (name === "--symbolic-full-name") this.symbolic = "full";
    else if (name === "--not") this.negates = !this.negates;
    else this.line(this.about(name, value));
  }

  /** Facts about the repository and its location. @throws GitUsage for an unknown option */
  private about(name: string, value: string | undefined): string {
    const { repository, terminal } = this;
    const gitDir = realpathSync(repository.gitDir);
    switch (name) {
      case "--git-dir":
        return gitDir === realpathSync(terminal.directory) ? "." : ".git";
      case "--absolute-git-dir":
        return gitDir;
      case "--is-bare-repository":
        return String(repository.isBare);
      case "--is-shallow-repository":
        return String(existsSync(join(repository.gitDir, "shallow")));
      case "--show-object-format":
        if (value !== undefined && !["storage", "input", "output"].includes(value))
          throw new Fatal(`unknown mode for --show-object-format: ${value}`);
        return repository.store.format.name;
      default:
        throw new GitUsage(`unknown option \`${name.replace(/^-+/, "")}'`);
    }
  }

  /** False when a single revision is required and this is not one. */
  private argument(word: string, hasDashes: boolean): boolean {
    if (this.dots(word) || this.parents(word)) return true;
    const negated = word.startsWith("^");
    const name = negated ? word.slice(1) : word;
    const oid = this.find(name);
    if (oid !== undefined) {
      if (this.verify) this.single.push({ oid, name, negated: negated !== this.negates });
      else this.show(oid, name, negated);
      return true;
    }
    if (this.verify) return false;
    if (hasDashes) throw new Fatal(`bad revision '${word}'`);
    this.line(word);
    requirePath(this.repository, word, true);
    return true;
  }

  /** `a..b` and `a...b` */
  private dots(word: string): boolean {
    const at = word.indexOf("..");
    if (at < 0) return false;
    const isSymmetric = word[at + 2] === ".";
    const left = word.slice(0, at) || "HEAD";
    const right = word.slice(at + (isSymmetric ? 3 : 2)) || "HEAD";
    // Two dots alone are the parent directory.
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
    const all = commits.parentsOf(commits.positionOf(commit)).map((parent) => commits.oidOf(parent));
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

  private noSingle(): number {
    if (this.quiet) return 1;
    throw new Fatal("Needed a single revision");
  }

  private line(text: string): void {
    this.terminal.out(`${text}\n`);
  }
}

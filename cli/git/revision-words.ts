import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags } from "../../src/git/graph/peel.ts";
import { mergeBasesOfMany } from "../../src/git/history/ancestry.ts";
import type { WalkStart } from "../../src/git/history/walk/options.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Fatal } from "./command.ts";
import { type OptionTable, readWords, type Words } from "./options.ts";
import { pathspecsFromTop } from "./paths.ts";
import { RefSets } from "./ref-sets.ts";

/** The words of a command over history: what is no option, and `--all` and its like, in the order typed. */
export interface RevisionWords {
  readonly options: Words;
  readonly revisions: readonly string[];
  /** What follows `--`; undefined without one. */
  readonly paths: readonly string[] | undefined;
}

/** An object a revision names that is no commit, with the name it is listed by. */
export interface NamedObject {
  readonly oid: Oid;
  readonly name: string;
  readonly unwanted: boolean;
}

/** Where a walk begins, by what was typed. */
export interface TypedRange {
  readonly starts: readonly WalkStart[];
  /** Tags on the way to commits, trees and blobs. */
  readonly objects: readonly NamedObject[];
  /** Pathspecs from the top of the repository on. */
  readonly paths: readonly string[];
  /** Commits that were looked at on the way to merge bases; the walk takes them. */
  readonly looked: readonly number[];
  /** Whether anything was named, were it an empty set of refs. */
  readonly named: boolean;
}

/** @throws GitUsage */
export function splitRevisionWords(words: readonly string[], table: OptionTable): RevisionWords {
  const end = words.indexOf("--");
  const typed = end < 0 ? words : words.slice(0, end);
  const options: string[] = [];
  const revisions: string[] = [];
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at]!;
    if (/^-\d+$/.test(word)) options.push(`--max-count=${word.slice(1)}`);
    else if (!word.startsWith("-") || word === "-" || word === "--not" || RefSets.has(word)) revisions.push(word);
    else {
      options.push(word);
      if (table[word]?.[0] === "value" && at + 1 < typed.length) options.push(typed[++at]!);
    }
  }
  return { options: readWords(options, table), revisions, paths: end < 0 ? undefined : words.slice(end + 1) };
}

/** Finds what the revisions name. @throws Fatal when one names nothing */
export function readRange(repository: RepositoryFolder, folder: string, words: RevisionWords): TypedRange {
  const reader = new RangeReader(repository, folder, words.paths !== undefined);
  for (const [at, word] of words.revisions.entries()) {
    if (reader.take(word)) continue;
    const paths = words.revisions.slice(at);
    for (const [i, path] of paths.entries()) reader.requirePath(path, i === 0);
    return { ...reader.range(), paths: pathspecsFromTop(repository, folder, paths) };
  }
  return { ...reader.range(), paths: pathspecsFromTop(repository, folder, words.paths ?? []) };
}

class RangeReader {
  private readonly starts: WalkStart[] = [];
  private readonly objects: NamedObject[] = [];
  private readonly looked: number[] = [];
  private readonly sets: RefSets;
  private negated = false;
  private named = false;

  constructor(
    private readonly repository: RepositoryFolder,
    private readonly folder: string,
    /** `--` says that no word is a path. */
    private readonly onlyRevisions: boolean,
  ) {
    this.sets = new RefSets(repository);
  }

  range() {
    return { starts: this.starts, objects: this.objects, looked: this.looked, named: this.named };
  }

  /** False when the word must be a path. */
  take(word: string): boolean {
    if (word === "--not") {
      this.negated = !this.negated;
      return true;
    }
    if (RefSets.has(word)) {
      const refs = this.sets.take(word);
      if (!refs) return true;
      this.takeRefs(refs, word === "--all");
    } else if (!this.takeRevision(word)) {
      if (this.onlyRevisions) throw new Fatal(`bad revision '${word}'`);
      return false;
    } else if (!this.onlyRevisions && this.isFile(word))
      throw new Fatal(
        `ambiguous argument '${word}': both revision and filename\n` +
          "Use '--' to separate paths from revisions, like this:\n" +
          "'git <command> [<revision>...] -- [<file>...]'",
      );
    this.named = true;
    return true;
  }

  /** @throws Fatal */
  requirePath(word: string, isFirst: boolean): void {
    if (this.isFile(word) || /^:[(/!^]|[*?[\\]/.test(word)) return;
    if (!isFirst)
      throw new Fatal(
        `${word}: no such path in the working tree.\n` +
          "Use 'git <command> -- <path>...' to specify paths that do not exist locally.",
      );
    throw new Fatal(
      `ambiguous argument '${word}': unknown revision or path not in the working tree.\n` +
        "Use '--' to separate paths from revisions, like this:\n" +
        "'git <command> [<revision>...] -- [<file>...]'",
    );
  }

  private isFile(word: string): boolean {
    return this.repository.workTree !== undefined && existsSync(resolve(this.folder, word));
  }

  private takeRefs(refs: readonly { readonly full: string; readonly oid: Oid }[], withHead: boolean): void {
    for (const { oid, full } of refs) this.add(oid, full, this.negated, "wanted");
    const head = withHead ? this.repository.headOid() : undefined;
    if (head !== undefined) this.add(head, "HEAD", this.negated, "wanted");
  }

  private takeRevision(word: string): boolean {
    if (word.startsWith("^")) {
      const oid = this.find(word.slice(1));
      if (oid !== undefined) this.add(oid, word.slice(1), !this.negated, "wanted");
      return oid !== undefined;
    }
    const range = /^(.*?)(\.\.\.?)(?!\.)(.*)$/.exec(word);
    if (range) return this.takeDots(range[1] || "HEAD", range[3] || "HEAD", range[2] === "...", word);
    const parents = /^(.+)\^(@|!|-\d*)$/.exec(word);
    if (parents) return this.takeParents(parents[1]!, parents[2]!);
    const oid = this.find(word);
    if (oid !== undefined) this.add(oid, word, this.negated, "wanted");
    return oid !== undefined;
  }

  private takeDots(from: string, to: string, symmetric: boolean, word: string): boolean {
    const left = this.find(from);
    const right = this.find(to);
    if (left === undefined || right === undefined) return false;
    if (!symmetric) {
      this.add(left, from, !this.negated, "wanted");
      this.add(right, to, this.negated, "wanted");
      return true;
    }
    const [a, b] = [this.commitOf(left, word), this.commitOf(right, word)];
    const bases = mergeBasesOfMany(this.repository.commits, a, [b], (number) => this.looked.push(number));
    for (const base of bases) this.add(base, word, !this.negated, "wanted");
    this.add(a, from, this.negated, "left");
    this.add(b, to, this.negated, "wanted");
    return true;
  }

  /** `X^@`: all parents; `X^!`: X without its parents; `X^-2`: X without the second one. */
  private takeParents(name: string, kind: string): boolean {
    const oid = this.find(name);
    if (oid === undefined) return false;
    const { commits } = this.repository;
    const commit = this.commitOf(oid, name);
    const all = commits.parentsOf(commits.numberOf(commit)).map((parent) => commits.oidOf(parent));
    const place = kind.startsWith("-") ? Number(kind.slice(1) || 1) : 0;
    if (place > all.length || (place === 0 && kind.startsWith("-"))) return false;
    const excluded = kind !== "@";
    for (const parent of place > 0 ? all.slice(place - 1, place) : all)
      this.add(parent, name, excluded ? !this.negated : this.negated, "wanted");
    if (excluded) this.add(commit, name, this.negated, "wanted");
    return true;
  }

  private commitOf(oid: Oid, word: string): Oid {
    const commit = peelTags(this.repository.store, oid);
    if (commit === undefined || this.repository.store.header(commit)?.type !== "commit")
      throw new Fatal(`Invalid symmetric difference expression ${word}`);
    return commit;
  }

  private find(word: string): Oid | undefined {
    const oid = this.repository.find(word);
    if (oid !== undefined && !this.repository.has(oid)) throw new Fatal(`bad object ${word}`);
    return oid;
  }

  private add(oid: Oid, name: string, unwanted: boolean, side: "wanted" | "left"): void {
    const { store } = this.repository;
    const target = peelTags(store, oid);
    if (target === undefined) throw new Fatal(`bad object ${oid}`);
    const isCommit = store.header(target)?.type === "commit";
    if (!isCommit || target !== oid) this.objects.push({ oid, name, unwanted });
    if (isCommit) this.starts.push({ oid: target, side: unwanted ? "not" : side });
  }
}

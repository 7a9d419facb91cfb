import type { WantedPath } from "../../src/git/diff/pathspec.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags } from "../../src/git/graph/peel.ts";
import { mergeBasesOfMany } from "../../src/git/history/ancestry.ts";
import type { WalkStart } from "../../src/git/history/walk/options.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { Fatal } from "./command.ts";
import { requirePath } from "./explain.ts";
import { type OptionTable, readWords, type Words } from "./options.ts";
import { readPaths } from "./paths.ts";
import { RefSets } from "./ref-sets.ts";

/** The arguments of a history command: non-options, and `--all` and similar options, in the order typed. */
export interface RevisionWords {
  readonly options: Words;
  readonly revisions: readonly string[];
  /** From this index on, `--all` and similar words are ordinary names; undefined: nowhere. */
  readonly namesFrom?: number | undefined;
  /** What follows `--`; undefined without `--`. */
  readonly paths: readonly string[] | undefined;
}

/** A named object that is not a commit, with the name it is listed under. */
export interface NamedObject {
  readonly oid: Oid;
  readonly name: string;
  readonly uninteresting: boolean;
  /** For `a...b`: one of the best common ancestors, or a. */
  readonly role?: "base" | "left" | undefined;
}

/**
 * A revision as git records it: the name it would look up as a ref, and the object; for the ends of a range, the
 * commit.
 */
export interface AskedRevision {
  readonly name: string;
  readonly oid: Oid;
  readonly uninteresting: boolean;
}

/** Where a walk starts, from the typed revisions. */
export interface TypedRange {
  readonly starts: readonly WalkStart[];
  /** Tags peeled on the way to commits, and trees and blobs. */
  readonly objects: readonly NamedObject[];
  /** Every named revision, in the order typed, as git records it. */
  readonly asked: readonly AskedRevision[];
  readonly paths: readonly WantedPath[];
  /** Every named object, in git's order; for `a...b` the best common ancestors come first. */
  readonly ends: readonly NamedObject[];
  /** Commits parsed while finding merge bases; passed to the walk. */
  readonly parsed: readonly number[];
  /** Whether anything was named, even an empty set of refs. */
  readonly named: boolean;
}

/** @throws GitUsage */
export function splitRevisionWords(words: readonly string[], table: OptionTable): RevisionWords {
  const end = words.indexOf("--");
  const typed = end < 0 ? words : words.slice(0, end);
  const options: string[] = [];
  const revisions: string[] = [];
  let namesFrom: number | undefined;
  for (let at = 0; at < typed.length; at++) {
    const word = typed[at]!;
    if (word === "--end-of-options") {
      namesFrom = revisions.length;
      revisions.push(...typed.slice(at + 1));
      break;
    }
    if (/^-\d+$/.test(word)) options.push(`--max-count=${word.slice(1)}`);
    else if (!word.startsWith("-") || word === "-" || word === "--not" || RefSets.has(word)) revisions.push(word);
    else {
      options.push(word);
      if (table[word]?.[0] === "value" && at + 1 < typed.length) options.push(typed[++at]!);
    }
  }
  const paths = end < 0 ? undefined : words.slice(end + 1);
  return { options: readWords(options, table), revisions, namesFrom, paths };
}

/** Resolves the revisions. @throws Fatal when one names nothing */
export function readRange(repository: RepositoryFolder, directory: string, words: RevisionWords): TypedRange {
  const reader = new RangeReader(repository, words.paths !== undefined);
  for (const [at, word] of words.revisions.entries()) {
    if (reader.take(word, at >= (words.namesFrom ?? Number.POSITIVE_INFINITY))) continue;
    const paths = words.revisions.slice(at);
    for (const [i, path] of paths.entries()) requirePath(repository, path, i === 0);
    return { ...reader.range(), paths: readPaths(repository, directory, paths) };
  }
  return { ...reader.range(), paths: readPaths(repository, directory, words.paths ?? []) };
}

class RangeReader {
  private readonly starts: WalkStart[] = [];
  private readonly objects: NamedObject[] = [];
  private readonly asked: AskedRevision[] = [];
  private readonly ends: NamedObject[] = [];
  private readonly parsed: number[] = [];
  private readonly sets: RefSets;
  private negated = false;
  private named = false;

  constructor(
    private readonly repository: RepositoryFolder,
    /** `--` was given, so no word is a path. */
    private readonly onlyRevisions: boolean,
  ) {
    this.sets = new RefSets(repository);
  }

  range() {
    const { starts, objects, asked, ends, parsed, named } = this;
    return { starts, objects, asked, ends, parsed, named };
  }

  /** False when the word must be a path. */
  take(word: string, isName: boolean): boolean {
    if (word === "--not" && !isName) {
      this.negated = !this.negated;
      return true;
    }
    if (RefSets.has(word) && !isName) {
      const refs = this.sets.take(word);
      if (!refs) return true;
      this.takeRefs(refs, word === "--all");
    } else if (!this.takeRevision(word)) {
      if (this.onlyRevisions) throw new Fatal(`bad revision '${word}'`);
      return false;
    }
    this.named = true;
    return true;
  }

  private takeRefs(refs: ReturnType<RefSets["take"]> & object, withHead: boolean): void {
    for (const { oid, full, name } of refs) this.addAs({ name, oid }, oid, full, this.negated, "wanted");
    const head = withHead ? this.repository.headOid() : undefined;
    if (head !== undefined) this.add(head, "HEAD", this.negated, "wanted");
  }

  private takeRevision(word: string): boolean {
    if (word.startsWith("^")) {
      const oid = this.find(word.slice(1));
      if (oid === undefined) throw new Fatal(`bad revision '${word}'`);
      this.add(oid, word.slice(1), !this.negated, "wanted");
      return true;
    }
    const range = /^(.*?)(\.\.\.?)(?!\.)(.*)$/.exec(word);
    // The parent directory.
    if (word === "..") return false;
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
      const { store } = this.repository;
      const ends = [
        { oid: left, name: from, uninteresting: !this.negated },
        { oid: right, name: to, uninteresting: this.negated },
      ];
      for (const { oid, name, uninteresting } of ends)
        this.addAs({ name, oid: peelTags(store, oid) ?? oid }, oid, name, uninteresting, "wanted");
      return true;
    }
    const [a, b] = [this.commitOf(left, word), this.commitOf(right, word)];
    const bases = mergeBasesOfMany(this.repository.commits, a, [b], (number) => this.parsed.push(number));
    for (const base of bases) this.add(base, `${from}...${to}`, !this.negated, "wanted", "base");
    this.add(a, from, this.negated, "left", "left");
    this.add(b, to, this.negated, "wanted");
    return true;
  }

  /** `X^@`: all parents; `X^!`: X without its parents; `X^-2`: X without the second one. */
  private takeParents(name: string, kind: string): boolean {
    const oid = this.find(name);
    if (oid === undefined) return false;
    const { commits } = this.repository;
    const commit = this.commitOf(oid, name);
    const all = commits.parentsOf(commits.positionOf(commit)).map((parent) => commits.oidOf(parent));
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

  private add(
    oid: Oid,
    name: string,
    uninteresting: boolean,
    side: "wanted" | "left",
    role?: NamedObject["role"],
  ): void {
    this.addAs({ oid, name }, oid, name, uninteresting, side, role);
  }

  /** The same, where git records a different name or object. */
  private addAs(
    asked: Pick<AskedRevision, "name" | "oid">,
    oid: Oid,
    name: string,
    uninteresting: boolean,
    side: "wanted" | "left",
    role?: NamedObject["role"],
  ): void {
    const { store } = this.repository;
    this.asked.push({ ...asked, uninteresting });
    this.ends.push({ oid, name, uninteresting, role });
    const target = peelTags(store, oid);
    if (target === undefined) throw new Fatal(`bad object ${oid}`);
    const isCommit = store.header(target)?.type === "commit";
    if (!isCommit || target !== oid) this.objects.push({ oid, name, uninteresting });
    if (isCommit) this.starts.push({ oid: target, side: uninteresting ? "not" : side });
  }
}

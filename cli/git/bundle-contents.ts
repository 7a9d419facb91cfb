import type { BundleHeader } from "../../src/git/bundle/header.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { peelTags } from "../../src/git/graph/peel.ts";
import { RevisionWalk } from "../../src/git/history/walk/walk.ts";
import { encodeName } from "../../src/git/objects/names.ts";
import type { Oid } from "../../src/git/objects/types.ts";
import { expansionsOf } from "../../src/git/refs/names.ts";
import { Fatal, type Terminal } from "./command.ts";
import { historyOptions, readHistoryOptions } from "./history-options.ts";
import { readRange, splitRevisionWords } from "./revision-words.ts";

/** A revision that was asked for, by the name typed. */
interface Asked {
  readonly name: string;
  readonly oid: Oid;
}

/**
 * What `git bundle create` puts into the header for these words: the refs among what is asked for, and the commits at
 * which their history is cut off.
 * @throws Fatal when a word names nothing
 */
export function bundleContents(
  repository: RepositoryFolder,
  words: readonly string[],
  terminal: Terminal,
): Pick<BundleHeader, "prerequisites" | "refs"> {
  const typed = splitRevisionWords(words, historyOptions);
  const { starts, looked, paths } = readRange(repository, terminal.folder, typed);
  if (paths.length > 0 || typed.paths !== undefined) throw new Fatal("a bundle of paths cannot be made");
  const { commits, store } = repository;
  const { reverse: _, ...options } = readHistoryOptions(typed.options);
  const walk = new RevisionWalk(commits, { ...options, starts, looked, boundary: true });
  const shown = new Set<Oid>();
  const prerequisites: { oid: Oid; comment: string }[] = [];
  for (const number of walk) {
    const oid = commits.oidOf(number);
    if (walk.isBoundary(number)) prerequisites.push({ oid, comment: titleOf(repository, oid) });
    else shown.add(oid);
  }
  const refs: { oid: Oid; name: string }[] = [];
  const asked = askedFor(repository, typed.revisions);
  const named = new Set<string>();
  for (let at = 0; at < asked.length; at++) {
    const { name, oid } = asked[at]!;
    const ref = refNamed(repository, name);
    if (!ref || named.has(name)) continue;
    if (store.header(oid)?.type === "commit") {
      if (walk.isUninteresting(commits.numberOf(oid))) continue;
      if (!shown.has(oid)) {
        terminal.err(`warning: ref '${name}' is excluded by the rev-list options`);
        continue;
      }
      // The end of a range that is a tag: the tag itself goes in, behind the others.
      if (ref.oid !== oid) {
        if (peelTags(store, ref.oid) === oid) asked.push({ name, oid: ref.oid });
        continue;
      }
    }
    named.add(name);
    refs.push({ oid: ref.oid, name: Buffer.from(encodeName(ref.name)).toString("latin1") });
  }
  return { prerequisites, refs };
}

/** The positive revisions in the order typed, each with the name git would look up as a ref. */
function askedFor(repository: RepositoryFolder, revisions: readonly string[]): Asked[] {
  const asked: Asked[] = [];
  let negated = false;
  const add = (name: string) => {
    const oid = repository.find(name);
    if (oid !== undefined) asked.push({ name, oid });
  };
  const addCommit = (name: string) => {
    const oid = repository.find(name);
    const commit = oid === undefined ? undefined : peelTags(repository.store, oid);
    if (commit !== undefined) asked.push({ name, oid: commit });
  };
  const sets: Readonly<Record<string, string>> = {
    "--all": "refs/",
    "--branches": "refs/heads/",
    "--tags": "refs/tags/",
    "--remotes": "refs/remotes/",
  };
  for (const word of revisions) {
    const range = /^(.*?)(\.\.\.?)(?!\.)(.*)$/.exec(word);
    const prefix = sets[word];
    if (word === "--not") negated = !negated;
    else if (word.startsWith("^") !== negated) continue;
    else if (prefix !== undefined) {
      for (const ref of repository.refs.list(prefix)) asked.push({ name: nameIn(prefix, ref.name), oid: ref.oid });
      const head = word === "--all" ? repository.headOid() : undefined;
      if (head !== undefined) asked.push({ name: "HEAD", oid: head });
    } else if (range) {
      if (range[2] === "...") addCommit(range[1] || "HEAD");
      addCommit(range[3] || "HEAD");
    } else add(word.replace(/^\^/, ""));
  }
  return asked;
}

/** `--branches` and its like name their refs without the folder, which may make them ambiguous; `--all` does not. */
function nameIn(prefix: string, name: string): string {
  return prefix === "refs/" ? name : name.slice(prefix.length);
}

/** The one ref a short name stands for; undefined when there is none, or more than one. */
function refNamed(repository: RepositoryFolder, short: string): { name: string; oid: Oid } | undefined {
  const found = expansionsOf(short).flatMap((name) => {
    if (name === "HEAD") {
      const oid = repository.headOid();
      return oid === undefined ? [] : [{ name, oid }];
    }
    const ref = repository.refs.resolve(name);
    return ref ? [{ name: ref.name, oid: ref.oid }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The first paragraph of the message on one line, as `--format=oneline` has it. */
function titleOf({ store }: RepositoryFolder, oid: Oid): string {
  const data = store.read(oid)?.data ?? new Uint8Array(0);
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
  const message = text.slice(text.indexOf("\n\n") + 2).replace(/^\s*\n/, "");
  const lines = message.split("\n");
  const end = lines.findIndex((line) => line.trim() === "");
  return (end < 0 ? lines : lines.slice(0, end)).map((line) => line.trimEnd()).join(" ");
}

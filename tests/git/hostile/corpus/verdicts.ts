import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { checkObject } from "../../../../src/git/object-checks/fsck.ts";
import { SHA1 } from "../../../../src/git/objects/format.ts";
import type { Oid } from "../../../../src/git/objects/types.ts";
import { git, tempDir } from "../../objects/real-git.ts";
import { type CorpusObject, EMPTY_TREE, object, oidOf, PARENT, treeOf } from "./objects.ts";

/** What git says of an object it cannot even read. */
export const UNPARSABLE = "unparsable";

/** Stores an object loose, with any content, as no git would write it. */
export function storeLoose(repo: string, { type, data }: Pick<CorpusObject, "type" | "data">): Oid {
  const oid = oidOf({ type, data });
  mkdirSync(join(repo, "objects", oid.slice(0, 2)), { recursive: true });
  const loose = deflateSync(Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data]), { level: 1 });
  writeFileSync(join(repo, "objects", oid.slice(0, 2), oid.slice(2)), loose);
  return oid;
}

/** What `git fsck --strict` says of each object: `error: hasDotgit: contains '.git'`, in git's order. */
export function gitVerdicts(objects: readonly CorpusObject[]): Map<Oid, string[]> {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  storeLoose(repo, object("blob", "empty", ""));
  storeLoose(repo, object("tree", "empty", ""));
  storeLoose(repo, PARENT);
  for (const each of objects) {
    const oid = storeLoose(repo, each);
    if (each.role) storeLoose(repo, { type: "tree", data: treeOf(["100644", `.${each.role}`, oid]) });
  }
  const { stderr } = Bun.spawnSync(["git", "-C", repo, "fsck", "--strict", "--no-dangling"], {
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
  });
  const found = new Map<Oid, string[]>();
  const add = (oid: Oid, words: string) => found.set(oid, [...(found.get(oid) ?? []), words]);
  // A message may hold line ends of its own: it goes on to the next line that begins as one of fsck's.
  const messages = stderr
    .toString("latin1")
    .replace(/\n$/, "")
    .split(/\n(?=(?:error|warning|missing|broken|dangling|notice)\b)/);
  for (const text of messages) {
    const unreadable = /^error: ([0-9a-f]{40}): object could not be parsed/.exec(text)?.[1];
    if (unreadable) add(unreadable, UNPARSABLE);
    const match = /^(error|warning) in \w+ ([0-9a-f]{40}): (.*)$/s.exec(text);
    if (match) add(match[2]!, `${match[1]}: ${match[3]}`);
  }
  return found;
}

export function ourVerdict({ type, data, role }: CorpusObject): string[] {
  return checkObject(SHA1, type, data, role).map(
    ({ id, severity, message }) => `${severity}: ${id}: ${untilNul(message)}`,
  );
}

/** git's messages are C strings. */
function untilNul(text: string): string {
  return text.split("\0")[0]!;
}

export interface Difference {
  readonly story: string;
  readonly shown: string;
  readonly git: readonly string[];
  readonly ours: readonly string[];
}

/** Compares verdict by verdict; `same` counts objects with the same messages in the same order. */
export function compareVerdicts(objects: readonly CorpusObject[]): { same: number; differences: Difference[] } {
  const theirs = gitVerdicts(objects);
  const differences: Difference[] = [];
  for (const each of objects) {
    const oid = oidOf(each);
    if (oid === EMPTY_TREE) continue;
    const expected = theirs.get(oid) ?? [];
    const ours = ourVerdict(each);
    // What git's reader of commits and tags refuses has no message id; any of ours will do.
    if (isAlike(expected, ours)) continue;
    // Two objects that point to one id as different types spoil each other's reading: alone, each is decided by itself.
    if (expected.includes(UNPARSABLE) && isAlike(gitVerdicts([each]).get(oid) ?? [], ours)) continue;
    const shown = JSON.stringify(Buffer.from(each.data).toString("latin1").slice(0, 300));
    differences.push({ story: each.story, shown, git: expected, ours });
  }
  return { same: objects.length - differences.length, differences };
}

function isAlike(theirs: readonly string[], ours: readonly string[]): boolean {
  if (theirs.includes(UNPARSABLE)) return ours.some((line) => line.startsWith("error"));
  return ours.join("\n") === theirs.filter((line) => !isOfLinked(line)).join("\n");
}

/** Told of a missing or wrong object that a tree names specially: checked where trees are received, with their blobs. */
function isOfLinked(line: string): boolean {
  return line === "error: broken links" || /: (?:gitmodules|gitattributes)(?:Missing|Blob): /.test(line);
}

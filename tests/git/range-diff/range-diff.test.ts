import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Commits } from "../../../src/git/graph/commits.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { assign } from "../../../src/git/range-diff/assignment.ts";
import { rangeDiff } from "../../../src/git/range-diff/range-diff.ts";
import { versionOf } from "../../../src/git/range-diff/version.ts";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

/** Versions of a branch compared as `git range-diff` compares them. */

const SIGNS = { same: "=", changed: "!", added: ">", removed: "<" } as const;

const shortOf = (commit: { readonly oid: string } | undefined) => commit?.oid.slice(0, 7) ?? "-------";

/** Pairs as git prints their heads: `<old> <sign> <new>`. */
function oursOf(repo: string, base: string, from: string, to: string): string[] {
  const store = ObjectStore.open(join(repo, ".git"));
  try {
    const commits = new Commits(store, undefined);
    const [old, now] = [versionOf(store, commits, base, from), versionOf(store, commits, base, to)];
    if (!old || !now) throw new Error("too many commits");
    return rangeDiff(old, now).map((pair) => `${shortOf(pair.old)} ${SIGNS[pair.kind]} ${shortOf(pair.new)}`);
  } finally {
    store.close();
  }
}

function theirsOf(repo: string, base: string, from: string, to: string): string[] {
  const text = gitText(["range-diff", "-s", "--no-color", `${base}..${from}`, `${base}..${to}`], {
    cwd: repo,
  });
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [, old, sign, now] =
        /^\s*(?:\d+|-):\s+([0-9a-f]{7,40}|-+)\s+([=!<>])\s+(?:\d+|-):\s+([0-9a-f]{7,40}|-+)/.exec(line) ?? [];
      return `${old?.slice(0, 7)} ${sign} ${now?.slice(0, 7)}`;
    });
}

/** A repository with one commit of files of twenty lines each. */
function aRepository(dir: string): (path: string, lines: readonly string[], message: string) => string {
  mkdirSync(dir, { recursive: true });
  git(["init", "-q", "-b", "main", dir]);
  return (path, lines, message) => {
    writeFileSync(join(dir, path), `${lines.join("\n")}\n`);
    git(["add", "-A"], { cwd: dir });
    git(["commit", "-q", "--allow-empty", "-m", message], { cwd: dir });
    return gitText(["rev-parse", "HEAD"], { cwd: dir }).trim();
  };
}

const lines = (name: string) => Array.from({ length: 20 }, (_, at) => `${name} line ${at} says something of its own`);
const changed = (name: string, at: number, text: string) =>
  lines(name).map((line, place) => (place === at ? text : line));

test("the same commits, changed, added, removed and in another order are paired as git does", () => {
  using dir = tempDir();
  const commit = aRepository(dir.path);
  for (const name of ["a", "b", "c", "d"]) commit(name, lines(name), `Add ${name}`);
  const base = gitText(["rev-parse", "HEAD"], { cwd: dir.path }).trim();
  commit("a", changed("a", 3, "one"), "Change a");
  commit("b", changed("b", 3, "two"), "Change b");
  commit("c", changed("c", 3, "three"), "Change c");
  const from = gitText(["rev-parse", "HEAD"], { cwd: dir.path }).trim();
  git(["checkout", "-q", base], { cwd: dir.path });
  commit("c", changed("c", 3, "three"), "Change c");
  commit("a", changed("a", 3, "one and a half"), "Change a better");
  const to = commit(
    "d",
    Array.from({ length: 60 }, (_, at) => `quite another ${at}`),
    "Rewrite d",
  );
  const ours = oursOf(dir.path, base, from, to);
  expect(ours).toEqual(theirsOf(dir.path, base, from, to));
  expect(ours.map((pair) => pair.split(" ")[1]).sort()).toEqual(["!", "<", "=", ">"]);
});

test("random versions are paired as git does", () => {
  const seed = newSeed();
  const next = random(seed);
  const below = (count: number) => Math.floor(next() * count);
  using dir = tempDir();
  const commit = aRepository(dir.path);
  const names = ["a", "b", "c", "d", "e", "f"];
  for (const name of names) commit(name, lines(name), `Add ${name}`);
  const base = gitText(["rev-parse", "HEAD"], { cwd: dir.path }).trim();
  const version = (order: readonly string[], edit: (name: string) => readonly string[]) => {
    git(["checkout", "-q", base], { cwd: dir.path });
    for (const name of order) commit(name, edit(name), `Change ${name}`);
    return gitText(["rev-parse", "HEAD"], { cwd: dir.path }).trim();
  };
  for (let round = 0; round < 6; round++) {
    const some = () => names.filter(() => next() < 0.7).sort(() => next() - 0.5);
    const from = version(some(), (name) => changed(name, 4, `${name} is ${round}`));
    const to = version(some(), (name) => changed(name, next() < 0.5 ? 4 : 10 + below(5), `${name} is ${round}`));
    expect({ seed, round, pairs: oursOf(dir.path, base, from, to) }).toEqual({
      seed,
      round,
      pairs: theirsOf(dir.path, base, from, to),
    });
  }
});

test("each row gets a column of its own, as cheaply as any order of them would", () => {
  const next = random(7);
  for (let round = 0; round < 50; round++) {
    const size = 1 + Math.floor(next() * 6);
    const cost = Float64Array.from({ length: size * size }, () => Math.floor(next() * 20));
    const sum = (columns: ArrayLike<number>) =>
      Array.from(columns).reduce((all, column, row) => all + (cost[row * size + column] ?? 0), 0);
    const found = assign(size, cost);
    expect(new Set(found).size).toBe(size);
    expect(sum(found)).toBe(Math.min(...orders(size).map(sum)));
  }
});

function orders(size: number): number[][] {
  if (size === 0) return [[]];
  return orders(size - 1).flatMap((order) =>
    Array.from({ length: size }, (_, at) => [...order.slice(0, at), size - 1, ...order.slice(at)]),
  );
}

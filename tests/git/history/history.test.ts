import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Commits } from "../../../src/git/graph/commits.ts";
import { writeCommitGraph } from "../../../src/git/graph/writer.ts";
import { aheadBehindAll } from "../../../src/git/history/ahead-behind.ts";
import { aheadBehind, isAncestor, mergeBases, tipsContaining } from "../../../src/git/history/ancestry.ts";
import { lastCommits } from "../../../src/git/history/last-commits.ts";
import { countCommits, type LogOptions, log } from "../../../src/git/history/log.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { newSeed, random } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

const BRANCHES = ["main", "b1", "b2", "b3"];
const PATHS = ["a", "src", "src/deep", "src/deep/c", "docs/y.md", "é", "nothing"];

interface World extends Disposable {
  readonly repo: string;
  readonly store: ObjectStore;
  readonly commits: Commits;
  lines(...args: string[]): string[];
  oid(name: string): string;
}

/** `graphed`: the part of the history that is in the commit-graph. git itself always has all of it, to be exact. */
async function aWorld(seed: number, graphed: "all" | "half" | "none", commits = 160): Promise<World> {
  const dir = tempDir();
  const repo = join(dir.path, "r.git");
  randomHistory(repo, { commits, seed, branches: BRANCHES.length });
  const store = ObjectStore.open(repo);
  const oid = (name: string) => gitText(["-C", repo, "rev-parse", "--verify", name]);
  const all = gitText(["-C", repo, "rev-list", "--topo-order", "--reverse", "--all"]).split("\n");
  if (graphed === "all") await writeCommitGraph(repo, store, [...BRANCHES.map(oid)]);
  if (graphed === "half") await writeCommitGraph(repo, store, [all[Math.floor(all.length / 2)]!]);
  const known = Commits.open(repo, store);
  git(["-C", repo, "commit-graph", "write", "--reachable", "--changed-paths"]);
  return {
    repo,
    store,
    commits: known,
    oid,
    lines: (...args) =>
      gitText(["-C", repo, ...args], { mayFail: true })
        .split("\n")
        .filter(Boolean),
    [Symbol.dispose]() {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

describe.each(["all", "half", "none"] as const)("with %s commits in the graph", (graphed) => {
  test("log and counts are those of git", async () => {
    using world = await aWorld(newSeed(), graphed);
    const cases: [LogOptions, string[]][] = [];
    const main = world.oid("main");
    const other = world.oid("b1");
    for (const path of [undefined, ...PATHS]) {
      const limit = path ? { paths: [path] } : {};
      const args = path ? ["--", path] : [];
      cases.push([{ tips: [main], ...limit }, ["main", ...args]]);
      cases.push([{ tips: [main], firstParent: true, ...limit }, ["--first-parent", "main", ...args]]);
      cases.push([{ tips: [main, other], ...limit }, ["main", "b1", ...args]]);
      cases.push([{ tips: [main, other], order: "topo", ...limit }, ["--topo-order", "main", "b1", ...args]]);
    }
    // git itself excludes too little when clocks were wrong (it walks by date), so its answers are made whole here;
    // with a path they depend on the order it happens to learn what is excluded.
    const excluded = new Set(world.lines("rev-list", "b1"));
    for (const [option, flag] of [
      [{}, []],
      [{ firstParent: true }, ["--first-parent"]],
    ] as const) {
      const range = { tips: [main], not: [other], ...option };
      const expected = world.lines("rev-list", ...flag, "main").filter((oid) => !excluded.has(oid));
      expect(log(world.commits, range, 0, 1000).oids).toEqual(expected);
      expect(countCommits(world.commits, range)).toBe(expected.length);
      const lines = log(world.commits, { ...range, order: "topo" }, 0, 1000).oids;
      expect(lines.sort()).toEqual(expected.sort());
    }
    for (const [options, args] of cases) {
      const expected = world.lines("rev-list", ...args);
      expect([args, log(world.commits, options, 0, 1000).oids]).toEqual([args, expected]);
      expect(countCommits(world.commits, options)).toBe(expected.length);
    }
    const page = log(world.commits, { tips: [main] }, 5, 7);
    expect(page).toEqual({ oids: world.lines("rev-list", "--skip=5", "-n7", "main"), more: true });
  });

  test("merge bases, ahead and behind, and what contains what are those of git", async () => {
    const seed = newSeed();
    using world = await aWorld(seed, graphed);
    const next = random(seed);
    const all = world.lines("rev-list", "--all");
    const tips = BRANCHES.map((name) => ({ name, oid: world.oid(name) }));
    for (let i = 0; i < 25; i++) {
      const a = all[Math.floor(next() * all.length)]!;
      const b = all[Math.floor(next() * all.length)]!;
      expect(mergeBases(world.commits, a, b).sort()).toEqual(world.lines("merge-base", "--all", a, b).sort());
      expect(isAncestor(world.commits, a, b)).toBe(world.lines("rev-list", b).includes(a));
      const [left, right] = world
        .lines("rev-list", "--count", "--left-right", `${a}...${b}`)[0]!
        .split("\t")
        .map(Number);
      expect(aheadBehind(world.commits, a, b)).toEqual({ ahead: left!, behind: right! });
      const many = Array.from({ length: Math.floor(next() * 70) }, () => all[Math.floor(next() * all.length)]!);
      expect(aheadBehindAll(world.commits, b, many)).toEqual(many.map((oid) => aheadBehind(world.commits, oid, b)));
      const containing = world.lines("for-each-ref", "--format=%(refname:short)", "--contains", a, "refs/heads");
      expect(
        tipsContaining(world.commits, a, tips)
          .map((tip) => tip.name)
          .sort(),
      ).toEqual(containing.sort());
    }
  });

  test("the last commit of each entry is the one git log -1 names", async () => {
    using world = await aWorld(newSeed(), graphed, 120);
    const main = world.oid("main");
    for (const folder of ["", "src", "src/deep", "é"]) {
      const names = world.lines(
        "-c",
        "core.quotePath=false",
        "ls-tree",
        "--name-only",
        folder ? `main:${folder}` : "main",
      );
      const { found, pending } = lastCommits(world.commits, main, folder);
      expect(pending).toEqual([]);
      expect([...found.keys()].sort()).toEqual([...names].sort());
      for (const name of names) {
        const path = folder ? `${folder}/${name}` : name;
        expect([path, found.get(name)]).toEqual([path, world.lines("rev-list", "-1", "main", "--", path)[0]]);
      }
      // The same in pieces, and from what was known of an ancestor.
      const pieces = new Map<string, string>();
      let left = lastCommits(world.commits, main, folder, { budgetMs: -1 });
      for (let round = 0; round < 1000; round++) {
        for (const [name, oid] of left.found) pieces.set(name, oid);
        if (left.pending.length === 0) break;
        left = lastCommits(world.commits, main, folder, { budgetMs: -1, pending: left.pending });
      }
      expect([...pieces].sort()).toEqual([...found].sort());
      const ancestor = world.oid("main~7");
      const previous = { commit: ancestor, found: lastCommits(world.commits, ancestor, folder).found };
      expect([...lastCommits(world.commits, main, folder, { previous }).found].sort()).toEqual([...found].sort());
    }
    expect(lastCommits(world.commits, main, "nothing/here")).toEqual({ names: [], found: new Map(), pending: [] });
  });
});

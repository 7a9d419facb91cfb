import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bloomKey } from "../../../src/git/graph/bloom.ts";
import { CommitLinks } from "../../../src/git/graph/links.ts";
import { CommitGraph } from "../../../src/git/graph/reader.ts";
import { writeCommitGraph } from "../../../src/git/graph/writer.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { newSeed } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { gitWritesGraph } from "./git-graph.ts";
import { randomHistory } from "./random-history.ts";

const graphFile = (repo: string) => join(repo, "objects/info/commit-graph");
const tipsOf = (repo: string) =>
  gitText(["-C", repo, "for-each-ref", "--format=%(objectname)"]).split("\n").filter(Boolean);

describe("the commit-graph we write", () => {
  test("is byte for byte the one git writes", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    randomHistory(repo, { commits: 300, seed: newSeed(), branches: 5 });
    const store = ObjectStore.open(repo);
    const written = await writeCommitGraph(repo, store, tipsOf(repo));
    const ours = readFileSync(graphFile(repo));
    git(["-C", repo, "commit-graph", "verify"]);
    rmSync(graphFile(repo));
    gitWritesGraph(repo, ["--reachable"]);
    expect(ours.equals(readFileSync(graphFile(repo)))).toBe(true);
    expect(written.commits).toBe(Number(gitText(["-C", repo, "rev-list", "--count", "--all"])));
    store.close();
  });

  test("grows step by step into the same file", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    randomHistory(repo, { commits: 200, seed: newSeed(), branches: 3 });
    const store = ObjectStore.open(repo);
    const order = gitText(["-C", repo, "rev-list", "--topo-order", "--reverse", "--all"]).split("\n");
    for (const at of [1, 2, 50, 51, 120]) await writeCommitGraph(repo, store, [order[at]!]);
    await writeCommitGraph(repo, store, tipsOf(repo));
    const again = await writeCommitGraph(repo, store, tipsOf(repo));
    expect(again).toMatchObject({ added: 0, written: false });
    const grown = readFileSync(graphFile(repo));
    rmSync(graphFile(repo));
    await writeCommitGraph(repo, store, tipsOf(repo));
    expect(grown.equals(readFileSync(graphFile(repo)))).toBe(true);
    store.close();
  });

  test("loses what is no longer reachable only when asked to", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    randomHistory(repo, { commits: 60, seed: newSeed(), branches: 3 });
    const store = ObjectStore.open(repo);
    await writeCommitGraph(repo, store, tipsOf(repo));
    const old = gitText(["-C", repo, "rev-parse", "main~5"]);
    const kept = Number(gitText(["-C", repo, "rev-list", "--count", old]));
    expect((await writeCommitGraph(repo, store, [old])).written).toBe(false);
    expect(await writeCommitGraph(repo, store, [old], { scope: "reachable" })).toMatchObject({ commits: kept });
    git(["-C", repo, "commit-graph", "verify"]);
    store.close();
  });

  test("has git's filters for odd names, large commits and strange dates", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    git(["init", "-q", "--bare", "-b", "main", repo]);
    const commit = (mark: number, time: number, changes: string, from = "") =>
      `commit refs/heads/main\nmark :${mark}\ncommitter C <c@x> ${time} +0000\ndata 1\nx\n${from}${changes}\n`;
    const file = (path: string, text: string) => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
    const many = (count: number, folder: string) =>
      Array.from({ length: count }, (_, i) => file(`${folder}/f${i}`, folder)).join("");
    const nested = Array.from({ length: 400 }, (_, i) => file(`d${i}/e/f`, "n")).join("");
    const script = [
      commit(1, 0, file("a", "1")),
      commit(2, 5_000_000_000, file('"gr\\303\\274n/\\377 x"', "1"), "from :1\n"),
      commit(3, 100, many(513, "many"), "from :2\n"),
      commit(4, 101, many(512, "x/y"), "from :3\n"),
      commit(5, 102, many(510, "z/y"), "from :4\n"),
      commit(6, 103, nested, "from :5\n"),
      commit(7, 104, "", "from :6\n"),
      commit(8, 9_000_000_000, file("b", "1"), "from :7\n"),
      commit(9, 105, file("a", "2"), "from :1\n"),
      commit(10, 106, file("a", "3"), "from :8\nmerge :9\nmerge :3\nmerge :1\n"),
    ].join("");
    git(["-C", repo, "fast-import", "--quiet", "--force"], { input: script });
    const store = ObjectStore.open(repo);
    await writeCommitGraph(repo, store, tipsOf(repo));
    const ours = readFileSync(graphFile(repo));
    git(["-C", repo, "commit-graph", "verify"]);
    rmSync(graphFile(repo));
    gitWritesGraph(repo, ["--reachable"]);
    expect(ours.equals(readFileSync(graphFile(repo)))).toBe(true);
    store.close();
  });
});

describe("the commit-graph we read", () => {
  test("answers what the objects say, and filters never deny a change", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    randomHistory(repo, { commits: 150, seed: newSeed(), branches: 4 });
    git(["-C", repo, "commit-graph", "write", "--reachable", "--changed-paths"]);
    const store = ObjectStore.open(repo);
    const graph = CommitGraph.open(repo)!;
    const withGraph = new CommitLinks(store, graph);
    const plain = new CommitLinks(store);
    const oids = gitText(["-C", repo, "rev-list", "--all"]).split("\n");
    expect(graph.count).toBe(oids.length);
    for (const oid of oids) {
      const position = graph.positionOf(oid);
      expect(graph.oidAt(position)).toBe(oid);
      expect(withGraph.get(oid)).toEqual(plain.get(oid)!);
      const sides = [plain.get(oid)!.parents[0] ?? SHA1.emptyTree, oid];
      const changed = git(["-C", repo, "diff-tree", "-r", "-z", "--name-only", ...sides]);
      const paths = changed.stdout.toString("latin1").split("\0").filter(Boolean);
      for (const path of paths) {
        expect(graph.mayChange(position, bloomKey(Buffer.from(path, "latin1")))).toBe(true);
      }
    }
    expect(graph.positionOf("0".repeat(40))).toBe(-1);
    expect(withGraph.get("f".repeat(40))).toBeUndefined();
    store.close();
  });

  test("that is cut short, altered or absent is as good as none", () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    randomHistory(repo, { commits: 20, seed: newSeed(), branches: 2 });
    expect(CommitGraph.open(repo)).toBeUndefined();
    git(["-C", repo, "commit-graph", "write", "--reachable", "--changed-paths"]);
    const good = readFileSync(graphFile(repo));
    for (let size = 0; size < good.length - 30; size += 97) {
      expect(CommitGraph.parse(good.subarray(0, size))).toBeUndefined();
    }
    for (const at of [0, 4, 5, 7, 12, 20, 24]) {
      const bad = Buffer.from(good);
      bad[at]! ^= 0x55;
      expect(CommitGraph.parse(bad)).toBeUndefined();
    }
    rmSync(graphFile(repo));
    writeFileSync(graphFile(repo), "");
    expect(CommitGraph.open(repo)).toBeUndefined();
    expect(existsSync(graphFile(repo))).toBe(true);
  });
});

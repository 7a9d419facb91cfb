import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Commits } from "../../../src/git/graph/commits.ts";
import { CurrentGraph } from "../../../src/git/graph/current.ts";
import { CommitLinks } from "../../../src/git/graph/links.ts";
import { CommitGraph } from "../../../src/git/graph/reader.ts";
import { verifyCommitGraph } from "../../../src/git/graph/verify.ts";
import { writeCommitGraph } from "../../../src/git/graph/writer.ts";
import { mergeBases } from "../../../src/git/history/ancestry.ts";
import { log } from "../../../src/git/history/log.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { gitWritesGraph } from "./git-graph.ts";
import { randomHistory } from "./random-history.ts";

const SINGLE = "objects/info/commit-graph";
const FOLDER = "objects/info/commit-graphs";
const CHAIN = `${FOLDER}/commit-graph-chain`;

interface World extends Disposable {
  readonly repo: string;
  readonly store: ObjectStore;
  /** All commits, parents before children. */
  readonly order: readonly string[];
  readonly chain: () => string[];
}

function aWorld(commits: number): World {
  const dir = tempDir();
  const repo = join(dir.path, "r.git");
  randomHistory(repo, { commits, seed: newSeed(), branches: 4 });
  const store = ObjectStore.open(repo);
  return {
    repo,
    store,
    order: gitText(["-C", repo, "rev-list", "--topo-order", "--reverse", "--all"]).split("\n"),
    chain: () =>
      existsSync(join(repo, CHAIN)) ? readFileSync(join(repo, CHAIN), "utf8").split("\n").slice(0, -1) : [],
    [Symbol.dispose]() {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

/** The graph knows what the objects know, of exactly `known` commits. */
function agrees({ repo, store, order }: World, known: number): void {
  const graph = CommitGraph.open(repo);
  expect(graph?.count ?? 0).toBe(known);
  const withGraph = new CommitLinks(store, graph);
  const plain = new CommitLinks(store);
  for (const oid of order) expect(withGraph.get(oid)).toEqual(plain.get(oid)!);
  for (let i = 0; i < known; i++) {
    expect(graph!.positionOf(graph!.oidAt(i))).toBe(i);
    for (const parent of graph!.parentsAt(i)) expect(graph!.generationAt(parent)).toBeLessThan(graph!.generationAt(i));
  }
}

const closureOf = (repo: string, oids: readonly string[]) =>
  Number(gitText(["-C", repo, "rev-list", "--count", ...oids]));

describe("a chain of commit-graphs", () => {
  test("grows by small layers that git can read, and rolls up", async () => {
    using world = aWorld(400);
    const { repo, store, order } = world;
    const next = random(newSeed());
    const tips: string[] = [];
    const sizes: number[] = [];
    for (let at = 150; at < order.length; at += 1 + Math.floor(next() * next() * 60)) {
      tips.push(order[at]!);
      const written = await writeCommitGraph(repo, store, [order[at]!]);
      expect(written.layers).toBe(Math.max(1, world.chain().length));
      if (written.added > 0) sizes.push(written.rows);
      git(["-C", repo, "commit-graph", "verify"]);
      agrees(world, closureOf(repo, tips));
      expect(verifyCommitGraph(repo, store)).toEqual([]);
    }
    expect(Math.min(...sizes)).toBeLessThan(20);
    const layers = CommitGraph.open(repo)!.layers.map((layer) => layer.count);
    for (let i = 1; i < layers.length; i++) expect(layers[i - 1]!).toBeGreaterThan(2 * layers[i]!);
    const whole = await writeCommitGraph(repo, store, order, { scope: "whole" });
    expect(whole).toMatchObject({ commits: order.length, layers: 1 });
    expect(world.chain()).toEqual([]);
    git(["-C", repo, "commit-graph", "verify"]);
    agrees(world, order.length);
    const ours = readFileSync(join(repo, SINGLE));
    rmSync(join(repo, SINGLE));
    gitWritesGraph(repo, ["--reachable"]);
    expect(ours.equals(readFileSync(join(repo, SINGLE)))).toBe(true);
  });

  test("is read on by who has the layers below, and again once they are merged", async () => {
    using world = aWorld(120);
    const { repo, store, order } = world;
    const current = new CurrentGraph(repo);
    for (const upTo of [60, 80, 84, 85, 86, 120]) {
      await writeCommitGraph(repo, store, order.slice(0, upTo));
      const [anew, kept] = [CommitGraph.open(repo)!, current.read()!];
      expect(kept.layers.map((layer) => layer.checksum)).toEqual(anew.layers.map((layer) => layer.checksum));
      for (let at = 0; at < anew.count; at++) {
        expect(kept.oidAt(at)).toBe(anew.oidAt(at));
        expect(kept.parentsAt(at)).toEqual(anew.parentsAt(at));
      }
    }
    await writeCommitGraph(repo, store, order, { scope: "whole" });
    expect(current.read()!.layers.length).toBe(1);
  });

  test("that git wrote is read, and goes on", async () => {
    using world = aWorld(200);
    const { repo, store, order } = world;
    const layer = (upTo: number) =>
      git(["-C", repo, "commit-graph", "write", "--stdin-commits", "--changed-paths", "--split=no-merge"], {
        input: `${order.slice(0, upTo).join("\n")}\n`,
      });
    layer(100);
    layer(150);
    layer(160);
    expect(world.chain().length).toBe(3);
    agrees(world, 160);
    expect(verifyCommitGraph(repo, store)).toEqual([]);
    await writeCommitGraph(repo, store, [order[160]!]);
    expect(CommitGraph.open(repo)!.count).toBeGreaterThanOrEqual(160);
    git(["-C", repo, "commit-graph", "verify"]);
    // The single file holds where both are.
    git(["-C", repo, "commit-graph", "write", "--stdin-commits"], { input: `${order[20]}\n` });
    const single = readFileSync(join(repo, SINGLE));
    await writeCommitGraph(repo, store, order.slice(0, 150));
    await writeCommitGraph(repo, store, [order[151]!]);
    writeFileSync(join(repo, SINGLE), single);
    agrees(world, closureOf(repo, [order[20]!]));
  });

  test("is the same to git and us, layer by layer, byte for byte", async () => {
    using world = aWorld(200);
    const { repo, store, order } = world;
    const roots = order.slice(0, 160);
    await writeCommitGraph(repo, store, roots);
    await writeCommitGraph(repo, store, order.slice(0, 170));
    await writeCommitGraph(repo, store, order.slice(0, 173));
    const ours = world.chain();
    expect(ours.length).toBe(3);
    rmSync(join(repo, FOLDER), { recursive: true });
    for (const upTo of [160, 170, 173])
      gitWritesGraph(repo, ["--stdin-commits", "--split=no-merge"], `${order.slice(0, upTo).join("\n")}\n`);
    expect(world.chain()).toEqual(ours);
  });

  test("is whole wherever its writer dies", async () => {
    for (const point of ["graph: flushed", "graph: renamed", "graph: chain replaced"]) {
      using world = aWorld(60);
      const { repo, store, order } = world;
      await writeCommitGraph(repo, store, order.slice(0, 40));
      const dying = writeCommitGraph(repo, store, order.slice(0, 42), {
        crashPoint: (name) => {
          if (name === point) throw new Error(name);
        },
      });
      expect(dying).rejects.toThrow(point);
      await dying.catch(() => {});
      agrees(world, CommitGraph.open(repo)!.count);
      git(["-C", repo, "commit-graph", "verify"]);
      await writeCommitGraph(repo, store, order.slice(0, 44));
      agrees(world, 44);
      git(["-C", repo, "commit-graph", "verify"]);
      expect(existsSync(join(repo, SINGLE))).toBe(false);
    }
  });

  test("keeps layers that were replaced for a while", async () => {
    using world = aWorld(60);
    const { repo, store, order } = world;
    const files = () => readdirSync(join(repo, FOLDER)).filter((name) => name.endsWith(".graph"));
    await writeCommitGraph(repo, store, order.slice(0, 40));
    await writeCommitGraph(repo, store, order.slice(0, 43));
    await writeCommitGraph(repo, store, order.slice(0, 45));
    expect(files().length).toBe(3);
    const long = new Date(Date.now() - 3_600_000);
    for (const name of files()) utimesSync(join(repo, FOLDER, name), long, long);
    // What was named until now gets its time, however old it is.
    await writeCommitGraph(repo, store, order, { scope: "whole" });
    expect(files().length).toBe(2);
    for (const name of files()) utimesSync(join(repo, FOLDER, name), long, long);
    await writeCommitGraph(repo, store, order.slice(0, 50), { scope: "reachable" });
    expect(files()).toEqual([]);
  });
});

describe("a graph that is damaged", () => {
  test("changes no answer", async () => {
    using world = aWorld(120);
    const { repo, store, order } = world;
    const next = random(newSeed());
    const tip = order.at(-1)!;
    const question = () => {
      const commits = Commits.open(repo, store);
      return [
        log(commits, { tips: [tip], paths: ["src"] }, 0, 50).oids,
        log(commits, { tips: order, not: [order[60]!] }, 0, 500).oids.length,
        mergeBases(commits, tip, order[70]!),
      ];
    };
    const expected = question();
    for (let round = 0; round < 40; round++) {
      rmSync(join(repo, FOLDER), { recursive: true, force: true });
      rmSync(join(repo, SINGLE), { force: true });
      await writeCommitGraph(repo, store, order.slice(0, 90));
      if (round % 2 === 0) await writeCommitGraph(repo, store, order.slice(0, 95));
      const files = [SINGLE, CHAIN, ...readdirSync(join(repo, FOLDER)).map((name) => `${FOLDER}/${name}`)].filter(
        (name) => existsSync(join(repo, name)),
      );
      const victim = join(repo, files[Math.floor(next() * files.length)]!);
      const bytes = readFileSync(victim);
      rmSync(victim);
      const kind = Math.floor(next() * 3);
      if (kind === 0) bytes[Math.floor(next() * bytes.length)]! ^= 1 + Math.floor(next() * 255);
      if (kind < 2) writeFileSync(victim, kind === 0 ? bytes : bytes.subarray(0, Math.floor(next() * bytes.length)));
      expect(question()).toEqual(expected);
      // The next push mends it.
      await writeCommitGraph(repo, store, order);
      expect(verifyCommitGraph(repo, store)).toEqual([]);
      git(["-C", repo, "commit-graph", "verify"]);
      expect(question()).toEqual(expected);
    }
  });

  test("is found out, as git finds it out", async () => {
    using world = aWorld(60);
    const { repo, store, order } = world;
    await writeCommitGraph(repo, store, order);
    const good = readFileSync(join(repo, SINGLE));
    const next = random(newSeed());
    for (let round = 0; round < 25; round++) {
      const bad = Buffer.from(good);
      bad[Math.floor(next() * bad.length)]! ^= 1 + Math.floor(next() * 255);
      rmSync(join(repo, SINGLE));
      writeFileSync(join(repo, SINGLE), bad);
      expect(git(["-C", repo, "commit-graph", "verify"], { mayFail: true }).code).not.toBe(0);
      expect(verifyCommitGraph(repo, store)).not.toEqual([]);
    }
  });
});

test("rows of commits that are gone are not believed", async () => {
  using world = aWorld(60);
  const { repo, store, order } = world;
  await writeCommitGraph(repo, store, order);
  const keep = order[30]!;
  for (const name of gitText(["-C", repo, "for-each-ref", "--format=%(refname)"]).split("\n"))
    git(["-C", repo, "update-ref", "-d", name]);
  git(["-C", repo, "update-ref", "refs/heads/main", keep]);
  const lost = order.filter((oid) => !gitText(["-C", repo, "rev-list", keep]).split("\n").includes(oid));
  git(["-C", repo, "-c", "gc.writeCommitGraph=false", "gc", "-q", "--prune=now"]);
  const fresh = ObjectStore.open(repo);
  const commits = Commits.open(repo, fresh);
  expect(commits.find(lost[0]!)).toBeUndefined();
  expect(commits.find(keep)).toBeDefined();
  expect(log(commits, { tips: [keep] }, 0, 100).oids).toEqual(gitText(["-C", repo, "rev-list", keep]).split("\n"));
  await writeCommitGraph(repo, fresh, [keep], { scope: "reachable" });
  expect(verifyCommitGraph(repo, fresh)).toEqual([]);
  fresh.close();
});

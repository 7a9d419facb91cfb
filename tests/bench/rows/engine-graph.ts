import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Commits } from "../../../src/git/graph/commits.ts";
import { writeCommitGraph } from "../../../src/git/graph/writer.ts";
import { aheadBehindAll } from "../../../src/git/history/ahead-behind.ts";
import { mergeBases } from "../../../src/git/history/ancestry.ts";
import { lastCommits } from "../../../src/git/history/last-commits.ts";
import { log } from "../../../src/git/history/log.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { WorkerPool } from "../../../src/workers/pool.ts";
import { gitLines, runGit } from "../../git/hosts/real-git.ts";
import { median, type World, wallOf } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const BRANCHES = 100;
/** Asked of git for so many entries, and counted as if for all: a process for each takes half a minute. */
const SAMPLE = 60;
const PAGE = 50;
const PATHS = 12;
const REPEATS = 3;

export const engineGraphRows: RowGroup = {
  name: "history",
  doc: "the commit-graph after a push, last commits of folders, path logs, merge bases, ahead and behind",
  run: async (world, report) => {
    // Each with the graph that it writes itself.
    const repo = await aCopyWithGraph(world);
    const own = await aCopyWithOurGraph(world);
    const [head = ""] = await gitLines(["-C", repo, "rev-parse", "HEAD"]);
    const largest = await largestFolder(repo);
    for (const [row, folder] of [
      ["last commits of the root folder", ""],
      ["last commits of the largest folder", largest],
    ] as const) {
      const walls: number[] = [];
      for (let i = 0; i < REPEATS; i++)
        walls.push(await wallOf(() => withCommits(own, (commits) => lastCommits(commits, head, folder))));
      report(metric(row, "ms", median(walls), await eachEntryByGit(repo, folder)));
    }

    const asked: number[] = [];
    const alone: number[] = [];
    const theirs: number[] = [];
    // A worker of the server, which was asked for other paths before and keeps the repository open.
    const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 60_000 });
    for (const path of await somePaths(repo, 0.5))
      await pool.run("git.log", { repoDir: own, tips: [head], paths: [path], skip: 0, limit: PAGE });
    for (const path of await somePaths(repo)) {
      const request = { tips: [head], paths: [path] };
      asked.push(
        await wallOf(() => pool.run("git.log", { repoDir: own, ...request, skip: 0, limit: PAGE }).then(() => {})),
      );
      await withCommits(own, (commits) => log(commits, request, 0, PAGE));
      alone.push(await wallOf(() => withCommits(own, (commits) => log(commits, request, 0, PAGE))));
      theirs.push(await wallOf(() => gitLines(["-C", repo, "rev-list", `-n${PAGE}`, head, "--", path]).then(() => {})));
    }
    pool.close();
    report(metric("path log, first page", "ms", sum(asked), sum(theirs)));
    report(metric("path log, first page, all opened anew", "ms", sum(alone), sum(theirs)));

    const every = await gitLines(["-C", repo, "rev-list", "HEAD"]);
    const tips = Array.from({ length: BRANCHES }, (_, i) => every[Math.floor((i * every.length) / BRANCHES)] ?? head);
    const bases = await wallOf(() => withCommits(own, (commits) => tips.map((tip) => mergeBases(commits, tip, head))));
    const gitBases = await wallOf(() => eachByGit(tips, (tip) => ["-C", repo, "merge-base", tip, head]));
    report(metric("merge base of 100 branches", "ms", bases, gitBases));
    const counts = await wallOf(() => withCommits(own, (commits) => aheadBehindAll(commits, head, tips)));
    const count = (tip: string) => ["-C", repo, "rev-list", "--count", "--left-right", `${tip}...${head}`];
    const gitCounts = await wallOf(() => eachByGit(tips, count));
    report(metric("ahead and behind of 100 branches", "ms", counts, gitCounts));

    report(metric("commit-graph after a push of one commit", "ms", await afterPush(own, head)));
  },
};

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** Everything opened again, as a job in a worker does it. */
async function withCommits(repo: string, work: (commits: Commits) => unknown): Promise<void> {
  const store = ObjectStore.open(repo, { cacheBytes: 32 * 1024 * 1024 });
  work(Commits.open(repo, store));
  store.close();
}

async function aCopyWithGraph(world: World): Promise<string> {
  const repo = join(world.folder, "graph.git");
  cpSync(world.largest.dir, repo, { recursive: true });
  await runGit(["-C", repo, "commit-graph", "write", "--reachable", "--changed-paths"]);
  return repo;
}

async function aCopyWithOurGraph(world: World): Promise<string> {
  const repo = join(world.folder, "own-graph.git");
  cpSync(world.largest.dir, repo, { recursive: true });
  for (const name of ["commit-graph", "commit-graphs"])
    rmSync(join(repo, "objects/info", name), { recursive: true, force: true });
  const store = ObjectStore.open(repo, { cacheBytes: 32 * 1024 * 1024 });
  await writeCommitGraph(repo, store, await gitLines(["-C", repo, "for-each-ref", "--format=%(objectname)"]));
  store.close();
  return repo;
}

async function eachByGit(tips: readonly string[], words: (tip: string) => string[]): Promise<void> {
  for (const tip of tips) await gitLines(words(tip));
}

async function largestFolder(repo: string): Promise<string> {
  const sizes = new Map<string, number>();
  for (const path of await gitLines(["-C", repo, "ls-tree", "-r", "--name-only", "HEAD"])) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (folder !== "") sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  return [...sizes].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}

async function eachEntryByGit(repo: string, folder: string): Promise<number> {
  const names = await gitLines(["-C", repo, "ls-tree", "--name-only", folder === "" ? "HEAD" : `HEAD:${folder}`]);
  const asked = names.filter((_, i) => i % Math.max(1, Math.floor(names.length / SAMPLE)) === 0);
  const wall = await wallOf(async () => {
    for (const name of asked)
      await gitLines([
        "-C",
        repo,
        "log",
        "-1",
        "--format=%H",
        "HEAD",
        "--",
        folder === "" ? name : `${folder}/${name}`,
      ]);
  });
  return (wall * names.length) / asked.length;
}

/** Files and folders from all over the tree. @param shift part of the way from one to the next: others than those of 0 */
async function somePaths(repo: string, shift = 0): Promise<string[]> {
  const paths = await gitLines(["-C", repo, "ls-tree", "-r", "-t", "--name-only", "HEAD"]);
  return Array.from({ length: PATHS }, (_, i) => paths[Math.floor(((i + shift) * paths.length) / PATHS)] ?? "");
}

async function afterPush(repo: string, head: string): Promise<number> {
  const walls: number[] = [];
  let tip = head;
  for (let i = 0; i < 5; i++) {
    [tip = ""] = await gitLines(["-C", repo, "commit-tree", "-p", tip, `${tip}^{tree}`], { input: `${i}\n` });
    const store = ObjectStore.open(repo);
    walls.push(await wallOf(() => writeCommitGraph(repo, store, [tip]).then(() => {})));
    store.close();
  }
  return median(walls);
}

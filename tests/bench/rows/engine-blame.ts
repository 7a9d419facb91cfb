import { join } from "node:path";
import { Blame } from "../../../src/git/blame/blame.ts";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { builtExecutable } from "../../git/hosts/hearth.ts";
import { gitLines, runGit } from "../../git/hosts/real-git.ts";
import { type History, median, wallOf } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const REPEATS = 5;
const MIN_BYTES = 90_000;
const MAX_BYTES = 300_000;
/** The sources of a project: translations and generated files are large, but no one blames them. */
const SOURCE = /\.(?:c|h|cc|cpp|go|js|ts|py|pl|perl|rb|rs|java|sh)$/;
const CANDIDATES = 12;
const CACHE_BYTES = 512 * 1024 * 1024;

export const blameRows: RowGroup = {
  name: "blame",
  doc: "blame of the large file that was changed by most commits, against git blame",
  run: async (world, report) => {
    const history = world.largest;
    const dir = join(world.folder, "blame.git");
    await runGit(["clone", "-q", "--bare", "--shared", history.dir, dir]);
    // Our store knows no alternates; the clone is for the commit-graph, which both sides get to use.
    await runGit(["-C", dir, "repack", "-q", "-a", "-d"]);
    await runGit(["-C", dir, "commit-graph", "write", "--reachable", "--changed-paths"]);
    const path = await busiestFile({ ...history, dir });
    const git = await medianOf(() => runGit(["-C", dir, "blame", "HEAD", "--", path]).then(() => undefined));
    const repository = RepositoryFolder.open(dir, { cacheBytes: CACHE_BYTES });
    const tip = repository.oidOf("HEAD");
    const warm = await medianOf(async () => {
      new Blame(repository.commits, { tip, path }).all();
    });
    repository.close();
    const command = [...builtExecutable(), "git", "-C", dir, "blame", "HEAD", "--", path];
    const cold = await medianOf(async () => {
      const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
      await new Response(child.stdout).arrayBuffer();
      if ((await child.exited) !== 0) throw new Error("hearth git blame failed");
    });
    report(metric("blame of the longest-lived large file, warm", "ms", warm, git));
    report(metric("blame of the longest-lived large file, cold", "ms", cold, git));
  },
};

/** After one time that warms up. */
async function medianOf(work: () => Promise<void>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let at = 0; at < REPEATS; at++) times.push(await wallOf(work));
  return median(times);
}

/** Of the largest source files the one most commits changed. */
async function busiestFile({ dir }: History): Promise<string> {
  const files = (await gitLines(["-C", dir, "ls-tree", "-r", "-l", "HEAD"]))
    .map((line) => /^\S+ blob \S+ +(\d+)\t(.*)$/.exec(line))
    .map((entry) => ({ bytes: Number(entry?.[1] ?? 0), path: entry?.[2] ?? "" }))
    .filter(({ bytes, path }) => bytes > MIN_BYTES && bytes < MAX_BYTES && SOURCE.test(path))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, CANDIDATES);
  let best = { commits: -1, path: "" };
  for (const { path } of files) {
    const [count = "0"] = await gitLines(["-C", dir, "rev-list", "--count", "HEAD", "--", path]);
    if (Number(count) > best.commits) best = { commits: Number(count), path };
  }
  if (best.path === "") throw new Error("the history has no large source file");
  return best.path;
}

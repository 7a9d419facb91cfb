import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitEnvironment, gitLines, runGit } from "../../git/hosts/real-git.ts";
import { manyPushes } from "../../git/maintenance/many-pushes.ts";
import { drainClone, drainFetch } from "../drain.ts";
import { type Cost, type History, median, type World } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const REPEATS = 5;
const REFS = 15_000;
const PUSHES = 500;

export const engineTransportRows: RowGroup = {
  name: "transport",
  doc: "full clone, and fetch of one commit with 15,000 refs",
  run: async (world, report) => {
    const history = world.largest;
    await world.pushed(history);
    const clone = async (of: "hearth" | "git") => {
      for (let at = 0; at < REPEATS; at++) await drainClone(world[of].repo(history.name).url);
    };
    await clone("hearth");
    const hearth = await world.costOfHearth(() => clone("hearth"));
    const git = await world.costOfGit(() => clone("git"));
    report(metric("full clone: server CPU", "s", hearth.cpuMs / 1000 / REPEATS, git.cpuMs / 1000 / REPEATS));

    const row = "fetch one commit behind with 15,000 refs";
    const hearthFetch = await fetchBehind(world, history, "hearth");
    const gitFetch = await fetchBehind(world, history, "git");
    report(metric(row, "ms", hearthFetch.wallMs, gitFetch.wallMs));
    report(metric(`${row}: server CPU`, "ms", hearthFetch.cpuMs, gitFetch.cpuMs));
    report(metric(`${row}, drained`, "ms", hearthFetch.drainedMs, gitFetch.drainedMs));
  },
};

/** The median of fetches of one commit each, of a client that has everything else. */
async function fetchBehind(world: World, history: History, of: "hearth" | "git") {
  const client = await aClientBehind(world, history, of);
  const costs: Cost[] = [];
  const drained: number[] = [];
  for (let at = 0; at < REPEATS; at++) {
    const haves = await client.newest();
    await client.pushOne();
    await world.settle();
    costs.push(await (of === "hearth" ? world.costOfHearth(client.fetch) : world.costOfGit(client.fetch)));
    await client.pushOne();
    await world.settle();
    drained.push(await drainFetch(client.url, "newest", haves));
  }
  return {
    drainedMs: median(drained),
    wallMs: median(costs.map((cost) => cost.wallMs)),
    cpuMs: median(costs.map((cost) => cost.cpuMs)),
  };
}

/** A client that has all of a repository with many refs but the newest commits, which it fetches one after another. */
async function aClientBehind(world: World, history: History, of: "hearth" | "git") {
  const repo = world[of].repo(`many-${history.name}`);
  const dir = join(world.folder, `many-${of}.git`);
  await runGit(["clone", "-q", "--bare", "--shared", history.dir, dir]);
  const commits = await gitLines(["-C", dir, "rev-list", `--max-count=${REFS}`, "HEAD"]);
  await runGit(["-C", dir, "push", "-q", repo.url, "HEAD:refs/heads/main"]);
  // Real git takes minutes to push so many refs by HTTP. Hearth takes them in at its next start.
  for (const folder of [dir, repo.storedDir()]) addRefs(folder, commits);
  if (of === "hearth") await world.restartHearth();
  const { url } = world[of].repo(`many-${history.name}`);
  await runGit(["-C", dir, "config", "remote.origin.url", url]);
  await runGit(["-C", dir, "config", "remote.origin.fetch", "+refs/heads/*:refs/heads/*"]);
  const pusher = join(world.folder, `pusher-${of}.git`);
  await runGit(["clone", "-q", "--bare", "--shared", history.dir, pusher]);
  let [tip = ""] = await gitLines(["-C", pusher, "rev-parse", "HEAD"]);
  const [tree = ""] = await gitLines(["-C", pusher, "rev-parse", "HEAD^{tree}"]);
  const pushOne = async () => {
    [tip = ""] = await gitLines(["-C", pusher, "commit-tree", "-p", tip, tree], { input: `one more on ${tip}\n` });
    await runGit(["-C", pusher, "push", "-q", url, `${tip}:refs/heads/newest`]);
  };
  const fetch = async () => {
    const words = ["git", "-C", dir, "fetch", "-q", "--no-tags", "origin"];
    const child = Bun.spawn(words, { env: gitEnvironment(), stderr: "inherit" });
    if ((await child.exited) !== 0) throw new Error("git fetch failed");
  };
  // As many as git names before it waits for an answer.
  const newest = () => gitLines(["-C", dir, "rev-list", "--max-count=16", "HEAD"]);
  return { pushOne, fetch, newest, url };
}

/** Adds a branch for each of the commits to `packed-refs`. */
function addRefs(repo: string, commits: readonly string[]): void {
  const path = join(repo, "packed-refs");
  const old = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  const lines = [
    ...old.filter((line) => /^[0-9a-f]/.test(line)),
    ...commits.map((oid, at) => `${oid} refs/heads/many/${at}`),
  ];
  writeFileSync(path, `${lines.sort((a, b) => (a.slice(41) < b.slice(41) ? -1 : 1)).join("\n")}\n`);
}

export const engineMaintenanceRows: RowGroup = {
  name: "maintenance",
  doc: "maintenance of a large repository after 500 small pushes, against git gc",
  run: async (world, report) => {
    const many = join(world.folder, "many-pushes.git");
    await manyPushes(world.largest.dir, many, { pushes: PUSHES, thin: true, last: PUSHES });
    const cost = async (command: readonly string[], repo: string) => {
      cpSync(many, repo, { recursive: true });
      const child = Bun.spawn([...command, repo], { env: gitEnvironment(), stdout: "ignore", stderr: "inherit" });
      if ((await child.exited) !== 0) throw new Error(`${command[0]} failed`);
      const cpuSeconds = Number(child.resourceUsage()!.cpuTime.total) / 1e6;
      rmSync(repo, { recursive: true });
      return cpuSeconds;
    };
    const script = join(import.meta.dir, "../../git/maintenance/run-maintenance.ts");
    const git = await cost(["sh", "-c", 'git -C "$0" gc -q'], join(world.folder, "gc-git.git"));
    const some = await cost(["bun", script, "geometric"], join(world.folder, "gc-some.git"));
    const all = await cost(["bun", script, "all"], join(world.folder, "gc-all.git"));
    report(metric("maintenance after 500 small pushes", "s", some, git));
    report(metric("the nightly look after 500 small pushes", "s", all, git));
  },
};

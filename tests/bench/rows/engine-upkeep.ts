import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gitEnvironment, gitLines, runGit } from "../../git/hosts/real-git.ts";
import { manyPushes } from "../../git/upkeep/many-pushes.ts";
import { drainClone } from "../drain.ts";
import { type History, median, type World, wallOf } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const REPEATS = 5;
const REFS = 15_000;
const PUSHES = 500;

export const engineTransportRows: RowGroup = {
  name: "engine-transport",
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

    const behind = await Promise.all((["hearth", "git"] as const).map((of) => aClientBehind(world, history, of)));
    const [ours, theirs] = behind;
    await world.settle();
    const hearthCost = await world.costOfHearth(ours!.fetchAll);
    const gitCost = await world.costOfGit(theirs!.fetchAll);
    const row = "fetch one commit behind with 15,000 refs";
    report(metric(row, "ms", median(ours!.walls), median(theirs!.walls)));
    report(metric(`${row}: server CPU`, "ms", hearthCost.cpuMs / REPEATS, gitCost.cpuMs / REPEATS));
  },
};

/** A client that has all of a repository with many refs but the newest commits, which it fetches one after another. */
async function aClientBehind(world: World, history: History, of: "hearth" | "git") {
  const url = world[of].repo(`many-${history.name}`).url;
  const dir = join(world.folder, `many-${of}.git`);
  await runGit(["clone", "-q", "--bare", "--shared", history.dir, dir]);
  const commits = await gitLines(["-C", dir, "rev-list", `--max-count=${REFS}`, "HEAD"]);
  const create = commits.map((oid, at) => `create refs/heads/many/${at} ${oid}\n`).join("");
  await runGit(["-C", dir, "update-ref", "--stdin"], { input: create });
  await runGit(["-C", dir, "pack-refs", "--all"]);
  await runGit(["-C", dir, "push", "-q", url, "+refs/heads/*:refs/heads/*"]);
  await runGit(["-C", dir, "config", "remote.origin.url", url]);
  await runGit(["-C", dir, "config", "remote.origin.fetch", "+refs/heads/*:refs/heads/*"]);
  const pusher = join(world.folder, `pusher-${of}.git`);
  await runGit(["clone", "-q", "--bare", "--shared", history.dir, pusher]);
  let [tip = ""] = await gitLines(["-C", pusher, "rev-parse", "HEAD"]);
  const [tree = ""] = await gitLines(["-C", pusher, "rev-parse", "HEAD^{tree}"]);
  const walls: number[] = [];
  const fetchAll = async () => {
    for (let at = 1; at <= REPEATS; at++) {
      [tip = ""] = await gitLines(["-C", pusher, "commit-tree", "-p", tip, tree], { input: `one more, ${at}\n` });
      await runGit(["-C", pusher, "push", "-q", url, `${tip}:refs/heads/newest`]);
      const words = ["git", "-C", dir, "fetch", "-q", "--no-tags", "origin"];
      const wall = await wallOf(async () => {
        const child = Bun.spawn(words, { env: gitEnvironment(), stderr: "inherit" });
        if ((await child.exited) !== 0) throw new Error("git fetch failed");
      });
      walls.push(wall);
    }
  };
  return { fetchAll, walls };
}

export const engineUpkeepRows: RowGroup = {
  name: "engine-upkeep",
  doc: "upkeep of a large repository after 500 small pushes, against git gc",
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
    const script = join(import.meta.dir, "../../git/upkeep/run-upkeep.ts");
    const git = await cost(["sh", "-c", 'git -C "$0" gc -q'], join(world.folder, "gc-git.git"));
    const some = await cost(["bun", script, "some"], join(world.folder, "gc-some.git"));
    const all = await cost(["bun", script, "all"], join(world.folder, "gc-all.git"));
    report(metric("upkeep after 500 small pushes", "s", some, git));
    report(metric("the nightly look after 500 small pushes", "s", all, git));
  },
};

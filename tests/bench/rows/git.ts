import { join } from "node:path";
import { gitEnvironment, gitLines, runGit } from "../../git/hosts/real-git.ts";
import { drainClone } from "../drain.ts";
import { type History, median, type World, wallOf } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const REPEATS = 5;
const MORE_CLONES = 4;

export const pushRows: RowGroup = {
  name: "push",
  doc: "a whole history pushed to an empty repository",
  run: async (world, report) => {
    for (const history of world.histories) {
      const { hearth, maintenance, git } = await world.pushed(history);
      const row = `push ${history.name}`;
      report(metric(`${row}: wall`, "s", hearth.wallMs / 1000, git.wallMs / 1000));
      report(metric(`${row}: server CPU`, "s", hearth.cpuMs / 1000, git.cpuMs / 1000));
      report(metric(`${row}: peak memory`, "MiB", hearth.peakMiB, git.peakMiB));
      report(metric(`maintenance after ${row}: server CPU`, "s", maintenance.cpuMs / 1000));
      report(metric(`maintenance after ${row}: peak memory`, "MiB", maintenance.peakMiB));
    }
  },
};

export const cloneRows: RowGroup = {
  name: "clone",
  doc: "whole clones that are thrown away, by protocol v2",
  run: async (world, report) => {
    for (const history of world.histories) {
      await world.pushed(history);
      const firstBytes: { hearth: number[]; git: number[] } = { hearth: [], git: [] };
      const walls: { hearth: number[]; git: number[] } = { hearth: [], git: [] };
      const clone = async (of: "hearth" | "git") => {
        const drained = await drainClone(world[of].repo(history.name).url);
        firstBytes[of].push(drained.firstByteMs);
        walls[of].push(drained.wallMs);
      };
      const more = async (of: "hearth" | "git") => {
        for (let at = 0; at < MORE_CLONES; at++) await clone(of);
      };
      await world.restartHearth();
      // The first after a start tells the memory of one clone; the others what one costs when all is warm.
      const peak = {
        hearth: await world.costOfHearth(() => clone("hearth")),
        git: await world.costOfGit(() => clone("git")),
      };
      const hearth = await world.costOfHearth(() => more("hearth"));
      const git = await world.costOfGit(() => more("git"));
      const row = `clone ${history.name} drained`;
      report(metric(`${row}: wall`, "s", median(walls.hearth) / 1000, median(walls.git) / 1000));
      report(metric(`${row}: server CPU`, "s", hearth.cpuMs / 1000 / MORE_CLONES, git.cpuMs / 1000 / MORE_CLONES));
      report(metric(`${row}: first byte`, "ms", median(firstBytes.hearth), median(firstBytes.git)));
      report(metric(`${row}: peak memory`, "MiB", peak.hearth.peakMiB, peak.git.peakMiB));
      report(metric(`${row}, ${MORE_CLONES} more in a row: peak memory`, "MiB", hearth.peakMiB, git.peakMiB));
    }
  },
};

export const fetchRows: RowGroup = {
  name: "fetch",
  doc: "git fetch of one new commit, git ls-remote",
  run: async (world, report) => {
    const history = world.largest;
    await world.pushed(history);
    const urls = { hearth: world.hearth.repo(history.name).url, git: world.git.repo(history.name).url };
    await pushNewCommits(world, history, Object.values(urls));
    const behind = { hearth: Number.NaN, git: Number.NaN };
    const listing = { hearth: Number.NaN, git: Number.NaN };
    for (const of of ["hearth", "git"] as const) {
      behind[of] = await fetchOneByOne(world, history, urls[of], of);
      const times: number[] = [];
      for (let at = 0; at < REPEATS; at++)
        times.push(await wallOf(() => runGit(["ls-remote", urls[of]]).then(() => undefined)));
      listing[of] = median(times);
    }
    report(metric("fetch one commit behind", "ms", behind.hearth, behind.git));
    report(metric("ls-remote", "ms", listing.hearth, listing.git));
  },
};

/** A chain of commits that no clone has yet, one branch for each. */
async function pushNewCommits(world: World, history: History, urls: readonly string[]): Promise<void> {
  const dir = join(world.folder, "commits.git");
  await runGit(["clone", "-q", "--bare", "--shared", history.dir, dir]);
  let [tip = ""] = await gitLines(["-C", dir, "rev-parse", "HEAD"]);
  const [tree = ""] = await gitLines(["-C", dir, "rev-parse", "HEAD^{tree}"]);
  for (let at = 1; at <= REPEATS; at++) {
    const input = `one more, number ${at}\n`;
    [tip = ""] = await gitLines(["-C", dir, "commit-tree", "-p", tip, tree], { input });
    await runGit(["-C", dir, "update-ref", `refs/heads/bench/${at}`, tip]);
  }
  for (const url of urls) await runGit(["-C", dir, "push", "-q", url, "+refs/heads/bench/*:refs/heads/bench/*"]);
}

async function fetchOneByOne(world: World, history: History, url: string, of: string): Promise<number> {
  const dir = join(world.folder, `behind-${of}.git`);
  await runGit(["clone", "-q", "--bare", "--shared", history.dir, dir]);
  const times: number[] = [];
  for (let at = 1; at <= REPEATS; at++)
    times.push(
      await wallOf(async () => {
        const words = [
          "git",
          "-C",
          dir,
          "fetch",
          "-q",
          "--no-tags",
          url,
          `refs/heads/bench/${at}:refs/heads/bench/${at}`,
        ];
        const child = Bun.spawn(words, { env: gitEnvironment(), stderr: "inherit" });
        if ((await child.exited) !== 0) throw new Error("git fetch failed");
      }),
    );
  return median(times);
}

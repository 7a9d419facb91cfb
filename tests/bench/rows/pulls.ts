import { join } from "node:path";
import { gitLines, runGit } from "../../git/hosts/real-git.ts";
import { drainClone } from "../drain.ts";
import type { History, World } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const PULLS = 20;
const COMMITS = 3;
/** Commits between the places at which two pull requests begin. */
const APART = 7;
const CLONES = 4;

/** Clones as `git clone` asks for them, of a repository that has open pull requests, besides. */
export const pullRows: RowGroup = {
  name: "pulls",
  doc: `clones of heads and tags beside refs of ${PULLS} open pull requests, by protocol v2`,
  run: async (world, report) => {
    for (const history of world.histories) {
      await world.pushed(history);
      const [hearth, git] = [world.hearth.repo(history.name).url, world.git.repo(history.name).url];
      const dir = await makePulls(world, history);
      for (let at = 1; at <= PULLS; at++)
        await runGit([
          "-C",
          dir,
          "push",
          "-q",
          "-o",
          `topic=bench-${at}`,
          hearth,
          `refs/bench/${at}:refs/for/${history.branch}`,
        ]);
      await runGit(["-C", dir, "push", "-q", git, "refs/bench/*:refs/pull/*/head"]);
      const [refs] = await gitLines(["ls-remote", hearth, `refs/pull/${PULLS}/head`]);
      if (refs === undefined) throw new Error("the pull requests have no refs");
      await world.settle();
      const clones = async (url: string) => {
        for (let at = 0; at < CLONES; at++) await drainClone(url);
      };
      await drainClone(hearth);
      const costs = {
        hearth: await world.costOfHearth(() => clones(hearth)),
        git: await world.costOfGit(() => clones(git)),
      };
      const row = `clone ${history.name} beside ${PULLS} pull requests: server CPU`;
      report(metric(row, "s", costs.hearth.cpuMs / 1000 / CLONES, costs.git.cpuMs / 1000 / CLONES));
    }
  },
};

/** Chains of commits on older commits of the branch, each with a file of its own. */
async function makePulls(world: World, history: History): Promise<string> {
  const dir = join(world.folder, `pulls-${history.name}.git`);
  await runGit(["clone", "-q", "--bare", "--shared", history.dir, dir]);
  for (let pull = 1; pull <= PULLS; pull++) {
    let [tip = ""] = await gitLines(["-C", dir, "rev-parse", `${history.branch}~${pull * APART}`]);
    for (let at = 1; at <= COMMITS; at++) {
      const input = `pull request ${pull}, commit ${at}\n`;
      const [blob = ""] = await gitLines(["-C", dir, "hash-object", "-w", "--stdin"], { input });
      const entries = await gitLines(["-C", dir, "ls-tree", tip]);
      const added = [...entries, `100644 blob ${blob}\tbench-${pull}-${at}`].join("\n");
      const [tree = ""] = await gitLines(["-C", dir, "mktree"], { input: `${added}\n` });
      [tip = ""] = await gitLines(["-C", dir, "commit-tree", "-p", tip, tree], { input });
    }
    await runGit(["-C", dir, "update-ref", `refs/bench/${pull}`, tip]);
  }
  return dir;
}

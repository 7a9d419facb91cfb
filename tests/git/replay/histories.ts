import { join, resolve } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { cherryPick } from "../../../src/git/replay/pick.ts";
import { rebase } from "../../../src/git/replay/rebase.ts";
import { newSeed, random } from "../../random.ts";
import { gitLines } from "../hosts/real-git.ts";
import { tempDir } from "../objects/real-git.ts";
import { oursOf, REPLAYER, Scratch } from "./outcomes.ts";

/**
 * Replays random commits of a history and compares the resulting commits with git's, by hand:
 * `bun tests/git/replay/histories.ts REPOSITORY N [seed]`. Exit status 1 when anything differed.
 */
export async function main(words: readonly string[]): Promise<number> {
  const [folder, count = "50", seed] = words;
  if (folder === undefined) {
    console.error("usage: bun tests/git/replay/histories.ts REPOSITORY N [seed]");
    return 2;
  }
  using dir = tempDir();
  const repo = resolve(folder);
  const next = random(seed === undefined ? newSeed() : Number(seed));
  const plain = await gitLines(["-C", repo, "rev-list", "--no-merges", "--min-parents=1", "HEAD"]);
  const scratch = Scratch.of(repo, join(dir.path, "scratch"));
  const store = ObjectStore.open(repo);
  const tally = { "cherry-pick": [0, 0], rebase: [0, 0] };
  let oursMs = 0;
  let gitMs = 0;
  for (let i = 0; i < Number(count); i++) {
    const at = Math.floor(next() * (plain.length - 400));
    const tip = plain[at]!;
    const onto = plain[at + 1 + Math.floor(next() * 300)]!;
    const kind = next() < 0.7 ? "cherry-pick" : "rebase";
    const upstream = plain[at + 2 + Math.floor(next() * 6)]!;
    const began = performance.now();
    const ours = oursOf(store, repo, (commits, overlay) =>
      kind === "rebase"
        ? rebase(commits, overlay, { onto, upstream, branch: tip }, REPLAYER)
        : cherryPick(overlay, onto, [tip], REPLAYER),
    );
    const middle = performance.now();
    const question = kind === "rebase" ? ["rebase", "-q", "--onto", onto, upstream] : ["cherry-pick", tip];
    const theirs = scratch.run(kind === "rebase" ? tip : onto, question);
    oursMs += middle - began;
    gitMs += performance.now() - middle;
    tally[kind][1]!++;
    if (ours === theirs) tally[kind][0]!++;
    else
      console.log(
        `differs: on ${kind === "rebase" ? tip : onto}: git ${question.join(" ")}\n  we ${ours}, git ${theirs.slice(0, 300)}`,
      );
  }
  for (const [kind, [same, all]] of Object.entries(tally)) console.log(`${kind}: ${same} of ${all} the same`);
  console.log(`git ${(gitMs / 1000).toFixed(1)} s with its checkouts, we ${(oursMs / 1000).toFixed(1)} s`);
  store.close();
  return Object.values(tally).every(([same, all]) => same === all) ? 0 : 1;
}

if (import.meta.main) process.exit(await main(process.argv.slice(2)));

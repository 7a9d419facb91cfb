import { newSeed } from "../../../random.ts";
import { corpusOfCommits, corpusOfTags } from "./commits.ts";
import { mutatedObjects } from "./mutations.ts";
import { PushTarget } from "./pushes.ts";
import { corpusOfSpecialFiles } from "./special-files.ts";
import { corpusOfTrees } from "./trees.ts";
import { compareVerdicts } from "./verdicts.ts";

/**
 * Compares our verdicts with those of `git fsck --strict`, and what a push of each object comes to with
 * `git index-pack --strict`, by hand: `bun tests/git/hostile/corpus/fsck-equality.ts [MUTATIONS] [EVERY]`. Only every
 * EVERY-th object is pushed: each costs a process.
 */
const parts = {
  trees: corpusOfTrees(),
  commits: corpusOfCommits(),
  tags: corpusOfTags(),
  "special files": corpusOfSpecialFiles(),
  mutations: mutatedObjects(newSeed(), Number(process.argv[2] ?? 2000)),
};
for (const [name, objects] of Object.entries(parts)) {
  const { same, differences } = compareVerdicts(objects);
  console.log(`${name}: ${same} of ${objects.length} alike`);
  for (const { story, shown, git, ours } of differences.slice(0, 25))
    console.log(`  ${story}\n    ${shown}\n    git  ${JSON.stringify(git)}\n    ours ${JSON.stringify(ours)}`);
}

const every = Number(process.argv[3] ?? 10);
using target = new PushTarget();
const ends = {
  "both accept": 0,
  "both refuse, same reason": 0,
  "both refuse, no id in git's words": 0,
  different: 0,
};
for (const each of Object.values(parts)
  .flat()
  .filter((_, i) => i % every === 0)) {
  const theirs = target.throughIndexPack(each);
  const ours = await target.ours(each);
  if (theirs.accepted && ours.accepted) ends["both accept"]++;
  else if (theirs.accepted === ours.accepted && ours.reasons.every((reason) => theirs.reasons.includes(reason)))
    ends["both refuse, same reason"]++;
  else if (theirs.accepted === ours.accepted && theirs.reasons.includes("other"))
    ends["both refuse, no id in git's words"]++;
  else {
    ends.different++;
    console.log(
      `  ${each.story}\n    ${JSON.stringify(Buffer.from(each.data).toString("latin1").slice(0, 300))}\n    git  ${JSON.stringify(theirs)}\n    ours ${JSON.stringify(ours)}`,
    );
  }
}
console.log("pushed:", ends);

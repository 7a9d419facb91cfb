import { join } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { newSeed, random } from "../../random.ts";
import { tempDir } from "../objects/real-git.ts";
import { randomTrees } from "./random-trees.ts";
import { ourVerdict, randomQuestion, realVerdict } from "./verdicts.ts";

/** Many random patches against git, by hand: `bun tests/git/apply/fuzz.ts N [seed]`. Exit status 1 when anything differed. */
export function main([count = "500", given]: readonly string[]): number {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  const seed = given === undefined ? newSeed() : Number(given);
  const trees = randomTrees(repo, 40, seed);
  const store = ObjectStore.open(repo);
  const next = random(seed);
  let same = 0;
  let applied = 0;
  let sameTree = 0;
  for (let i = 0; i < Number(count); i++) {
    const question = randomQuestion(repo, trees, next);
    const theirs = realVerdict(repo, question);
    if (theirs === "git fell over it") {
      same++;
      sameTree++;
      continue;
    }
    const ours = ourVerdict(store, question);
    if (theirs.tree !== undefined) applied++;
    if (ours.tree === theirs.tree) sameTree++;
    if (Bun.deepEquals(ours, theirs)) {
      same++;
      continue;
    }
    console.log(`question ${i} of seed ${seed}: ${JSON.stringify(question.options)}`);
    console.log(
      `  git: ${theirs.tree ?? theirs.problems.join("\n       ")}\n  we:  ${ours.tree ?? ours.problems.join("\n       ")}`,
    );
    if (process.env["SHOW_PATCH"]) console.log(Buffer.from(question.patch).toString("latin1"));
  }
  console.log(`${sameTree} of ${count} the same verdict and tree, ${same} in the same words; ${applied} applied`);
  return same === Number(count) ? 0 : 1;
}

if (import.meta.main) process.exit(main(process.argv.slice(2)));

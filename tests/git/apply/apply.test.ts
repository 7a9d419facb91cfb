import { expect, test } from "bun:test";
import { join } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { newSeed, random } from "../../random.ts";
import { tempDir } from "../objects/real-git.ts";
import { randomTrees } from "./random-trees.ts";
import { ourVerdict, randomQuestion, realVerdict } from "./verdicts.ts";

test("patches apply, or are refused, as git apply --cached does", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  const seed = newSeed();
  const trees = randomTrees(repo, 24, seed);
  const store = ObjectStore.open(repo);
  const next = random(seed);
  let applied = 0;
  for (let i = 0; i < 160; i++) {
    const question = randomQuestion(repo, trees, next);
    const theirs = realVerdict(repo, question);
    if (theirs === "git fell over it") continue;
    // At a broken binary patch git forgets what follows and applies what came before; we apply nothing.
    if (question.isDamaged && Buffer.from(question.patch).includes("GIT binary patch")) {
      ourVerdict(store, question);
      continue;
    }
    // Of several faults of a damaged patch either may be told first.
    if (question.isDamaged && theirs.tree === undefined) {
      expect(ourVerdict(store, question).tree).toBeUndefined();
      continue;
    }
    if (theirs.tree !== undefined) applied++;
    const shown = { i, ...question, patch: Buffer.from(question.patch).toString("latin1") };
    expect({ ...shown, ...ourVerdict(store, question) }).toEqual({ ...shown, ...theirs });
  }
  expect(applied).toBeGreaterThan(10);
  store.close();
});

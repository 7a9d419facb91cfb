import { expect, test } from "bun:test";
import { join } from "node:path";
import { CommitLinks } from "../../../src/git/graph/links.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { newSeed, random } from "../../random.ts";
import { tempDir } from "../objects/real-git.ts";
import { comparePairs, DIFF_OPTIONS } from "./histories.ts";
import { randomTrees } from "./random-trees.ts";

test("what is printed is what git diff-tree prints, byte for byte, under any options", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  const seed = newSeed();
  const oids = randomTrees(repo, 80, seed);
  const store = ObjectStore.open(repo);
  try {
    const links = new CommitLinks(store);
    const trees = oids.map((oid) => links.get(oid)!.tree);
    const next = random(seed);
    const any = () => trees[Math.floor(next() * trees.length)]!;
    const pairs = trees.slice(1).map((to, i) => ({ from: next() < 0.6 ? trees[i]! : any(), to }));
    for (const options of DIFF_OPTIONS) {
      const verdict = comparePairs(repo, store, pairs, options);
      expect({ options, differing: verdict.differing.slice(0, 3) }).toEqual({ options, differing: [] });
    }
  } finally {
    store.close();
  }
});

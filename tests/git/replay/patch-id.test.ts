import { expect, test } from "bun:test";
import { join } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { patchIdOf } from "../../../src/git/replay/patch-id.ts";
import { newSeed } from "../../random.ts";
import { randomTrees } from "../apply/random-trees.ts";
import { git, tempDir } from "../objects/real-git.ts";

test("patch ids are those of git patch-id --stable", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  const trees = randomTrees(repo, 12, newSeed());
  const store = ObjectStore.open(repo);
  for (const [i, tree] of trees.entries()) {
    const before = trees[i - 1];
    if (before === undefined || before === tree) continue;
    const patch = git(["-C", repo, "diff-tree", "-p", "--full-index", "-r", before, tree]).stdout;
    const [expected = ""] = git(["patch-id", "--stable"], { input: patch }).stdout.toString().split(" ");
    expect(patchIdOf(store, before, tree)).toBe(expected);
  }
  store.close();
});

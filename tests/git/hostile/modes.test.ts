import { expect, test } from "bun:test";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "../terminal/answers.ts";
import { EMPTY_TREE, object, treeOf } from "./corpus/objects.ts";
import { PushTarget } from "./corpus/pushes.ts";
import { storeLoose } from "./corpus/verdicts.ts";

const ODD = treeOf(
  ["100664", "a"],
  ["100777", "b"],
  ["40755", "c", EMPTY_TREE],
  ["120777", "d"],
  ["100600", "e"],
  ["755", "f"],
  ["0100644", "g"],
  ["1200100644", "h"],
);

test("modes that other tools wrote are taken for what git takes them", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  for (const each of [object("blob", "empty", ""), object("tree", "empty", "")]) storeLoose(repo, each);
  const odd = storeLoose(repo, object("tree", "odd", ODD));
  const usual = storeLoose(repo, object("tree", "usual", treeOf(["100644", "a"], ["100755", "b"], ["120000", "d"])));
  for (const words of [
    ["ls-tree", "-r", odd],
    ["cat-file", "-p", odd],
    ["diff-tree", "-r", usual, odd],
    ["diff-tree", "-p", odd, usual],
  ]) {
    const { stdout, status } = realGit(repo, words);
    expect(await hearthGit(repo, words)).toMatchObject({ stdout, status });
  }
});

test("an entry of no kind is a submodule: what it names need not be pushed", async () => {
  using target = new PushTarget();
  const tree = object("tree", "of no kind", treeOf(["755", "f", "ab".repeat(20)]));
  expect(target.throughReceivePack(tree).accepted).toBe(true);
  expect(await target.ours(tree)).toMatchObject({ accepted: true });
});

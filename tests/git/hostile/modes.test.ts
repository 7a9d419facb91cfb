import { expect, test } from "bun:test";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "../terminal/answers.ts";
import { EMPTY_BLOB, EMPTY_TREE, object, treeOf } from "./corpus/objects.ts";
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
  ["777777777777777777", "i"],
  [`${"7".repeat(400)}40000100755`, "j"],
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

test("ids in capital letters are ids, for git and for us", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  const tree = storeLoose(repo, object("tree", "folder", treeOf(["100644", "a", EMPTY_BLOB])));
  storeLoose(repo, object("blob", "empty", ""));
  const who = "A <a@b.c> 1 +0000";
  const commitOf = (parent: string, message: string) =>
    object("commit", message, `tree ${tree.toUpperCase()}\n${parent}author ${who}\ncommitter ${who}\n\n${message}\n`);
  const first = storeLoose(repo, commitOf("", "first"));
  const second = commitOf(`parent ${first.toUpperCase()}\n`, "second");
  const tip = storeLoose(repo, second);
  const tag = object("tag", "t", `object ${tip.toUpperCase()}\ntype commit\ntag t\ntagger ${who}\n\nm\n`);
  git(["-C", repo, "update-ref", "refs/heads/main", tip]);
  git(["-C", repo, "update-ref", "refs/tags/t", storeLoose(repo, tag)]);
  for (const words of [
    ["fsck", "--strict"],
    ["log", "--format=%H %T %P %s", "--stat", "main"],
    ["rev-list", "--objects", "--all"],
    ["rev-parse", "main~1^{tree}", "t^{}"],
    ["cat-file", "-p", "t"],
    ["show-ref", "-d"],
    ["blame", "main", "--", "a"],
  ]) {
    const { stdout, status } = realGit(repo, words);
    expect(await hearthGit(repo, words)).toMatchObject({ stdout, status });
  }
  using target = new PushTarget();
  const capital = object(
    "commit",
    "of the empty tree",
    `tree ${EMPTY_TREE.toUpperCase()}\nauthor ${who}\ncommitter ${who}\n\nm\n`,
  );
  expect(target.throughReceivePack(capital).accepted).toBe(true);
  expect(await target.ours(capital)).toMatchObject({ accepted: true });
});

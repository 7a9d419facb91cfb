import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

const COMMANDS = ["diff main^ main", "diff --stat main^ main", "diff-tree -r --numstat main", "log -p --stat"];

async function expectSame(folder: string): Promise<void> {
  for (const command of [
    ...COMMANDS,
    "diff -a main^ main",
    "diff --binary main^ main",
    "diff -a --numstat main^ main",
  ]) {
    const words = command.split(" ");
    expect({ words, ...(await hearthGit(folder, words)) }).toEqual({ words, ...realGit(folder, words) });
  }
}

test("info/attributes and the user's own attributes say what is binary", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const names = [
    "a.txt",
    "a.min",
    "a.bin",
    "sub/a.txt",
    "sub/b.txt",
    "sub/deep/a.dat",
    "link/x",
    "other.drv",
    "back.txt",
  ];
  const commit = (text: string) =>
    `commit refs/heads/main\ncommitter C <c@x> 1600000000 +0000\ndata 1\n${text[0]}\n` +
    names.map((name) => `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`).join("");
  git(["-C", repo, "fast-import", "--quiet"], { input: commit("1\na\n") + commit("2\0a\nb\n") + commit("3\na\nb\n") });
  await expectSame(repo);
  const user = join(dir.path, "attributes");
  git(["-C", repo, "config", "core.attributesFile", user]);
  git(["-C", repo, "config", "diff.known.binary", "true"]);
  writeFileSync(user, "*.min -diff\n*.bin diff\n*.dat binary\n*.drv diff=known\nback.txt -diff\nsub/a.txt -diff\n");
  await expectSame(repo);
  mkdirSync(join(repo, "info"), { recursive: true });
  writeFileSync(
    join(repo, "info/attributes"),
    "back.txt diff\nlink/x -diff\nsub/*.dat !diff\nsub/b.txt diff=unknown\n",
  );
  await expectSame(repo);
  writeFileSync(join(repo, "info/attributes"), "*.txt binary\n");
  await expectSame(repo);
});

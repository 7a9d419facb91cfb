import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
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
    // Git warns of links in place of the file, which it does not follow either.
    const { stdout, status } = realGit(folder, words);
    expect({ words, ...(await hearthGit(folder, words)) }).toMatchObject({ words, stdout, status });
  }
}

test("attributes of the working tree and of info/attributes say what is binary", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r");
  git(["init", "-q", "-b", "main", repo]);
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
  for (const folder of ["sub/deep", "link"]) mkdirSync(join(repo, folder), { recursive: true });
  writeFileSync(
    join(repo, ".gitattributes"),
    "*.min -diff\n*.bin diff\n*.dat binary\n*.drv diff=known\nback.txt -diff\n",
  );
  writeFileSync(join(repo, "sub/.gitattributes"), "a.txt -diff\n*.dat !diff\nb.txt diff=unknown\n");
  symlinkSync("../.gitattributes", join(repo, "link/.gitattributes"));
  git(["-C", repo, "config", "diff.known.binary", "true"]);
  await expectSame(repo);
  await expectSame(join(repo, "sub"));
  mkdirSync(join(repo, ".git/info"), { recursive: true });
  writeFileSync(join(repo, ".git/info/attributes"), "back.txt diff\nlink/x -diff\n");
  await expectSame(repo);
  const bare = join(dir.path, "bare.git");
  git(["clone", "-q", "--bare", repo, bare]);
  await expectSame(bare);
  mkdirSync(join(bare, "info"), { recursive: true });
  writeFileSync(join(bare, "info/attributes"), "*.txt binary\n");
  await expectSame(bare);
});

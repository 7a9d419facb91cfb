import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { type Given, hearthGit, realGit } from "../terminal/answers.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(60_000);

const lines = (middle: string) => `1\n2\n3\n${middle}\n5\n6\n7\n`;

/** A working tree in which `ours` and `theirs` change the same lines of several files. */
function aWorkTree(path: string): void {
  const run = (...words: string[]) => git(["-C", path, ...words]);
  const write = (text: string) => {
    for (const name of ["a.txt", "sub/b.txt", "sub/own/ä.txt"]) writeFileSync(join(path, name), lines(text));
  };
  mkdirSync(join(path, "sub/own"), { recursive: true });
  git(["init", "-q", "-b", "main", path]);
  write("4");
  run("add", ".");
  run("commit", "-qm", "base");
  run("tag", "a-tree", "HEAD^{tree}");
  for (const branch of ["ours", "theirs"]) {
    run("checkout", "-q", "-b", branch, "main");
    write(branch);
    run("commit", "-qam", branch);
  }
  run("checkout", "-q", "main");
}

async function expectSame(folder: string, words: readonly string[], given: Given = {}): Promise<void> {
  expect({ folder, words, ...(await hearthGit(folder, words, given)) }).toEqual({
    folder,
    words,
    ...realGit(folder, words, given),
  });
}

const MERGE = ["merge-tree", "--write-tree", "ours", "theirs"];

test("attributes come from the files of the working tree, whatever the branches hold", async () => {
  using dir = tempDir();
  const path = join(dir.path, "work");
  aWorkTree(path);
  const linked = join(dir.path, "linked");
  git(["-C", path, "worktree", "add", "-q", linked, "ours"]);
  const user = join(dir.path, "user-attributes");
  const places = { root: ".gitattributes", sub: "sub/.gitattributes", own: "sub/own/.gitattributes" };
  const rules: [keyof typeof places, string][] = [
    ["root", "* merge=union\n"],
    ["root", "\ufeff*.txt conflict-marker-size=12\nsub/ merge=union\n"],
    ["sub", "b.txt -merge\nown/* merge=union\n"],
    ["own", "* merge=binary\n"],
    ["root", "[attr]mine merge=union\na.txt mine\n* !merge\n"],
  ];
  for (const [place, text] of rules) {
    writeFileSync(join(path, places[place]), text);
    for (const folder of [path, join(path, "sub"), join(path, ".git"), linked]) await expectSame(folder, MERGE);
    git(["-C", path, "config", "core.bare", "true"]);
    for (const folder of [path, linked]) await expectSame(folder, MERGE);
    git(["-C", path, "config", "core.bare", "false"]);
    rmSync(join(path, places[place]));
  }
  writeFileSync(user, "*.txt merge=union\n");
  git(["-C", path, "config", "core.attributesFile", user]);
  writeFileSync(join(path, ".gitattributes"), "a.txt merge=text\n");
  await expectSame(path, MERGE);
  git(["-C", path, "config", "core.attributesFile", "/nonexistent"]);
  for (const driver of ["union", "binary", "text", "nobody's"]) {
    git(["-C", path, "config", "merge.default", driver]);
    await expectSame(path, MERGE);
  }
});

test("paths of conflicts are shown from the folder one is in, and quoted as core.quotePath has it", async () => {
  using dir = tempDir();
  const path = join(dir.path, "work");
  aWorkTree(path);
  for (const quoted of ["true", "false"]) {
    git(["-C", path, "config", "core.quotePath", quoted]);
    for (const flags of [[], ["-z"], ["--name-only"], ["-z", "--name-only"]])
      for (const folder of ["", "sub", "sub/own", ".git"])
        await expectSame(join(path, folder), ["merge-tree", ...flags, "ours", "theirs"]);
  }
});

test("names that are no UTF-8 are shown with their bytes from anywhere", async () => {
  using dir = tempDir();
  const path = join(dir.path, "work");
  aWorkTree(path);
  const name = Buffer.concat([Buffer.from(`${path}/`), Buffer.from("latin\xe9", "latin1")]);
  for (const branch of ["ours", "theirs"]) {
    git(["-C", path, "checkout", "-q", branch]);
    writeFileSync(name, branch);
    git(["-C", path, "add", "-A"]);
    git(["-C", path, "commit", "-qm", "latin"]);
  }
  for (const folder of ["", "sub"])
    await expectSame(join(path, folder), ["merge-tree", "-z", "--name-only", "ours", "theirs"]);
});

test("configuration comes from all of git's places, and what makes no sense is refused as git refuses it", async () => {
  using dir = tempDir();
  const path = join(dir.path, "work");
  aWorkTree(path);
  for (const [key, value] of [
    ["merge.conflictStyle", "diff3"],
    ["merge.conflictStyle", "DIFF3"],
    ["merge.directoryRenames", "CONFLICT"],
    ["merge.directoryRenames", "perhaps"],
    ["diff.renames", "copies"],
    ["diff.renames", "perhaps"],
    ["merge.renames", "perhaps"],
    ["merge.renameLimit", "many"],
    ["merge.renameLimit", "2k"],
    ["merge.verbosity", "much"],
    ["core.quotePath", "perhaps"],
  ] as const) {
    const environment = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: value };
    await expectSame(path, MERGE, { environment });
  }
  writeFileSync(join(dir.path, ".gitconfig"), "[merge]\n\tconflictStyle = zdiff3\n");
  await expectSame(path, MERGE, { environment: { HOME: dir.path } });
});

test("what is no commit is told of as git tells it, from standard input too", async () => {
  using dir = tempDir();
  const path = join(dir.path, "work");
  aWorkTree(path);
  for (const name of ["nothing", "a-tree", "main:a.txt", "main^{tree}"])
    for (const pair of [
      ["ours", name],
      [name, "ours"],
    ]) {
      await expectSame(path, ["merge-tree", ...pair]);
      await expectSame(path, ["merge-tree", "--stdin"], { stdin: `ours theirs\n${pair.join(" ")}\n` });
    }
  for (const stdin of ["ours theirs \n", "ours  theirs\n", " ours theirs\n", "ours theirs main\n", "ours\n", "\n"])
    await expectSame(path, ["merge-tree", "--stdin"], { stdin });
});

import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { type Given, hearthGit, realGit } from "../terminal/answers.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

const lines = (middle: string) => `1\n2\n3\n${middle}\n5\n6\n7\n`;

/** A bare repository in which `ours` and `theirs` change the same lines of several files. */
function aRepository(path: string): void {
  git(["init", "-q", "--bare", "-b", "main", path]);
  const commit = (branch: string, middle: string, from: string) => {
    const text = lines(middle);
    const files = ["a.txt", "sub/b.txt", "sub/own/ä.txt", '"latin\\351"'];
    return (
      `commit refs/heads/${branch}\ncommitter C <c@x> 1600000000 +0000\ndata 1\nx\n${from}` +
      files.map((name) => `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`).join("")
    );
  };
  const script = [
    commit("main", "4", ""),
    ...["ours", "theirs"].map((branch) => commit(branch, branch, "from refs/heads/main\n")),
  ];
  git(["-C", path, "fast-import", "--quiet"], { input: script.join("") });
  git(["-C", path, "tag", "a-tree", "main^{tree}"]);
  mkdirSync(join(path, "info"), { recursive: true });
}

async function expectSame(folder: string, words: readonly string[], given: Given = {}): Promise<void> {
  expect({ folder, words, ...(await hearthGit(folder, words, given)) }).toEqual({
    folder,
    words,
    ...realGit(folder, words, given),
  });
}

const MERGE = ["merge-tree", "--write-tree", "ours", "theirs"];

test("attributes come from the repository and the user, whatever the branches hold", async () => {
  using dir = tempDir();
  const path = join(dir.path, "r.git");
  aRepository(path);
  const user = join(dir.path, "user-attributes");
  for (const text of [
    "* merge=union\n",
    "*.txt conflict-marker-size=12\nsub/* merge=union\n",
    "sub/b.txt -merge\nsub/own/* merge=union\n",
    "[attr]mine merge=union\na.txt mine\n* !merge\n",
  ]) {
    writeFileSync(join(path, "info/attributes"), text);
    await expectSame(path, MERGE);
  }
  writeFileSync(user, "*.txt merge=union\n");
  git(["-C", path, "config", "core.attributesFile", user]);
  writeFileSync(join(path, "info/attributes"), "a.txt merge=text\n");
  await expectSame(path, MERGE);
  git(["-C", path, "config", "core.attributesFile", "/nonexistent"]);
  for (const driver of ["union", "binary", "text", "nobody's"]) {
    git(["-C", path, "config", "merge.default", driver]);
    await expectSame(path, MERGE);
  }
});

test("paths of conflicts are quoted as core.quotePath has it, bytes that are no UTF-8 too", async () => {
  using dir = tempDir();
  const path = join(dir.path, "r.git");
  aRepository(path);
  for (const quoted of ["true", "false"]) {
    git(["-C", path, "config", "core.quotePath", quoted]);
    for (const flags of [[], ["-z"], ["--name-only"], ["-z", "--name-only"]])
      await expectSame(path, ["merge-tree", ...flags, "ours", "theirs"]);
  }
});

test("configuration comes from all of git's places, and what makes no sense is refused as git refuses it", async () => {
  using dir = tempDir();
  const path = join(dir.path, "r.git");
  aRepository(path);
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
  const path = join(dir.path, "r.git");
  aRepository(path);
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

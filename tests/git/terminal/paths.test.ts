import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

let dir: ReturnType<typeof tempDir>;
let repo: string;

const BEFORE = ["d/f", "d/e/g", "x/y", "a*b", "acb", "q[1]", "q1", ":c", "l"];
const AFTER = ["d", "x/y/z", "a*b", "acb", "q[1]", "q1", ":c", "Big/Name"];

beforeAll(() => {
  dir = tempDir();
  repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const commit = (paths: readonly string[], text: string) =>
    `commit refs/heads/main\ncommitter C <c@x> 1600000000 +0000\ndata 1\n${text}\ndeleteall\n` +
    paths.map((path) => `M 100644 inline ${path}\ndata 2\n${text}\n\n`).join("");
  const submodule = "M 160000 1234567890123456789012345678901234567890 sub\n";
  git(["-C", repo, "fast-import", "--quiet"], { input: `${commit(BEFORE, "1")}${commit(AFTER, "2")}${submodule}` });
});
afterAll(() => dir[Symbol.dispose]());

const SPECS = [
  ...[
    "d",
    "d/",
    "d/e",
    "d/e/",
    "d//e",
    "./d",
    "d/.",
    "d/..",
    "d/../x",
    "x/y",
    "x/y/",
    "sub",
    "sub/",
    "l",
    "",
    ".",
    "/",
    "..",
  ],
  ...["a*b", "a\\*b", "a?b", "*", "**", "*/f", "**/f", "d/*", "q[1]", "q\\[1\\]", "q[[:digit:]]", "q[!2]", "B*", "b*"],
  ...[
    ":/",
    ":/d",
    ":!d",
    ":^x",
    ":(exclude)d",
    ":(literal)a*b",
    ":(glob)*",
    ":(glob)**/f",
    ":(icase)BIG/name",
    ":(icase)D",
  ],
  ...[":(top)d", ":(top,exclude)d", ":c", ":(literal):c", ":(bad)x", ":(glob,literal)x", ":(top"],
  ...["d :!d/e", ":!x :!d", "* :!*b", "x a*"],
];
const COMMANDS = [
  "diff --name-status main^ main",
  "diff-tree -r main",
  "diff-tree main",
  "log --format=%s --name-status",
  "rev-list --objects main",
];

test.each(COMMANDS)("%s -- with paths of every kind", async (command) => {
  for (const spec of SPECS) {
    const words = [...command.split(" "), "--", ...spec.split(" ")];
    expect([words, await hearthGit(repo, words)]).toEqual([words, realGit(repo, words)]);
  }
});

test("a file with signs in its name is followed like any other", async () => {
  const words = ["log", "--follow", "--format=%s", "--name-status", "--", ":(literal)q[1]"];
  expect(await hearthGit(repo, words)).toEqual(realGit(repo, words));
});

test("a path without two dashes before it could be a misspelt revision", async () => {
  for (const spec of ["y", "x/y", ":/d", "*", "main:z", "nothing:z", "y nothing"])
    for (const command of COMMANDS.slice(0, 4)) {
      const words = [...command.split(" "), ...spec.split(" ")];
      expect([words, await hearthGit(repo, words)]).toEqual([words, realGit(repo, words)]);
    }
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { newSeed } from "../../random.ts";
import { randomTrees } from "../diff/random-trees.ts";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

const SETTINGS = [
  ...["diff.renames false", "diff.renames copies", "diff.renames true", "diff.renames maybe"],
  ...["diff.renameLimit 1", "diff.renameLimit x", "diff.context 1", "diff.interHunkContext 5"],
  ...["diff.algorithm patience", "diff.algorithm minimal", "diff.noprefix true", "diff.indentHeuristic false"],
  ...["diff.statGraphWidth 5", "core.quotePath false", "core.quotePath true"],
];
const COMMANDS = [
  "diff --patch-with-stat main~20 main",
  "diff --raw -C main~20 main",
  "diff -U2 --src-prefix=x/ --histogram main~20 main",
  "diff-tree -r -p -M --stat main~20 main",
  "log -5 --format=%h --numstat --summary",
];

test("settings of differences are heeded where git heeds them", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  randomTrees(repo, 30, newSeed());
  for (const setting of SETTINGS) {
    const [key = "", value = ""] = setting.split(" ");
    git(["-C", repo, "config", key, value]);
    for (const command of COMMANDS) {
      const words = command.split(" ");
      expect([setting, words, await hearthGit(repo, words)]).toEqual([setting, words, realGit(repo, words)]);
    }
    git(["-C", repo, "config", "--unset", key]);
  }
});

test("names that are not quoted take the columns they have", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const names = [
    "文件/長い名前のファイル.txt",
    "é",
    "e\u0301",
    "👍👍",
    "plain",
    "ascii/and/文",
    "한국어".repeat(12),
    "\u200bx",
  ];
  const commit = (text: string) =>
    `commit refs/heads/main\ncommitter C <c@x> 1600000000 +0000\ndata 1\n${text[0]}\n` +
    names.map((name) => `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`).join("");
  git(["-C", repo, "fast-import", "--quiet"], { input: commit("1\n") + commit("2\n3\n") });
  git(["-C", repo, "config", "core.quotePath", "false"]);
  for (const options of [["--stat"], ["--stat=40"], ["--stat=60,20"], ["--stat-name-width=9"], ["--raw"], ["-p"]]) {
    const words = ["diff", ...options, "main^", "main"];
    expect([words, await hearthGit(repo, words)]).toEqual([words, realGit(repo, words)]);
  }
});

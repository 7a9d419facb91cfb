import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { newSeed, random } from "../../random.ts";
import { randomTrees } from "../diff/random-trees.ts";
import { gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

let dir: ReturnType<typeof tempDir>;
let repo: string;

beforeAll(() => {
  dir = tempDir();
  repo = join(dir.path, "r.git");
  randomTrees(repo, 40, newSeed());
});
afterAll(() => dir[Symbol.dispose]());

const COMMANDS = [
  "diff main~20 main",
  "diff main~9..main",
  "diff main~9...main --stat",
  "diff --raw main~9 main",
  "diff --exit-code main~1 main",
  "diff --exit-code main main",
  "diff --quiet main~30 main",
  "diff --quiet -w main~30 main",
  "diff main~20 main -- dir",
  "diff main~20 main -- dir/ z *.txt",
  "diff main~20 main dir",
  "diff main~20 main d*",
  "diff-tree main~20 main dir",
  "diff -z --name-status main~20 main",
  "diff -s main~20 main",
  "diff --merge-base main~20 main --shortstat",
  "diff nothing main",
  "diff --name-only --name-status main~1 main",
  "diff --diff-filter=dr main~9 main --summary",
  "diff-tree main",
  "diff-tree main~20 main",
  "diff-tree -t -r main~20 main",
  "diff-tree -r --no-commit-id --name-only main~3",
  "diff-tree --root -p main~39",
  "diff-tree main~39",
  "diff-tree -p --stat main~3 -- dir",
  "diff-tree -r -z --raw main~3",
  "diff-tree --abbrev -r main~20 main",
  "diff-tree --abbrev=4 -p main~20 main",
  "diff ^main~9 main --stat",
  "diff main ^main~9 --stat",
  "diff main~9^! --stat",
  "diff main~9^- --stat",
  "diff main~9:dir..main:dir --stat",
  "diff main...nothing",
  "diff nothing..main",
  "diff main^{tree} main~3:nothing",
  "diff nothing main -- z",
  "diff --merge-base main~9..main",
  "diff-tree main~9..main",
  "diff-tree main~9 ^main",
  "diff-tree main^{tree}",
  "diff-tree --merge-base main~9 main",
  "diff-tree --merge-base main^{tree} main",
  "diff-tree --always -s main~39",
  "diff-tree nothing",
  "diff --stat --end-of-options main~9 main -- dir",
  "diff --end-of-options main --stat",
  "diff-tree --end-of-options main~9 main",
  "log --format=%h --end-of-options main~3 -- dir",
  "ls-tree --end-of-options main",
  // What an option does to those before it.
  "diff -s --stat main~20 main",
  "diff -s -p --stat main~20 main",
  "diff --stat -s -U1 main~20 main",
  "diff -s --name-only main~20 main",
  "diff-tree -s --raw main",
  "diff --stat=50,20 --stat --stat=70 main~20 main",
  "diff --raw -M90% -M main~30 main",
  "diff --raw -M90% -C main~30 main",
  "diff --raw --find-copies-harder -M30% main~30 main",
  "diff --raw -C -C --no-renames main~30 main",
  "diff --name-status --diff-filter=AMR --diff-filter=m main~20 main",
  "diff --name-status --diff-filter= main~20 main",
  "diff --name-status --diff-filter=U main~20 main",
  "diff --name-status --diff-filter=u main~20 main",
  // Sides changed.
  "diff -R main~5 main",
  "diff -R --src-prefix=x/ main~5 main",
  // Binary files have no lines to count, even where a patch shows them as text.
  "diff -a --stat -p main~30 main",
  "diff -a --binary -p main~30 main",
  "diff -a --numstat -w main~30 main",
  // Folders have no lines either.
  "diff-tree -t --stat --summary main~20 main",
  "diff-tree -t -r -p main~20 main",
  "diff-tree -r --diff-filter=T main~3",
  "diff-tree --quiet main~3",
  // Too many files.
  "diff --raw -l1 main~30 main",
  "diff --raw -C -C -l3 main~30 main",
  "diff --raw -M100% -l1 main~30 main",
  "diff-tree -r -M -l1 main~30 main",
  "log --format=%h --raw -M30% -l1",
  // Where spaces do not count, only a patch tells whether there is a difference.
  "diff -w --exit-code --stat main~20 main",
  "diff -w --exit-code -s main~20 main",
  "diff -b --exit-code -p main~20 main",
  "diff --ignore-blank-lines --exit-code --quiet main~20 main",
  "log --format=%h --quiet -p --stat",
  "log --format=%h --quiet --stat",
  "log --format=%h -R -p",
  "log --format=%h --exit-code --stat -b",
  "log --format=%h --exit-code -p -b",
];

test.each(COMMANDS)("%s", async (command) => {
  const words = command.split(" ");
  expect(await hearthGit(repo, words)).toEqual(realGit(repo, words));
});

test("--minimal holds for what histogram and patience leave to Myers, until an algorithm is named anew", async () => {
  const next = random(newSeed());
  const lines = Array.from({ length: 4000 }, () => Math.floor(next() * 20));
  const changed = lines.map((line) => (next() < 0.4 ? Math.floor(next() * 20) : line));
  const [a = "", b = ""] = [lines, changed].map((side) =>
    gitText(["-C", repo, "hash-object", "-w", "--stdin"], { input: `${side.join("\n")}\n` }),
  );
  for (const options of [
    "--minimal",
    "--patience --minimal",
    "--minimal --histogram",
    "--minimal --patience --no-minimal",
    "--diff-algorithm=minimal --histogram",
    "--minimal --diff-algorithm=histogram",
    "--histogram --diff-algorithm=minimal",
  ]) {
    const words = ["diff", ...options.split(" "), a, b];
    const found = await hearthGit(repo, words);
    expect([options, Bun.hash(found.stdout)]).toEqual([options, Bun.hash(realGit(repo, words).stdout)]);
  }
});

test("diff-tree says what is wrong with a line of standard input, and goes on", async () => {
  const oid = (revision: string) => realGit(repo, ["rev-parse", revision]).stdout.trim();
  const [commit, tree] = [oid("main~3"), oid("main^{tree}")];
  const blob = gitText(["-C", repo, "hash-object", "-w", "--stdin"], { input: "" });
  for (const line of [
    "",
    "main",
    ` ${commit}`,
    `${commit} `,
    `${commit} nothing`,
    `${commit} ${oid("main~9")} rest`,
    commit.toUpperCase(),
    tree,
    blob,
    `${tree} ${blob}`,
    `${tree} ${commit}`,
    `${tree}  ${tree}`,
    `${tree} ${tree} x`,
    `${tree} ${"0".repeat(40)}`,
    "0".repeat(40),
  ]) {
    const given = { stdin: `${line}\n${oid("main~5")}\n` };
    const words = ["diff-tree", "--stdin"];
    expect([line, await hearthGit(repo, words, given)]).toEqual([line, realGit(repo, words, given)]);
  }
});

test("the empty tree is there even where no one stored it", async () => {
  const empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  for (const command of [
    `diff --stat ${empty} main`,
    `diff --shortstat main ${empty}`,
    `diff --raw ${empty} ${empty}`,
    `diff-tree -r ${empty} main`,
    `cat-file -t ${empty}`,
    `ls-tree ${empty}`,
    `rev-parse ${empty}^{object}`,
    `rev-list --objects ${empty}`,
    `log --format=%h main --not ${empty}`,
    "fsck",
  ]) {
    const words = command.split(" ");
    expect(await hearthGit(repo, words)).toEqual(realGit(repo, words));
  }
});

test("diff-tree reads commits, and pairs of trees, from standard input", async () => {
  const oid = (revision: string) => realGit(repo, ["rev-parse", revision]).stdout.trim();
  const input = `${oid("main")}\n${oid("main~4")} ${oid("main~9")} ${oid("main~2")}\n${oid("main~3^{tree}")} ${oid("main^{tree}")}\nnothing\n`;
  for (const words of [["-r"], ["-p", "-m"], ["--stat", "-M"]]) {
    const command = ["diff-tree", "--stdin", ...words];
    expect(await hearthGit(repo, command, { stdin: input })).toEqual(realGit(repo, command, { stdin: input }));
  }
});

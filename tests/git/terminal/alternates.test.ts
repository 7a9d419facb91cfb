import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newSeed } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

const QUESTIONS = [
  ["rev-list", "--objects", "--all"],
  ["log", "--stat", "--all"],
  ["cat-file", "--batch-check", "--batch-all-objects"],
  ["rev-parse", "--short", "HEAD"],
  ["fsck"],
];

test("repositories that borrow objects, also from ones that borrow, answer as git's, and pack only their own", async () => {
  using dir = tempDir();
  const [first, second, third] = ["first.git", "second", "third.git"].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  randomHistory(first, { commits: 30, seed: newSeed(), branches: 2 });
  git(["clone", "-q", "--bare", "--shared", first, second]);
  const own = gitText(["-C", second, "hash-object", "-w", "--stdin"], { input: "own\n" });
  const tree = gitText(["-C", second, "mktree"], { input: `100644 blob ${own}\town\n` });
  const commit = gitText(["-C", second, "commit-tree", "-p", "HEAD", "-m", "own", tree]);
  git(["-C", second, "update-ref", "HEAD", commit]);
  git(["clone", "-q", "--bare", "--shared", second, third]);
  const same = async (folder: string) => {
    for (const words of QUESTIONS) {
      const { stdout, status } = realGit(folder, words);
      expect({ words, ...(await hearthGit(folder, words)) }).toMatchObject({ words, stdout, status });
    }
  };
  for (const folder of [first, second, third]) await same(folder);
  expect((await hearthGit(second, ["gc"])).status).toBe(0);
  const counted = git(["-C", second, "count-objects", "-v"]).stdout.toString().split("\n");
  expect(counted).toContain("count: 0");
  expect(counted).toContain("in-pack: 3");
  for (const folder of [second, third]) await same(folder);
});

test("alternates that are not there, name themselves or each other in a ring, or are quoted do no harm", async () => {
  using dir = tempDir();
  const [one, two] = ["one.git", 'two "2".git'].map((name) => join(dir.path, name)) as [string, string];
  randomHistory(one, { commits: 5, seed: newSeed(), branches: 1 });
  git(["init", "-q", "--bare", "-b", "main", two]);
  const quoted = `"${join(two, "objects").replaceAll('"', '\\"')}"`;
  writeFileSync(join(one, "objects", "info", "alternates"), `# a note\n/nowhere\n../objects\n\n${quoted}\n`);
  writeFileSync(join(two, "objects", "info", "alternates"), `../../one.git/objects\n`);
  const { stdout } = realGit(one, ["rev-list", "--all"]);
  expect((await hearthGit(one, ["rev-list", "--all"])).stdout).toBe(stdout);
  const tip = stdout.split("\n")[0]!;
  expect((await hearthGit(two, ["cat-file", "-t", tip])).stdout).toBe("commit\n");
  git(["-C", two, "cat-file", "-e", tip]);
});

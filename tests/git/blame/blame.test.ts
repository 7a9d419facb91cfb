import { expect, test } from "bun:test";
import { join } from "node:path";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "../terminal/answers.ts";
import { randomFiles } from "./random-files.ts";

const FORMS = [
  [],
  ["--porcelain"],
  ["--line-porcelain"],
  ["--incremental"],
  ["-l", "-n", "-f"],
  ["-s", "-b"],
  ["-e", "-t"],
  ["-c"],
  ["--abbrev=10", "--date=short"],
];
const COMPARISONS = [
  [],
  ["-w"],
  ["--first-parent"],
  ["--root"],
  ["-L", "3,+9", "-L", "40,-12"],
  ["-M"],
  ["-M5", "-w"],
  ["-C"],
  ["-C", "-C10"],
  ["-C", "-C", "-C"],
];

test.each([false, true])(
  "blame prints what git prints, of any file of any commit; skewed clocks: %p",
  async (skewed) => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    const seed = newSeed();
    randomFiles(repo, { commits: 60, seed, skewed });
    git(["-C", repo, "commit-graph", "write", "--reachable", "--changed-paths"]);
    const next = random(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
    const commits = gitText(["-C", repo, "rev-list", "--all"]).split("\n");
    for (let i = 0; i < 100; i++) {
      const commit = pick(commits);
      const names = gitText(["-C", repo, "ls-tree", "-r", "-z", "--name-only", commit]).split("\0").filter(Boolean);
      // With skewed clocks git takes some ancestors of what is excluded for wanted.
      const range = !skewed && next() < 0.2 ? `${pick(commits)}..${commit}` : commit;
      const ignored = next() < 0.3 ? ["--ignore-rev", pick(commits), "--ignore-rev", pick(commits)] : [];
      const comparison = pick(COMPARISONS);
      // In what order copied lines are found depends on what git has freed by then; what is found does not.
      const form = pick(
        comparison.some((word) => /^-C/.test(word)) ? FORMS.filter(([word]) => word !== "--incremental") : FORMS,
      );
      const words = ["blame", ...form, ...comparison, ...ignored, range, "--", pick(names)];
      expect({ words, ...(await hearthGit(repo, words)) }).toEqual({ words, ...realGit(repo, words) });
    }
  },
);

test("what cannot be blamed is refused in git's words", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  randomFiles(repo, { commits: 3, seed: 1 });
  const file = gitText(["-C", repo, "ls-tree", "-r", "--name-only", "HEAD"]).split("\n")[0]!;
  const questions = [
    ["HEAD", "--", "nosuch"],
    ["HEAD", "--", "src"],
    ["nosuch", "--", file],
    ["HEAD"],
    ["HEAD", "HEAD~1", "--", file],
    ["-L", "9000,9001", "HEAD", "--", file],
    ["-L", "x,3", "HEAD", "--", file],
    ["-L", "0,3", "HEAD", "--", file],
    ["-L", "3,+0", "HEAD", "--", file],
  ];
  for (const question of questions) {
    const words = ["blame", ...question];
    expect({ words, ...(await hearthGit(repo, words)) }).toEqual({ words, ...realGit(repo, words) });
  }
});

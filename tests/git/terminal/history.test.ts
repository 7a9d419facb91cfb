import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { newSeed } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

async function same(folder: string, words: readonly string[]): Promise<void> {
  const { stdout, status } = realGit(folder, words);
  expect({ words, ...(await hearthGit(folder, words)) }).toMatchObject({ words, stdout, status });
}

async function sameWithErrors(folder: string, words: readonly string[]): Promise<void> {
  const { stdout, stderr, status } = realGit(folder, words);
  expect({ words, ...(await hearthGit(folder, words)) }).toEqual({ words, stdout, stderr, status });
}

describe("commands over history", () => {
  test("fail as git's do", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    git(["init", "-q", "--bare", "-b", "main", repo]);
    await sameWithErrors(repo, ["log"]);
    await same(repo, ["rev-list", "--all"]);
    randomHistory(join(dir.path, "h.git"), { commits: 20, seed: newSeed(), branches: 2 });
    const full = join(dir.path, "h.git");
    await sameWithErrors(full, ["rev-list", "nothing"]);
    await sameWithErrors(full, ["rev-list", "nothing", "--"]);
    await sameWithErrors(full, ["log", "main..nothing"]);
    await sameWithErrors(full, ["log", "main", "src"]);
    await sameWithErrors(full, ["merge-base", "main", "nothing"]);
    await sameWithErrors(full, ["merge-base", "--is-ancestor", "main~1", "main"]);
    await sameWithErrors(full, ["merge-base", "--is-ancestor", "main", "main~1"]);
    await sameWithErrors(full, ["log", "--follow", "main"]);
    await sameWithErrors(full, ["log", "--format=nothing", "main"]);
    for (const words of [["rev-list"], ["rev-list", "--nothing", "main"], ["merge-base", "main"]])
      expect((await hearthGit(full, words)).status).toBe(realGit(full, words).status);
  });

  test("know shallow clones and tags", async () => {
    using dir = tempDir();
    const source = join(dir.path, "h.git");
    randomHistory(source, { commits: 60, seed: newSeed(), branches: 3 });
    git(["-C", source, "-c", "user.name=T", "-c", "user.email=t@x", "tag", "-a", "-m", "one", "v1", "main~2"]);
    git(["-C", source, "tag", "tree", "main^{tree}"]);
    await same(source, ["rev-list", "--all", "--objects"]);
    await same(source, ["rev-list", "--objects", "v1", "tree"]);
    await same(source, ["rev-list", "--tags", "--not", "main~4"]);
    await same(source, ["log", "--decorate", "--oneline", "--all"]);
    await same(source, ["rev-list", "main^@"]);
    await same(source, ["rev-list", "main^!"]);
    await same(source, ["rev-list", "main^-"]);
    await sameWithErrors(source, ["rev-list", "main", "nothing"]);
    const shallow = join(dir.path, "shallow.git");
    git(["clone", "-q", "--bare", "--depth", "4", "--no-single-branch", `file://${source}`, shallow]);
    await same(shallow, ["rev-list", "--all", "--parents"]);
    await same(shallow, ["log", "--oneline", "--stat", "--all"]);
  });

  test("show merges against each parent where that is asked for", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "h.git");
    randomHistory(repo, { commits: 50, seed: newSeed(), branches: 3 });
    for (const options of [
      ["-p"],
      ["--oneline", "--stat"],
      ["--pretty=raw", "--parents", "--raw"],
      ["--abbrev-commit", "--decorate", "--name-status"],
      ["--pretty=email", "--numstat"],
      ["--format=%h", "--first-parent", "--stat"],
      ["--format=%h", "--diff-filter=A", "--raw", "-t"],
      [],
    ])
      await same(repo, ["log", "-m", "--all", ...options]);
    await same(repo, ["log", "-m", "-p", "--diff-merges=off", "main"]);
    const stdin = realGit(repo, ["rev-list", "--all"]).stdout;
    for (const options of [
      "-v -r",
      "--pretty=raw -m -p --stat",
      "--format=%h -s --root",
      "--oneline -z -r",
      "--pretty=format:%h --always",
    ]) {
      const words = ["diff-tree", "--stdin", ...options.split(" ")];
      expect([words, await hearthGit(repo, words, { stdin })]).toEqual([words, realGit(repo, words, { stdin })]);
    }
    await same(repo, ["log", "--exit-code", "--format=%h", "-2", "main"]);
    await same(repo, ["log", "--pretty=email", "--boundary", "main~3..main"]);
  });

  test("work on SHA-256 repositories", async () => {
    using dir = tempDir();
    const source = join(dir.path, "h.git");
    const repo = join(dir.path, "r.git");
    randomHistory(source, { commits: 40, seed: newSeed(), branches: 3 });
    git(["init", "-q", "--bare", "-b", "main", "--object-format=sha256", repo]);
    const stream = git(["-C", source, "fast-export", "--all"]).stdout;
    git(["-C", repo, "fast-import", "--quiet"], { input: stream });
    const questions = [
      ["rev-list", "--all", "--parents"],
      ["rev-list", "--objects", "main", "^b1"],
      ["rev-list", "--topo-order", "--all", "--", "src"],
      ["rev-list", "--count", "--left-right", "main...b1"],
      ["log", "--stat", "--all"],
      ["log", "-p", "-n5", "main"],
      ["merge-base", "--all", "main", "b1"],
    ];
    for (const words of questions) await same(repo, words);
    const tip = gitText(["-C", repo, "rev-parse", "main"]);
    const more = gitText([
      "-C",
      repo,
      "-c",
      "user.name=T",
      "-c",
      "user.email=t@x",
      "commit-tree",
      "-p",
      tip,
      "-m",
      "x",
      `${tip}^{tree}`,
    ]);
    git(["-C", repo, "update-ref", "refs/heads/main", more]);
    for (const words of questions) await same(repo, words);
    git(["-C", repo, "commit-graph", "write", "--reachable", "--changed-paths"]);
    for (const words of questions) await same(repo, words);
  });
});

test("last-commits names for each entry the commit git log -1 names", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "h.git");
  randomHistory(repo, { commits: 60, seed: newSeed(), branches: 3 });
  const folders = gitText(["-C", repo, "ls-tree", "-rd", "--name-only", "-z", "main"]).split("\0").filter(Boolean);
  for (const folder of ["", ...folders, ...folders.map((name) => `${name}/`)]) {
    const answer = await hearthGit(repo, ["last-commits", "main", ...(folder === "" ? [] : ["--", folder])]);
    const tree = folder === "" ? "main" : `main:${folder}`;
    const names = gitText(["-C", repo, "ls-tree", "-z", "--name-only", tree]).split("\0").filter(Boolean);
    const prefix = folder === "" ? "" : `${folder.replace(/\/$/, "")}/`;
    const lines = names.map(
      (name) => `${gitText(["-C", repo, "log", "-1", "--format=%H", "main", "--", prefix + name])}\t${name}\n`,
    );
    expect(Buffer.from(answer.stdout, "latin1").toString()).toBe(lines.join(""));
  }
  expect((await hearthGit(repo, ["last-commits", "nothing"])).status).toBe(128);
});

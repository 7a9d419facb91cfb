import { expect, test } from "bun:test";
import { join } from "node:path";
import { Blame, joinRanges } from "../../../src/git/blame/blame.ts";
import { rememberBlame } from "../../../src/git/blame/memory.ts";
import type { BlameRange } from "../../../src/git/blame/result.ts";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { WorkerPool } from "../../../src/workers/pool.ts";
import { newSeed, random } from "../../random.ts";
import { gitText, tempDir } from "../objects/real-git.ts";
import { randomFiles } from "./random-files.ts";

test("a blame that starts from one of an older commit finds the same", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  const seed = newSeed();
  randomFiles(repo, { commits: 50, seed });
  const next = random(seed);
  const repository = RepositoryFolder.open(repo);
  const commits = gitText(["-C", repo, "rev-list", "main"]).split("\n");
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  for (let i = 0; i < 60; i++) {
    const [old, tip] = [pick(commits), pick(commits)];
    const names = (commit: string) =>
      gitText(["-C", repo, "ls-tree", "-rz", "--name-only", commit]).split("\0").filter(Boolean);
    const path = pick(names(tip));
    const oldPath = pick(names(old));
    const ignored = new Set(next() < 0.3 ? [pick(commits)] : []);
    const before = { tip: old, path: names(old).includes(path) ? path : oldPath, ignored };
    const memory = rememberBlame(before, new Blame(repository.commits, before).all());
    const stored: typeof memory = JSON.parse(JSON.stringify(memory));
    const plain = new Blame(repository.commits, { tip, path, ignored }).all();
    expect(new Blame(repository.commits, { tip, path, ignored, memory: stored }).all()).toEqual(plain);
  }
  repository.close();
});

test("the job streams what it finds and answers the whole, and what the next one can start from", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  randomFiles(repo, { commits: 30, seed: newSeed() });
  const [path = ""] = gitText(["-C", repo, "ls-tree", "-rz", "--name-only", "main"]).split("\0");
  const tip = gitText(["-C", repo, "rev-parse", "main"]);
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
  try {
    const job = pool.start("git.blame", { repoDir: repo, tip, path, stream: true });
    job.end();
    const lines = (await new Response(job.output).text()).split("\n").filter(Boolean);
    const streamed = lines.map((line): BlameRange => JSON.parse(line));
    const { ranges, lineCount, memory } = await job.result;
    expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(lineCount);
    expect(JSON.parse(JSON.stringify(ranges))).toEqual(JSON.parse(JSON.stringify(joinRanges(streamed))));
    const again = await pool.run("git.blame", { repoDir: repo, tip, path, ...(memory ? { known: memory } : {}) });
    expect(again.ranges).toEqual(ranges);
    const failure = await pool
      .run("git.blame", { repoDir: repo, tip, path: "nosuch" })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ originalName: "NoSuchFile" });
  } finally {
    pool.close();
  }
});

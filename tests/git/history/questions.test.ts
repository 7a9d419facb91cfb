import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { newSeed, random } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { git, tempDir } from "../objects/real-git.ts";
import { askMany, World } from "./questions.ts";

describe.each(["single", "chain", "none"])("with a commit-graph: %s", (graph) => {
  test("random questions about a random history get git's answers", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    const seed = newSeed();
    // Without generation numbers wrong clocks mislead git, and differently from question to question.
    randomHistory(repo, { commits: 120, seed, branches: 4, clocksAreRight: graph === "none" });
    if (graph === "single") git(["-C", repo, "commit-graph", "write", "--reachable", "--changed-paths"]);
    if (graph === "chain") {
      git(["-C", repo, "commit-graph", "write", "--stdin-commits", "--split", "--changed-paths"], {
        input: `${git(["-C", repo, "rev-parse", "main~5"]).stdout}`,
      });
      git(["-C", repo, "commit-graph", "write", "--reachable", "--split=no-merge", "--changed-paths"]);
    }
    const told: string[] = [];
    const { asked, agreed } = await askMany(new World(repo, random(seed)), 120, (line) => told.push(line));
    expect(told.filter((line) => line.startsWith("DIFFERS"))).toEqual([]);
    expect(agreed).toBe(asked);
  });
});

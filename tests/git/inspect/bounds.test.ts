import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Fact, InspectLimits } from "../../../src/git/inspect/facts.ts";
import { run } from "../../../src/git/inspect/inspect.job.ts";
import { buildHistory, gitText, tempDir } from "../objects/real-git.ts";

/** What is told of a branch that is new, against real git. */
async function inspect(repoDir: string, facts: readonly Fact[], limits: Partial<InspectLimits>) {
  const newOid = gitText(["-C", repoDir, "rev-parse", "main"]).trim();
  const change = { name: "refs/heads/x", oldOid: null, newOid, facts };
  const signal = new AbortController().signal;
  const { changes } = await run({ repoDir, changes: [change], knownTips: "", patterns: [], limits }, { signal });
  return changes[0];
}

test("all commits and paths of a history are those of git", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 60);
  const facts = await inspect(repo, ["commits", "paths"], {});
  const lines = (text: string) => [...new Set(text.split("\n").filter((line) => line !== ""))].sort();
  expect(facts?.commits?.map(({ oid }) => oid).sort()).toEqual(lines(gitText(["-C", repo, "rev-list", "main"])));
  const paths = gitText(["-C", repo, "log", "-c", "--root", "--name-only", "--no-renames", "-z", "--format=", "main"]);
  expect([...(facts?.paths ?? [])].sort()).toEqual(
    [...new Set(paths.split("\0"))].filter((path) => path !== "").sort(),
  );
});

test("more than the limits allow is said to be unknown, not told in part", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 20);
  expect(await inspect(repo, ["commits"], { commits: 5 })).toEqual({ overrun: "commits" });
  expect(await inspect(repo, ["commits"], { commitBytes: 300 })).toEqual({ overrun: "commits" });
  expect(await inspect(repo, ["paths"], { paths: 2 })).toEqual({ overrun: "paths" });
  expect(await inspect(repo, ["paths"], { trees: 1 })).toEqual({ overrun: "paths" });
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { WorkerPool } from "../../../src/workers/pool.ts";
import { newSeed } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

test("the jobs of the engine answer in worker threads what git answers", async () => {
  using dir = tempDir();
  const repoDir = join(dir.path, "r.git");
  randomHistory(repoDir, { commits: 40, seed: newSeed(), branches: 3 });
  const main = gitText(["-C", repoDir, "rev-parse", "main"]);
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
  try {
    const graph = await pool.run("git.graph", { repoDir, tips: main }, { lane: "bulk" });
    expect(graph).toMatchObject({
      written: true,
      commits: Number(gitText(["-C", repoDir, "rev-list", "--count", "main"])),
    });
    git(["-C", repoDir, "commit-graph", "verify"]);

    const page = await pool.run("git.log", { repoDir, tips: [main], paths: ["src"], skip: 1, limit: 2, count: true });
    expect(page.oids).toEqual(
      gitText(["-C", repoDir, "rev-list", "--skip=1", "-n2", "main", "--", "src"]).split("\n").filter(Boolean),
    );
    expect(page.total).toBe(Number(gitText(["-C", repoDir, "rev-list", "--count", "main", "--", "src"])));

    const { found } = await pool.run("git.lastCommits", { repoDir, commit: main, directory: "" });
    for (const [name, oid] of found) expect(oid).toBe(gitText(["-C", repoDir, "rev-list", "-1", "main", "--", name]));

    const diff = await pool.run("git.diff", {
      repoDir,
      from: gitText(["-C", repoDir, "rev-parse", "main~2"]),
      to: main,
    });
    const names = gitText(["-C", repoDir, "-c", "core.quotePath=false", "diff", "-M", "--name-only", "main~2", "main"]);
    expect(diff.files.map((file) => file.newPath)).toEqual(names.split("\n").filter(Boolean));

    // One that changes nothing has no mail.
    const changing = gitText(["-C", repoDir, "rev-list", "-1", "--no-merges", "main", "--", "src", "docs", "a", "z"]);
    const job = pool.start("git.patch", { repoDir, what: { kind: "mails", commits: [changing] } });
    job.end();
    const mail = await new Response(job.output).text();
    expect(mail.startsWith(`From ${changing} Mon Sep 17 00:00:00 2001\n`)).toBe(true);
    expect((await job.result).bytes).toBe(Buffer.byteLength(mail));

    const languages = await pool.run("git.languages", { repoDir, revision: main });
    expect(languages?.tree).toBe(gitText(["-C", repoDir, "rev-parse", "main^{tree}"]));
    const failure = await pool.run("git.diff", { repoDir, to: "0".repeat(40) }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ originalName: "CorruptObject" });
  } finally {
    pool.close();
  }
});

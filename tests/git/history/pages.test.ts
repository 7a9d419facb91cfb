import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Commits } from "../../../src/git/graph/commits.ts";
import { writeCommitGraph } from "../../../src/git/graph/writer.ts";
import { BadCursor } from "../../../src/git/history/cursor.ts";
import { type LogOptions, log } from "../../../src/git/history/log.ts";
import { logPage } from "../../../src/git/history/log-pages.ts";
import { ObjectStore } from "../../../src/git/objects/store.ts";
import { newSeed, random } from "../../random.ts";
import { randomHistory } from "../graph/random-history.ts";
import { gitText, tempDir } from "../objects/real-git.ts";

describe.each(["with", "without"])("pages %s a commit-graph", (graphed) => {
  test("are the history, cut in pieces", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    const seed = newSeed();
    const next = random(seed);
    randomHistory(repo, { commits: 250, seed, branches: 4 });
    const store = ObjectStore.open(repo);
    const oid = (name: string) => gitText(["-C", repo, "rev-parse", name]);
    if (graphed === "with") await writeCommitGraph(repo, store, ["main", "b1", "b2"].map(oid));
    const commits = Commits.open(repo, store);
    const [main, b1, b2] = [oid("main"), oid("b1"), oid("b2")];
    const questions: LogOptions[] = [
      { tips: [main] },
      { tips: [main, b1, b2] },
      { tips: [main], firstParent: true },
      { tips: [main], paths: ["src"] },
      { tips: [main, b1], paths: ["src/deep", "a"] },
      { tips: [main], paths: ["src/a"], follow: true },
      { tips: [main], not: [b1] },
      { tips: [main], order: "topo" },
      { tips: [b2], since: commits.timeOf(commits.numberOf(b2)) - 3_000_000, minParents: 2 },
      { tips: [b2], match: { grep: ["c[1-4]x"] } },
      { tips: [main], paths: ["nothing"] },
    ];
    for (const question of questions) {
      const whole = log(commits, question, 0, 1000).oids;
      for (const size of [1, 7, 1 + Math.floor(next() * 40)]) {
        const found: string[] = [];
        let cursor: string | undefined;
        for (let page = 0; page < 1000; page++) {
          // The branches may be elsewhere when the next page is asked for.
          const asked = page === 0 ? question : { ...question, tips: [b2] };
          const { oids, more, cursor: then } = logPage(commits, asked, size, cursor);
          expect(oids.length).toBeLessThanOrEqual(size);
          expect(more).toBe(then !== undefined);
          found.push(...oids);
          cursor = then;
          if (cursor === undefined) break;
        }
        expect([question, found]).toEqual([question, whole]);
      }
    }
    store.close();
  });

  test("take no cursor but their own", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    const seed = newSeed();
    const next = random(seed);
    randomHistory(repo, { commits: 60, seed, branches: 2 });
    const store = ObjectStore.open(repo);
    const commits = Commits.open(repo, store);
    const tips = [gitText(["-C", repo, "rev-parse", "main"])];
    const { cursor } = logPage(commits, { tips }, 5);
    expect(() => logPage(commits, { tips, paths: ["a"] }, 5, cursor)).toThrow(BadCursor);
    for (const text of ["", "x", "AAAA", "A".repeat(100), "A".repeat(20_000), "%00", `${cursor}AA==`])
      expect(() => logPage(commits, { tips }, 5, text)).toThrow(BadCursor);
    for (let i = 0; i < 500; i++) {
      const bytes = Buffer.from(cursor!, "base64url");
      const cut = next() < 0.3 ? bytes.subarray(0, Math.floor(next() * bytes.length)) : bytes;
      if (cut.length > 0) cut[Math.floor(next() * cut.length)] = Math.floor(next() * 256);
      try {
        logPage(commits, { tips }, 5, cut.toString("base64url"));
      } catch (error) {
        expect(error).toBeInstanceOf(BadCursor);
      }
    }
    store.close();
  });
});

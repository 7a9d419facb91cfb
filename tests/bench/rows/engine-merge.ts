import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { mergeCommits } from "../../../src/git/merge/merge-commits.ts";
import { Overlay } from "../../../src/git/odb/overlay.ts";
import { type ExamineContext, run as examine } from "../../../src/pulls/checks/examine.job.ts";
import { ThreadCache } from "../../../src/workers/thread-cache.ts";
import { gitLines, runGit } from "../../git/hosts/real-git.ts";
import { wallOf } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const MERGES = 1000;
const CACHE_BYTES = 96 * 1024 * 1024;
const OPEN_PULLS = 50;

export const mergeRows: RowGroup = {
  name: "merge",
  doc: "the newest merges of the largest history, again, in this process, against a git merge-tree process each",
  run: async (world, report) => {
    const { dir } = world.largest;
    const objects = join(world.folder, "merge-objects");
    mkdirSync(objects, { recursive: true });
    const list = ["-C", dir, "rev-list", "--parents", "--min-parents=2", "--max-parents=2", `-${MERGES}`, "--all"];
    const merges = (await gitLines(list)).map((line) => line.split(" "));
    const env = { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: join(dir, "objects") };
    const git = await wallOf(async () => {
      for (const [, ours = "", theirs = ""] of merges)
        await runGit(["-C", dir, "merge-tree", "--write-tree", ours, theirs], { env, mayFail: true });
    });
    const hearth = await wallOf(async () => {
      const repository = RepositoryFolder.open(dir, { cacheBytes: CACHE_BYTES });
      for (const [, ours = "", theirs = ""] of merges)
        mergeCommits(repository.commits, new Overlay(repository.store), ours, theirs, { allowUnrelated: true });
      repository.close();
    });
    report(metric("tree merge of 1,000 real merges", "ms", hearth, git));
    report(metric(`${OPEN_PULLS} pull requests checked after their base moved`, "ms", await examined(dir)));
  },
};

/**
 * What a push to a base costs its open pull requests, in the worker that looks at them: the newest branches that were
 * merged, against the commit that the oldest of them was merged into.
 */
async function examined(dir: string): Promise<number> {
  const list = ["-C", dir, "rev-list", "--first-parent", "--parents", "--min-parents=2", "--max-parents=2"];
  const merges = (await gitLines([...list, `-${OPEN_PULLS}`, "HEAD"])).map((line) => line.split(" "));
  const base = merges.at(-1)?.[1] ?? "";
  const cache = new ThreadCache(1);
  cache.capacityBytes = CACHE_BYTES;
  const context: ExamineContext = {
    signal: new AbortController().signal,
    cached: (kind, name) => cache.get(kind, name),
  };
  const wall = await wallOf(async () => {
    for (const [, , head = ""] of merges)
      examine({ repoDir: dir, base, head, protectedFiles: [], ignoreSpaceChange: false }, context);
  });
  return wall;
}

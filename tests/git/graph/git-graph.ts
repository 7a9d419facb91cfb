import { BITS_PER_PATH } from "../../../src/git/graph/bloom.ts";
import { git } from "../objects/real-git.ts";

/** Has git write the commit-graph, with filters as large as ours: both files are the same then, byte for byte. */
export function gitWritesGraph(repo: string, words: readonly string[], input?: string): void {
  git(["-C", repo, "commit-graph", "write", "--changed-paths", ...words], {
    env: { GIT_TEST_BLOOM_SETTINGS_BITS_PER_ENTRY: String(BITS_PER_PATH) },
    ...(input === undefined ? {} : { input }),
  });
}

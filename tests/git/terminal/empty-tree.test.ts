import { expect, test } from "bun:test";
import { join } from "node:path";
import { buildHistory, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

test.each(["sha1", "sha256"] as const)(
  "the empty tree is there in a %s repository that does not store it",
  async (format) => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    buildHistory(repo, 3, 1, format);
    const empty = realGit(repo, ["hash-object", "-t", "tree", "--stdin"]).stdout.trim();
    for (const words of [
      ["cat-file", "-t", empty],
      ["cat-file", "-s", empty],
      ["cat-file", "-p", empty],
      ["cat-file", "-e", empty],
      ["ls-tree", empty],
      ["rev-parse", "--verify", `${empty}^{object}`],
      ["rev-parse", `${empty}^{tree}`],
      ["rev-parse", "--verify", `${empty}^{commit}`],
      ["diff", "--stat", empty, "main"],
      ["diff", "main", empty],
      ["diff-tree", "-r", empty, "main"],
      ["rev-list", "--objects", "main", empty],
      ["archive", "--format=tar", empty],
      ["cat-file", "--batch-all-objects", "--batch-check"],
      ["fsck", "--strict"],
    ]) {
      const environment = { GIT_AUTHOR_DATE: "1700000000 +0000", GIT_COMMITTER_DATE: "1700000000 +0000" };
      const { stdout, status } = await hearthGit(repo, words, { environment });
      const expected = realGit(repo, words, { environment });
      // Of a mere tree both take the clock's time.
      if (words[0] === "archive") expect(stdout.length).toBe(expected.stdout.length);
      else expect({ words, stdout, status }).toEqual({ words, stdout: expected.stdout, status: expected.status });
    }
    const batch = { stdin: `${empty}\n${empty.slice(0, 9)}\nmain:nothing\n` };
    for (const words of [
      ["cat-file", "--batch-check"],
      ["cat-file", "--batch"],
    ])
      expect((await hearthGit(repo, words, batch)).stdout).toBe(realGit(repo, words, batch).stdout);
  },
);

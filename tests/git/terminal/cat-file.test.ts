import { expect, test } from "bun:test";
import { join } from "node:path";
import { allObjects, buildHistory, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

test("cat-file prints what git prints", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 12);
  const names = ["HEAD", "v1", "v1^{tree}", "main~3", ...allObjects(repo).map(({ oid }) => oid)];
  for (const name of names.slice(0, 40)) {
    for (const option of ["-t", "-s", "-p", "-e"]) {
      const words = ["cat-file", option, name];
      const { stdout, status } = realGit(repo, words);
      expect({ words, ...(await hearthGit(repo, words)) }).toMatchObject({ words, stdout, status });
    }
  }
});

import { expect, test } from "bun:test";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";

test("words of the command line that are not UTF-8 name what they say", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const stream = "commit refs/heads/main\ncommitter C <c> 1 +0000\ndata 0\nM 100644 inline latin\xe9\ndata 1\nx\n";
  git(["-C", repo, "fast-import", "--quiet"], { input: Buffer.from(stream, "latin1") });
  const entry = join(import.meta.dir, "../../../cli/entry.ts");
  const words = `git -C '${repo}' ls-tree --name-only -z main "$(printf 'latin\\351')"`;
  const child = Bun.spawnSync(["sh", "-c", `exec '${process.execPath}' '${entry}' ${words}`]);
  expect({ out: child.stdout.toString("latin1"), err: child.stderr.toString() }).toEqual({
    out: "latin\xe9\0",
    err: "",
  });
});

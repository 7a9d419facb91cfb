import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secondOpinion } from "../../src/repos/second-opinion.ts";
import { gitText } from "../git/objects/real-git.ts";

const dir = mkdtempSync(join(tmpdir(), "hearth-second-opinion-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A bare repository of one commit, whose `packed-refs` names it by `refs`, in bytes. */
function aFolder(name: string, refs: readonly string[]): { folder: string; oid: string } {
  const folder = join(dir, name);
  gitText(["init", "-q", "--bare", "-b", "main", folder]);
  const tree = gitText(["-C", folder, "hash-object", "-w", "-t", "tree", "/dev/null"]).trim();
  const who = ["-c", "user.name=n", "-c", "user.email=e@example.org"];
  const oid = gitText(["-C", folder, ...who, "commit-tree", "-m", "one", tree]).trim();
  const lines = refs.map((ref) => `${oid} ${ref}\n`).join("");
  writeFileSync(
    join(folder, "packed-refs"),
    Buffer.from(`# pack-refs with: peeled fully-peeled sorted \n${lines}`, "latin1"),
  );
  return { folder, oid };
}

test("another reader agrees, also where a branch has a name that it cannot look up", async () => {
  expect(await secondOpinion(aFolder("plain", ["refs/heads/main"]).folder)).toBeUndefined();
  expect(await secondOpinion(aFolder("bytes", ["refs/heads/caf\xe9", "refs/heads/main"]).folder)).toBeUndefined();
});

test("what it finds otherwise is told", async () => {
  const { folder } = aFolder("other", ["refs/heads/main"]);
  writeFileSync(join(folder, "refs", "heads", "more"), "no commit\n");
  expect((await secondOpinion(folder))?.code).toBe("second-reader.count");
});

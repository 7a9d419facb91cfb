import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildHistory, gitText, tempDir } from "../objects/real-git.ts";
import { realGit } from "./answers.ts";
import { Twins } from "./twins.ts";

// Real git is started many times.
setDefaultTimeout(600_000);

/** `caf\xe9` as Latin-1 has it, which is no UTF-8, and a folder of such a name. */
const NAMES = ["refs/heads/caf\xe9", "refs/heads/\xff\xfe/deep", "refs/tags/gr\u00fc\xc3\xa9"];
const OTHER = "refs/heads/other";

test("refs whose names are no UTF-8 keep their bytes and their objects through every command that writes refs", async () => {
  using place = tempDir();
  const dir = place.path;
  const theirs = join(dir, "theirs.git");
  const work = join(dir, "work");
  buildHistory(work, 3);
  gitText(["clone", "-q", "--bare", work, theirs]);
  const on = (...words: string[]) =>
    gitText(["-C", theirs, "-c", "user.name=n", "-c", "user.email=e", ...words]).trim();
  const only = on("commit-tree", "HEAD^{tree}", "-m", "only there");
  on("update-ref", OTHER, "HEAD");
  on("pack-refs", "--all");
  const packed = () => readFileSync(join(theirs, "packed-refs"), "latin1");
  const lines = packed().trimEnd().split("\n");
  const all = [...lines.filter((line) => /^[0-9a-f]/.test(line)), ...NAMES.map((name) => `${only} ${name}`)].sort(
    (a, b) => (a.slice(41) < b.slice(41) ? -1 : 1),
  );
  writeFileSync(join(theirs, "packed-refs"), `${["# pack-refs with: sorted ", ...all].join("\n")}\n`, "latin1");
  const twins = new Twins(theirs, dir);
  const shown = (repo: string) =>
    Bun.spawnSync(["git", "-C", repo, "for-each-ref", "--format=%(objectname) %(refname)"]).stdout.toString("latin1");
  expect(shown(theirs)).toContain("caf\xe9");

  await twins.both(["update-ref", "-d", OTHER]);
  expect(readFileSync(join(twins.ours, "packed-refs"))).toEqual(readFileSync(join(theirs, "packed-refs")));
  await twins.both(["show-ref"]);
  // Loose, and back into the packed file.
  for (const repo of [theirs, twins.ours]) {
    writeFileSync(Buffer.from(`${repo}/refs/heads/loose\xe9`, "latin1"), `${only}\n`);
    expect(realGit(repo, ["update-ref", "refs/heads/new", "HEAD"]).status).toBe(0);
  }
  await twins.both(["show-ref"]);
  await twins.both(["gc", "--prune=now"]);
  expect(shown(twins.ours)).toBe(shown(theirs));
  expect(shown(twins.ours)).toContain("loose\xe9");
  expect(realGit(twins.ours, ["cat-file", "-t", only]).stdout).toBe("commit\n");
  expect(realGit(twins.ours, ["fsck", "--strict"]).status).toBe(0);
});

import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { gc } from "../../../src/git/maintenance/gc.ts";
import { buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit } from "../terminal/answers.ts";

setDefaultTimeout(600_000);

/** gc in a folder where others write, or were killed while they wrote. */

/** The name of a process of this machine that is no more, as locks and `gc.pid` have it. */
function somebodyDead(): string {
  return `${Bun.spawnSync(["true"]).pid} ${hostname()}`;
}

test("gc keeps what a push names while packs are made, even with --prune=now", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 30);
  git(["-C", repo, "config", "core.logAllRefUpdates", "false"]);
  const tree = gitText(["-C", repo, "rev-parse", "main^{tree}"]);
  const commitOf = (text: string) =>
    gitText(["-C", repo, "commit-tree", tree, "-p", "main", "-m", text], {
      env: { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a" },
    });
  const named = commitOf("named");
  const forgotten = commitOf("forgotten");
  const repository = RepositoryFolder.open(repo);
  try {
    let isNamed = false;
    await gc(repository, {
      pruneBefore: Date.now() / 1000 + 1,
      onProgress: (phase) => {
        if (isNamed || phase === "Counting objects") return;
        isNamed = true;
        git(["-C", repo, "update-ref", "refs/heads/pushed", named]);
      },
    });
    expect(isNamed).toBe(true);
  } finally {
    repository.close();
  }
  expect(git(["-C", repo, "fsck", "--strict", "--full"]).stderr).toBe("");
  expect(git(["-C", repo, "cat-file", "-e", forgotten], { mayFail: true }).code).not.toBe(0);
});

test("gc leaves a push that goes on alone, and takes away what a killed gc left", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 5);
  const objects = join(repo, "objects");
  for (const name of ["tmp_objdir-incoming-Xy12", "tmp_objdir-maintenance-0"]) {
    mkdirSync(join(objects, name));
    writeFileSync(join(objects, name, "pack"), "half");
  }
  writeFileSync(join(repo, "gc.pid"), somebodyDead());
  expect(await hearthGit(repo, ["gc", "--prune=now"])).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(objects).filter((name) => name.startsWith("tmp"))).toEqual(["tmp_objdir-incoming-Xy12"]);
  expect(existsSync(join(repo, "gc.pid"))).toBe(false);
});

test("a lock of ours whose process was killed, or half a gc.pid, keeps no one out; a lock of git's does", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 5);
  const tip = gitText(["-C", repo, "rev-parse", "main"]);
  const graphs = join(repo, "objects/info/commit-graphs");
  mkdirSync(graphs, { recursive: true });
  for (const path of ["packed-refs.lock", "refs/heads/main.lock", "objects/info/commit-graphs/commit-graph-chain.lock"])
    writeFileSync(join(repo, path), somebodyDead());
  writeFileSync(join(repo, "gc.pid"), "");
  expect(await hearthGit(repo, ["gc"])).toMatchObject({ status: 0, stderr: "" });
  expect(await hearthGit(repo, ["update-ref", "refs/heads/other", tip])).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(repo, { recursive: true }).filter((name) => String(name).endsWith(".lock"))).toEqual([]);
  expect(gitText(["-C", repo, "for-each-ref", "--format=%(refname)", "refs/heads"])).toBe(
    "refs/heads/main\nrefs/heads/other",
  );

  writeFileSync(join(repo, "packed-refs.lock"), "");
  const refused = await hearthGit(repo, ["gc"]);
  expect(refused).toMatchObject({ status: 128, stderr: expect.stringContaining("packed-refs.lock") });
});

import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asAccount } from "../../src/access/principal.ts";
import { lockFolder } from "../../src/server.ts";
import { aRepo, aServer, aUser } from "../builders.ts";
import { git } from "../git/objects/real-git.ts";
import { hearth } from "./run.ts";

async function aSoundFolder() {
  const server = await aServer();
  const { user } = await aUser(server, { login: "ada" });
  const repo = aRepo(server, user, { name: "engine", files: { "a.txt": "a" } });
  const dir = server.services.storage.dirOf(repo.id);
  await server.services.refs.projected();
  return { server, repo, dir, doctor: (...words: string[]) => hearth(server.dataDir, ["doctor", ...words]) };
}

test("a sound folder is sound, next to a running server", async () => {
  const { server, doctor } = await aSoundFolder();
  await using _ = server;
  // mkdtemp made the test's folder, with the right mode.
  const { code, out, err } = await doctor();
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("ok      database: ");
  expect(out).toContain("ok      repositories: 1 repositories, 1 refs\n");
  expect(out).toEndWith("All 6 checks passed.\n");
});

test("a repository of SHA-256 is sound, too, and one whose folder has another format than its row is not", async () => {
  const { server, dir, doctor } = await aSoundFolder();
  await using _ = server;
  const { services } = server;
  const owner = services.identity.byLogin("ada")!;
  await services.creator.create(asAccount(owner), owner, { name: "long", objectFormat: "sha256", autoInit: true });
  const { code, out } = await doctor();
  expect([code, out]).toEqual([0, expect.stringContaining("repositories: 2 repositories, 2 refs\n")]);
  git(["config", "core.repositoryformatversion", "1"], { cwd: dir });
  git(["config", "extensions.objectformat", "sha256"], { cwd: dir });
  const found = await doctor();
  expect([found.code, found.out]).toEqual([
    1,
    expect.stringContaining("ada/engine: its config says that ids are sha256, the database sha1\n"),
  ]);
});

test("refs on disk that lag behind are found, and written with --fix", async () => {
  const { server, dir, doctor } = await aSoundFolder();
  await using _ = server;
  server.services.refs.settle();
  const before = readFileSync(join(dir, "packed-refs"), "utf8");
  unlinkSync(join(dir, "packed-refs"));
  chmodSync(server.dataDir, 0o755);
  const found = await doctor();
  expect(found.code).toBe(1);
  expect(found.out).toContain(
    "fixable repositories: ada/engine: HEAD or packed-refs in its folder differ from the database\n",
  );
  expect(found.out).toContain("fixable data folder: ");
  expect(found.out).toEndWith("2 problems found, 2 of them can be repaired with --fix.\n");
  // What is there is the truth for a branch that real git removed: put it back the way a restored folder has it.
  writeFileSync(join(dir, "packed-refs"), `${before.split("\n")[0]}\n${"1".repeat(40)} refs/heads/main\n`);
  const fixed = await doctor("--fix");
  // Nor is it taken for what real git wrote: it says of itself that it is another.
  expect([fixed.code, fixed.err]).toEqual([0, expect.stringContaining("packed-refs=damaged")]);
  expect(readFileSync(join(dir, "packed-refs"), "utf8")).toBe(before);
  expect(git(["fsck", "--strict"], { cwd: dir }).code).toBe(0);
});

test("--fix leaves a folder alone that a server is using", async () => {
  const { server, doctor } = await aSoundFolder();
  await using _ = server;
  const lock = lockFolder(server.dataDir);
  try {
    const refused = await doctor("--fix");
    expect([refused.code, refused.err]).toEqual([1, `Command error: ${server.dataDir} is in use by another Hearth\n`]);
    expect((await doctor()).code).toBe(0);
  } finally {
    lock.release();
  }
});

test("missing objects, missing folders and folders of no one are named", async () => {
  const { server, repo, dir, doctor } = await aSoundFolder();
  await using _ = server;
  const tip = server.services.refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  const loose = join(dir, "objects", tip.slice(0, 2), tip.slice(2));
  const content = readFileSync(loose);
  unlinkSync(loose);
  const stray = join(server.dataDir, "repositories", "ff", "999999.git");
  mkdirSync(stray, { recursive: true });
  const first = await doctor();
  expect(first.code).toBe(1);
  expect(first.out).toContain(`wrong   repositories: ada/engine: refs/heads/main points to ${tip}, which is missing\n`);
  expect(first.out).toContain(`wrong   repositories: ${stray}: belongs to no repository`);
  chmodSync(join(loose, ".."), 0o755);
  writeFileSync(loose, content.subarray(0, content.length - 8));
  expect((await doctor()).out).toMatch(/refs\/heads\/main points to [0-9a-f]{40}, which is damaged|cannot be read/);
  rmSync(dir, { recursive: true });
  expect((await doctor()).out).toContain(`ada/engine: its folder ${dir} is missing\n`);
});

test("a database that is none is told, not thrown", async () => {
  const { server, doctor } = await aSoundFolder();
  const dataDir = server.dataDir;
  await using _ = server;
  mkdirSync(join(dataDir, "other"));
  writeFileSync(join(dataDir, "other", "hearth.db"), "this is no database, whatever its name says".repeat(100));
  const told = await hearth(join(dataDir, "other"), ["doctor"]);
  expect(told.code).toBe(1);
  expect(told.out).toMatch(/wrong {3}database: cannot be (opened|read): /);
  expect((await doctor()).code).toBe(0);
});

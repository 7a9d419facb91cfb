import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asAccount } from "../../src/access/principal.ts";
import { lockFolder } from "../../src/db/folder-lock.ts";
import { aThing, lfsOf } from "../api/lfs/client.ts";
import { anOrganization, aRepo, aServer, aToken, aUser, call } from "../builders.ts";
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
  expect(out).toEndWith("All 11 checks passed.\n");
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

test("rows about accounts that disagree are found, and put right with --fix", async () => {
  const { server, repo, doctor } = await aSoundFolder();
  await using _ = server;
  const ada = server.services.identity.byLogin("ada")!;
  const bob = await aUser(server, { login: "bob" });
  const organization = anOrganization(server, ada, { login: "crafts" });
  const db = server.core.db;
  const run = (sql: string) => db.execute(sql);
  run(`UPDATE users SET email = 'elsewhere@example.org' WHERE id = ${ada.id}`);
  run(`DELETE FROM user_emails WHERE user_id = ${bob.user.id}`);
  run(`INSERT INTO user_redirects (lower_login, user_id) VALUES ('bob', ${ada.id})`);
  run(`INSERT INTO collaborators (repo_id, user_id, level, created_at) VALUES (${repo.id}, ${ada.id}, 'read', 0)`);
  run(`INSERT INTO team_repositories (team_id, repo_id, created_at)
       SELECT id, ${repo.id}, 0 FROM teams WHERE organization_id = ${organization.id}`);
  run("PRAGMA foreign_keys = OFF");
  run("INSERT INTO stars (user_id, repo_id, created_at) VALUES (4711, 4712, 0)");
  run("PRAGMA foreign_keys = ON");
  const found = await doctor();
  expect(found.code).toBe(1);
  for (const line of [
    "accounts: ada: its address is not its primary one",
    "accounts: bob: its e-mail address is not among its addresses",
    "accounts: bob: an old name of another account stands for it",
    "accounts: ada/engine: its owner is among its collaborators",
    "accounts: ada/engine: belongs to a team of an organization that does not own it",
    "accounts: a row of stars refers to a row of users that does not exist",
  ])
    expect(found.out).toContain(line);
  const fixed = await doctor("--fix");
  expect([fixed.code, fixed.err]).toEqual([0, ""]);
  expect(fixed.out).toContain("7 of 7 problems of accounts");
  const { identity, emails } = server.services;
  const now = identity.byLogin("ada");
  expect([now?.email, emails.ofAccount(ada.id).length]).toEqual([ada.email, 1]);
  expect(emails.ofAccount(bob.user.id).map(({ email, isPrimary }) => [email, isPrimary])).toEqual([
    [bob.user.email, true],
  ]);
});

test("an organization whose rows are gone gets them again; that nobody owns it, only a person can mend", async () => {
  const { server, doctor } = await aSoundFolder();
  await using _ = server;
  const organization = anOrganization(server, server.services.identity.byLogin("ada")!, { login: "crafts" });
  server.core.db.execute(`DELETE FROM organizations WHERE user_id = ${organization.id}`);
  expect((await doctor()).out).toContain("fixable accounts: crafts: is an organization without settings\n");
  const fixed = await doctor("--fix");
  expect(fixed.code).toBe(1);
  expect(fixed.out).toContain("wrong   accounts: crafts: has no owner");
  expect(server.services.identity.byLogin("crafts")?.kind).toBe("organization");
});

test("a large file whose bytes are gone is named with its repository", async () => {
  const { server, doctor } = await aSoundFolder();
  await using _ = server;
  const ada = server.services.identity.byLogin("ada")!;
  const thing = aThing("a large file");
  const sent = await lfsOf(server, "ada/engine").put(thing, thing.bytes, {
    basic: ["ada", aToken(server, ada, ["all"])],
  });
  expect(sent.status).toBe(200);
  const sound = await doctor();
  expect([sound.code, sound.out]).toEqual([0, expect.stringContaining("ok      large files: 1 object\n")]);
  unlinkSync(server.services.blobs.files.pathOf(thing.oid));
  const found = await doctor();
  expect(found.code).toBe(1);
  expect(found.out).toContain(`wrong   large files: ada/engine ${thing.oid}: its bytes are missing: push it again`);
});

test("a file of a package whose bytes are gone is named", async () => {
  const { server, doctor } = await aSoundFolder();
  await using _ = server;
  const token = aToken(server, server.services.identity.byLogin("ada")!, ["all"]);
  const path = "/api/packages/ada/generic/tools/1.0/a.bin";
  expect((await call(server, "PUT", path, { token, body: "bytes" })).status).toBe(201);
  const sound = await doctor();
  expect([sound.code, sound.out]).toEqual([0, expect.stringContaining("ok      packages: 1 content\n")]);
  const digest = new Bun.CryptoHasher("sha256").update("bytes").digest("hex");
  unlinkSync(server.services.blobs.files.pathOf(digest));
  const found = await doctor();
  expect([found.code, found.out]).toEqual([
    1,
    expect.stringContaining(
      "packages: ada/-/packages/generic/tools/1.0 a.bin: its bytes are missing: publish it again\n",
    ),
  ]);
});

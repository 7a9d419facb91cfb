import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount, operator } from "../../src/access/principal.ts";
import { Database } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { migrations } from "../../src/db/migrations/index.ts";
import { SHA256 } from "../../src/git/objects/format.ts";
import { findFolder } from "../../src/repos/folders/store.ts";
import { findRepoById } from "../../src/repos/store.ts";
import { aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { git, gitEnvironment, gitText } from "../git/objects/real-git.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function aFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "hearth-folders-"));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Git, while this process answers it. */
async function talk(cwd: string, ...args: string[]): Promise<void> {
  const child = Bun.spawn(["git", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" },
    stderr: "pipe",
  });
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
}

/** Where a wiki is pushed to and fetched from, as that account. */
function aWikiDoor({ url }: TestServer, { user, token }: TestUser): string {
  const door = new URL("ada/engine.wiki.git", url);
  door.username = user.login;
  door.password = token;
  return door.href;
}

async function untilIt({ core }: TestServer, holds: () => boolean): Promise<void> {
  core.outbox.dispatch();
  while (!holds()) {
    core.db.query("UPDATE jobs SET run_at = 0 WHERE state = 'waiting'").run();
    await core.jobs.drain();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function packsIn(dir: string): string[] {
  return readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(".pack"));
}

test("a repository with a folder for its wiki: pushed, fetched, maintained, scrubbed, inspected, and gone with it", async () => {
  const server = await aServer({ "repository.bin_days": 0, "repository.trash_hours": 0 });
  cleanups.push(() => server.close());
  const ada = await aUser(server, { login: "ada", isAdmin: true });
  const { user } = ada;
  const { folders, refs, storage, packing, integrity, inspector, repoRemoval, repos } = server.services;
  const repo = aRepo(server, user, { name: "engine", files: { "a.txt": "the code\n" } });
  const wiki = await folders.create(repo, "wiki", "main");
  const again = await folders.create(repo, "wiki", "main").catch((error: unknown) => error);
  expect(String(again)).toContain("UNIQUE");
  expect(wiki.id).not.toBe(repo.id);
  const dir = storage.dirOf(wiki.id);
  const door = aWikiDoor(server, ada);

  const work = aFolder();
  git(["init", "-q", "-b", "trunk"], { cwd: work });
  for (const page of ["Home", "Other"]) {
    writeFileSync(join(work, `${page}.md`), `# ${page}\n`);
    git(["add", "."], { cwd: work });
    git(["commit", "-qm", page], { cwd: work });
    await talk(work, "push", "-q", door, "HEAD:trunk");
  }
  const tip = gitText(["rev-parse", "HEAD"], { cwd: work });
  expect(refs.list(wiki.id)).toEqual([{ name: "refs/heads/trunk", oid: tip }]);
  // The first branch became the wiki's own default; the code heard nothing of it.
  expect(folders.byId(wiki.id)).toMatchObject({ defaultBranch: "trunk", isEmpty: false, kind: "wiki" });
  expect(repos.byId(repo.id)).toMatchObject({ defaultBranch: "main", refsVersion: repo.refsVersion });
  expect(refs.list(repo.id).map(({ name }) => name)).toEqual(["refs/heads/main"]);
  expect(gitText(["symbolic-ref", "HEAD"], { cwd: dir })).toBe("refs/heads/trunk");
  const events = server.core.db.query<{ kind: string; n: number }>(
    "SELECT kind, count(*) AS n FROM events WHERE kind LIKE '%refs%' GROUP BY kind ORDER BY kind",
  );
  expect(events.all()).toEqual([
    { kind: "folder.refs-changed", n: 2 },
    { kind: "refs.changed", n: 1 },
  ]);

  const clone = join(aFolder(), "clone");
  await talk(work, "clone", "-q", door, clone);
  expect(gitText(["rev-parse", "HEAD"], { cwd: clone })).toBe(tip);

  packing.enqueueRepack(wiki.id);
  await untilIt(server, () => {
    const marked = readdirSync(join(dir, "objects/info/hearth"), { withFileTypes: true });
    return marked.some(({ name }) => name === "maintenance");
  });
  expect(packsIn(dir).length).toBeGreaterThan(1);
  expect(existsSync(join(dir, "objects/info/commit-graph"))).toBe(true);
  expect(git(["fsck", "--strict", "--full"], { cwd: dir }).stderr).toBe("");
  expect(gitText(["count-objects", "-v"], { cwd: dir })).toContain("garbage: 0");

  integrity.scrubAll(operator);
  const scrubs = () => integrity.list(operator, { page: 1, limit: 50, offset: 0 });
  await untilIt(server, () => scrubs().total === 3);
  expect(scrubs().items.find(({ folderId }) => folderId === wiki.id)).toMatchObject({
    repository: "ada/engine.wiki",
    findings: [],
  });
  expect(inspector.inspect()).toEqual({ repositories: 1, refs: 2, problems: [] });
  rmSync(join(dir, "objects"), { recursive: true });
  expect(inspector.inspect().problems.map(({ subject }) => subject)).toEqual(["ada/engine.wiki"]);

  repoRemoval.remove(asAccount(user), repo);
  await untilIt(server, () => folders.byId(wiki.id) === undefined);
  expect([repos.byId(repo.id), refs.list(wiki.id)]).toEqual([undefined, []]);
  await untilIt(server, () => !existsSync(dir) && !existsSync(storage.dirOf(repo.id)));
  const left = server.core.db.query<{ n: number }>("SELECT count(*) AS n FROM repository_storage").get()?.n;
  expect(left).toBe(0);
  expect(server.errors).toEqual([]);
});

test("who may not read the wiki finds no folder of it, and who may not write it pushes nothing", async () => {
  const server = await aServer();
  cleanups.push(() => server.close());
  const { user: owner } = await aUser(server, { login: "ada" });
  const eve = await aUser(server, { login: "eve" });
  const repo = aRepo(server, owner, { name: "engine", files: { "a.txt": "code\n" } });
  const { folders, gitAccess, refs, repos } = server.services;
  const ask = (user: typeof owner) =>
    gitAccess.target({
      principal: asAccount(user),
      user,
      owner: "ada",
      name: "engine",
      service: "git-upload-pack",
      folder: "wiki",
      redirect: () => "",
    });
  expect(() => ask(owner)).toThrow();
  await folders.create(repo, "wiki", "main");
  expect(ask(eve.user)).toMatchObject({ folder: { kind: "wiki" } });
  const door = aWikiDoor(server, eve);
  const work = aFolder();
  git(["init", "-q", "-b", "main"], { cwd: work });
  git(["commit", "-q", "--allow-empty", "-m", "mine"], { cwd: work });
  await expect(talk(work, "push", "-q", door, "main")).rejects.toThrow("not found");
  expect(refs.list(folders.find(repo.id, "wiki")?.id ?? 0)).toEqual([]);
  const seen = repos.seeById(asAccount(owner), repo.id);
  if (!seen) throw new Error("the owner does not see it");
  repos.edit(seen, { settings: { units: { wiki: false } } });
  expect(() => ask(eve.user)).toThrow();
});

test("the database from before git folders keeps every ref, log line, scrub and waiting job, and they go with the repository", () => {
  const dir = aFolder();
  const db = new Database(join(dir, "a.db"));
  const before = migrations.findIndex(({ sql }) => sql.includes("CREATE TABLE git_folders"));
  migrate(db, () => {}, migrations.slice(0, before));
  db.execute(`
    INSERT INTO users (id, login, lower_login, email, created_at, updated_at) VALUES (1, 'a', 'a', 'a@x', 1, 1);
    INSERT INTO repository_storage (id, state, changed_at) VALUES (7, 'live', 1), (8, 'live', 1), (9, 'trash', 1);
    INSERT INTO repositories (id, owner_id, name, lower_name, default_branch, object_format, is_empty, refs_version,
      projection_mark, created_at, updated_at)
      VALUES (7, 1, 'r', 'r', 'dev', 'sha256', 0, 5, 'a mark', 1, 1), (8, 1, 's', 's', 'main', 'sha1', 1, 0, '', 1, 1);
    INSERT INTO refs VALUES (7, 'refs/heads/dev', 'aa', NULL), (7, 'refs/tags/t', 'bb', 'aa');
    INSERT INTO ref_log (id, repo_id, name, new_oid, at) VALUES (3, 7, 'refs/heads/dev', 'aa', 5);
    INSERT INTO ref_log (id, repo_id, name, new_oid, at) VALUES (9, 7, 'refs/tags/t', 'bb', 6);
    DELETE FROM ref_log WHERE id = 9;
    INSERT INTO projections_due VALUES (8);
    INSERT INTO unwritten_refs VALUES (7, 'refs/tags/t', NULL);
    INSERT INTO scrubs (id, repo_id, finished_at, items, bytes) VALUES (1, 7, 1, 2, 3), (2, NULL, 1, 0, 0);
    INSERT INTO scrub_findings (id, scrub_id, file, message, hits) VALUES (1, 1, 'f', 'm', '{}');
    INSERT INTO jobs (kind, payload, run_at, created_at)
      VALUES ('repository.repack', '{"repoId":7}', 0, 0), ('repository.unlink', '{"id":9}', 0, 0);`);
  migrate(db);
  expect(findFolder(db, 7)).toEqual({
    id: 7,
    repoId: 7,
    kind: "code",
    objectFormat: SHA256,
    defaultBranch: "dev",
    isEmpty: false,
    refsVersion: 5,
  });
  expect(findRepoById(db, 8)).toMatchObject({ defaultBranch: "main", isEmpty: true, refsVersion: 0 });
  const all = (sql: string) => db.query<object>(sql).all();
  expect(all("SELECT projection_mark FROM git_folders WHERE id = 7")).toEqual([{ projection_mark: "a mark" }]);
  expect(all("SELECT * FROM refs ORDER BY name")).toEqual([
    { folder_id: 7, name: "refs/heads/dev", oid: "aa", peeled: null },
    { folder_id: 7, name: "refs/tags/t", oid: "bb", peeled: "aa" },
  ]);
  expect(all("SELECT payload FROM jobs ORDER BY id")).toEqual([{ payload: '{"folderId":7}' }, { payload: '{"id":9}' }]);
  expect(all("SELECT folder_id FROM projections_due")).toEqual([{ folder_id: 8 }]);
  // Numbers that were used are not used again.
  db.execute("INSERT INTO ref_log (folder_id, name, at) VALUES (7, 'x', 1)");
  expect(all("SELECT id FROM ref_log ORDER BY id")).toEqual([{ id: 3 }, { id: 10 }]);
  db.execute("DELETE FROM repositories WHERE id = 7");
  for (const table of ["refs", "ref_log", "unwritten_refs", "scrub_findings"])
    expect(all(`SELECT * FROM ${table}`)).toEqual([]);
  expect(all("SELECT folder_id FROM scrubs")).toEqual([{ folder_id: null }]);
  db.close();
});

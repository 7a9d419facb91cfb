import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { operator } from "../../src/access/principal.ts";
import { licenseText } from "../../src/repos/templates/licenses.ts";
import { anApi, aRepo, aServer, aUser, call, settled, type TestServer, type TestUser } from "../builders.ts";
import { untilHolds } from "../until.ts";

/** Tasks that clients and administrators know by the names of the contract (identity.md 15.2), and what each of them does. */

let server: TestServer;
let root: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { login: "root", isAdmin: true });
});
afterAll(() => server.close());

async function run(task: string): Promise<void> {
  expect((await api("POST", `/admin/cron/${task}`, root)).status).toBe(204);
  await settled(server);
}

interface Task {
  readonly name: string;
  readonly next: string;
  readonly exec_times: number;
}

test("every task of the contract is there, and those that are off wait for an administrator", async () => {
  const { body } = await api<Task[]>("GET", "/admin/cron?limit=50", root);
  const names = new Map(body.map((task) => [task.name, task]));
  const off = ["sync_repo_licenses", "delete_inactive_accounts", "delete_repo_archives", "reinit_missing_repos"];
  for (const name of [...off, "delete_missing_repos"]) expect(names.get(name)?.next).toBe("0001-01-01T00:00:00Z");
  for (const name of ["update_migration_poster_id", "start_schedule_tasks"]) expect(names.has(name)).toBe(true);
  // Clients that ask for one page find those that they know there.
  const first = (await api<Task[]>("GET", "/admin/cron", root)).body.map(({ name }) => name);
  expect(first.slice(0, 2)).toEqual(["update_mirrors", "repo_health_check"]);
  for (const name of [...off, "delete_missing_repos", "git_gc_repos"]) expect(first).toContain(name);
  await run("delete_repo_archives");
  const after = (await api<Task[]>("GET", "/admin/cron?limit=50", root)).body;
  const ran = after.find(({ name }) => name === "delete_repo_archives");
  expect(ran).toMatchObject({ exec_times: 1, next: "0001-01-01T00:00:00Z" });
});

test("only accounts that were registered long ago and never confirmed are deleted as inactive", async () => {
  const { db } = server.core;
  const account = async (login: string, change: string) => {
    const { user } = await aUser(server, { login });
    db.query(`UPDATE users SET created_at = 1 ${change} WHERE id = ?`).run(user.id);
    return user;
  };
  const unconfirm = "UPDATE user_emails SET is_verified = 0, is_proven = 0 WHERE user_id = ?";
  const waiting = await account("waiting", ", is_active = 0");
  const owner = await account("owner", ", is_active = 0");
  const seen = await account("seen", ", is_active = 0, last_login_at = 2");
  const fresh = await account("fresh", ", is_active = 0");
  for (const { id } of [waiting, owner, seen, fresh]) db.query(unconfirm).run(id);
  db.query("UPDATE users SET created_at = ? WHERE id = ?").run(server.core.clock(), fresh.id);
  await account("switchedoff", ", is_active = 0");
  await account("working", "");
  aRepo(server, owner);
  await run("delete_inactive_accounts");
  const left = (await api<{ login: string }[]>("GET", "/admin/users?limit=50", root)).body.map(({ login }) => login);
  expect(left).not.toContain("waiting");
  for (const login of ["owner", "seen", "fresh", "switchedoff", "working"]) expect(left).toContain(login);
});

test("archives that are cached are deleted, and made again when they are asked for", async () => {
  const { name, id } = aRepo(server, root.user, { files: { "a.txt": "a\n" } });
  const download = () => call(server, "GET", `/api/v1/repos/root/${name}/archive/main.zip`, { token: root.token });
  expect((await download()).status).toBe(200);
  const cached = join(server.dataDir, "cache", "archives", String(id));
  expect(existsSync(cached)).toBe(true);
  await run("delete_repo_archives");
  expect(existsSync(cached)).toBe(false);
  expect((await download()).status).toBe(200);
});

test("licences of every repository are found again", async () => {
  const repo = aRepo(server, root.user, { files: { LICENSE: await licenseText("MIT") } });
  await settled(server);
  server.core.db.query("UPDATE repositories SET licenses = '[]' WHERE id = ?").run(repo.id);
  await run("sync_repo_licenses");
  const licenses = async () => (await api("GET", `/repos/root/${repo.name}/licenses`, root)).body as unknown;
  await untilHolds(async () => Bun.deepEquals(await licenses(), ["MIT"]));
});

test("a repository whose folder is gone is made anew without branches, or deleted into the bin", async () => {
  const { storage } = server.services;
  const [gone, lost] = ["gone", "lost"].map((name) => aRepo(server, root.user, { name, files: { "a.txt": "a\n" } }));
  const alive = aRepo(server, root.user, { name: "alive", files: { "a.txt": "a\n" } });
  if (!gone || !lost) throw new Error("both were made");
  await settled(server);
  rmSync(storage.dirOf(gone.id), { recursive: true });
  storage.reopen(gone.id);
  await run("reinit_missing_repos");
  expect(existsSync(storage.dirOf(gone.id))).toBe(true);
  expect((await api("GET", "/repos/root/gone/branches", root)).body as unknown).toEqual([]);
  const again = { content: "YQ==", branch: "main" };
  expect((await api("GET", "/repos/root/alive/branches", root)).body).toHaveLength(1);
  rmSync(storage.dirOf(lost.id), { recursive: true });
  storage.reopen(lost.id);
  await run("delete_missing_repos");
  expect((await api("GET", "/repos/root/lost", root)).status).toBe(404);
  expect((await api("GET", "/repos/root/gone", root)).status).toBe(200);
  expect((await api("POST", "/repos/root/alive/contents/b.txt", root, again)).status).toBe(201);
  const bin = server.services.bin.list(operator, undefined, { page: 1, limit: 10, offset: 0 });
  expect(bin.items.map(({ name }) => name)).toContain("lost");
  expect(alive.name).toBe("alive");
});

test("no repository is deleted or made anew because the disk with all of them is away", async () => {
  const { storage } = server.services;
  const before = (await api("GET", "/repos/search?limit=50", root)).body["data"] as unknown as unknown[];
  await settled(server);
  const away = `${storage.root}-away`;
  renameSync(storage.root, away);
  try {
    for (const task of ["delete_missing_repos", "reinit_missing_repos"]) await run(task);
    const failed = server.services.background.listJobs(operator, "failed", { page: 1, limit: 10, offset: 0 }).items;
    const missing = failed.filter(({ kind }) => /^repositories\.(delete|reinit)-missing$/.test(kind));
    expect(missing.map(({ lastError }) => lastError?.includes("mounted"))).toEqual([true, true]);
    expect(existsSync(storage.root)).toBe(false);
  } finally {
    rmSync(storage.root, { recursive: true, force: true });
    renameSync(away, storage.root);
  }
  const after = (await api("GET", "/repos/search?limit=50", root)).body["data"] as unknown as unknown[];
  expect(after.length).toBe(before.length);
});

test("what someone wrote on another forge becomes theirs once they sign in here with their account there", async () => {
  const { db } = server.core;
  const eve = await aUser(server, { login: "eve" });
  const repo = aRepo(server, root.user, { name: "moved" });
  const elsewhere = aRepo(server, root.user, { name: "other" });
  db.query("UPDATE repositories SET original_url = ? WHERE id = ?").run("https://forge.example/o/r.git", repo.id);
  db.query("UPDATE repositories SET original_url = ? WHERE id = ?").run("https://forge.example.net/o/r", elsewhere.id);
  const author = { name: "evelyn", id: 77 };
  const times = { createdAt: 1, updatedAt: 1 };
  const item = { number: 1, isPull: false, author, title: "t", body: "b", ...times };
  const comments = [
    { author, body: "c", ...times, reactions: [{ giver: author, content: "+1", createdAt: 1 }] },
    { author: { name: "mallory", id: 0 }, body: "d", ...times },
  ];
  for (const { id } of [repo, elsewhere]) {
    const seen = server.services.repos.seeById(operator, id);
    if (!seen) throw new Error("it is there");
    server.services.itemImports.bring(seen, [{ ...item, comments }]);
  }
  db.transaction(() => {
    db.query(
      `INSERT INTO sign_in_sources (id, name, lower_name, kind, is_active, is_synchronized, skips_second_factor, settings, created_at, updated_at)
       VALUES (1, 'there', 'there', 'oauth2', 1, 0, 0, '{}', 0, 0)`,
    ).run();
    db.query(
      `INSERT INTO outside_accounts (source_id, issuer, subject, user_id, name, created_at, last_used_at)
       VALUES (1, 'https://forge.example/', '77', ?, 'evelyn', 0, 0)`,
    ).run(eve.user.id);
  });
  await run("update_migration_poster_id");
  const issue = async (name: string) => (await api("GET", `/repos/root/${name}/issues/1`, root)).body;
  expect(await issue("moved")).toMatchObject({ user: { login: "eve" }, original_author: "", original_author_id: 0 });
  expect(await issue("other")).toMatchObject({ original_author: "evelyn", original_author_id: 77 });
  const { body } = await api<Record<string, unknown>[]>("GET", "/repos/root/moved/issues/1/comments", root);
  expect(body).toMatchObject([{ user: { login: "eve" }, original_author: "" }, { original_author: "mallory" }]);
  const reactions = await api("GET", `/repos/root/moved/issues/comments/${body[0]?.["id"]}/reactions`, root);
  expect(reactions.body as unknown).toMatchObject([{ user: { login: "eve" }, content: "+1" }]);
});

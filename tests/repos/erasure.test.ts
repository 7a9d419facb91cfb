import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import { eraseDependents, inSlices } from "../../src/db/erase.ts";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { untilHolds } from "../until.ts";

/** What goes with a repository or an account that has much: in many small transactions, all of it, also after a crash. */

let server: TestServer;
let root: TestUser;
let ada: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "repository.bin_days": 0 });
  root = await aUser(server, { login: "root", isAdmin: true });
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const ITEMS = 400;
const count = (sql: string, id: number) => server.core.db.query<{ n: number }>(sql).get(id)?.n ?? -1;

/** Items with a comment each, and large files with bytes. */
function fill(repoId: number, posterId: number): void {
  const { db } = server.core;
  db.transaction(() => {
    for (let number = 1; number <= ITEMS; number++) {
      const oid = new Bun.CryptoHasher("sha256").update(`${repoId} ${number}`).digest("hex");
      db.query("INSERT INTO blobs (digest, size, media_type, created_at) VALUES (?, 3, 'x', 1)").run(oid);
      db.query("INSERT INTO lfs_objects (repo_id, oid, size_bytes, updated_at) VALUES (?, ?, 3, 1)").run(repoId, oid);
      const item = db
        .query<{ id: number }>(
          `INSERT INTO issues (repo_id, number, poster_id, title, created_at, updated_at) VALUES (?, ?, ?, 'a', 1, 1)
           RETURNING id`,
        )
        .get(repoId, number, posterId);
      db.query(
        `INSERT INTO timeline (issue_id, repo_id, kind, user_id, body, created_at, updated_at)
         VALUES (?, ?, 'comment', ?, 'b', 1, 1)`,
      ).run(item?.id ?? 0, repoId, posterId);
    }
  });
}

const rowsOf = (repoId: number) =>
  ["issues", "timeline", "lfs_objects", "git_folders", "repository_usage"].map((table) =>
    count(`SELECT count(*) AS n FROM ${table} WHERE repo_id = ?`, repoId),
  );

test("a repository with much is gone at once for everyone, and its rows soon after", async () => {
  const repo = aRepo(server, ada.user, { name: "much", files: { a: "a" } });
  fill(repo.id, ada.user.id);
  const fork = await api("POST", "/repos/ada/much/forks", root, { name: "kept" });
  expect(fork.status).toBe(202);
  expect((await api("DELETE", "/repos/ada/much", ada)).status).toBe(204);
  expect(server.services.repos.seeById(operator, repo.id)).toBeUndefined();
  expect((await api("POST", "/user/repos", ada, { name: "much" })).status).toBe(201);
  expect((await api("GET", "/user/repos", ada)).body).toHaveLength(1);
  await untilHolds(() => server.services.repos.byId(repo.id) === undefined);
  expect(rowsOf(repo.id)).toEqual([0, 0, 0, 0, 0]);
  expect(
    count("SELECT count(*) AS n FROM blob_references WHERE area = 'lfs' AND owner_key GLOB ? || ':*'", repo.id),
  ).toBe(0);
  expect(count("SELECT lfs AS n FROM account_usage WHERE user_id = ?", ada.user.id)).toBe(0);
  expect(count("SELECT lfs AS n FROM account_usage WHERE user_id = ?", root.user.id)).toBe(3 * ITEMS);
  expect(rowsOf(Number(fork.body["id"]))).toEqual([0, 0, ITEMS, 1, 1]);
});

test("no transaction takes away more than a few rows", async () => {
  const repo = aRepo(server, ada.user, { name: "slices" });
  fill(repo.id, ada.user.id);
  const { db } = server.core;
  let before = rowsOf(repo.id);
  let most = 0;
  for (const _ of eraseDependents(db, "repositories", repo.id)) {
    const now = rowsOf(repo.id);
    most = Math.max(most, ...now.map((n, i) => (before[i] ?? 0) - n));
    before = now;
  }
  expect(most).toBeWithin(1, 100);
  expect(before).toEqual([0, 0, 0, 0, 0]);
});

test("a fork that is not to be has no rows left, and one that a crash broke off goes at the next start", async () => {
  const base = aRepo(server, ada.user, { name: "base", files: { a: "a" } });
  fill(base.id, ada.user.id);
  const { folders, lfsSharing, repoRemoval, repos } = server.services;
  const staged = folders.reserve();
  await lfsSharing.prepareFork(base.id, staged, root.user);
  expect(count("SELECT count(*) AS n FROM lfs_objects WHERE repo_id = ?", staged)).toBe(ITEMS);
  expect(repos.seeById(operator, staged)).toBeUndefined();
  expect(count("SELECT lfs AS n FROM account_usage WHERE user_id = ?", root.user.id)).toBe(3 * ITEMS);
  expect(server.services.bin.list(operator, undefined, { page: 1, limit: 50, offset: 0 }).total).toBe(0);
  // As the next start does.
  repoRemoval.recover();
  await untilHolds(() => repos.byId(staged) === undefined);
  expect(rowsOf(staged)).toEqual([0, 0, 0, 0, 0]);
  await untilHolds(() => count("SELECT count(*) AS n FROM repository_storage WHERE id = ?", staged) === 0);
});

test("an account with much goes whole, also when the server died on the way", async () => {
  const { db } = server.core;
  const place = aRepo(server, ada.user, { name: "place" });
  const [whole, broken] = [await aUser(server, { login: "whole" }), await aUser(server, { login: "broken" })];
  for (const who of [whole, broken]) {
    const own = aRepo(server, who.user, { name: "own" });
    fill(own.id, who.user.id);
  }
  fill(place.id, whole.user.id);
  expect((await api("DELETE", "/admin/users/whole?purge=true", root)).status).toBe(204);
  expect((await api("GET", "/users/whole", root)).status).toBe(404);
  expect(count("SELECT count(*) AS n FROM issues WHERE repo_id = ? AND poster_id IS NULL", place.id)).toBe(ITEMS);

  // What is there when the server dies: a beginning, and the job that ends it.
  db.transaction(() =>
    server.core.jobs.enqueue("account.delete", { userId: broken.user.id, by: root.user.id, purge: true }),
  );
  await inSlices(db, eraseDependents(db, "users", broken.user.id, { except: ["organization_members"] }));
  await untilHolds(() => server.services.identity.byId(broken.user.id) === undefined);
  expect(
    (await api("POST", "/admin/users", root, { username: "broken", email: "b@b.example", password: "long enough!" }))
      .status,
  ).toBe(201);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { as, type LfsClient, lfsOf } from "./client.ts";

/** Locks of files (contract git-content.md 16.5). */

interface Lock {
  readonly id: string;
  readonly path: string;
  readonly owner: { readonly name: string };
}
interface Locks {
  readonly locks: readonly Lock[];
  readonly ours: readonly Lock[];
  readonly theirs: readonly Lock[];
  readonly next_cursor?: string;
}

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer({ "lfs.locks_page": 3 });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function aShared(): Promise<LfsClient> {
  const { name } = aRepo(server, ada.user, { isPrivate: true });
  const member = `/api/v1/repos/ada/${name}/collaborators/bob`;
  await call(server, "PUT", member, { token: ada.token, body: { permission: "write" } });
  return lfsOf(server, `ada/${name}`);
}
const lock = (lfs: LfsClient, path: unknown, who = ada) =>
  lfs.ask<{ lock: Lock; message?: string }>("POST", "locks", as(who), { path });
const listed = async (lfs: LfsClient, query = "") => (await lfs.ask<Locks>("GET", `locks${query}`, as(ada))).body;

test("paths are cleaned, and one is locked once whatever its letters", async () => {
  const lfs = await aShared();
  const made = await lock(lfs, "/a/./b//Ä.bin");
  expect([made.status, made.body.lock.path]).toEqual([201, "a/b/Ä.bin"]);
  expect(made.headers.get("content-type")).toBe("application/vnd.git-lfs+json");
  for (const path of ["a/b/ä.BIN", "x/../a/b/Ä.bin"]) {
    const again = await lock(lfs, path, bob);
    expect([again.status, again.body.lock, again.body.message]).toEqual([409, made.body.lock, "already created lock"]);
  }
  for (const path of ["", "/", "..", "a\nb", "x".repeat(5000), 7, null])
    expect([path, (await lock(lfs, path)).status]).toEqual([path, 400]);
  const [found] = (await listed(lfs, "?path=A/B/ä.bin")).locks;
  expect(found).toEqual(made.body.lock);
});

test("pages have each lock once, forward and in verification, and are as long as the server likes", async () => {
  const lfs = await aShared();
  for (const path of ["a", "b", "c", "d"]) await lock(lfs, path, path < "c" ? ada : bob);
  expect((await listed(lfs)).locks.length).toBe(4);
  expect((await listed(lfs, "?limit=nonsense")).locks.length).toBe(4);
  const first = await listed(lfs, "?limit=100");
  expect([first.locks.length, first.next_cursor]).toEqual([3, "2"]);
  expect((await listed(lfs, "?limit=100&cursor=2")).locks.map(({ path }) => path)).toEqual(["d"]);
  for (const cursor of ["0", "1"])
    expect((await listed(lfs, `?limit=2&cursor=${cursor}`)).locks.map(({ path }) => path)).toEqual(["a", "b"]);
  const verified = await lfs.ask<Locks>("POST", "locks/verify?limit=3&cursor=1", as(bob), {});
  expect(verified.body.ours.map(({ path }) => path)).toEqual(["c"]);
  expect(verified.body.theirs.map(({ path }) => path)).toEqual(["a", "b"]);
  expect(verified.body.next_cursor).toBe("2");
});

test("a lock is given back by its owner, or with force, and only in its repository", async () => {
  const [lfs, other] = [await aShared(), await aShared()];
  const { id } = (await lock(lfs, "a")).body.lock;
  const unlock = (at: LfsClient, who: TestUser, body: object) =>
    at.ask<Json>("POST", `locks/${id}/unlock`, as(who), body);
  expect((await unlock(other, ada, { force: true })).status).toBe(404);
  expect((await unlock(lfs, bob, {})).status).toBe(403);
  expect((await unlock(lfs, bob, { force: "yes" })).status).toBe(400);
  expect((await listed(lfs)).locks.length).toBe(1);
  expect((await unlock(lfs, bob, { force: true })).status).toBe(200);
  expect((await unlock(lfs, ada, {})).status).toBe(404);
  expect((await lfs.ask("POST", "locks/x/unlock", as(ada), {})).status).toBe(400);
  expect((await listed(lfs, `?id=${id}`)).locks).toEqual([]);
});

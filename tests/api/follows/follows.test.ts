import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  anApi,
  anOrganization,
  aServer,
  aToken,
  aUser,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Following over REST (contract identity.md 11.1). */

let server: TestServer;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const logins = async (path: string, who?: TestUser) =>
  (await api<{ login: string }[]>("GET", path, who)).body.map(({ login }) => login);
const counts = async (of: TestUser, who?: TestUser) => {
  const { body } = await api("GET", `/users/${of.login}`, who);
  return [body["followers_count"], body["following_count"]];
};

test("shows on both sides, once, however often it is asked for, and ends", async () => {
  const [ada, bob, eve] = [await aUser(server), await aUser(server), await aUser(server)];
  const follow = `/user/following/${ada.login.toUpperCase()}`;
  for (let i = 0; i < 2; i++) expect((await api("PUT", follow, bob)).status).toBe(204);
  expect((await api("GET", follow, bob)).status).toBe(204);
  expect((await api("GET", `/users/${bob.login}/following/${ada.login}`, eve)).status).toBe(204);
  expect((await api("GET", `/users/${ada.login}/following/${bob.login}`, eve)).status).toBe(404);
  expect(await logins("/user/followers", ada)).toEqual([bob.login]);
  expect(await logins("/user/following", bob)).toEqual([ada.login]);
  expect(await logins(`/users/${ada.login}/followers`, eve)).toEqual([bob.login]);
  expect(await logins(`/users/${bob.login}/following`, eve)).toEqual([ada.login]);
  expect([await counts(ada, eve), await counts(bob, eve)]).toEqual([
    [1, 0],
    [0, 1],
  ]);
  for (let i = 0; i < 2; i++) expect((await api("DELETE", follow, bob)).status).toBe(204);
  expect((await api("GET", follow, bob)).status).toBe(404);
  expect(await counts(ada, eve)).toEqual([0, 0]);
  const events = server.core.db
    .query<{ kind: string }>("SELECT kind FROM events WHERE user_id = ? AND kind LIKE 'account.%followed' ORDER BY id")
    .all(bob.user.id);
  expect(events.map(({ kind }) => kind)).toEqual(["account.followed", "account.unfollowed"]);
});

test("oneself is not followed, organizations are, the unknown and the hidden are not there", async () => {
  const [ada, hidden] = [await aUser(server), await aUser(server, { visibility: "private" })];
  const club = anOrganization(server, ada.user);
  expect((await api("PUT", `/user/following/${ada.login}`, ada)).status).toBe(204);
  expect((await api("PUT", `/user/following/${club.login}`, ada)).status).toBe(204);
  expect(await logins("/user/following", ada)).toEqual([club.login]);
  for (const name of ["no-such-user-here", hidden.login])
    for (const method of ["PUT", "GET", "DELETE"])
      expect((await api(method, `/user/following/${name}`, ada)).status).toBe(404);
  for (const list of ["followers", "following", `following/${ada.login}`])
    expect((await api("GET", `/users/${hidden.login}/${list}`, ada)).status).toBe(404);
  expect((await api("GET", `/users/${ada.login}/following/${hidden.login}`, ada)).status).toBe(404);
  expect((await api("GET", `/users/${ada.login}/followers`)).status).toBe(401);
});

test("a hidden follower is shown to the followed and to no one else; who hides later can still be let go", async () => {
  const [ada, bob] = [await aUser(server), await aUser(server)];
  const [hidden, root] = [await aUser(server, { visibility: "private" }), await aUser(server, { isAdmin: true })];
  await api("PUT", `/user/following/${ada.login}`, hidden);
  expect(await logins("/user/followers", ada)).toEqual([hidden.login]);
  expect(await logins(`/users/${ada.login}/followers`, root)).toEqual([hidden.login]);
  const seen = await api<Json[]>("GET", `/users/${ada.login}/followers`, bob);
  expect([seen.body.length, seen.headers.get("x-total-count")]).toEqual([0, "0"]);
  const token = aToken(server, ada.user, ["public-only", "read:user"]);
  expect((await api<Json[]>("GET", "/user/followers", { token })).body).toEqual([]);

  await api("PUT", `/user/following/${bob.login}`, ada);
  await api("PATCH", `/admin/users/${bob.login}`, root, { visibility: "private" });
  expect((await api("DELETE", `/user/following/${bob.login}`, ada)).status).toBe(204);
  expect((await api("DELETE", `/user/following/${bob.login}`, ada)).status).toBe(404);
});

test("lists come in pages, the first follower first, and go with the account", async () => {
  const [ada, root] = [await aUser(server), await aUser(server, { isAdmin: true })];
  const fans = [await aUser(server), await aUser(server), await aUser(server)];
  for (const fan of fans) await api("PUT", `/user/following/${ada.login}`, fan);
  const first = await api<{ login: string }[]>("GET", "/user/followers?limit=2", ada);
  const second = await api<{ login: string }[]>("GET", "/user/followers?limit=2&page=2", ada);
  expect([first.body.length, first.headers.get("x-total-count")]).toEqual([2, "3"]);
  expect([...first.body, ...second.body].map(({ login }) => login)).toEqual(fans.map(({ login }) => login));
  for (const fan of fans) await api("PUT", `/user/following/${fan.login}`, ada);
  expect(await logins("/user/following", ada)).toEqual(fans.map(({ login }) => login));
  await api("DELETE", `/admin/users/${fans[0]?.login}`, root);
  expect((await counts(ada, root))[0]).toBe(2);
});

test("an old name leads to the new one", async () => {
  const [ada, bob, root] = [await aUser(server), await aUser(server), await aUser(server, { isAdmin: true })];
  const now = `${ada.login}-now`;
  await api("POST", `/admin/users/${ada.login}/rename`, root, { new_username: now });
  const moved = await api("PUT", `/user/following/${ada.login}`, bob);
  expect([moved.status, moved.headers.get("location")]).toEqual([307, `/api/v1/user/following/${now}`]);
  const target = await api("GET", `/users/${bob.login}/following/${ada.login}?a=1`, bob);
  expect([target.status, target.headers.get("location")]).toEqual([
    307,
    `/api/v1/users/${bob.login}/following/${now}?a=1`,
  ]);
});

test("the lists use their indexes", () => {
  for (const column of ["follower_id", "followed_id"]) {
    const sql = `EXPLAIN QUERY PLAN SELECT 1 FROM follows WHERE ${column} = 1 ORDER BY created_at DESC`;
    const plan = server.core.db.query<{ detail: string }>(sql).all();
    expect(plan.map(({ detail }) => detail).join()).toMatch(/INDEX follows_by_follow/);
  }
});

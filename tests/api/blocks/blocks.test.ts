import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aUser,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Blocks of accounts over REST (contract identity.md 11.2). */

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

const blocked = async (): Promise<{ ada: TestUser; bob: TestUser }> => {
  const [ada, bob] = [await aUser(server), await aUser(server)];
  expect((await api("PUT", `/user/blocks/${bob.login}?note=rude`, ada)).status).toBe(204);
  return { ada, bob };
};
const refusal = async (method: string, path: string, who: TestUser, body?: Json) => {
  const answer = await api(method, path, who, body);
  return [answer.status, answer.body?.["message"]];
};

test("are known to the one who blocks, and lifted once", async () => {
  const { ada, bob } = await blocked();
  const list = await api<{ login: string }[]>("GET", "/user/blocks", ada);
  expect([list.body.map(({ login }) => login), list.headers.get("x-total-count")]).toEqual([[bob.login], "1"]);
  expect((await api("GET", `/user/blocks/${bob.login}`, ada)).status).toBe(204);
  expect((await api<Json[]>("GET", "/user/blocks", bob)).body).toEqual([]);
  expect((await api("GET", `/user/blocks/${ada.login}`, bob)).status).toBe(404);
  const old = await api<{ block_id: number }[]>("GET", "/user/list_blocked", ada);
  expect(old.body.map(({ block_id }) => block_id)).toEqual([bob.user.id]);
  expect((await api("DELETE", `/user/blocks/${bob.login}`, ada)).status).toBe(204);
  expect(await refusal("DELETE", `/user/blocks/${bob.login}`, ada)).toEqual([400, "cannot unblock the user"]);
  expect((await api("PUT", `/user/block/${bob.login}`, ada)).status).toBe(204);
  expect((await api("PUT", `/user/unblock/${bob.login}`, ada)).status).toBe(204);
});

test("are refused twice, against oneself, an organization, the unknown and the hidden, and with a long note", async () => {
  const { ada, bob } = await blocked();
  const club = anOrganization(server, ada.user);
  const hidden = await aUser(server, { visibility: "private" });
  for (const name of [bob.login, ada.login])
    expect(await refusal("PUT", `/user/blocks/${name}`, ada)).toEqual([400, "cannot block the user"]);
  expect(await refusal("PUT", `/user/blocks/${club.login}`, ada)).toEqual([400, "cannot block an organization"]);
  for (const name of ["no-such-user-here", hidden.login])
    for (const path of ["blocks", "block", "unblock"])
      expect((await api("PUT", `/user/${path}/${name}`, ada)).status).toBe(404);
  const other = await aUser(server);
  expect((await api("PUT", `/user/blocks/${other.login}?note=${"x".repeat(256)}`, ada)).status).toBe(422);
  expect((await api("GET", `/user/blocks/${other.login}`, ada)).status).toBe(404);
});

test("end what the two had, and keep the blocked from acting, not from reading", async () => {
  const [ada, bob] = [await aUser(server), await aUser(server)];
  const repo = aRepo(server, ada.user, { files: { a: "a" } });
  const path = `/repos/${ada.login}/${repo.name}`;
  await api("PUT", `/user/following/${ada.login}`, bob);
  await api("PUT", `/user/following/${bob.login}`, ada);
  await api("PUT", `/user/starred/${ada.login}/${repo.name}`, bob);
  await api("PUT", `${path}/subscription`, bob);
  await api("PUT", `${path}/collaborators/${bob.login}`, ada, { permission: "write" });
  expect((await api("PUT", `/user/blocks/${bob.login}`, ada)).status).toBe(204);
  for (const gone of [
    `/user/following/${ada.login}`,
    `/user/starred/${ada.login}/${repo.name}`,
    `${path}/subscription`,
  ])
    expect([gone, (await api("GET", gone, bob)).status]).toEqual([gone, 404]);
  expect((await api("GET", `/user/following/${bob.login}`, ada)).status).toBe(404);
  expect((await api("GET", `${path}/collaborators/${bob.login}`, ada)).status).toBe(404);
  for (const [method, at] of [
    ["PUT", `/user/following/${ada.login}`],
    ["PUT", `/user/starred/${ada.login}/${repo.name}`],
    ["PUT", `${path}/subscription`],
    ["POST", `${path}/forks`],
  ] as const)
    expect([at, ...(await refusal(method, at, bob, method === "POST" ? {} : undefined))]).toEqual([
      at,
      403,
      "user is blocked",
    ]);
  const added = await refusal("PUT", `${path}/collaborators/${bob.login}`, ada, { permission: "read" });
  expect(added).toEqual([403, "user is blocked"]);
  expect((await api("GET", path, bob)).status).toBe(200);
  expect((await api("GET", `/users/${ada.login}`, bob)).status).toBe(200);
});

test("do not count against site administrators, and can be lifted from who has hidden since", async () => {
  const [ada, bob, root] = [await aUser(server), await aUser(server), await aUser(server, { isAdmin: true })];
  for (const user of [bob, root]) await api("PUT", `/user/blocks/${user.login}`, ada);
  expect((await api("PUT", `/user/following/${ada.login}`, root)).status).toBe(204);
  await api("PATCH", `/admin/users/${bob.login}`, root, { visibility: "private" });
  expect((await api("GET", `/user/blocks/${bob.login}`, ada)).status).toBe(204);
  expect((await api("DELETE", `/user/blocks/${bob.login}`, ada)).status).toBe(204);
  expect((await api("DELETE", `/user/blocks/${bob.login}`, ada)).status).toBe(404);
});

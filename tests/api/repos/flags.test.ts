import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";

/** Flags, which are the administrators', and hooks of git, which no one has here. */

let server: TestServer;
let root: TestUser;
let ada: TestUser;
const api = anApi(() => server);
beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { isAdmin: true });
  ada = await aUser(server);
});
afterAll(() => server.close());

test("flags are set, asked and removed, each as often as one likes", async () => {
  aRepo(server, ada.user, { name: "flagged", isPrivate: true });
  const at = `/repos/${ada.login}/flagged/flags`;
  expect((await api("PUT", at, root, { flags: ["two", "one", "one"] })).status).toBe(204);
  const all = await api("GET", at, root);
  expect([all.body, all.headers.get("x-total-count")] as unknown[]).toEqual([["one", "two"], "2"]);
  for (let i = 0; i < 2; i++) expect((await api("PUT", `${at}/%F0%9F%9A%A9`, root)).status).toBe(204);
  expect((await api("GET", `${at}/%F0%9F%9A%A9`, root)).status).toBe(204);
  for (let i = 0; i < 2; i++) expect((await api("DELETE", `${at}/one`, root)).status).toBe(204);
  expect((await api("GET", `${at}/one`, root)).status).toBe(404);
  expect((await api("DELETE", at, root)).status).toBe(204);
  expect((await api<unknown>("GET", at, root)).body).toEqual([]);
});

test("what is no flag, or too many, is refused and changes nothing", async () => {
  aRepo(server, ada.user, { name: "refused" });
  const at = `/repos/${ada.login}/refused/flags`;
  await api("PUT", at, root, { flags: ["kept"] });
  for (const flags of [["x".repeat(256)], [" "], ["a", 1], "a", Array.from({ length: 101 }, (_, i) => `f${i}`)])
    expect((await api("PUT", at, root, { flags })).status).toBe(422);
  expect((await api("PUT", `${at}/${"x".repeat(256)}`, root)).status).toBe(422);
  expect((await api<unknown>("GET", at, root)).body).toEqual(["kept"]);
  for (const method of ["GET", "DELETE"]) expect((await api(method, at, ada)).status).toBe(403);
});

test("hooks of git are refused to everyone, since the server runs none", async () => {
  aRepo(server, ada.user, { name: "hooked" });
  const at = `/repos/${ada.login}/hooked/hooks/git`;
  for (const who of [ada, root])
    for (const [method, path] of [
      ["GET", at],
      ["GET", `${at}/update`],
      ["PATCH", `${at}/update`],
      ["DELETE", `${at}/update`],
    ] as const) {
      const reply = await api(method, path, who, method === "PATCH" ? { content: "exit 0" } : undefined);
      expect([reply.status, reply.body["message"]]).toEqual([403, "must be allowed to edit Git hooks"]);
    }
});

test("a visitor is asked to sign in before it is told whether a repository to star is there", async () => {
  for (const name of ["no-such", "flagged"])
    for (const method of ["PUT", "GET", "DELETE"])
      expect((await api(method, `/user/starred/${ada.login}/${name}`)).status).toBe(401);
});

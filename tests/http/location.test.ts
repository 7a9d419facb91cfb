import { afterAll, beforeAll, expect, test } from "bun:test";
import { headerAddress } from "../../src/http/respond.ts";
import { aRepo, aServer, aSession, aUser, call, type TestServer } from "../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(async () => {
  expect(server.errors).toEqual([]);
  await server.close();
});

test("/user/login?redirect_to=/%E4%B8%AD leads there, with and without htmx", async () => {
  const ada = await aUser(server);
  const cookie = await aSession(server, ada.user);
  const path = "/user/login?redirect_to=/%E4%B8%AD";
  const answer = await call(server, "GET", path, { cookie });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/%E4%B8%AD"]);
  const partial = await call(server, "GET", path, { cookie, headers: { "hx-request-type": "partial" } });
  expect([partial.status, partial.headers.get("hx-redirect")]).toEqual([204, "/%E4%B8%AD"]);
});

test("a file whose name is no ASCII moves with its repository", async () => {
  const ada = await aUser(server);
  const repo = aRepo(server, ada.user, { files: { "中.txt": "x" } });
  const answer = await call(server, "GET", `/${ada.login}/${repo.name}/blob/main/${encodeURIComponent("中.txt")}`);
  expect(answer.status).toBe(303);
  expect(answer.headers.get("location")).toMatch(/^[\x21-\x7e]+$/);
});

test.each([
  ["/中", "/%E4%B8%AD"],
  ["/a%20b?c=%E4&d=é", "/a%20b?c=%E4&d=%C3%A9"],
  ["/a\r\nset-cookie: x", "/a%0D%0Aset-cookie:%20x"],
  ["/\ud800x", "/%EF%BF%BDx"],
])("%p goes into a header as %p", (location, encoded) => {
  expect(headerAddress(location)).toBe(encoded);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
  const ada = await aUser(server, { login: "ada" });
  aRepo(server, ada.user, { name: "book", files: { "a.txt": "0123456789" } });
});
afterAll(() => server.close());

test.each([
  "api/v1/version",
  "api/v1/repos/ada/book/contents",
  "api/v1/repos/ada/book/raw/a.txt",
  "api/v1/repos/ada/book/archive/main.zip",
  "ada/book",
  "ada/book.git/HEAD",
  "ada/book.git/info/refs?service=git-upload-pack",
])("HEAD of %s claims no other length than the bytes have, and leaves the connection in order", async (path) => {
  const head = await fetch(server.url + path, { method: "HEAD" });
  const whole = await fetch(server.url + path);
  expect([head.status, whole.status, await head.text()]).toEqual([200, 200, ""]);
  expect([null, String((await whole.bytes()).length)]).toContain(head.headers.get("content-length"));
  expect(head.headers.get("content-type")).toBe(whole.headers.get("content-type"));
});

test("HEAD of a file says how many bytes it has, of what is not there nothing of any", async () => {
  const ask = (path: string) => fetch(`${server.url}api/v1/repos/ada/book/raw/${path}`, { method: "HEAD" });
  expect((await ask("a.txt")).headers.get("content-length")).toBe("10");
  const missing = await ask("nope");
  expect([missing.status, await missing.text()]).toEqual([404, ""]);
});

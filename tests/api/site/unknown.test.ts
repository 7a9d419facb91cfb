import { afterAll, beforeAll, expect, test } from "bun:test";
import { aServer, call, type TestServer } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("below /api a wrong method is 405 and an unknown address plain text, whatever pages an owner's name would fit", async () => {
  for (const method of ["DELETE", "POST", "OPTIONS"]) {
    const answer = await call(server, method, "/api/v1/version");
    expect([method, answer.status, answer.text, answer.headers.get("allow")]).toEqual([method, 405, "", "GET, HEAD"]);
  }
  for (const [method, path] of [
    ["GET", "/api/v1/nothing"],
    ["POST", "/api/v1/nothing"],
    ["GET", "/api/nothing"],
    ["GET", "/api/v1"],
  ] as const) {
    const answer = await call(server, method, path);
    expect([path, answer.status, answer.text]).toEqual([path, 404, "404 page not found\n"]);
  }
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aUser, call, type Json, type TestServer, type TestUser } from "../builders.ts";

/** Times that clients give, wherever they give them: what cannot be read is refused in the same words. */

let server: TestServer;
let ada: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  aRepo(server, ada.user, { name: "engine" });
});
afterAll(() => server.close());

const api = (method: string, path: string, body?: Json) =>
  call<{ message: string }>(server, method, `/api/v1/repos/ada/engine${path}`, {
    token: ada.token,
    ...(body && { body }),
  });

test("a bad time is named with its field and shown as it was given", async () => {
  expect((await api("POST", "/issues", { title: "One" })).status).toBe(201);
  const edit = { content: "", dates: { author: "soon" } };
  for (const [method, path, body, field] of [
    ["GET", "/issues?since=soon", undefined, "since"],
    ["POST", "/issues/1/times", { time: 5, created: "soon" }, "created"],
    ["PATCH", "/issues/1", { due_date: "soon" }, "due_date"],
    ["POST", "/contents/new.txt", edit, "dates.author"],
  ] as const) {
    const { status, body: answer } = await api(method, path, body);
    expect([path, status, answer.message]).toEqual([path, 422, `${field} is not a time of RFC 3339: soon`]);
  }
});

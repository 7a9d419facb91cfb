import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** Forks on pages: the button, the form, the list, and bringing one up to date, without JavaScript. */

let server: TestServer;
let bob: TestUser;
let cookie: string;
beforeAll(async () => {
  server = await aServer();
  const { user: ada } = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  cookie = await aSession(server, bob.user);
  aRepo(server, ada, { name: "engine", description: "the first one", files: { "a.txt": "one\n" } });
});
afterAll(() => server.close());

const get = (path: string, as: string | undefined = cookie) => call(server, "GET", path, as ? { cookie: as } : {});
const post = (path: string, fields: Record<string, string>) =>
  call(server, "POST", path, {
    cookie,
    headers: { "content-type": "application/x-www-form-urlencoded", origin: new URL(server.url).origin },
    body: new URLSearchParams(fields).toString(),
  });

test("the button leads visitors to signing in, and others to the form", async () => {
  const visitor = await call(server, "GET", "/ada/engine");
  expect(visitor.text).toContain('href="/ada/engine/forks"');
  expect(visitor.text).not.toContain('href="/ada/engine/fork"');
  expect((await get("/ada/engine")).text).toContain('href="/ada/engine/fork"');
  expect((await call(server, "GET", "/ada/engine/fork")).status).toBe(303);
  const form = await get("/ada/engine/fork");
  expect(form.status).toBe(200);
  expect(form.text).toContain('value="engine"');
  expect(form.text).toContain("the first one");
  expect(form.text).toContain('value="main"');
});

test("a refused form keeps what was typed, an accepted one leads to the fork", async () => {
  const refused = await post("/ada/engine/fork", {
    repo_name: "bad name",
    description: "mine",
    uid: String(bob.user.id),
  });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('value="bad name"');
  const another = await post("/ada/engine/fork", { repo_name: "x", uid: "1" });
  expect(another.status).toBe(422);
  const nowhere = await post("/ada/engine/fork", { repo_name: "x", fork_single_branch: "nope" });
  expect([nowhere.status, nowhere.text.includes("nope")]).toEqual([422, true]);
  const made = await post("/ada/engine/fork", { repo_name: "motor", description: "mine", fork_single_branch: "main" });
  expect([made.status, made.headers.get("location")]).toEqual([303, "/bob/motor"]);
  const page = await get("/bob/motor");
  expect(page.text).toContain('href="/ada/engine"');
  expect((await get("/ada/engine/forks")).text).toContain('href="/bob/motor"');
  expect((await get("/ada/engine/fork")).text).toContain('href="/bob/motor"');
  const again = await post("/ada/engine/fork", { repo_name: "motor2" });
  expect([again.status, again.text.includes("bob/motor")]).toEqual([422, true]);
});

test("the fork's button brings it up to date, and says how", async () => {
  const { token } = await aUser(server, { login: "root", isAdmin: true });
  const put = await call(server, "POST", "/api/v1/repos/ada/engine/contents/b.txt", {
    token,
    body: { content: Buffer.from("two\n").toString("base64") },
  });
  expect(put.status).toBe(201);
  expect((await get("/bob/motor")).text).toContain('action="/bob/motor/branches/merge-upstream"');
  expect((await call(server, "GET", "/bob/motor")).text).not.toContain("branches/merge-upstream");
  const done = await post("/bob/motor/branches/merge-upstream", { redirect_to: "/bob/motor" });
  expect([done.status, done.headers.get("location")]).toEqual([303, "/bob/motor"]);
  expect((await get("/bob/motor")).text).toContain("b.txt");
  const none = await post("/ada/engine/branches/merge-upstream", {});
  expect(none.status).toBe(404);
  expect(server.errors).toEqual([]);
});

test("a fork becomes a repository of its own, and what it asked for stays asked", async () => {
  const carl = await aUser(server, { login: "carl", password: true });
  const asCarl = await aSession(server, carl.user);
  const basic = ["carl", carl.password] as const;
  const send = (path: string, fields: Record<string, string>) =>
    call(server, "POST", path, {
      cookie: asCarl,
      headers: { "content-type": "application/x-www-form-urlencoded", origin: new URL(server.url).origin },
      body: new URLSearchParams(fields).toString(),
    });
  expect((await send("/ada/engine/fork", { uid: String(carl.user.id), repo_name: "engine" })).status).toBe(303);
  const change = { content: "eA==", branch: "main", new_branch: "topic" };
  const written = await call(server, "POST", "/api/v1/repos/carl/engine/contents/x.txt", { basic, body: change });
  expect(written.status).toBe(201);
  const pull = await call<{ number: number }>(server, "POST", "/api/v1/repos/ada/engine/pulls", {
    basic,
    body: { title: "Work", head: "carl:topic", base: "main" },
  });
  expect(pull.status).toBe(201);

  expect((await get("/carl/engine/settings", asCarl)).text).toContain('value="convert_fork"');
  expect((await send("/carl/engine/settings", { action: "convert_fork", repo_name: "wrong" })).status).toBe(422);
  const done = await send("/carl/engine/settings", { action: "convert_fork", repo_name: "engine" });
  expect([done.status, done.headers.get("location")]).toEqual([303, "/carl/engine/settings"]);
  const now = await call<{ fork: boolean; parent?: unknown }>(server, "GET", "/api/v1/repos/carl/engine", { basic });
  expect([now.body.fork, now.body.parent]).toEqual([false, undefined]);
  expect((await get("/carl/engine", asCarl)).text).not.toContain("forked from");
  expect((await get("/carl/engine/settings", asCarl)).text).not.toContain('value="convert_fork"');
  expect((await send("/carl/engine/settings", { action: "convert_fork", repo_name: "engine" })).status).toBe(404);
  for (const rest of ["", "/commits", "/files"])
    expect([rest, (await get(`/ada/engine/pulls/${pull.body.number}${rest}`)).status]).toEqual([rest, 200]);
  expect((await call(server, "GET", "/carl/engine/archive/topic.zip")).status).toBe(200);
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { guessedAccount } from "../../src/identity/guesses.ts";
import { localPath } from "../../web/redirect-target.ts";
import { aServer, aSession, aUser, type TestServer } from "../builders.ts";
import { aPage, wordsOf } from "./browser-calls.ts";

const password = "correct horse battery";
let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const settings = "/user/settings";

describe("signing in", () => {
  test("leads to the page that was asked for, and a session cookie scripts cannot read", async () => {
    const { login } = await aUser(server, { password });
    const visitor = aPage(server);
    const asked = await visitor.get("/user/settings?x=1");
    expect([asked.status, asked.location]).toEqual([303, "/user/login?redirect_to=%2Fuser%2Fsettings%3Fx%3D1"]);
    const reply = await visitor.post(asked.location, { user_name: login.toUpperCase(), password });
    expect([reply.status, reply.location]).toEqual([303, "/user/settings?x=1"]);
    const set = reply.headers.getSetCookie().find((line) => line.startsWith("hearth_session="));
    expect(set).toMatch(/; HttpOnly; SameSite=Lax/);
    expect(set).not.toContain("Max-Age");
    expect((await visitor.get(settings)).status).toBe(200);
  });

  test("remembered is a cookie of its own that outlives the browser", async () => {
    const { login } = await aUser(server, { password });
    const visitor = aPage(server);
    const reply = await visitor.post("/user/login", { user_name: login, password, remember: "on" });
    expect([...visitor.jar.keys()].sort()).toEqual(["hearth_remember", "hearth_session"]);
    expect(reply.headers.getSetCookie().join()).toContain("Max-Age=2592000");
    expect((await visitor.get(settings)).status).toBe(200);
  });

  test("is refused in the same words for an unknown name and a wrong password, which is not repeated", async () => {
    const { login } = await aUser(server, { password });
    const said = [];
    for (const name of [login, "nobody-here"]) {
      const reply = await aPage(server).post("/user/login", { user_name: name, password: "wrong-password" });
      expect([reply.status, reply.text.includes("wrong-password")]).toEqual([200, false]);
      said.push(wordsOf(reply.text).replace(/[\d.]+ ms/, ""));
    }
    expect(said[0]).toBe(said[1] ?? "");
    expect(said[0]).toContain("Username or password is incorrect.");
  });

  test("makes a new session and ends the one the browser brought (fixation)", async () => {
    const { login, user } = await aUser(server, { password });
    const [, before = ""] = (await aSession(server, user)).split("=");
    const visitor = aPage(server, new Map([["hearth_session", before]]));
    await visitor.post("/user/login", { user_name: login, password });
    expect(visitor.jar.get("hearth_session")).not.toBe(before);
    expect((await aPage(server, new Map([["hearth_session", before]])).get(settings)).status).toBe(303);
  });

  test("is slowed down after many wrong guesses, with a page that says for how long", async () => {
    await using slow = await aServer();
    const { login, user } = await aUser(slow, { password });
    const visitor = aPage(slow);
    for (let guess = 0; guess < 10; guess++) slow.services.throttle.begin(guessedAccount(user, login), "127.0.0.1");
    const reply = await visitor.post("/user/login", { user_name: login, password });
    expect([reply.status, Number(reply.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(reply.headers.get("content-type")).toContain("text/html");
  });

  test("from another site is refused", async () => {
    const { login } = await aUser(server, { password });
    const form = { user_name: login, password };
    for (const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "null", "sec-fetch-site": "same-site" },
    ])
      expect((await aPage(server).post("/user/login", form, headers)).status).toBe(403);
  });
});

describe("signing out", () => {
  test("needs a form and ends the session on the server", async () => {
    const { user } = await aUser(server);
    const [name = "", secret = ""] = (await aSession(server, user)).split("=");
    const visitor = aPage(server, new Map([[name, secret]]));
    expect((await visitor.get("/user/logout")).status).toBe(200);
    expect((await visitor.get(settings)).status).toBe(200);
    const reply = await visitor.post("/user/logout");
    expect([reply.status, reply.location, visitor.jar.size]).toEqual([303, "/", 0]);
    expect((await aPage(server, new Map([[name, secret]])).get(settings)).status).toBe(303);
  });
});

test.each([
  ["/explore/repos?q=1#a", "/explore/repos?q=1#a"],
  ["/a/b%2fc", "/a/b%2fc"],
  ["//evil.example", undefined],
  ["///evil.example", undefined],
  ["/\\evil.example", undefined],
  ["/%5cevil.example", undefined],
  ["/%255cevil.example", undefined],
  ["/%2fevil.example", undefined],
  ["/%09/evil.example", undefined],
  ["/\t/evil.example", undefined],
  ["https://evil.example/", undefined],
  ["https:evil.example", undefined],
  ["javascript:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["a/b", undefined],
  ["", undefined],
])("after signing in %p leads to %p (rule H1)", (target, wanted) => {
  expect(localPath(target)).toBe(wanted);
});

describe("the first account", () => {
  test("needs the set-up token, becomes the administrator, and there is only one", async () => {
    await using fresh = await aServer();
    const visitor = aPage(fresh);
    const form = { user_name: "first", email: "first@example.org", password, retype: password };
    expect(wordsOf((await visitor.get("/user/sign_up?setup=0123")).text)).toContain("not the set-up token");
    expect((await visitor.post("/user/sign_up", form)).status).toBe(422);
    expect((await visitor.post("/user/sign_up", { ...form, token: "0".repeat(40) })).status).toBe(422);
    const token = fresh.services.setup.token();
    expect((await visitor.get(`/user/sign_up?setup=${token}`)).text).toContain(token);
    const replies = await Promise.all(
      ["first", "second"].map((name) =>
        aPage(fresh).post("/user/sign_up", { ...form, user_name: name, email: `${name}@example.org`, token }),
      ),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([303, 422]);
    const winner = ["first", "second"].map((name) => fresh.services.identity.byLogin(name)).find((user) => user);
    expect(winner?.isAdmin).toBe(true);
    // The link is worth nothing any more, and registration is closed to others by default.
    expect(
      (await visitor.post("/user/sign_up", { ...form, user_name: "third", email: "t@example.org", token })).status,
    ).toBe(403);
    expect(wordsOf((await visitor.get("/user/sign_up")).text)).toContain("Registration is disabled");
  });

  test("others register where it is open, and are no administrators", async () => {
    await using open = await aServer({ registration: "open" });
    await aUser(open);
    const visitor = aPage(open);
    const form = { user_name: "ada", email: "ada@example.org", password, retype: password, is_admin: "true" };
    const bad = await visitor.post("/user/sign_up", { ...form, user_name: "explore", retype: "other" });
    expect([bad.status, bad.text.includes('value="explore"'), bad.text.includes(password)]).toEqual([422, true, false]);
    expect((await visitor.post("/user/sign_up", form)).status).toBe(303);
    expect(open.services.identity.byLogin("ada")?.isAdmin).toBe(false);
    expect((await visitor.get("/user/settings")).status).toBe(200);
  });
});

test("an account that must change its password sees only the page for it, then everything", async () => {
  const { login } = await aUser(server, { password, mustChangePassword: true });
  const visitor = aPage(server);
  await visitor.post("/user/login", { user_name: login, password });
  for (const path of ["/", "/explore/repos", settings])
    expect((await visitor.get(path)).location).toBe("/user/settings/change_password");
  const page = "/user/settings/change_password";
  expect((await visitor.post(page, { password, retype: password })).status).toBe(422);
  expect((await visitor.post(page, { password: "another one here", retype: "another one here" })).status).toBe(303);
  expect((await visitor.get(settings)).status).toBe(200);
  // Afterwards it is no way around the old password.
  await visitor.post(page, { password: "stolen password", retype: "stolen password" });
  const again = await aPage(server).post("/user/login", { user_name: login, password: "stolen password" });
  expect(again.status).toBe(200);
});

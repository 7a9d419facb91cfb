import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, type TestServer } from "../builders.ts";
import { aPage, wordsOf } from "../web/browser-calls.ts";
import { passcodeOf } from "./passcode.ts";

/** A site that demands a second factor of its administrators (`two_factor.required`). */

const SECURITY = "/user/settings/security";
const password = "correct horse battery";
let server: TestServer;
const api = anApi(() => server);
beforeAll(async () => {
  server = await aServer({ "two_factor.required": "admins" });
});
afterAll(() => server.close());

test("who must have one and has none can set one up, and do nothing else", async () => {
  const root = await aUser(server, { isAdmin: true, password });
  aRepo(server, root.user, { name: "own", files: { a: "a" } });
  const page = aPage(server);
  await page.post("/user/login", { user_name: root.login, password });
  for (const path of ["/", `/${root.login}/own`, "/-/admin", "/user/settings/applications", "/login/oauth/authorize"]) {
    const reply = await page.get(path);
    expect([path, reply.status, reply.location]).toEqual([path, 303, SECURITY]);
  }
  expect((await page.post(`${SECURITY}/sessions/revoke`, { id: "others" })).location).toBe(SECURITY);
  const refused = await api("GET", "/user", root);
  expect([refused.status, refused.body["message"]]).toEqual([403, "two-factor authentication is required"]);
  expect((await api("GET", `/repos/${root.login}/own`, root)).status).toBe(404);
  const basic = [root.login, root.token] as const;
  const git = await call(server, "GET", `/${root.login}/own.git/info/refs?service=git-upload-pack`, { basic });
  expect([git.status, git.text.trim()]).toEqual([403, "set up two-factor authentication in the browser first"]);

  expect(wordsOf((await page.get(SECURITY)).text)).toContain("This site demands a second factor of you.");
  const secret = /\b[A-Z2-7]{32}\b/.exec((await page.get(`${SECURITY}/two_factor/enroll`)).text)?.[0] ?? "";
  const done = await page.post(`${SECURITY}/two_factor/enroll`, { passcode: passcodeOf(secret) });
  expect([done.status, done.location]).toEqual([303, SECURITY]);
  expect(wordsOf((await page.get(SECURITY)).text)).not.toContain("This site demands");
  expect((await page.get("/-/admin")).status).toBe(200);
  expect((await api("GET", `/repos/${root.login}/own`, root)).status).toBe(200);
});

test("others, and bots, are not asked", async () => {
  const ada = await aUser(server);
  const bot = await aUser(server, { kind: "bot", isAdmin: true });
  for (const who of [ada, bot]) expect((await api("GET", "/user", who)).status).toBe(200);
});

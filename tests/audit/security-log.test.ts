import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import { pruneEntries } from "../../src/audit/store.ts";
import { aServer, aSession, aUser, call, type TestServer } from "../builders.ts";
import { aPage, wordsOf } from "../web/browser-calls.ts";

/** The record of security events, for the account and for administrators. */

const OWN = "/user/settings/security/log";
const ALL = "/-/admin/security-log";
const password = "correct horse battery";
let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const actionsOf = (userId: number) =>
  server.core.db
    .query<{ action: string; actor: string; address: string }>(
      "SELECT action, actor, address FROM audit_entries WHERE account_id = ? ORDER BY id",
    )
    .all(userId);

test("an account sees what happened to it, from where and by whom, and nothing of others", async () => {
  const user = await aUser(server, { password });
  const root = await aUser(server, { isAdmin: true });
  const page = aPage(server);
  await page.post("/user/login", { user_name: user.login, password: "wrong password 1" });
  await page.post("/user/login", { user_name: user.login, password });
  await page.post("/user/settings/applications", { name: "laptop", "scope-user": "read:user" });
  await page.post("/user/settings/account/email", { email: "second@example.org" });
  const patched = await call(server, "PATCH", `/api/v1/admin/users/${user.login}`, {
    token: root.token,
    body: { login_name: user.login, source_id: 0, restricted: true, prohibit_login: false, admin: true },
  });
  expect(patched.status).toBe(200);
  const words = wordsOf((await page.get(OWN)).text);
  for (const text of [
    "Signed in with the password",
    "Sign-in failed with the password",
    "Access token created: laptop",
    "E-mail address added: second@example.org",
    "Made site administrator",
    `by ${root.login}`,
    "127.0.0.1",
  ])
    expect(words).toContain(text);
  expect(words).not.toContain("wrong password 1");
  const other = await aUser(server);
  const others = aPage(server, new Map([["hearth_session", (await aSession(server, other.user)).split("=")[1] ?? ""]]));
  expect(wordsOf((await others.get(OWN)).text)).not.toContain("laptop");
  expect((await others.get(ALL)).status).toBe(403);
});

test("what is typed where no account has that name is kept nowhere", async () => {
  await aPage(server).post("/user/login", { user_name: "my secret password", password: "x" });
  const all = JSON.stringify(server.core.db.query("SELECT * FROM audit_entries").all());
  expect(all).not.toContain("my secret password");
});

test("administrators read all of it, by account and by kind, also of accounts that are gone", async () => {
  const root = await aUser(server, { isAdmin: true });
  const gone = await aUser(server, { login: "gone-soon" });
  server.services.admin.deleteUser(operator, gone.user, { purge: true });
  const page = aPage(server, new Map([["hearth_session", (await aSession(server, root.user)).split("=")[1] ?? ""]]));
  const ofGone = wordsOf((await page.get(`${ALL}?account=GONE-SOON`)).text);
  expect(ofGone).toContain("Account deleted");
  const deletions = (await page.get(`${ALL}?action=account-deleted`)).text;
  expect(deletions).toContain("gone-soon");
  expect(wordsOf(deletions)).not.toContain("Access token created: t-");
  for (const query of ["action=%27%3B--", "account=%00", "page=99999", "page=-1", `account=${"x".repeat(5000)}`])
    expect((await page.get(`${ALL}?${query}`)).status).toBe(200);
  expect(server.errors).toEqual([]);
});

test("acting as someone else, changing as an administrator and ending sessions are recorded with who did it", async () => {
  const user = await aUser(server);
  const root = await aUser(server, { isAdmin: true });
  await call(server, "PATCH", `/api/v1/user/settings?sudo=${user.login}`, {
    token: root.token,
    body: { theme: "dark" },
  });
  await call(server, "GET", `/api/v1/user?sudo=${user.login}`, root);
  const page = aPage(server, new Map([["hearth_session", (await aSession(server, user.user)).split("=")[1] ?? ""]]));
  await page.post("/user/settings/security/sessions/revoke", { id: "others" });
  await page.post("/user/logout");
  expect(
    actionsOf(user.user.id).filter(({ action }) => !["account-created", "token-created"].includes(action)),
  ).toEqual([
    { action: "sudo", actor: root.login, address: "127.0.0.1" },
    { action: "sessions-ended", actor: user.login, address: "127.0.0.1" },
    { action: "sign-out", actor: user.login, address: "127.0.0.1" },
  ]);
});

test("lists use their indexes, and what is old goes", () => {
  const { db } = server.core;
  const plan = (sql: string) => JSON.stringify(db.query(`EXPLAIN QUERY PLAN ${sql}`).all());
  expect(plan("SELECT * FROM audit_entries WHERE account_id = 1 ORDER BY id DESC LIMIT 50")).toContain("by_account");
  expect(plan("SELECT * FROM audit_entries WHERE action = 'x' ORDER BY id DESC LIMIT 50")).toContain("by_action");
  expect(plan("SELECT * FROM audit_entries WHERE account = 'x' COLLATE NOCASE ORDER BY id DESC")).toContain("by_name");
  for (const sql of ["account_id = 1", "action = 'x'"])
    expect(plan(`SELECT * FROM audit_entries WHERE ${sql} ORDER BY id DESC`)).not.toContain("TEMP B-TREE");
  db.query("UPDATE audit_entries SET at = 1 WHERE id IN (SELECT id FROM audit_entries ORDER BY id LIMIT 3)").run();
  expect([pruneEntries(db, 2, 2), pruneEntries(db, 2, 2), pruneEntries(db, 2, 2)]).toEqual([2, 1, 0]);
});

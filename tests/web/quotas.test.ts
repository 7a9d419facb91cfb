import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Pages of what accounts store and what limits it: one's own, an organization's, and the administration's. */

const ADMIN = "/-/admin/quotas";
let server: TestServer;
let root: TestUser;
let ada: TestUser;
let admin: Visitor;
let visitor: Visitor;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "quota.enabled": true });
  [root, ada] = [await aUser(server, { isAdmin: true }), await aUser(server)];
  [admin, visitor] = [await aPageOf(server, root.user), await aPageOf(server, ada.user)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const words = async (who: Visitor, path: string) => wordsOf((await who.get(path)).text);

test("administrators make rules and groups by forms, and hear what was wrong with them", async () => {
  const rule = { name: "small files", limit: "2 KiB", subjects: "size:assets:attachments:all" };
  expect((await admin.post(`${ADMIN}/rules`, rule)).location).toBe(ADMIN);
  expect(await words(admin, ADMIN)).toContain("small files 2.0 KiB");
  const twice = await admin.post(`${ADMIN}/rules`, rule);
  expect([twice.status, wordsOf(twice.text)]).toEqual([
    422,
    expect.stringContaining("A rule with this name already exists."),
  ]);
  const badLimit = await admin.post(`${ADMIN}/rules`, { ...rule, name: "other", limit: "much" });
  expect([badLimit.status, wordsOf(badLimit.text)]).toEqual([422, expect.stringContaining("This is not a size.")]);
  const nothing = await admin.post(`${ADMIN}/rules`, { name: "other", limit: "1G" });
  expect(nothing.status).toBe(422);
  await admin.post(`${ADMIN}/rules`, { before: "small files", limit: "3K" });
  const shownRules = await admin.get(ADMIN);
  expect(wordsOf(shownRules.text)).toContain("small files 3.0 KiB");
  // Its field has what can be typed, and what goes is asked about.
  expect(shownRules.text).toMatch(/name="limit" value="3K"/);
  expect(wordsOf(shownRules.text)).toContain("Delete small files?");
  await admin.post(`${ADMIN}/rules`, { before: "gone", limit: "3K" });
  expect(await words(admin, ADMIN)).toContain("This rule no longer exists.");

  expect((await admin.post(`${ADMIN}/groups`, { name: "a b/c" })).location).toBe(ADMIN);
  expect((await admin.post(`${ADMIN}/groups`, { name: "home & garden" })).location).toBe(ADMIN);
  const group = `${ADMIN}/groups/${encodeURIComponent("home & garden")}`;
  await admin.post(`${group}/rules`, { rule: "small files", action: "add" });
  await admin.post(`${group}/members`, { user_name: ada.login.toUpperCase() });
  const shown = await words(admin, group);
  expect(shown).toContain("small files 3.0 KiB");
  expect(shown).toContain(ada.login);
  await admin.post(`${group}/members`, { user_name: "no-such-account" });
  expect(await words(admin, group)).toContain("There is no such account.");
  await admin.post(`${group}/members`, { user_name: ada.login });
  expect(await words(admin, group)).toContain(`${ada.login} is already in the group.`);
});

test("an account sees what it uses and may use, and its files", async () => {
  aRepo(server, ada.user, { name: "one", files: { "a.txt": "hello" } });
  await api("POST", `/repos/${ada.login}/one/issues`, ada, { title: "t" });
  const send = (text: string) => {
    const form = new FormData();
    form.append("attachment", new File([text], "notes.txt"));
    const headers = { authorization: `token ${ada.token}` };
    return fetch(`${server.url}api/v1/repos/${ada.login}/one/issues/1/assets`, { method: "POST", headers, body: form });
  };
  expect((await send("x".repeat(1024))).status).toBe(201);
  await settled(server);
  const page = await visitor.get("/user/settings/storage_overview");
  const shown = wordsOf(page.text);
  expect(shown).toContain("Files of issues and pull requests 1.0 KiB");
  expect(shown).toContain("Attached files 1.0 KiB of 3.0 KiB");
  expect(page.text).toContain(`href="/${ada.login}/one/issues/1"`);
  expect((await send("x".repeat(2049))).status).toBe(413);
});

test("an organization's storage is its owners', and the limits are the administrators'", async () => {
  const club = anOrganization(server, ada.user);
  const page = `/org/${club.login}/settings/storage_overview`;
  expect(await words(visitor, page)).toContain("There are no storage limits.");
  const stranger = await aPageOf(server, (await aUser(server)).user);
  expect((await stranger.get(page)).status).toBe(404);
  expect((await visitor.get(ADMIN)).status).toBe(403);
  expect((await visitor.post(`${ADMIN}/rules`, { name: "mine", limit: "-1", subjects: "size:all" })).status).toBe(403);
});

test("who has no room hears it in words where a repository is made", async () => {
  await admin.post(`${ADMIN}/rules`, { name: "nothing", limit: "1", subjects: "size:all" });
  const group = `${ADMIN}/groups/${encodeURIComponent("home & garden")}`;
  await admin.post(`${group}/rules`, { rule: "nothing" });
  const refused = await visitor.post("/repo/create", { uid: String(ada.user.id), repo_name: "two" });
  expect(wordsOf(refused.text)).toContain("The owner has no storage left for this");
  await admin.post(`${group}/rules`, { rule: "nothing", action: "remove" });
  expect((await visitor.post("/repo/create", { uid: String(ada.user.id), repo_name: "two" })).location).toBe(
    `/${ada.login}/two`,
  );
});

test("what is deleted is gone from groups and accounts", async () => {
  await admin.post(`${ADMIN}/rules/delete`, { name: "small files" });
  await admin.post(`${ADMIN}/groups/delete`, { name: "home & garden" });
  expect(await words(admin, ADMIN)).toContain("No groups");
  expect((await admin.get(`${ADMIN}/groups/${encodeURIComponent("home & garden")}`)).status).toBe(404);
  expect(await words(visitor, "/user/settings/storage_overview")).toContain("There are no storage limits.");
});

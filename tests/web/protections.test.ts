import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Settings of branches and tags by forms, without JavaScript, and the editor on a branch that is closed. */

let server: TestServer;
let ada: TestUser;
let browser: Visitor;

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  await aUser(server, { login: "bob" });
  aRepo(server, ada.user, { name: "engine", files: { "a.txt": "a\n", "docs/b.md": "b\n" } });
  await call(server, "PUT", "/api/v1/repos/ada/engine/collaborators/bob", {
    token: ada.token,
    body: { permission: "write" },
  });
  browser = await aPageOf(server, ada.user);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const at = "/ada/engine/settings/branches";
const rules = async () =>
  (
    await call<{ id: number; rule_name: string }[]>(server, "GET", "/api/v1/repos/ada/engine/branch_protections", {
      token: ada.token,
    })
  ).body;
const rule = async (name: string) => (await rules()).find((one) => one.rule_name === name);

test("a rule is made, shown again when it is refused, changed, moved and deleted", async () => {
  const fields = { push: "listed", push_users: "bob, nobody-here", merge: "writers", force_push: "nobody" };
  const refused = await browser.post(`${at}/edit`, { ...fields, rule_name: "main" });
  expect(refused.status).toBe(422);
  expect(wordsOf(refused.text)).toContain("There is no account named nobody-here.");
  expect(refused.text).toContain('value="bob, nobody-here"');
  const nameless = await browser.post(`${at}/edit`, { ...fields, push_users: "" });
  expect([nameless.status, wordsOf(nameless.text)]).toEqual([
    422,
    expect.stringContaining("Name a branch or a pattern."),
  ]);
  const made = await browser.post(`${at}/edit`, {
    ...{ ...fields, push_users: "bob", rule_name: "main", required_approvals: "2", enable_status_check: "on" },
    status_check_contexts: "ci/*\r\nlint\r\n",
  });
  expect([made.status, made.headers.get("location")]).toEqual([303, at]);
  expect(await rule("main")).toMatchObject({
    enable_push: true,
    enable_push_whitelist: true,
    push_whitelist_usernames: ["bob"],
    enable_force_push: false,
    required_approvals: 2,
    status_check_contexts: ["ci/*", "lint"],
  });
  const twice = await browser.post(`${at}/edit`, { ...fields, push_users: "", rule_name: "main" });
  expect(wordsOf(twice.text)).toContain("There is already a rule of this name.");

  const form = await browser.get(`${at}/edit?rule_name=main`);
  expect(form.text).toContain('value="bob"');
  // A box that is not ticked is off.
  await browser.post(`${at}/edit?rule_name=main`, { push: "writers", merge: "writers", force_push: "writers" });
  expect(await rule("main")).toMatchObject({
    enable_push_whitelist: false,
    enable_force_push: true,
    enable_status_check: false,
    push_whitelist_usernames: [],
  });
  await browser.post(`${at}/edit`, { rule_name: "rel/**", push: "nobody", merge: "writers", force_push: "nobody" });
  const list = wordsOf((await browser.get(at)).text);
  expect(list).toContain("Everyone with write access may push");
  expect(list).toContain("No one may push");
  const ids = (await rules()).map(({ id }) => id);
  expect((await browser.post(`${at}/priority`, { ids: ids.toReversed().join(",") })).status).toBe(303);
  expect((await rules()).map(({ rule_name }) => rule_name)).toEqual(["rel/**", "main"]);
  for (const id of ids) expect((await browser.post(`${at}/${id}/delete`, {})).status).toBe(303);
  expect(await rules()).toEqual([]);
  expect((await browser.post(`${at}/${ids[0]}/delete`, {})).status).toBe(404);
  expect((await browser.get(`${at}/edit?rule_name=none`)).status).toBe(404);
});

test("a rule of tags is made, changed and deleted", async () => {
  const tags = "/ada/engine/settings/tags";
  const nobody = await browser.post(tags, { name_pattern: "v*", users: "" });
  expect([nobody.status, wordsOf(nobody.text)]).toEqual([422, expect.stringContaining("at least one person or team")]);
  const bad = await browser.post(tags, { name_pattern: "/(/", users: "ada" });
  expect(wordsOf(bad.text)).toContain("/(/ is neither a glob nor a regular expression.");
  expect((await browser.post(tags, { name_pattern: "v*", users: "ada bob" })).status).toBe(303);
  const page = await browser.get(tags);
  expect(wordsOf(page.text)).toContain("Only ada, bob");
  const id = /settings\/tags\/(\d+)"/.exec(page.text)?.[1] ?? "";
  expect((await browser.post(`${tags}/${id}`, { name_pattern: "w*", users: "bob" })).status).toBe(303);
  expect(wordsOf((await browser.get(tags)).text)).toContain("Only bob");
  expect((await browser.post(`${tags}/delete`, { id })).status).toBe(303);
  expect(wordsOf((await browser.get(tags)).text)).toContain("No tag is protected");
});

test("limits of pushes are set, and shown again when they are refused", async () => {
  const bad = await browser.post(`${at}/pushes`, { max_file_mib: "many", patterns: "" });
  expect([bad.status, bad.text.includes('value="many"')]).toEqual([422, true]);
  const wrong = await browser.post(`${at}/pushes`, { max_file_mib: "", patterns: "ok\r\n(" });
  expect(wordsOf(wrong.text)).toContain("( is not a regular expression.");
  const set = await browser.post(`${at}/pushes`, { max_file_mib: "0.5", refuse_secrets: "on", patterns: "one\r\ntwo" });
  expect([set.status, set.headers.get("location")]).toEqual([303, at]);
  const { body } = await call(server, "GET", "/api/v1/repos/ada/engine/push_limits", { token: ada.token });
  expect(body).toEqual({ max_file_bytes: 2 ** 19, refuse_secrets: true, patterns: ["one", "two"] });
  expect((await browser.get(at)).text).toContain('value="0.5"');
});

test("on a branch that is closed the editor offers a new branch, and a commit to it is told why not", async () => {
  await browser.post(`${at}/edit`, { rule_name: "main", push: "nobody", merge: "writers", force_push: "nobody" });
  const form = await browser.get("/ada/engine/_edit/main/a.txt");
  expect(wordsOf(form.text)).toContain("main is protected. Your commit goes to a new branch.");
  expect(form.text).not.toContain('value="direct"');
  const fields = { tree_path: "a.txt", content: "changed\n", commit_summary: "change" };
  const direct = await browser.post("/ada/engine/_edit/main/a.txt", { ...fields, commit_choice: "direct" });
  expect([direct.status, wordsOf(direct.text)]).toEqual([
    422,
    expect.stringContaining("This branch is protected: commit to a new branch instead."),
  ]);
  const moved = await browser.post("/ada/engine/_edit/main/a.txt", {
    ...{ ...fields, commit_choice: "commit-to-new-branch", new_branch_name: "ada-patch-1" },
  });
  expect([moved.status, moved.headers.get("location")]).toEqual([303, "/ada/engine/compare/main...ada-patch-1"]);
  const branches = (await browser.get("/ada/engine/branches")).text;
  expect(wordsOf(branches)).toContain("Protected");
  const deleted = await browser.post("/ada/engine/branches/delete", { name: "main" });
  expect(deleted.status).toBe(303);
  expect(server.services.refs.find((await repoId()) ?? 0, "refs/heads/main")).toBeDefined();
});

const repoId = async () =>
  (await call<{ id: number }>(server, "GET", "/api/v1/repos/ada/engine", { token: ada.token })).body.id;

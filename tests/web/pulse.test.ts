import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aSession, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** What became of issues, pull requests and releases in a time, beside the commits (contract web.md 1.10). */

let server: TestServer;
let olga: TestUser;
let rita: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  [olga, rita] = [await aUser(server, { login: "olga" }), await aUser(server, { login: "rita" })];
});
afterAll(() => server.close());

async function pulse(repo: string, who?: TestUser): Promise<string> {
  const cookie = who ? { cookie: await aSession(server, who.user) } : {};
  const { status, text } = await call(server, "GET", `/olga/${repo}/activity`, cookie);
  expect(status).toBe(200);
  return text;
}

/** `owner/repo` with a branch that is one commit ahead. */
async function aProject(name: string): Promise<string> {
  aRepo(server, olga.user, { name, files: { "a.txt": "a\n" } });
  const path = `/repos/olga/${name}`;
  const file = { content: btoa("b\n"), new_branch: "ahead", message: "Go ahead" };
  expect((await api("POST", `${path}/contents/b.txt`, olga, file)).status).toBe(201);
  return path;
}

test("a quiet time says so", async () => {
  aRepo(server, olga.user, { name: "quiet", files: { a: "a" } });
  expect(await pulse("quiet")).toContain("No issue, pull request or release in this time.");
});

test("issues, pull requests and releases are counted and listed by what became of them", async () => {
  const path = await aProject("busy");
  for (let i = 0; i < 11; i++) await api("POST", `${path}/issues`, rita, { title: `Leak ${i}` });
  await api("PATCH", `${path}/issues/1`, olga, { state: "closed" });
  const pull = await api<{ number: number }>("POST", `${path}/pulls`, olga, {
    title: "Caulk",
    head: "ahead",
    base: "main",
  });
  const before = await pulse("busy");
  expect(before).toContain("1 pull request opened");
  expect(before).not.toContain("merged");
  expect((await api("POST", `${path}/pulls/${pull.body.number}/merge`, olga, { Do: "merge" })).status).toBe(200);
  await api("POST", `${path}/releases`, olga, { tag_name: "v1", name: "First <b>" });
  await api("POST", `${path}/releases`, olga, { tag_name: "v2", name: "Secret", draft: true });
  const text = await pulse("busy");
  for (const told of ["1 pull request merged", "1 issue closed", "11 issues opened", "1 release published"])
    expect(text).toContain(told);
  expect(text).toContain("First &lt;b&gt;");
  expect(text).not.toContain("Secret");
  expect(text).toContain("Leak 10");
  const [, href = ""] = /href="([^"]*\/issues\?q=[^"]*)"/.exec(text) ?? [];
  const all = await call(server, "GET", href.replaceAll("&amp;", "&"));
  expect(all.text.match(/class="item-title"/g)).toHaveLength(11);
});

test("who may not read issues hears nothing of them", async () => {
  const path = await aProject("shy");
  await api("POST", `${path}/issues`, olga, { title: "Hush" });
  expect(await pulse("shy", rita)).toContain("Hush");
  await api("PATCH", path, olga, { has_issues: false });
  const text = await pulse("shy", rita);
  expect(text).not.toContain("Hush");
  expect(text).not.toContain("issue opened");
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import { aPageOf } from "../../web/browser-calls.ts";

/** Words of commits that close issues, and the repository's settings that say where they count. */

let server: TestServer;
let owner: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  owner = await aUser(server, { login: "owner" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const anIssue = async (at: string) =>
  (await api<{ number: number }>("POST", `${at}/issues`, owner, { title: "One" })).body.number;

/** A commit with this message, which makes a file on a branch. */
async function commit(at: string, message: string, branch: { branch?: string; new_branch?: string } = {}) {
  const body = { content: btoa("x"), message, ...branch };
  const made = await api("POST", `${at}/contents/${crypto.randomUUID()}`, owner, body);
  expect(made.status).toBe(201);
  await settled(server);
}

const stateOf = async (at: string, number: number) =>
  (await api<{ state: string }>("GET", `${at}/issues/${number}`, owner)).body.state;

test("words count on the default branch alone, unless the repository wants them from every one", async () => {
  const { name } = aRepo(server, owner.user, { files: { "a.txt": "a" } });
  const at = `/repos/owner/${name}`;
  const [first, second, third] = [await anIssue(at), await anIssue(at), await anIssue(at)];
  await commit(at, `Fixes #${first}`, { new_branch: "topic" });
  expect(await stateOf(at, first)).toBe("open");
  const page = await aPageOf(server, owner.user);
  const saved = await page.post(`/owner/${name}/settings/issues`, {
    tracker: "here",
    time_tracker: "on",
    dependencies: "on",
    close_from_any_branch: "on",
  });
  expect(saved.status).toBe(303);
  const shown = await page.get(`/owner/${name}/settings/issues`);
  expect(shown.text).toMatch(/name="close_from_any_branch"[^>]* checked/);
  const tracker = { enable_time_tracker: true, allow_only_contributors_to_track_time: false };
  expect((await api("GET", at, owner)).body).toMatchObject({ internal_tracker: tracker });
  await commit(at, `Fixes #${second}`, { branch: "topic" });
  expect(await stateOf(at, second)).toBe("closed");
  await page.post(`/owner/${name}/settings/issues`, { tracker: "here" });
  await commit(at, `Fixes #${third}`, { branch: "topic" });
  expect(await stateOf(at, third)).toBe("open");
});

test("issues go to another tracker and come back, and what is wrong with its address is said", async () => {
  const { name } = aRepo(server, owner.user, { files: { "a.txt": "a" } });
  const at = `/repos/owner/${name}`;
  const page = await aPageOf(server, owner.user);
  const settings = `/owner/${name}/settings/issues`;
  const elsewhere = {
    tracker: "elsewhere",
    tracker_url: "https://x.example",
    tracker_format: "https://x.example/{index",
  };
  const refused = await page.post(settings, elsewhere);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('value="https://x.example/{index"');
  expect((await api("GET", at, owner)).body).toMatchObject({ has_issues: true, internal_tracker: {} });
  await page.post(settings, { ...elsewhere, tracker_format: "https://x.example/{index}" });
  expect((await page.get(`/owner/${name}/issues`)).headers.get("location")).toBe("https://x.example");
  await page.post(settings, { tracker: "off" });
  expect((await api("GET", at, owner)).body).toMatchObject({ has_issues: false });
  await page.post(settings, { tracker: "here" });
  expect((await page.get(`/owner/${name}/issues`)).status).toBe(200);
  const stranger = await aPageOf(server, (await aUser(server)).user);
  expect((await stranger.get(settings)).status).toBe(404);
});

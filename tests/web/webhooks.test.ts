import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor } from "./browser-calls.ts";

/** Webhooks on pages: making, changing, testing, sending again, deleting (contract webhooks.md 1.11). */

let server: TestServer;
let ada: TestUser;
let page: Visitor;
let receiver: ReturnType<typeof Bun.serve>;
const received: { method: string; url: URL; body: string }[] = [];
const api = anApi(() => server);

beforeAll(async () => {
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      received.push({ method: request.method, url: new URL(request.url), body: await request.text() });
      return new Response("<b>taken</b>");
    },
  });
  server = await aServer({ "network.allow": ["loopback"] });
  ada = await aUser(server, { login: "ada", isAdmin: true });
  page = await aPageOf(server, ada.user);
  aRepo(server, ada.user, { name: "garden", files: { "a.md": "a\n" } });
  aRepo(server, ada.user, { name: "empty" });
  anOrganization(server, ada.user, { login: "guild" });
});
afterAll(async () => {
  await receiver.stop(true);
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const places = [
  { list: "/ada/garden/settings/hooks", make: "/ada/garden/settings/hooks/gitea/new", api: "/repos/ada/garden/hooks" },
  { list: "/org/guild/settings/hooks", make: "/org/guild/settings/hooks/gitea/new", api: "/orgs/guild/hooks" },
  { list: "/user/settings/hooks", make: "/user/settings/hooks/gitea/new", api: "/user/hooks" },
  { list: "/-/admin/hooks", make: "/-/admin/system-hooks/gitea/new", api: "/admin/hooks" },
] as const;

interface Hook {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  readonly events: readonly string[];
  readonly config: Readonly<Record<string, string>>;
}
const target = (path: string) => `http://127.0.0.1:${receiver.port}/${path}`;
const hooksAt = async (path: string) => (await api<Hook[]>("GET", path, ada)).body;
const form = (path: string, more: Record<string, string> = {}) => ({
  payload_url: target(path),
  http_method: "POST",
  content_type: "1",
  events: "push_only",
  active: "on",
  ...more,
});

test.each(places)("a webhook is made, changed and deleted at $list", async ({ list, make, api: at }) => {
  expect((await page.get(make)).status).toBe(200);
  const made = await page.post(make, form("x", { name: "CI", secret: "hush" }));
  expect([made.status, made.location]).toEqual([303, list]);
  const [hook] = await hooksAt(at);
  expect(hook).toMatchObject({ name: "CI", active: true, events: ["push"], config: { url: target("x") } });
  const shown = await page.get(`${list}/${hook?.id}`);
  expect(shown.status).toBe(200);
  expect(shown.text).not.toContain("hush");
  const edit = form("y", { events: "choose_events", issues: "on", wiki: "on" });
  expect((await page.post(`${list}/gitea/${hook?.id}`, edit)).location).toBe(`${list}/${hook?.id}`);
  const [changed] = await hooksAt(at);
  expect(changed).toMatchObject({ name: "", events: ["issues", "wiki"], config: { url: target("y") } });
  // A secret that is not typed again stays.
  expect((await page.get(`${list}/${hook?.id}`)).text).toContain("remove_secret");
  expect((await page.post(`${list}/delete`, { id: String(hook?.id) })).location).toBe(list);
  expect(await hooksAt(at)).toEqual([]);
});

test("what is refused is said beside the field, and what was typed stays", async () => {
  const answer = await page.post("/user/settings/hooks/gitea/new", form("x", { payload_url: "ftp://x", name: "Kept" }));
  expect(answer.status).toBe(422);
  expect(answer.text).toContain("http:// or https://");
  expect(answer.text).toContain('value="Kept"');
  expect((await page.get("/user/settings/hooks/nonsense/new")).status).toBe(404);
  expect((await page.get("/user/settings/hooks/999999")).status).toBe(404);
  expect((await page.post("/user/settings/hooks/telegram/new", { chat_id: "1" })).status).toBe(422);
  expect(await hooksAt("/user/hooks")).toEqual([]);
});

test("a test is sent, shown with its answer, and sent again", async () => {
  const list = "/ada/garden/settings/hooks";
  await page.post(`${list}/gitea/new`, form("tested", { http_method: "GET", authorization_header: "Bearer hush" }));
  const [hook] = await hooksAt("/repos/ada/garden/hooks");
  const at = `${list}/${hook?.id}`;
  expect((await page.post(`${at}/test`)).location).toBe(at);
  await settled(server);
  const shown = (await page.get(at)).text;
  expect(shown).toContain("&lt;b&gt;taken&lt;/b&gt;");
  expect(shown).not.toContain("hush");
  const [, uuid = ""] = /replay\/([0-9a-f-]{36})/.exec(shown) ?? [];
  expect((await page.post(`${at}/replay/${uuid}`)).location).toBe(at);
  expect((await page.post(`${at}/replay/${crypto.randomUUID()}`)).status).toBe(404);
  await settled(server);
  const sent = received.filter(({ url }) => url.pathname === "/tested");
  expect(sent.map(({ body, method }) => [method, body])).toEqual([
    ["GET", ""],
    ["GET", ""],
  ]);
  expect(sent[1]?.url.searchParams.get("payload")).toBe(sent[0]?.url.searchParams.get("payload") ?? "");
  await page.post(`${list}/delete`, { id: String(hook?.id) });
});

test("an empty repository has nothing to test with", async () => {
  const list = "/ada/empty/settings/hooks";
  await page.post(`${list}/gitea/new`, form("x"));
  const [hook] = await hooksAt("/repos/ada/empty/hooks");
  expect((await page.post(`${list}/${hook?.id}/test`)).location).toBe(`${list}/${hook?.id}`);
  expect((await page.get(`${list}/${hook?.id}`)).text).toContain("The repository is empty");
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor } from "./browser-calls.ts";

/** The settings of Actions on pages (contract actions.md 9.5). */

let server: TestServer;
let ada: TestUser;
let page: Visitor;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada", isAdmin: true });
  page = await aPageOf(server, ada.user);
  aRepo(server, ada.user, { name: "garden", files: { "a.md": "a\n" } });
  anOrganization(server, ada.user, { login: "guild" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const owned = [
  { home: "/ada/garden/settings/actions", api: "/repos/ada/garden/actions" },
  { home: "/org/guild/settings/actions", api: "/orgs/guild/actions" },
  { home: "/user/settings/actions", api: "/user/actions" },
] as const;
const site = { home: "/-/admin/actions" };

for (const { home } of [...owned, site])
  test(`variables at ${home} are added, changed and deleted`, async () => {
    const list = `${home}/variables`;
    const form = { name: "place", data: "one\r\ntwo", description: "where to" };
    expect((await page.get(list)).text).toContain("No variables");
    const added = await page.post(`${list}/new`, form);
    expect([added.status, added.location]).toEqual([303, list]);
    const shown = await page.get(list);
    expect(shown.text).toContain("PLACE");
    expect(shown.text).toContain("where to");
    const edit = /href="([^"]+\/edit)"/.exec(shown.text)?.[1] ?? "";
    expect((await page.get(edit)).text).toContain("one\ntwo</textarea>");

    const twice = await page.post(`${list}/new`, { ...form, description: "<b>again</b>" });
    expect(twice.status).toBe(422);
    expect(twice.text).toContain("A variable with this name already exists.");
    expect(twice.text).toContain("&lt;b&gt;again&lt;/b&gt;");
    expect((await page.post(edit, { ...form, name: "1" })).status).toBe(422);
    expect((await page.post(edit, { ...form, data: "" })).status).toBe(422);

    const saved = await page.post(edit, { name: "moved", data: "three", description: "" });
    expect([saved.status, saved.location]).toEqual([303, list]);
    expect((await page.get(list)).text).toContain("MOVED");
    expect((await page.post(edit.replace(/edit$/, "delete"))).status).toBe(303);
    expect((await page.get(list)).text).toContain("No variables");
    expect((await page.get(edit)).status).toBe(404);
  });

for (const { home } of owned)
  test(`what tokens may do at ${home} is said, and taken back`, async () => {
    const general = `${home}/general`;
    expect((await page.get(home)).location).toBe(general);
    const isChosen = async (rule: string) =>
      new RegExp(`value="${rule}"[^>]* checked`).test((await page.get(general)).text);
    expect(await isChosen("inherited")).toBe(true);
    for (const rule of ["restricted", "permissive", "inherited"]) {
      const saved = await page.post(`${general}/token_permissions`, { token_rule: rule });
      expect([saved.status, saved.location]).toEqual([303, general]);
      expect(await isChosen(rule)).toBe(true);
    }
    expect((await page.post(`${general}/token_permissions`, { token_rule: "all" })).status).toBe(422);
  });

test("Actions is switched off on its page, and on again in the settings of the repository", async () => {
  const home = "/ada/garden/settings";
  const unit = `${home}/actions/general/actions_unit`;
  expect((await page.post(unit, {})).location).toBe(home);
  expect((await page.get(`${home}/actions/general`)).status).toBe(404);
  expect((await page.get("/ada/garden/actions")).status).toBe(404);
  expect((await page.post(home, { action: "advanced", enable_actions: "on", enable_releases: "on" })).status).toBe(303);
  expect((await page.get("/ada/garden/actions")).status).toBe(200);
  expect((await page.get("/ada/garden/projects")).status).toBe(404);
  await page.post(home, { action: "advanced", enable_actions: "on", enable_releases: "on", enable_projects: "on" });
});

for (const { home } of owned)
  test(`secrets at ${home} are set, replaced and deleted, and no page shows them`, async () => {
    const list = `${home}/secrets`;
    const form = { name: "deploy_key", data: "hush\r\nhush", description: "for x" };
    expect((await page.get(list)).text).toContain("No secrets");
    for (const data of [form.data, "hush again"])
      expect((await page.post(list, { ...form, data })).location).toBe(list);
    const shown = await page.get(list);
    expect(shown.text).toContain("DEPLOY_KEY");
    expect(shown.text).not.toContain("hush");
    const refused = await page.post(list, { name: "github_x", data: "hush-hush", description: "d" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("GITHUB_");
    expect(refused.text).not.toContain("hush");
    expect((await page.post(list, { name: "x", data: "" })).status).toBe(422);
    expect((await page.post(`${list}/delete`, { name: "deploy_key" })).status).toBe(303);
    expect((await page.post(`${list}/delete`, { name: "deploy_key" })).status).toBe(404);
    expect((await page.get(list)).text).toContain("No secrets");
  });

for (const { home } of [...owned, site])
  test(`runners at ${home} are shown, disabled, enabled and deleted, and the token is reset`, async () => {
    const list = `${home}/runners`;
    const token = /id="registration-token">([0-9a-f]{40})</.exec((await page.get(list)).text)?.[1] ?? "";
    const registered = await call<{ runner: { id: string; token: string } }>(
      server,
      "POST",
      "/api/actions/runner.v1.RunnerService/Register",
      { body: { name: "<i>builder</i>", token, version: "v1", labels: ["self"] } },
    );
    const { id, token: own } = registered.body.runner;
    const shown = (await page.get(list)).text;
    for (const text of ["&lt;i&gt;builder&lt;/i&gt;", "Offline", "Never seen", "Version v1", ">self<"])
      expect(shown).toContain(text);
    expect(shown).not.toContain(own);
    const change = `${list}/${id}/update-runner`;
    expect((await page.post(change, { disabled: "true" })).location).toBe(list);
    expect((await page.get(list)).text).toContain(">Disabled<");
    expect((await page.post(change, { disabled: "false" })).location).toBe(list);
    expect((await page.get(list)).text).not.toContain(">Disabled<");
    expect((await page.post(`${list}/reset_registration_token`)).location).toBe(list);
    const after = (await page.get(list)).text;
    expect(after).not.toContain(token);
    expect(after).toContain("&lt;i&gt;builder");
    expect((await page.post(`${list}/${id}/delete`)).location).toBe(list);
    for (const path of [change, `${list}/${id}/delete`, `${list}/x/delete`])
      expect((await page.post(path)).status).toBe(404);
  });

test("the administration shows whose a runner is", async () => {
  for (const { api: path, whose } of [
    { api: owned[0].api, whose: "ada/garden" },
    { api: owned[1].api, whose: "guild" },
  ]) {
    const { body } = await api<{ token: string }>("POST", `${path}/runners/registration-token`, ada);
    await call(server, "POST", "/api/actions/runner.v1.RunnerService/Register", {
      body: { name: `of ${whose}`, token: body.token },
    });
    expect((await page.get(`${site.home}/runners`)).text).toContain(`>${whose}<`);
  }
});

test("a secret of a form has the line ends of Unix, one of the API keeps its own", async () => {
  await page.post("/user/settings/actions/secrets", { name: "form", data: "a\r\nb" });
  await api("PUT", "/user/actions/secrets/rest", ada, { data: "a\r\nb" });
  const sealed = server.core.db.query<{ id: number; name: string; value: string }>(
    "SELECT id, name, value FROM actions_secrets WHERE owner_id = ? ORDER BY name",
  );
  const opened = sealed
    .all(ada.user.id)
    .map(({ id, name, value }) => [name, server.core.secrets.open(`actions_secrets.value:${id}`, value).reveal()]);
  expect(opened).toEqual([
    ["FORM", "a\nb"],
    ["REST", "a\r\nb"],
  ]);
});

test("one place's variable is nowhere else, and the site has no secrets", async () => {
  await api("POST", "/user/actions/variables/MINE", ada, { value: "v" });
  const mine = /variables\/(\d+)\/edit/.exec((await page.get("/user/settings/actions/variables")).text)?.[1];
  for (const home of ["/ada/garden/settings/actions", "/org/guild/settings/actions", site.home])
    for (const path of [`${home}/variables/${mine}/edit`, `${home}/variables/x/edit`])
      expect((await page.get(path)).status).toBe(404);
  expect((await page.get(`${site.home}/secrets`)).status).toBe(404);
});

test("the section is for whoever administers, where workflows are on", async () => {
  const bob = await aUser(server, { login: "bob" });
  const other = await aPageOf(server, bob.user);
  const paths = [owned[0].home, owned[1].home, site.home].map((home) => `${home}/variables`);
  for (const path of paths) expect((await other.get(path)).status).toBeGreaterThanOrEqual(403);
  await api("PUT", "/repos/ada/garden/collaborators/bob", ada, { permission: "admin" });
  expect((await other.get("/ada/garden/settings/actions/secrets")).status).toBe(200);
  const settings = "/ada/garden/settings";
  expect((await page.get(settings)).text).toContain(`${settings}/actions/general`);
  await api("PATCH", "/repos/ada/garden", ada, { has_actions: false });
  expect((await page.get(settings)).text).not.toContain(`${settings}/actions/`);
  expect((await page.get(`${settings}/actions/secrets`)).status).toBe(404);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { anOrganization, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** Cleanup rules of packages in the settings of a person and an organization (contract packages.md 6, 8). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let page: Visitor;
let other: Visitor;

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "bob" })];
  [page, other] = [await aPageOf(server, ada.user), await aPageOf(server, bob.user)];
  anOrganization(server, ada.user, { login: "guild" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const form = {
  action: "save",
  enabled: "on",
  type: "generic",
  keep_count: "1",
  keep_pattern: "",
  remove_days: "0",
  remove_pattern: "v.*",
};

async function publish(owner: string, version: string) {
  const path = `/api/packages/${owner}/generic/tools/${version}/a.bin`;
  expect((await call(server, "PUT", path, { token: ada.token, body: version })).status).toBe(201);
}

for (const { list, owner } of [
  { list: "/user/settings/packages", owner: "ada" },
  { list: "/org/guild/settings/packages", owner: "guild" },
])
  test(`rules are made, tried, changed and removed by forms at ${list}`, async () => {
    for (const version of ["v1", "<b>", "v3"]) await publish(owner, encodeURIComponent(version).replace(/%3./g, "x"));
    expect(wordsOf((await page.get(list)).text)).toContain("No cleanup rules");
    expect((await page.get(`${list}/rules/add`)).text).toContain('name="remove_pattern"');

    const bad = await page.post(`${list}/rules/add`, { ...form, remove_pattern: '("<i>' });
    expect([bad.status, bad.text.includes("<i>")]).toEqual([422, false]);
    expect(wordsOf(bad.text)).toContain("This is not a valid regular expression.");
    expect(bad.text).toContain('value="(&quot;&lt;i&gt;"');
    expect((await page.post(`${list}/rules/add`, { ...form, type: "floppy" })).status).toBe(422);
    expect((await page.post(`${list}/rules/add`, { ...form, keep_count: "1e3" })).status).toBe(422);

    const { location, status } = await page.post(`${list}/rules/add`, form);
    expect([status, location]).toEqual([303, expect.stringMatching(new RegExp(`^${list}/rules/\\d+$`))]);
    const twice = await page.post(`${list}/rules/add`, form);
    expect([twice.status, wordsOf(twice.text)]).toEqual([
      422,
      expect.stringContaining("You have a rule for this type already."),
    ]);
    expect(wordsOf((await page.get(list)).text)).toContain("Generic on");

    const preview = wordsOf((await page.get(`${location}/preview`)).text);
    expect(preview).toContain("tools v1");
    expect(preview).toContain("1 version would go now.");
    expect(preview).not.toContain("tools v3");

    const { enabled, ...off } = form;
    expect((await page.post(location, { ...off, keep_pattern: "V1" })).location).toBe(location);
    expect(wordsOf((await page.get(list)).text)).toContain("Generic off");
    expect((await page.get(location)).text).toContain('value="V1"');
    expect(wordsOf((await page.get(`${location}/preview`)).text)).toContain("No version would go now.");
    expect((await page.post(location, { ...form, keep_pattern: "(" })).status).toBe(422);

    const id = location.split("/").at(-1);
    expect((await other.get(`/user/settings/packages/rules/${id}`)).status).toBe(404);
    expect((await other.post(`/user/settings/packages/rules/${id}`, { action: "remove" })).status).toBe(404);
    expect((await page.post(location, { action: "remove" })).location).toBe(list);
    expect((await page.get(location)).status).toBe(404);
    expect(wordsOf((await page.get(list)).text)).toContain("No cleanup rules");
  });

test("the rules of an organization are for its owners", async () => {
  expect((await other.get("/org/guild/settings/packages")).status).toBe(404);
  expect((await other.post("/org/guild/settings/packages/rules/add", form)).status).toBe(404);
});

test("a site without packages has no rules, and no menu leads to them", async () => {
  await using bare = await aServer({ "packages.enabled": false });
  const { user } = await aUser(bare);
  const visitor = await aPageOf(bare, user);
  expect((await visitor.get("/user/settings/packages")).status).toBe(404);
  expect((await visitor.get("/user/settings")).text).not.toContain("/user/settings/packages");
});

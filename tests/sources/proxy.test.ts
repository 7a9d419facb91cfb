import { expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import type { Config } from "../../src/config/schema.ts";
import { anOrganization, aServer, aUser, call } from "../builders.ts";
import { aPage } from "../web/browser-calls.ts";

const behind = (more: Partial<Config> = {}) =>
  aServer({ "proxy.trusted": ["loopback"], "proxy.sign_in": "everywhere", ...more });
const as = (name: string, more: Record<string, string> = {}) => ({ "x-webauth-user": name, ...more });

test("whom a trusted proxy names is signed in, with one session that ends when it names someone else", async () => {
  await using server = await behind();
  const [ada, grace] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "grace" })];
  const sessions = (id: number) => server.services.sessions.list(operator, id).length;
  const visitor = aPage(server);
  for (let visit = 0; visit < 3; visit++)
    expect((await visitor.get("/user/settings", as("ada"))).text).toContain('value="ada"');
  expect([sessions(ada.user.id), visitor.jar.has("hearth_session")]).toEqual([1, true]);
  const page = await visitor.get("/user/settings", as("grace"));
  expect([page.text.includes('value="grace"'), sessions(ada.user.id), sessions(grace.user.id)]).toEqual([true, 0, 1]);
  // Nobody the site knows: not who sat there before.
  expect((await visitor.get("/user/settings", as("nobody"))).status).toBe(303);
  expect((await call(server, "GET", "/api/v1/user", { headers: as("ada") })).body["login"]).toBe("ada");
  expect((await call(server, "GET", "/api/v1/user")).status).toBe(401);
  const both = await call(server, "GET", "/api/v1/user", { headers: as("ada"), token: grace.token });
  expect(both.body["login"]).toBe("grace");
  expect((await call(server, "GET", "/api/v1/users/ada/tokens", { headers: as("ada") })).status).toBe(200);
});

test("the headers are worth nothing from anyone else, nor where it is off, nor over REST when it is for pages", async () => {
  await using untrusted = await aServer({ "proxy.trusted": ["10.0.0.0/8"], "proxy.sign_in": "everywhere" });
  await using off = await aServer({ "proxy.trusted": ["loopback"] });
  await using pages = await behind({ "proxy.sign_in": "pages" });
  for (const [server, page, rest] of [
    [untrusted, 303, 401],
    [off, 303, 401],
    [pages, 200, 401],
  ] as const) {
    await aUser(server, { login: "ada", isAdmin: true });
    const forged = as("ada", { "x-forwarded-for": "127.0.0.1" });
    expect((await aPage(server).get("/user/settings", forged)).status).toBe(page);
    expect((await call(server, "GET", "/api/v1/user", { headers: forged })).status).toBe(rest);
  }
});

test("forms of other sites do nothing, though the proxy names the visitor", async () => {
  await using server = await behind();
  const { user } = await aUser(server, { login: "ada" });
  const forged = { origin: "https://evil.example", "sec-fetch-site": "cross-site", ...as("ada") };
  expect((await aPage(server).post("/user/settings", { full_name: "x" }, forged)).status).toBe(403);
  expect(server.services.identity.byId(user.id)?.fullName).toBe("");
});

test("accounts that may not be used stay shut, and organizations are no one", async () => {
  await using server = await behind();
  const { user } = await aUser(server, { login: "ada" });
  anOrganization(server, user, { login: "acme" });
  expect((await aPage(server).get("/user/settings", as("acme"))).status).toBe(303);
  await server.services.identity.edit(operator, user, { prohibitLogin: true });
  const answer = await aPage(server).get("/user/settings", as("ada"));
  expect([answer.status, server.services.sessions.list(operator, user.id)]).toEqual([403, []]);
});

test("accounts are found by address and made where the settings say so", async () => {
  await using plain = await behind();
  await using open = await behind({ "proxy.sign_in_by_email": true, "proxy.sign_in_registers": true });
  for (const server of [plain, open]) {
    expect((await aPage(server).get("/user/settings", as("first"))).status).toBe(303);
    await aUser(server, { login: "ada", email: "ada@example.org" });
    const byEmail = await aPage(server).get("/user/settings", as("other", { "x-webauth-email": "ADA@example.org" }));
    expect(byEmail.text.includes('value="ada"')).toBe(server === open);
    const visits = await Promise.all([1, 2, 3].map(() => aPage(server).get("/user/settings", as("new.one"))));
    expect(visits.map(({ status }) => status)).toEqual(server === open ? [200, 200, 200] : [303, 303, 303]);
    expect((await aPage(server).get("/user/settings", as("no/name"))).status).toBe(303);
  }
  const made = open.services.identity.byLogin("new.one");
  expect([made?.isActive, made?.hasPassword, made?.isAdmin, made?.email.endsWith("@localhost")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

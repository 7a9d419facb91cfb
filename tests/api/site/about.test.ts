import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aToken, aUser, call, type Json, type TestServer } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer({ "api.page_size": 20, "api.largest_page": 40, "federation.enabled": true });
});
afterAll(() => server.close());

const get = <Body = Json>(path: string, token?: string) => call<Body>(server, "GET", `/api/v1${path}`, { token });

test("the site tells its limits, and lists keep to them", async () => {
  expect((await get("/settings/api")).body).toMatchObject({ default_paging_num: 20, max_response_items: 40 });
  for (let n = 0; n < 45; n++) await aUser(server, { login: `many-${n}` });
  const found = async (query: string) =>
    (await get<{ data: Json[] }>(`/users/search?q=many-&${query}`)).body.data.length;
  expect([await found(""), await found("limit=500"), await found("limit=0"), await found("limit=-3")]).toEqual([
    20, 40, 20, 20,
  ]);
});

test("what the site says of itself needs no caller and no scope", async () => {
  const { user } = await aUser(server);
  const narrow = aToken(server, user, ["read:package"]);
  for (const path of [
    "/version",
    "/settings/api",
    "/settings/ui",
    "/settings/repository",
    "/settings/attachment",
    "/nodeinfo",
    "/gitignore/templates",
    "/gitignore/templates/C%2B%2B",
    "/licenses",
    "/licenses/MIT",
    "/label/templates",
    "/label/templates/Default",
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect([path, (await get(path, narrow)).status]).toEqual([path, 200]);
  }
});

test("templates have no names but their own", async () => {
  for (const kind of ["gitignore/templates", "licenses", "label/templates"])
    for (const name of ["Nope", "..%2f..%2fx", "constructor", "__proto__", "%00", "mit"]) {
      const { status } = await get(`/${kind}/${name}`);
      expect([kind, name, status === 404 || status === 400]).toEqual([kind, name, true]);
    }
});

test("there is no signing key, and a private repository does not show even that", async () => {
  const { user, token } = await aUser(server, { login: "owner" });
  aRepo(server, user, { name: "secret", isPrivate: true });
  for (const end of ["gpg", "pub"]) {
    expect((await get(`/signing-key.${end}`)).body["message"]).toBe("no signing key");
    expect((await get(`/repos/owner/secret/signing-key.${end}`)).body["message"]).toBe("not found");
    expect((await get(`/repos/owner/secret/signing-key.${end}`, token)).body["message"]).toBe("no signing key");
  }
});

test("other servers find the node's description", async () => {
  const known = await call<{ links: { href: string }[] }>(server, "GET", "/.well-known/nodeinfo");
  expect(known.body.links[0]?.href).toBe(`${server.url}api/v1/nodeinfo`);
  const { body } = await get<{ openRegistrations: boolean; usage: { users: { total: number } } }>("/nodeinfo");
  expect([body.openRegistrations, body.usage.users.total > 40]).toEqual([false, true]);
});

test("a site that wants everyone signed in tells nothing to others", async () => {
  await using shut = await aServer({ require_signin: true });
  const { token } = await aUser(shut);
  const answer = await call(shut, "GET", "/api/v1/version");
  expect([answer.status, answer.body["message"]]).toEqual([403, "Only signed in user is allowed to call APIs."]);
  expect((await call(shut, "GET", "/api/v1/version", { token })).status).toBe(200);
  expect((await call(shut, "GET", "/swagger.v1.json")).status).toBe(303);
  expect((await call(shut, "GET", "/swagger.v1.json", { token })).status).toBe(200);
  expect((await call(shut, "GET", "/api/healthz")).status).toBe(200);
});

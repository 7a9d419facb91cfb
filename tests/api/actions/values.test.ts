import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount, operator } from "../../../src/access/principal.ts";
import { ownHome } from "../../../src/actions/homes.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aToken,
  aUser,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Variables and secrets of Actions over REST (contract actions.md 8.1 to 8.3). */

let server: TestServer;
let root: TestUser;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);

interface Variable {
  readonly owner_id: number;
  readonly repo_id: number;
  readonly name: string;
  readonly data: string;
  readonly description: string;
}
interface Listed {
  readonly name: string;
  readonly description: string;
  readonly created_at: string;
}

beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { login: "root", isAdmin: true });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  aRepo(server, ada.user, { name: "garden" });
  anOrganization(server, ada.user, { login: "guild" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const homes = ["/repos/ada/garden", "/orgs/guild", "/user"] as const;
const longest = "x".repeat(65_536);

for (const home of homes) {
  const variables = `${home}/actions/variables`;
  const secrets = `${home}/actions/secrets`;

  describe(`variables of ${home}`, () => {
    const read = async (name: string) => (await api<Variable>("GET", `${variables}/${name}`, ada)).body;

    test("are stored in capital letters and found in any case", async () => {
      const body = { value: "first", description: "what for" };
      const made = await api("POST", `${variables}/My_Var1`, ada, body);
      expect([made.status, made.text]).toEqual([201, ""]);
      const found = await read("mY_vAR1");
      expect(found).toMatchObject({ name: "MY_VAR1", data: "first", description: "what for" });
      expect(found.repo_id > 0).toBe(home.startsWith("/repos"));
      expect(found.owner_id > 0).toBe(!home.startsWith("/repos"));
      expect(await api("POST", `${variables}/MY_VAR1`, ada, { value: "second" })).toMatchObject({
        status: 409,
        body: { message: "variable name already exists" },
      });
      expect((await read("MY_VAR1")).data).toBe("first");
    });

    test("change all at once; what is left out is emptied, and an empty name stays", async () => {
      await api("POST", `${variables}/OLD`, ada, { value: "v", description: "d" });
      await api("POST", `${variables}/TAKEN`, ada, { value: "v" });
      expect((await api("PUT", `${variables}/old`, ada, { name: "", value: "a\r\nb\n" })).status).toBe(204);
      expect(await read("OLD")).toMatchObject({ name: "OLD", data: "a\nb\n", description: "" });
      expect((await api("PUT", `${variables}/old`, ada, { name: "renamed", value: "w" })).status).toBe(204);
      expect((await api("GET", `${variables}/OLD`, ada)).status).toBe(404);
      expect((await read("RENAMED")).data).toBe("w");
      for (const [name, status] of [
        ["1bad", 400],
        ["taken", 409],
      ] as const)
        expect((await api("PUT", `${variables}/renamed`, ada, { name, value: "x" })).status).toBe(status);
      expect((await api("PUT", `${variables}/renamed`, ada, { name: "other" })).body).toMatchObject({
        message: "[Value]: Required",
      });
      expect((await read("RENAMED")).data).toBe("w");
      // What is not there is missing whatever it is called.
      expect(await api("PUT", `${variables}/1bad`, ada, { value: "x" })).toMatchObject({
        status: 404,
        body: { message: "variable not found" },
      });
    });

    test("are deleted once", async () => {
      await api("POST", `${variables}/GONE`, ada, { value: "v" });
      expect((await api("DELETE", `${variables}/gone`, ada)).status).toBe(204);
      for (const name of ["gone", "-", "1bad"])
        expect(await api("DELETE", `${variables}/${name}`, ada)).toMatchObject({
          status: 404,
          body: { message: "variable not found" },
        });
    });

    test("come in pages, by name", async () => {
      for (const name of ["P_C", "P_A", "P_B"]) await api("POST", `${variables}/${name}`, ada, { value: name });
      const all = await api<Variable[]>("GET", `${variables}?limit=50`, ada);
      const names = all.body.map(({ name }) => name);
      expect(names).toEqual(names.toSorted());
      expect(all.headers.get("x-total-count")).toBe(String(names.length));
      const second = await api<Variable[]>("GET", `${variables}?limit=2&page=2`, ada);
      expect(second.body.map(({ name }) => name)).toEqual(names.slice(2, 4));
      expect(second.headers.get("link")).toContain('rel="prev"');
    });
  });

  describe(`secrets of ${home}`, () => {
    test("are made, replaced and deleted, and never shown", async () => {
      const made = await api("PUT", `${secrets}/deploy_key`, ada, { data: "hush-hush-1", description: "for x" });
      expect([made.status, made.text]).toEqual([201, ""]);
      const replaced = await api("PUT", `${secrets}/DEPLOY_KEY`, ada, { data: "hush-hush-2" });
      expect([replaced.status, replaced.text]).toEqual([204, ""]);
      if (home !== "/user") {
        const listed = await api<Listed[]>("GET", secrets, ada);
        expect(listed.body).toEqual([{ name: "DEPLOY_KEY", description: "", created_at: expect.any(String) }]);
        expect(listed.headers.get("x-total-count")).toBe("1");
        expect(listed.text).not.toContain("hush");
      }
      expect((await api("DELETE", `${secrets}/Deploy_Key`, ada)).status).toBe(204);
      expect(await api("DELETE", `${secrets}/deploy_key`, ada)).toMatchObject({
        status: 404,
        body: { message: "secret was not found [name: ]" },
      });
      expect((await api("PUT", `${secrets}/deploy_key`, ada, { data: "anew" })).status).toBe(201);
    });

    test("cannot be asked for one by one", async () => {
      expect((await api("GET", `${secrets}/deploy_key`, ada)).status).toBe(405);
      // An account's own have no list whose address that would be.
      const status = home === "/user" ? 404 : 405;
      expect((await api("PUT", `${secrets}/`, ada, { data: "d" })).status).toBe(status);
    });
  });

  test(`names, values and bodies of ${home} that will not do`, async () => {
    const names = [
      "-",
      "ci",
      "CI",
      "Ci",
      "1a",
      "a-b",
      "a@b",
      "gitea_x",
      "GITHUB_",
      "GiTeA_x",
      "a%20b",
      "%C3%A4",
      "a%0A",
    ];
    for (const name of [...names, "x".repeat(256)]) {
      expect([name, (await api("POST", `${variables}/${name}`, ada, { value: "v" })).status]).toEqual([name, 400]);
      expect([name, (await api("PUT", `${secrets}/${name}`, ada, { data: "v" })).status]).toEqual([name, 400]);
    }
    for (const name of ["_", "_1", "CIX", "GITEA", "x".repeat(255)]) {
      expect([name, (await api("POST", `${variables}/${name}`, ada, { value: "v" })).status]).toEqual([name, 201]);
      expect([name, (await api("PUT", `${secrets}/${name}`, ada, { data: "v" })).status]).toEqual([name, 201]);
    }
    for (const [value, status] of [
      [undefined, 422],
      ["", 422],
      [null, 422],
      [7, 422],
      [["a"], 422],
      [{}, 422],
      [`${longest}x`, 400],
      [longest, 201],
    ] as const) {
      expect([typeof value, (await api("POST", `${variables}/BIG`, ada, { value })).status]).toEqual([
        typeof value,
        status,
      ]);
      expect([typeof value, (await api("PUT", `${secrets}/BIG`, ada, { data: value })).status]).toEqual([
        typeof value,
        status,
      ]);
    }
    const described = { value: "v", description: "d".repeat(5_000) };
    expect((await api("POST", `${variables}/DESCRIBED`, ada, described)).status).toBe(201);
    const { body } = await api<Variable>("GET", `${variables}/DESCRIBED`, ada);
    expect(body.description).toHaveLength(4_096);
    expect(await api("POST", `${variables}/NONE`, ada, {})).toMatchObject({
      status: 422,
      body: { message: "[Value]: Required" },
    });
    expect(await api("PUT", `${secrets}/NONE`, ada, {})).toMatchObject({
      status: 422,
      body: { message: "[Data]: Required" },
    });
  });
}

test("each home has its own names", async () => {
  for (const [at, home] of homes.entries())
    expect((await api("POST", `${home}/actions/variables/SHARED`, ada, { value: String(at) })).status).toBe(201);
  for (const [at, home] of homes.entries())
    expect((await api<Variable>("GET", `${home}/actions/variables/SHARED`, ada)).body.data).toBe(String(at));
  expect((await api("GET", "/user/actions/variables/SHARED", bob)).status).toBe(404);
});

describe("who manages them", () => {
  const kinds = ["variables", "secrets"];

  test("the owner of a repository and site administrators, not those who administer or write it", async () => {
    aRepo(server, ada.user, { name: "shared" });
    aRepo(server, ada.user, { name: "hidden", isPrivate: true });
    const helper = await aUser(server, { login: "helper" });
    await api("PUT", "/repos/ada/shared/collaborators/helper", ada, { permission: "admin" });
    await api("PUT", "/repos/ada/shared/collaborators/bob", ada, { permission: "write" });
    for (const kind of kinds) {
      const path = `/repos/ada/shared/actions/${kind}`;
      expect((await api("GET", path, ada)).status).toBe(200);
      expect((await api("GET", path, root)).status).toBe(200);
      for (const other of [helper, bob])
        expect(await api("GET", path, other)).toMatchObject({
          status: 403,
          body: { message: "user should be the owner of the repo" },
        });
      expect(await api("GET", path)).toMatchObject({ status: 401, body: { message: "token is required" } });
      expect((await api("GET", `/repos/ada/hidden/actions/${kind}`, bob)).status).toBe(404);
      expect((await api("GET", `/repos/ada/hidden/actions/${kind}`)).status).toBe(404);
    }
    expect((await api("PUT", "/repos/ada/shared/actions/secrets/X", bob, { data: "d" })).status).toBe(403);
  });

  test("nobody where the unit is off", async () => {
    aRepo(server, ada.user, { name: "plain" });
    await api("POST", "/repos/ada/plain/actions/variables/A", ada, { value: "v" });
    await api("PATCH", "/repos/ada/plain", ada, { has_actions: false });
    for (const kind of kinds) expect((await api("GET", `/repos/ada/plain/actions/${kind}`, ada)).status).toBe(404);
    await api("PATCH", "/repos/ada/plain", ada, { has_actions: true });
    expect((await api("GET", "/repos/ada/plain/actions/variables/A", ada)).status).toBe(200);
  });

  test("owners of an organization, not its members", async () => {
    const member = await aUser(server, { login: "member" });
    const team = await api<{ id: number }>("POST", "/orgs/guild/teams", ada, {
      name: "crew",
      permission: "write",
      units: ["repo.code", "repo.actions"],
    });
    await api("PUT", `/teams/${team.body.id}/members/member`, ada);
    for (const kind of kinds) {
      expect(await api("GET", `/orgs/guild/actions/${kind}`, member)).toMatchObject({
        status: 403,
        body: { message: "Must be an organization owner" },
      });
      expect((await api("GET", `/orgs/guild/actions/${kind}`)).status).toBe(401);
      expect((await api("GET", `/orgs/no-such/actions/${kind}`, ada)).status).toBe(404);
    }
  });

  test("tokens with the scope of the level, written with its write scope", async () => {
    const paths = homes.map((home) => `${home}/actions`);
    const as = (scopes: string[]) => ({ ...ada, token: aToken(server, ada.user, scopes) });
    const reader = as(["read:repository", "read:organization", "read:user"]);
    const writer = as(["write:repository", "write:organization", "write:user"]);
    const other = as(["write:issue"]);
    for (const path of paths) {
      expect((await api("GET", `${path}/variables`, reader)).status).toBe(200);
      expect((await api("GET", `${path}/variables`, other)).status).toBe(403);
      expect((await api("PUT", `${path}/secrets/SCOPED`, reader, { data: "d" })).status).toBe(403);
      expect((await api("POST", `${path}/variables/SCOPED`, reader, { value: "v" })).status).toBe(403);
      expect((await api("PUT", `${path}/secrets/SCOPED`, writer, { data: "d" })).status).toBe(201);
    }
    const open = as(["public-only", "write:user"]);
    expect((await api("GET", "/user/actions/variables", open)).body).toMatchObject({
      message: "this endpoint is not available for public-only tokens",
    });
  });
});

test("values are sealed in the database, for their own row", () => {
  const rows = server.core.db.query<{ id: number; value: string }>("SELECT id, value FROM actions_secrets").all();
  expect(rows.length).toBeGreaterThan(1);
  for (const { value } of rows) expect(value).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]+$/);
  const [first, second] = rows;
  const { secrets } = server.core;
  if (!first || !second) throw new Error("there are several");
  expect(secrets.open(`actions_secrets.value:${first.id}`, first.value).reveal()).not.toBe("");
  expect(() => secrets.open(`actions_secrets.value:${second.id}`, first.value)).toThrow();
});

test("changes of secrets are in the owner's record of security events, by name only", async () => {
  const own = { data: "hush-hush-3" };
  await api("PUT", "/repos/ada/garden/actions/secrets/recorded", ada, own);
  await api("DELETE", "/repos/ada/garden/actions/secrets/recorded", ada);
  const { items } = server.services.audit.list(operator, { accountId: ada.user.id }, { page: 1, limit: 2, offset: 0 });
  const details = { name: "RECORDED", place: "ada/garden" };
  expect(items.map((entry) => [entry.action, entry.actor, entry.details])).toEqual([
    ["actions-secret-removed", "ada", details],
    ["actions-secret-set", "ada", details],
  ]);
});

test("they go with what they belong to, and a repository takes its own along", async () => {
  const count = (table: string, sql: string) =>
    server.core.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${sql}`).get()?.n;
  const cleo = await aUser(server, { login: "cleo" });
  aRepo(server, cleo.user, { name: "moved" });
  for (const home of ["/repos/cleo/moved", "/user"]) {
    await api("POST", `${home}/actions/variables/A`, cleo, { value: "v" });
    await api("PUT", `${home}/actions/secrets/A`, cleo, { data: "s" });
  }
  expect((await api("POST", "/repos/cleo/moved/transfer", root, { new_owner: "root" })).status).toBe(202);
  const moved = await api<Variable>("GET", "/repos/root/moved/actions/variables/A", root);
  expect(moved.body.data).toBe("v");
  expect((await api("DELETE", "/admin/users/cleo", root)).status).toBe(204);
  const tables = ["actions_variables", "actions_secrets"];
  for (const table of tables) {
    expect(count(table, `owner_id = ${cleo.user.id}`)).toBe(0);
    expect(count(table, `repo_id = ${moved.body.repo_id}`)).toBe(1);
  }
});

test("a home is full at a thousand", async () => {
  const dora = await aUser(server, { login: "dora" });
  const own = ownHome(asAccount(dora.user));
  for (let at = 0; at < 1_000; at++)
    server.services.actionsVariables.create(own, { name: `V${at}`, value: "v", description: "" });
  expect((await api("POST", "/user/actions/variables/MORE", dora, { value: "v" })).status).toBe(422);
  expect((await api("PUT", "/user/actions/variables/V7", dora, { value: "w" })).status).toBe(204);
});

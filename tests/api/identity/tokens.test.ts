import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../../src/access/principal.ts";
import { guessedAccount } from "../../../src/identity/guesses.ts";
import { aServer, aToken, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let root: TestUser;
beforeAll(async () => {
  server = await aServer();
  [ada, bob, root] = [
    await aUser(server, { login: "ada", password: true }),
    await aUser(server, { login: "bob" }),
    await aUser(server, { login: "root", isAdmin: true }),
  ];
});
afterAll(() => server.close());

const path = "/api/v1/users/ada/tokens";
/** By a token in the place of the password, which counts as Basic. */
const as = (user: TestUser, secret = user.token) => ({ basic: [user.login, secret] as const });

test("a token is made by password, shown once, and stored as a hash only", async () => {
  const basic = ["ada", ada.password] as const;
  const made = await call(server, "POST", path, { basic, body: { name: "one", scopes: ["read:user", "write:user"] } });
  expect([made.status, made.body["scopes"]]).toEqual([201, ["write:user"]]);
  const secret = String(made.body["sha1"]);
  expect(secret).toMatch(/^[0-9a-f]{40}$/);
  expect(made.body["token_last_eight"]).toBe(secret.slice(-8));
  const never = "0001-01-01T00:00:00Z";
  expect(made.body).toMatchObject({ created_at: never, last_used_at: never });
  const listed = await call<Json[]>(server, "GET", path, { basic });
  expect(listed.body.map((token) => token["sha1"])).toEqual(["", ""]);
  const unused = listed.body.find(({ name }) => name === "one");
  expect(unused?.["last_used_at"]).toBe(String(unused?.["created_at"]));
  expect(unused?.["last_used_at"]).not.toBe(never);
  expect(listed.headers.get("x-total-count")).toBe("2");
  expect(listed.text).not.toContain(secret);
  const rows = server.core.db.query<{ row: string }>("SELECT * FROM access_tokens").all();
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test("who may manage tokens, in the contract's order", async () => {
  for (const [who, options, status, message] of [
    ["nobody", {}, 403, "doer should be the site admin or be same as the contextUser"],
    ["someone else", as(bob), 403, "doer should be the site admin or be same as the contextUser"],
    ["a token in the header", { token: ada.token }, 401, "auth required"],
    ["a token as password", as(ada), 200, undefined],
    ["an administrator", as(root), 200, undefined],
    [
      "a token without the scope",
      as(ada, aToken(server, ada.user, ["read:repository"])),
      403,
      expect.stringContaining("required scope"),
    ],
  ] as const) {
    const answer = await call(server, "GET", path, options);
    expect([who, answer.status, answer.body["message"]]).toEqual([who, status, message]);
  }
  expect((await call(server, "GET", "/api/v1/users/nosuch/tokens", as(root))).status).toBe(404);
});

test("a token makes none that is broader, and public-only is inherited", async () => {
  const make = (secret: string, scopes: string[]) =>
    call(server, "POST", path, { ...as(ada, secret), body: { name: `n${Math.random()}`, scopes } });
  const narrow = aToken(server, ada.user, ["write:user"]);
  for (const scopes of [["all"], ["read:repository"], ["write:user", "read:issue"]])
    expect((await make(narrow, scopes)).body["message"]).toBe(
      "cannot create an access token with a broader scope than the authenticating token",
    );
  expect((await make(narrow, ["read:user"])).status).toBe(201);
  const open = aToken(server, ada.user, ["write:user", "public-only"]);
  expect((await make(open, ["read:user"])).body["scopes"]).toEqual(["public-only", "read:user"]);
});

for (const [body, status, message] of [
  [{ name: "two", scopes: ["nope"] }, 400, "invalid access token scope provided: invalid access token scope: nope"],
  [
    { name: "two", scopes: ["READ:user"] },
    400,
    "invalid access token scope provided: invalid access token scope: READ:user",
  ],
  [
    { name: "two", scopes: ["read:user:x"] },
    400,
    "invalid access token scope provided: invalid access token scope: read:user:x",
  ],
  [{ name: "two", scopes: [] }, 400, "access token must have a scope"],
  [{ name: "two", scopes: ["public-only"] }, 400, "access token must have a scope"],
  [{ name: "two" }, 400, "access token must have a scope"],
  [{ scopes: ["all"] }, 422, "[Name]: Required"],
  [{ name: "", scopes: ["all"] }, 422, "[Name]: Required"],
  [{ name: "x".repeat(256), scopes: ["all"] }, 422, "[Name]: MaxSize"],
  [{ name: "two", scopes: "all" }, 422, "[]: scopes must be a list"],
] as const) {
  test(`a token of ${JSON.stringify(body).slice(0, 60)} is refused`, async () => {
    const refused = await call(server, "POST", path, { ...as(ada), body });
    expect([refused.status, refused.body["message"]]).toEqual([status, message]);
  });
}

test("tokens go by number or name, and only the account's own", async () => {
  const make = async (name: string) =>
    (await call(server, "POST", path, { ...as(ada), body: { name, scopes: ["read:user"] } })).body;
  const [first, second] = [await make("by number"), await make("by/name")];
  const remove = (reference: string, user = "ada", by = ada) =>
    call(server, "DELETE", `/api/v1/users/${user}/tokens/${encodeURIComponent(reference)}`, as(by));
  expect((await remove(String(first["id"]), "bob", bob)).status).toBe(404);
  expect((await remove(String(first["id"]))).status).toBe(204);
  expect((await remove("by/name")).status).toBe(204);
  expect((await remove("by/name")).status).toBe(404);
  for (const secret of [first["sha1"], second["sha1"]])
    expect((await call(server, "GET", "/api/v1/user", { token: String(secret) })).status).toBe(401);
});

test("a token tells of itself and revokes itself, only from the Authorization header", async () => {
  const secret = aToken(server, ada.user, ["read:misc"]);
  const seen = await call(server, "GET", "/api/v1/token", { headers: { authorization: `Bearer ${secret}` } });
  expect(seen.body).toMatchObject({ scopes: ["read:misc"], user: { id: ada.user.id, login: "ada" } });
  for (const answer of [
    await call(server, "GET", `/api/v1/token?token=${secret}`),
    await call(server, "GET", "/api/v1/token", { basic: ["ada", secret] }),
    await call(server, "DELETE", `/api/v1/token?access_token=${secret}`),
  ])
    expect([answer.status, answer.body["message"]]).toEqual([404, "invalid access token"]);
  expect((await call(server, "GET", "/api/v1/token")).status).toBe(401);
  expect((await call(server, "DELETE", "/api/v1/token", { token: secret })).status).toBe(204);
  expect((await call(server, "GET", "/api/v1/token", { token: secret })).status).toBe(401);
});

test("a token may stand among the fields of a form, which are read all the same", async () => {
  const secret = aToken(server, ada.user, ["write:user"]);
  const send = (fields: Record<string, string>) =>
    call(server, "PATCH", "/api/v1/user/settings", {
      body: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  for (const name of ["token", "access_token"]) {
    const answer = await send({ [name]: secret, full_name: `By ${name}` });
    expect([answer.status, answer.body["full_name"]]).toEqual([200, `By ${name}`]);
    expect(answer.headers.get("x-gitea-warning")).toBeNull();
  }
  expect((await send({ full_name: "By nobody" })).body["message"]).toBe("token is required");
  expect((await send({ token: "0".repeat(40), full_name: "x" })).body["message"]).toBe(
    "invalid username, password or token",
  );
  const far = await send({ full_name: "x".repeat(70_000), token: secret });
  expect(far.body["message"]).toBe("token is required");
});

test("sudo is the administrator's, by query or header, and leaves the scopes as they are", async () => {
  const me = (token: string, query = "", headers: Record<string, string> = {}) =>
    call(server, "GET", `/api/v1/user${query}`, { token, headers });
  expect((await me(root.token, "?sudo=BOB")).body["login"]).toBe("bob");
  expect((await me(root.token, "", { sudo: "ada" })).body["login"]).toBe("ada");
  expect((await me(root.token, "?sudo=bob", { sudo: "ada" })).body["login"]).toBe("bob");
  expect((await me(root.token, "?sudo=nosuch")).status).toBe(404);
  for (const [token, query] of [
    [ada.token, "?sudo=bob"],
    [ada.token, "?sudo=ada"],
    ["", "?sudo=bob"],
  ] as const)
    expect((await me(token, query)).body["message"]).toBe("Only administrators allowed to sudo.");
  const narrow = aToken(server, root.user, ["read:repository"]);
  expect((await me(narrow, "?sudo=bob")).status).toBe(403);
  const list = await call(server, "GET", "/api/v1/admin/users?sudo=bob", { token: root.token });
  expect([list.status, list.body["message"]]).toEqual([403, "user should be the site admin"]);
});

test("a session cookie means nothing to the API", async () => {
  const { secret } = await server.services.sessions.open(ada.user.id, { address: "", userAgent: "" });
  const answer = await call(server, "GET", "/api/v1/user", { cookie: `hearth_session=${secret}` });
  expect([answer.status, answer.body["message"]]).toEqual([401, "token is required"]);
});

test("an administrator whose account is shut cannot act as someone else either", async () => {
  const shut = await aUser(server, { isAdmin: true });
  await server.services.identity.edit(operator, shut.user, { prohibitLogin: true });
  const answer = await call(server, "GET", "/api/v1/user?sudo=bob", { token: shut.token });
  expect([answer.status, answer.body["login"]]).toEqual([403, undefined]);
  await server.services.identity.edit(operator, bob.user, { prohibitLogin: true });
  expect((await call(server, "GET", "/api/v1/user?sudo=bob", { token: root.token })).status).toBe(403);
  await server.services.identity.edit(operator, bob.user, { prohibitLogin: false });
});

test("of several credentials one that is right is enough, and wrong ones alone are refused", async () => {
  const me = (query: string, options: object) => call(server, "GET", `/api/v1/user${query}`, options);
  const wrong = "0".repeat(40);
  expect((await me(`?token=${wrong}`, { basic: ["ada", ada.token] })).body["login"]).toBe("ada");
  expect((await me(`?token=${bob.token}`, { token: ada.token })).body["login"]).toBe("bob");
  expect((await me(`?token=${wrong}`, { token: ada.token })).status).toBe(401);
  for (const authorization of ["token", `token ${ada.token} more`, "Negotiate abc", "Basic ===", "Basic !!"]) {
    const answer = await me("", { headers: { authorization } });
    expect([authorization, answer.status, answer.body["message"]]).toEqual([authorization, 401, "token is required"]);
  }
});

test("a refusal names the scope that is missing, and both where an organization's is asked for", async () => {
  for (const [scope, target, required] of [
    ["read:user", "/user/repos", "read:repository"],
    ["read:user", "/users/ada/repos", "read:repository"],
    ["write:repository", "/user/starred", "read:user"],
    ["read:issue", "/user/starred", "read:user"],
    ["read:user", "/user/orgs", "read:user read:organization"],
    ["read:issue", "/user/teams", "read:user"],
  ] as const) {
    const refused = await call(server, "GET", `/api/v1${target}`, { token: aToken(server, ada.user, [scope]) });
    expect([target, refused.status, refused.body["message"]]).toEqual([
      target,
      403,
      `token does not have at least one of required scope(s), required=[${required}], token scope=${scope}`,
    ]);
  }
});

test("guessing is slowed down for the pair of account and address, not for the account's tokens", async () => {
  await using site = await aServer();
  const eve = await aUser(site, { login: "eve", password: "right-word-1" });
  // Wrong words against a bot cost as much and need no password of anybody's.
  for (let i = 0; i < 10; i++) site.services.throttle.begin(guessedAccount(eve.user, "eve"), "127.0.0.1");
  const slowed = await call(site, "GET", "/api/v1/user", { basic: ["eve", "right-word-1"] });
  expect([slowed.status, Number(slowed.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await call(site, "GET", "/api/v1/user", { basic: ["eve", eve.token] })).status).toBe(200);
});

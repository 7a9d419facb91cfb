import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../../src/access/principal.ts";
import {
  anOrganization,
  aRepo,
  aServer,
  aUser,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

let server: TestServer;
let root: TestUser;
let bob: TestUser;
beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { login: "root", isAdmin: true });
  bob = await aUser(server, { login: "bob" });
});
afterAll(() => server.close());

const send = (method: string, path: string, body?: unknown, token = root.token) =>
  call(server, method, `/api/v1/admin${path}`, { token, body });
const refusal = ({ status, body }: { status: number; body: Json }) => [status, body?.["message"]];

test("every route is the administrators' alone", async () => {
  for (const [method, path] of [
    ["GET", "/users"],
    ["POST", "/users"],
    ["PATCH", "/users/bob"],
    ["DELETE", "/users/bob"],
    ["POST", "/users/bob/rename"],
    ["GET", "/emails"],
    ["GET", "/emails/search?q=x"],
  ] as const) {
    const body = method === "GET" ? undefined : {};
    expect([path, ...refusal(await send(method, path, body, ""))]).toEqual([path, 401, "token is required"]);
    expect([path, ...refusal(await send(method, path, body, bob.token))]).toEqual([
      path,
      403,
      "user should be the site admin",
    ]);
  }
});

for (const [what, more, status, message] of [
  ["no name", { username: undefined }, 422, "[Username]: Required"],
  ["no address", { email: undefined }, 422, "[Email]: Required"],
  ["no password", { password: undefined }, 400, "PasswordIsRequired"],
  ["a short password", { password: "short" }, 400, "PasswordIsRequired"],
  ["a malformed address", { email: "bad" }, 422, "[Email]: Email"],
  ["an address that begins with a dash", { email: "-x@example.org" }, 422, "e-mail invalid [email: -x@example.org]"],
  ["a taken address in capitals", { email: "BOB@example.org" }, 422, "e-mail already in use [email: BOB@example.org]"],
  ["a taken name in capitals", { username: "BOB" }, 422, "user already exists [name: BOB]"],
  ["a reserved name", { username: "api" }, 422, "name is reserved [name: api]"],
  ["a reserved ending", { username: "user.keys" }, 422, "name pattern is not allowed [pattern: *.keys]"],
  ["a malformed name", { username: "a..b" }, 422, "[Username]: invalid username"],
  ["a long name", { username: "a".repeat(41) }, 422, "[Username]: MaxSize"],
  ["an unknown visibility", { visibility: "weird" }, 422, "[Visibility]: In"],
  ["a sign-in source", { source_id: 7 }, 422, "login source does not exist [id: 7]"],
  ["a time that is none", { created_at: "yesterday" }, 422, "[]: created_at must be a time"],
] as const) {
  test(`an account with ${what} is not made`, async () => {
    const body = { username: "newcomer", email: "newcomer@example.org", password: "long-enough-1", ...more };
    expect(refusal(await send("POST", "/users", body))).toEqual([status, message]);
    expect(server.services.identity.byLogin("newcomer")).toBeUndefined();
  });
}

test("an account is made active, and must change its password unless told otherwise", async () => {
  const body = {
    username: "made",
    email: "made@example.org",
    password: "long-enough-1",
    created_at: "2020-01-02T03:04:05Z",
  };
  const made = await send("POST", "/users", { ...body, visibility: "limited", restricted: true });
  expect([made.status, made.body]).toMatchObject([
    201,
    { login: "made", active: true, restricted: true, visibility: "limited", created: "2020-01-02T03:04:05Z" },
  ]);
  const me = await call(server, "GET", "/api/v1/user", { basic: ["made", "long-enough-1"] });
  expect(me.body["message"]).toStartWith("You must change your password. Change it at: ");
});

test("a refused change changes nothing", async () => {
  const carl = await aUser(server, { login: "carl", password: true });
  for (const [body, status, message] of [
    [{ email: "" }, 400, "e-mail invalid [email: ]"],
    [{ email: "bob@example.org" }, 400, "e-mail already in use [email: bob@example.org]"],
    [{ password: "short" }, 400, "password must be at least 8 characters"],
    [{ visibility: "weird" }, 422, "[Visibility]: In"],
    [{ website: "weird" }, 422, "[Website]: Url"],
    [{ max_repo_creation: 1e300 }, 422, "[]: max_repo_creation must be a whole number"],
    [{ source_id: 7 }, 422, "login source does not exist [id: 7]"],
  ] as const) {
    const whole = { full_name: "changed", password: "another-word-2", ...body };
    expect(refusal(await send("PATCH", "/users/carl", whole))).toEqual([status, message]);
  }
  const me = await call(server, "GET", "/api/v1/user", { basic: ["carl", carl.password] });
  expect([me.status, me.body["full_name"], me.body["email"]]).toEqual([200, "", "carl@example.org"]);
});

test("what is a person's is refused for an organization, which stays as it was", async () => {
  const owner = await aUser(server);
  const guild = anOrganization(server, owner.user);
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGDHkpGYeR6cb2QNVfINev3Qj1sOyO22iUX+rDsNd/Fb";
  for (const [method, path, body] of [
    ["PATCH", "", { admin: true, full_name: "changed" }],
    ["POST", "/keys", { title: "laptop", key }],
    ["POST", "/orgs", { username: "daughter" }],
    ["POST", "/rename", { new_username: "renamed" }],
    ["DELETE", "", {}],
  ] as const)
    expect([path, refusal(await send(method, `/users/${guild.login}${path}`, body))]).toEqual([
      path,
      [422, "target is an organization but not user"],
    ]);
  expect(server.services.identity.byLogin("daughter")).toBeUndefined();
  expect(server.services.identity.byLogin(guild.login)).toMatchObject({ isAdmin: false, fullName: "" });
});

test("the name at a sign-in source is kept as it was sent, also for a local account", async () => {
  const { login } = await aUser(server);
  const edited = await send("PATCH", `/users/${login}`, { login_name: login, source_id: 0 });
  expect([edited.status, edited.body["login_name"], edited.body["source_id"]]).toEqual([200, login, 0]);
  const found = await send("GET", `/users?login_name=${login}`);
  expect([found.status, (found.body as unknown as Json[]).map((each) => each["login"])]).toEqual([200, [login]]);
});

test("an empty visibility says nothing of it", async () => {
  const body = { username: "shy", email: "shy@example.org", password: "long-enough-1", visibility: "" };
  expect((await send("POST", "/users", body)).body["visibility"]).toBe("public");
  await send("PATCH", "/users/shy", { visibility: "private" });
  expect((await send("PATCH", "/users/shy", { visibility: "", full_name: "Shy" })).body).toMatchObject({
    full_name: "Shy",
    visibility: "private",
  });
});

test("a new password or state acts at once, on tokens and sessions alike", async () => {
  const dora = await aUser(server, { login: "dora" });
  const { secret } = await server.services.sessions.open(dora.user.id, { address: "", userAgent: "" });
  expect((await send("PATCH", "/users/dora", { prohibit_login: true })).status).toBe(200);
  expect(await server.services.sessions.validate(secret)).toBeUndefined();
  expect(refusal(await call(server, "GET", "/api/v1/version", { token: dora.token }))).toEqual([
    403,
    "This account is prohibited from signing in, please contact your site administrator.",
  ]);
  // Of the state of an account, and of who may act as another, nothing is said but that.
  for (const said of [
    await call(server, "GET", "/api/v1/version", { token: dora.token }),
    await call(server, "GET", "/api/v1/version?sudo=carl"),
  ])
    expect([said.status, Object.keys(said.body)]).toEqual([403, ["message"]]);
  await send("PATCH", "/users/dora", { prohibit_login: false, active: false });
  expect((await call(server, "GET", "/api/v1/user", { token: dora.token })).status).toBe(403);
  await send("PATCH", "/users/dora", { active: true });
  expect((await call(server, "GET", "/api/v1/user", { token: dora.token })).status).toBe(200);
});

test("the last administrator stays one", async () => {
  const message = `can not delete the last admin user [uid: ${root.user.id}]`;
  for (const body of [{ admin: false }, { active: false }, { prohibit_login: true }])
    expect(refusal(await send("PATCH", "/users/root", body))).toEqual([400, message]);
  expect(refusal(await send("DELETE", "/users/root"))).toEqual([422, "you cannot delete yourself"]);
});

test("an owner goes only with the repositories, all of them or none", async () => {
  const eve = await aUser(server, { login: "eve" });
  const repos = [aRepo(server, eve.user, { name: "one" }), aRepo(server, eve.user, { name: "two", files: { a: "a" } })];
  const message = `user still has ownership of repositories [uid: ${eve.user.id}]`;
  expect(refusal(await send("DELETE", "/users/eve"))).toEqual([422, message]);
  expect(server.services.repos.ownedBy(eve.user)).toHaveLength(2);
  expect((await send("DELETE", "/users/EVE?purge=true")).status).toBe(204);
  for (const repo of repos) expect(server.services.repos.seeById(operator, repo.id)).toBeUndefined();
  expect((await call(server, "GET", "/api/v1/user", { token: eve.token })).status).toBe(401);
  expect((await send("DELETE", "/users/eve?purge=true")).status).toBe(404);
  for (const table of ["access_tokens", "sessions", "user_emails", "user_redirects", "collaborators"])
    expect([table, server.core.db.query(`SELECT 1 FROM ${table} WHERE user_id = ${eve.user.id}`).get()]).toEqual([
      table,
      null,
    ]);
});

test("a purge that fails half-way undoes everything", async () => {
  const fay = await aUser(server, { login: "fay" });
  const repo = aRepo(server, fay.user, { name: "kept" });
  const { identity } = server.services;
  const remove = identity.remove;
  identity.remove = () => {
    throw new Error("the power went");
  };
  try {
    expect((await send("DELETE", "/users/fay?purge=true")).status).toBe(500);
  } finally {
    identity.remove = remove;
    server.errors.length = 0;
  }
  expect(server.services.repos.byId(repo.id)?.name).toBe("kept");
  expect((await call(server, "GET", "/api/v1/user", { token: fay.token })).status).toBe(200);
});

test("the list is narrowed, ordered and paged", async () => {
  for (const end of ["b", "c", "a"]) await aUser(server, { login: `list-${end}`, isRestricted: end === "c" });
  await aUser(server, { login: "list-bot", kind: "bot" });
  const list = async (query: string) => {
    const { body, headers } = await call<Json[]>(server, "GET", `/api/v1/admin/users?q=list-&${query}`, {
      token: root.token,
    });
    return [body.map((user) => String(user["login"]).slice(5)).join(""), headers.get("x-total-count")];
  };
  expect(await list("")).toEqual(["abc", "3"]);
  expect(await list("sort=name&order=desc")).toEqual(["cba", "3"]);
  expect(await list("sort=id")).toEqual(["bca", "3"]);
  expect(await list("limit=2&page=2")).toEqual(["c", "3"]);
  expect(await list("page=99999999999999999999")).toEqual(["", "3"]);
  expect(await list("page=999999999999999")).toEqual(["", "3"]);
  expect(await list("is_restricted=1")).toEqual(["c", "1"]);
  expect(await list("is_admin=true")).toEqual(["", "0"]);
  expect(await list("is_2fa_enabled=true")).toEqual(["", "0"]);
  for (const [query, message] of [
    ["sort=zzz", 'Invalid sort mode: "zzz"'],
    ["order=zzz", 'Invalid sort order: "zzz"'],
    ["visibility=zzz", 'Invalid visibility mode: "zzz"'],
  ] as const)
    expect(refusal(await send("GET", `/users?${query}`))).toEqual([422, message]);
  const first = await send("GET", "/users?q=list-&limit=2");
  const at = `${server.url}api/v1/admin/users?limit=2&page=2&q=list-`;
  expect(first.headers.get("link")).toBe(`<${at}>; rel="next",<${at}>; rel="last"`);
});

test("every address of the site is found with its owner", async () => {
  const found = await call<Json[]>(server, "GET", "/api/v1/admin/emails/search?q=BOB@", { token: root.token });
  expect(found.body).toEqual([
    { email: "bob@example.org", verified: true, primary: true, user_id: bob.user.id, username: "bob" },
  ]);
  expect(found.headers.get("x-total-count")).toBe("1");
  for (const email of ["zoe@far.example", "Abe@far.example", "mia@far.example"]) await aUser(server, { email });
  const addresses = async (query: string) =>
    (await call<Json[]>(server, "GET", `/api/v1/admin/emails${query}`, { token: root.token })).body.map(
      ({ email }) => email,
    );
  expect(await addresses("/search?q=far.example&limit=2")).toEqual(["Abe@far.example", "mia@far.example"]);
  expect(await addresses("/search?q=far.example&limit=2&page=2")).toEqual(["zoe@far.example"]);
  expect((await addresses("?limit=50"))[0]).toBe("Abe@far.example");
});

test("a form may name the new name as other forges of the dialect do", async () => {
  await aUser(server, { login: "formerly" });
  const renamed = await call(server, "POST", "/api/v1/admin/users/formerly/rename", {
    token: root.token,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "new_name=nowadays",
  });
  expect(renamed.status).toBe(204);
  const json = await send("POST", "/users/nowadays/rename", { new_name: "formerly" });
  expect(refusal(json)).toEqual([422, "[NewName]: Required"]);
});

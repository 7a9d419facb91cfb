import { afterAll, beforeAll, expect, test } from "bun:test";
import { checkAccountName } from "../../../src/identity/values.ts";
import { allRoutes } from "../../../src/routes.ts";
import { aRepo, aServer, aToken, aUser, call, type Json, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let root: TestUser;
beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { login: "root", isAdmin: true });
  ada = await aUser(server, { login: "Ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(() => server.close());

const get = <Body = Json>(path: string, token?: string) => call<Body>(server, "GET", `/api/v1${path}`, { token });
const send = (method: string, path: string, token: string | undefined, body?: unknown) =>
  call(server, method, `/api/v1${path}`, { token, body });

test("an account is shown by what the viewer may see", async () => {
  const masked = { is_admin: false, active: false, last_login: "0001-01-01T00:00:00Z", language: "" };
  expect((await get("/users/ROOT", bob.token)).body).toMatchObject({ login: "root", ...masked });
  expect((await get("/users/root", root.token)).body).toMatchObject({ is_admin: true, active: true });
  expect((await get("/users/ada")).body["email"]).toMatch(/^\d+\+ada@noreply\./);
  expect((await get("/users/ada", bob.token)).body["email"]).toBe("ada@example.org");
  await send("PATCH", "/user/settings", ada.token, { hide_email: true });
  expect((await get("/users/ada", bob.token)).body["email"]).toMatch(/noreply/);
  expect((await get("/users/ada", root.token)).body["email"]).toBe("ada@example.org");
  await send("PATCH", "/user/settings", ada.token, { hide_email: false });
});

test("an invisible account looks like none, byte for byte", async () => {
  await aUser(server, { login: "hidden", visibility: "private" });
  await aUser(server, { login: "shy", visibility: "limited" });
  for (const [login, token, status] of [
    ["hidden", undefined, 404],
    ["hidden", bob.token, 404],
    ["hidden", root.token, 200],
    ["shy", undefined, 404],
    ["shy", bob.token, 200],
  ] as const) {
    const seen = await get(`/users/${login}`, token);
    expect([login, seen.status]).toEqual([login, status]);
    if (status === 404) expect(seen.body["message"]).toBe(`user redirect does not exist [name: ${login}]`);
  }
  const narrow = aToken(server, bob.user, ["all", "public-only"]);
  expect((await get("/users/shy", narrow)).body["message"]).toBe("token scope is limited to public users");
  expect((await get("/users/hidden", narrow)).status).toBe(404);
});

test("a restricted account lists what it may read of a limited account's repositories, and sees no more of it", async () => {
  const owner = await aUser(server, { login: "reserved-owner", visibility: "limited" });
  const restricted = await aUser(server, { login: "on-probation", isRestricted: true });
  aRepo(server, owner.user, { name: "open" });
  const shared = aRepo(server, owner.user, { name: "shared", isPrivate: true });
  const collaborator = await send(
    "PUT",
    `/repos/reserved-owner/${shared.name}/collaborators/on-probation`,
    owner.token,
  );
  expect(collaborator.status).toBe(204);
  const repos = await get<Json[]>("/users/reserved-owner/repos", restricted.token);
  expect([repos.status, repos.body.map(({ name }) => name)]).toEqual([200, ["shared"]]);
  expect((await get("/users/reserved-owner", restricted.token)).status).toBe(404);
  expect((await get("/users/reserved-owner/repos")).status).toBe(404);
});

test("a search shows no one whom the caller may not see, and no address that is hidden", async () => {
  await aUser(server, { login: "seek-public", fullName: "Zoë Finder" });
  await aUser(server, { login: "seek-limited", visibility: "limited" });
  await aUser(server, { login: "seek-private", visibility: "private" });
  await aUser(server, { login: "seek-bot", kind: "bot" });
  const found = async (query: string, token?: string) => {
    const { body, headers } = await get<{ data: Json[] }>(`/users/search?${query}`, token);
    expect(headers.get("x-total-count")).toBe(String(body.data.length));
    return body.data.map((user) => user["login"]);
  };
  expect(await found("q=SEEK-")).toEqual(["seek-public"]);
  expect(await found("q=seek-", bob.token)).toEqual(["seek-limited", "seek-public"]);
  expect(await found("q=seek-", root.token)).toEqual(["seek-limited", "seek-private", "seek-public"]);
  expect(await found("q=finder")).toEqual(["seek-public"]);
  expect(await found("q=seek-public@example.org")).toEqual([]);
  expect(await found("q=seek-public@example.org", bob.token)).toEqual(["seek-public"]);
  expect(await found("uid=-1")).toEqual(["Ghost"]);
  expect(await found("uid=99999999999999999999&q=seek-")).toEqual(["seek-public"]);
  expect(await found("q=%25")).toEqual([]);
});

test("a former name leads on with every method, but not for those who may not see where to", async () => {
  const old = await aUser(server, { login: "before" });
  await aUser(server, { login: "taken" });
  const rename = (name: string, to: unknown) =>
    send("POST", `/admin/users/${name}/rename`, root.token, { new_username: to });
  expect((await rename("before", "taken")).body["message"]).toBe("user already exists [name: taken]");
  expect((await rename("before", "after")).status).toBe(204);
  expect((await rename("after", "latest")).status).toBe(204);
  const moved = await get("/users/before?x=%2F&y", bob.token);
  expect([moved.status, moved.headers.get("location")]).toEqual([307, "/api/v1/users/latest?x=%2F&y"]);
  expect([moved.headers.get("content-type"), moved.text]).toEqual([
    "text/html; charset=utf-8",
    '<a href="/api/v1/users/latest?x=%2F&amp;y">Temporary Redirect</a>.\n\n',
  ]);
  const tokens = await call(server, "DELETE", "/api/v1/users/before/tokens/x%2Fy", { basic: ["latest", old.token] });
  expect([tokens.status, tokens.headers.get("location")]).toEqual([307, "/api/v1/users/latest/tokens/x%2Fy"]);
  await send("PATCH", "/admin/users/latest", root.token, { visibility: "private" });
  expect((await get("/users/before", bob.token)).status).toBe(404);
  await aUser(server, { login: "before", email: "another@example.org" });
  expect((await get("/users/before")).status).toBe(200);
});

test("settings are changed all or not at all", async () => {
  const carol = await aUser(server);
  const full = { full_name: "C", website: "https://c.example", location: "here", hide_activity: true, theme: "dark" };
  expect((await send("PATCH", "/user/settings", carol.token, full)).body).toMatchObject(full);
  for (const [body, message] of [
    [{ location: "x", full_name: "x".repeat(101) }, "[FullName]: MaxSize"],
    [{ location: "x", website: "javascript:alert(1)" }, "[Website]: Url"],
    [{ location: "x", hide_email: "yes" }, "[]: hide_email must be true or false"],
    [{ location: 5 }, "[]: location must be a text"],
    ["[]", "[]: the body must be a JSON object"],
    ["{", "[]: the body is not valid JSON"],
  ] as const) {
    const headers = { "content-type": "application/json" };
    const refused = await call(server, "PATCH", "/api/v1/user/settings", { token: carol.token, body, headers });
    expect([refused.status, refused.body["message"]]).toEqual([422, message]);
  }
  expect((await send("PATCH", "/user/settings", carol.token, { website: "" })).body).toMatchObject({
    ...full,
    website: "",
  });
});

test("addresses are added and removed all or none", async () => {
  const dan = await aUser(server, { login: "dan" });
  const add = (...emails: unknown[]) => send("POST", "/user/emails", dan.token, { emails });
  expect((await add("one@example.org", "ADA@example.org")).body["message"]).toBe(
    "Email address has been used: ADA@example.org",
  );
  expect((await add("one@example.org", "one@example.org")).status).toBe(422);
  for (const bad of [
    "bad",
    "-x@example.org",
    "X <x@example.org>",
    "a@b@example.org",
    "ä@example.org",
    `${"x".repeat(300)}@e.org`,
  ])
    expect((await add(bad)).body["message"]).toBe(`Email address "${bad}" invalid`);
  expect((await add(...Array.from({ length: 101 }, (_, n) => `n${n}@example.org`))).status).toBe(422);
  expect((await add(5)).status).toBe(422);
  expect((await add()).body["message"]).toBe("Email list empty");
  expect((await get<Json[]>("/user/emails", dan.token)).body).toHaveLength(1);
  expect((await add("one@example.org")).status).toBe(201);
  const remove = (...emails: string[]) => send("DELETE", "/user/emails", dan.token, { emails });
  expect((await remove("ONE@example.org", "dan@example.org")).status).toBe(422);
  expect((await remove("ada@example.org")).status).toBe(404);
  expect((await get<Json[]>("/user/emails", dan.token)).body).toHaveLength(2);
  expect((await remove("ONE@example.org")).status).toBe(204);
  expect((await remove()).status).toBe(204);
});

test("two accounts never get one address, however close the calls are", async () => {
  const [eve, fay] = [await aUser(server), await aUser(server)];
  const answers = await Promise.all(
    [eve, fay, eve, fay].map(({ token }) => send("POST", "/user/emails", token, { emails: ["both@example.org"] })),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 422, 422, 422]);
});

test("each private part asks for its scope and is closed to public-only tokens", async () => {
  const scoped = (...scopes: string[]) => aToken(server, ada.user, scopes);
  for (const path of ["/user/settings", "/user/emails"]) {
    expect([path, (await get(path)).status]).toEqual([path, 401]);
    expect([path, (await get(path, scoped("read:repository"))).status]).toEqual([path, 403]);
    expect([path, (await get(path, scoped("read:user"))).status]).toEqual([path, 200]);
    expect((await get(path, scoped("all", "public-only"))).body["message"]).toBe(
      "this endpoint is not available for public-only tokens",
    );
  }
  expect((await send("PATCH", "/user/settings", scoped("read:user"), {})).status).toBe(403);
  expect((await send("PATCH", "/user/settings", scoped("write:user"), {})).status).toBe(200);
});

test("HEAD answers as GET without a body, and a wrong method names the right ones", async () => {
  const head = await call(server, "HEAD", "/api/v1/users/ada");
  expect([head.status, head.text]).toEqual([200, ""]);
  expect((await call(server, "HEAD", "/api/v1/users/nosuch")).status).toBe(404);
  const wrong = await call(server, "PUT", "/api/v1/user/settings", { token: ada.token });
  expect([wrong.status, wrong.text, wrong.headers.get("allow")]).toEqual([405, "", "GET, HEAD, PATCH"]);
  const preflight = await call(server, "OPTIONS", "/api/v1/user", { headers: { origin: "https://other.example" } });
  expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([405, null]);
});

test("what no route knows is refused in plain words, whatever the method", async () => {
  for (const [method, path, accept, status, type] of [
    ["GET", "/api/v1/nosuch/at/all", "*/*", 404, "text/plain"],
    ["PROPFIND", "/api/v1/version", "*/*", 405, undefined],
    ["PUT", "/api/v1/version", "*/*", 405, undefined],
    ["GET", "//etc/passwd", "text/html", 404, "text/html"],
  ] as const) {
    const answer = await call(server, method, path, { headers: { accept } });
    expect([method, path, answer.status]).toEqual([method, path, status]);
    expect(answer.headers.get("content-type")?.split(";")[0]).toBe(type);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{12}$/);
  }
});

test("malformed names and numbers in the path are unknown, never an error of ours", async () => {
  for (const name of [
    "%00",
    "%ff",
    "%2e%2e",
    "a%2Fb",
    "x".repeat(300),
    "%F0%9F%98%80",
    "constructor",
    "-1",
    "__proto__",
  ]) {
    // A client resolves `%2e%2e` before it sends, so that is another address.
    const paths = name === "%2e%2e" ? [] : [`/users/${name}/tokens`, `/admin/users/${name}`];
    for (const path of [`/users/${name}`, ...paths]) {
      const method = path.startsWith("/admin") ? "DELETE" : "GET";
      const { status } = await call(server, method, `/api/v1${path}`, { basic: ["root", root.token] });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
  }
  expect(server.errors).toEqual([]);
});

test("every first word of an address is a name that no one can take", async () => {
  const words = new Set((await allRoutes(server.services)).map((route) => route.path.split("/")[1] ?? ""));
  for (const word of words)
    if (word !== "" && !word.startsWith(":") && word !== "*")
      expect([word, isAccountName(word)]).toEqual([word, false]);
});

function isAccountName(word: string): boolean {
  try {
    checkAccountName(word);
    return true;
  } catch {
    return false;
  }
}

test("a body that is not UTF-8, or nested without end, is refused", async () => {
  const headers = { "content-type": "application/json" };
  for (const body of [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "[".repeat(1_000_000)]) {
    const refused = await call(server, "PATCH", "/api/v1/user/settings", { token: ada.token, headers, body });
    expect(refused.status).toBe(422);
  }
  const large = await call(server, "PATCH", "/api/v1/user/settings", {
    token: ada.token,
    body: { full_name: "x".repeat(2 << 20) },
  });
  expect(large.status).toBe(413);
});

test("lists show a private account to whom it follows and to fellow members, and to no one else", async () => {
  const secret = await aUser(server, { login: "quiet-one", visibility: "private" });
  const found = async (token?: string) =>
    (await get<{ data: Json[] }>("/users/search?q=quiet-one", token)).body.data.length;
  expect([await found(ada.token), await found(bob.token), await found()]).toEqual([0, 0, 0]);
  expect((await send("PUT", "/user/following/ada", secret.token)).status).toBe(204);
  expect([await found(ada.token), await found(bob.token), await found()]).toEqual([1, 0, 0]);
  expect(await found(aToken(server, ada.user, ["all", "public-only"]))).toBe(0);
  await send("POST", "/orgs", bob.token, { username: "quiet-house" });
  const team = { name: "guests", permission: "read", units: ["repo.code"] };
  const made = await send("POST", "/orgs/quiet-house/teams", bob.token, team);
  await send("PUT", `/teams/${made.body["id"]}/members/quiet-one`, root.token);
  const joined = await found(bob.token);
  await send("DELETE", `/teams/${made.body["id"]}/members/quiet-one`, root.token);
  expect([joined, await found(bob.token)]).toEqual([1, 0]);
});

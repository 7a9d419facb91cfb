import { afterAll, afterEach, beforeAll, describe, expect, setSystemTime, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount, operator } from "../../src/access/principal.ts";
import { loadConfig } from "../../src/config/load.ts";
import { guessedAccount } from "../../src/identity/guesses.ts";
import { GuessThrottle } from "../../src/identity/throttle.ts";
import { randomHex } from "../../src/kernel/ids.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { makeApp } from "../../src/server.ts";
import { openHouse } from "../../src/services.ts";
import { aServer, aSession, aToken, type CallOptions, call, type TestServer } from "../builders.ts";
import { aPerson, aSample, type Person, type RepoSample } from "./world.ts";

/** Tokens, sessions, forms and throttling: groups B and H of the security rules, a test for each row. */

let server: TestServer;
let admin: Person;
let ada: Person;
let bob: Person;
let closed: RepoSample;
beforeAll(async () => {
  server = await aServer({ registration: "open" });
  admin = await aPerson(server, { login: "theadmin", isAdmin: true });
  ada = await aPerson(server, { login: "ada", password: "correct horse battery" });
  bob = await aPerson(server, { login: "bob" });
  closed = await aSample(server, ada, { name: "closed", isPrivate: true });
});
afterAll(() => server.close());

const form = { "content-type": "application/x-www-form-urlencoded" };
const get = (path: string, options: CallOptions = {}) => call<unknown>(server, "GET", path, options);

test("B1: a token, however narrow or wide, is no login on pages, in no place it can stand", async () => {
  const secret = ada.token;
  const basic = Buffer.from(`ada:${secret}`).toString("base64");
  // A repository's home shares its address with feeds, and opens by HTTP Basic as those do (contract web.md 0.2).
  for (const path of ["/ada/closed", "/ada/closed/src/branch/main/README.md", "/ada/closed/commits/branch/main"])
    for (const options of [
      { token: secret } as CallOptions,
      { headers: { authorization: `Bearer ${secret}` } },
      { headers: { authorization: `Basic ${basic}` } },
      { headers: { cookie: `hearth_session=${secret}` } },
      { headers: { cookie: `hearth_remember=${secret}` } },
    ])
      expect([path, (await get(path, options)).status]).toEqual([
        path,
        path === "/ada/closed" && /^Basic /.test(options.headers?.["authorization"] ?? "") ? 200 : 404,
      ]);
  const narrow = Buffer.from(`ada:${aToken(server, ada.user, ["read:user"])}`).toString("base64");
  expect((await get("/ada/closed", { headers: { authorization: `Basic ${narrow}` } })).status).toBe(403);
  for (const query of [`?token=${secret}`, `?access_token=${secret}`])
    expect((await get(`/ada/closed${query}`)).status).toBe(404);
  expect((await get("/user/settings", { token: secret })).status).toBe(303);
});

test("B1, B2: a scope holds on raw files and git, in every form a token is shown in", async () => {
  const narrow = aToken(server, ada.user, ["read:user"]);
  const forms = (secret: string): CallOptions[] => [
    { headers: { authorization: `token ${secret}` } },
    { headers: { authorization: `Bearer ${secret}` } },
    { headers: { authorization: `bEaReR ${secret}` } },
    { basic: ["ada", secret] },
    { basic: ["whoever", secret] },
    { basic: [secret, ""] },
    { basic: [secret, "x-oauth-basic"] },
  ];
  const paths = [
    "/ada/closed/raw/branch/main/README.md",
    `/ada/closed/raw/blob/${closed.blob}`,
    "/ada/closed/media/branch/main/README.md",
    "/ada/closed/info/refs?service=git-upload-pack",
    "/ada/closed/info/refs?service=git-receive-pack",
    "/ada/closed/HEAD",
    "/api/v1/repos/ada/closed",
    "/api/v1/repos/ada/closed/raw/README.md",
  ];
  for (const path of paths) {
    for (const options of forms(narrow)) expect([path, (await get(path, options)).status]).toEqual([path, 403]);
    for (const options of forms(ada.token)) expect([path, (await get(path, options)).status]).toEqual([path, 200]);
    const mark = path.includes("?") ? "&" : "?";
    expect((await get(`${path}${mark}token=${narrow}`)).status).toBe(403);
    expect((await get(`${path}${mark}access_token=${narrow}`)).status).toBe(403);
  }
  const reads = aToken(server, ada.user, ["read:repository"]);
  expect((await get("/ada/closed/info/refs?service=git-upload-pack", { token: reads })).status).toBe(200);
  expect((await get("/ada/closed/info/refs?service=git-receive-pack", { token: reads })).status).toBe(403);
});

test("B3: a public-only token sees what a visitor sees, of its own owner too", async () => {
  const secret = aToken(server, ada.user, ["public-only", "all"]);
  const lists = ["/api/v1/user/repos", "/api/v1/users/ada/repos", "/api/v1/repos/search?private=true"];
  for (const path of lists) expect((await get(path, { token: secret })).text).not.toContain("closed");
  expect((await get(`/api/v1/repositories/${closed.repo.id}`, { token: secret })).status).toBe(404);
  expect((await get("/api/v1/repos/ada/closed", { token: secret })).status).toBe(404);
  // What a program fetches says why it may not, to those alone who would see it without that limit.
  for (const path of ["/ada/closed/raw/branch/main/README.md", "/ada/closed/archive/main.zip"]) {
    const refused = await get(path, { token: secret });
    expect([path, refused.status, refused.text.trim()]).toEqual([path, 403, "token scope is limited to public repos"]);
    const stranger = aToken(server, bob.user, ["public-only", "all"]);
    expect([path, (await get(path, { token: stranger })).status]).toEqual([path, 404]);
  }
  for (const service of ["git-upload-pack", "git-receive-pack"])
    expect((await get(`/ada/closed/info/refs?service=${service}`, { token: secret })).status).toBe(403);
  for (const [method, path] of [
    ["POST", "/api/v1/user/repos"],
    ["GET", "/api/v1/user/emails"],
    ["PATCH", "/api/v1/user/settings"],
  ] as const)
    expect(
      (await call(server, method, path, { token: secret, ...(method === "GET" ? {} : { body: {} }) })).status,
    ).toBe(403);
});

test("B5: a token makes no token that may more than itself, and public-only is inherited", async () => {
  const make = (secret: string, scopes: string[]) =>
    call<{ scopes: string[]; sha1: string }>(server, "POST", "/api/v1/users/ada/tokens", {
      basic: ["ada", secret],
      body: { name: `n${randomHex(5)}`, scopes },
    });
  const users = aToken(server, ada.user, ["write:user"]);
  for (const wider of [["all"], ["read:repository"], ["write:user", "read:admin"], ["write:admin"]])
    expect((await make(users, wider)).status).toBe(403);
  expect((await make(users, ["read:user"])).status).toBe(201);
  expect((await make(users, ["write:user"])).status).toBe(201);
  expect((await make(aToken(server, ada.user, ["read:user"]), ["read:user"])).status).toBe(403);
  const open = aToken(server, ada.user, ["public-only", "write:user", "read:repository"]);
  const child = await make(open, ["read:user", "read:repository"]);
  expect(child.body.scopes).toContain("public-only");
  expect((await get("/api/v1/repos/ada/closed", { token: child.body.sha1 })).status).toBe(404);
  for (const none of [[], ["public-only"], ["nonsense"], ["READ:user"], ["__proto__"]])
    expect((await make(ada.token, none)).status).toBe(400);
  // A token may not be made for anybody else by anybody but an administrator.
  const foreign = await call(server, "POST", "/api/v1/users/ada/tokens", {
    basic: ["bob", bob.token],
    body: { name: "x", scopes: ["all"] },
  });
  expect(foreign.status).toBe(403);
});

test("B7, C15: no credential reaches the log, however it was sent", async () => {
  const lines: string[] = [];
  const data = mkdtempSync(join(tmpdir(), "hearth-test-"));
  const { config } = loadConfig({ flags: {}, environment: {}, file: undefined });
  const log = makeLog({ level: "debug", format: "json", write: (line) => lines.push(line) });
  const house = openHouse({ ...config, data, registration: "open" }, log);
  const { services } = house;
  try {
    const user = await services.accountCreation.create(operator, {
      login: "eve",
      email: "eve@example.org",
      password: "s3cret-passw0rd",
    });
    const { secret } = services.tokens.create(asAccount(user), user, "t", ["all"]);
    const session = await services.sessions.open(user.id, { address: "", userAgent: "" });
    const app = await makeApp(house);
    const ask = (target: string, init: RequestInit = {}) =>
      app.elysia.handle(new Request(`http://127.0.0.1:3000${target}`, init));
    const wrong = "0123456789abcdef0123456789abcdef01234567";
    const secrets = [secret, wrong, "s3cret-passw0rd", "wr0ng-password", session.secret, services.setup.token()];
    const basic = (text: string) => ({ headers: { authorization: `Basic ${Buffer.from(text).toString("base64")}` } });
    await ask(`/api/v1/user?token=${secret}`);
    await ask(`/api/v1/user?x=1&access_token=${secret}`);
    await ask(`/api/v1/user?%74oken=${secret}`);
    await ask(`/api/v1/user?token=${wrong}`);
    await ask("/api/v1/user", { headers: { authorization: `token ${secret}` } });
    await ask("/api/v1/user", basic(`eve:${secret}`));
    await ask("/api/v1/user", basic("eve:wr0ng-password"));
    await ask("/user/settings", { headers: { cookie: `hearth_session=${session.secret}` } });
    await ask(`/user/sign_up?setup=${services.setup.token()}`);
    await ask("/user/login", { method: "POST", body: "user_name=eve&password=s3cret-passw0rd", headers: form });
    await ask("/user/login", { method: "POST", body: "user_name=eve&password=wr0ng-password", headers: form });
    await ask(`/user/login?redirect_to=${encodeURIComponent(`/x?token=${secret}`)}`);
    await ask(`/no/such/page?token=${secret}`);
    expect(lines.length).toBeGreaterThan(8);
    for (const each of secrets) expect(lines.filter((line) => line.includes(each))).toEqual([]);
  } finally {
    house.close();
    rmSync(data, { recursive: true, force: true });
  }
});

test("sudo is the administrator's, on the API only, and never widens a scope", async () => {
  const as = (name: string, options: CallOptions) => get(`/api/v1/user?sudo=${name}`, options);
  expect((await as("ada", { token: bob.token })).status).toBe(403);
  expect((await as("bob", { token: bob.token })).status).toBe(403);
  expect((await as("ada", {})).status).toBe(403);
  expect((await get("/api/v1/user", { token: bob.token, headers: { sudo: "ada" } })).status).toBe(403);
  const taken = await call<{ login: string; is_admin: boolean }>(server, "GET", "/api/v1/user?sudo=ada", {
    token: admin.token,
  });
  expect(taken.body).toMatchObject({ login: "ada", is_admin: false });
  expect((await get("/api/v1/admin/users?sudo=ada", { token: admin.token })).status).toBe(403);
  expect((await as("nobody-here", { token: admin.token })).status).toBe(404);
  const narrow = aToken(server, admin.user, ["read:user"]);
  expect((await get("/api/v1/repos/ada/closed?sudo=ada", { token: narrow })).status).toBe(403);
  // Not on pages, raw files or git.
  const cookie = bob.cookie;
  expect((await get("/ada/closed?sudo=ada", { cookie: admin.cookie, headers: { sudo: "bob" } })).status).toBe(200);
  expect((await get("/ada/closed?sudo=ada", { cookie })).status).toBe(404);
  expect((await get("/ada/closed/raw/branch/main/README.md?sudo=bob", { token: admin.token })).status).toBe(200);
  expect((await get("/ada/closed/raw/branch/main/README.md?sudo=ada", { token: bob.token })).status).toBe(404);
  expect((await get("/ada/closed/info/refs?service=git-upload-pack&sudo=ada", { token: bob.token })).status).toBe(404);
});

describe("H2, CSRF:", () => {
  test("a cookie never counts on the API or on git, whatever the request claims", async () => {
    const own = { "sec-fetch-site": "same-origin", origin: server.url.replace(/\/$/, "") };
    for (const headers of [{}, own]) {
      const options = { cookie: ada.cookie, headers };
      expect((await get("/api/v1/user", options)).status).toBe(401);
      expect((await get("/api/v1/repos/ada/closed", options)).status).toBe(404);
      const made = await call(server, "POST", "/api/v1/user/repos", { ...options, body: { name: "forged" } });
      expect(made.status).toBe(401);
      expect((await get("/ada/closed/info/refs?service=git-upload-pack", options)).status).toBe(401);
      expect((await get("/ada/closed/info/refs?service=git-receive-pack", options)).status).toBe(401);
    }
  });

  test("forms of other sites are refused before anything is done, on every page that changes something", async () => {
    const pages = [
      "/repo/create",
      "/user/settings",
      "/user/settings/account",
      "/user/settings/account/delete",
      "/user/settings/applications",
      "/user/settings/security/sessions/revoke",
      "/user/logout",
      "/user/login",
      "/user/sign_up",
      "/ada/closed/settings",
      "/ada/closed/settings/collaboration",
      "/ada/closed/_new/main",
      "/ada/closed/branches/delete?name=dev",
      "/-/web-theme/apply",
      "/-/admin/users/new",
    ];
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site", origin: server.url.replace(/\/$/, "") },
      { "sec-fetch-site": "" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `${server.url.replace(/\/$/, "")}.evil.example` },
      { origin: server.url.replace("127.0.0.1", "127.0.0.1@evil.example").replace(/\/$/, "") },
      { origin: "http://127.0.0.1:1" },
    ];
    for (const path of pages)
      for (const headers of foreign) {
        const answer = await call<unknown>(server, "POST", path, {
          cookie: path.includes("admin") ? admin.cookie : ada.cookie,
          headers: { ...form, ...headers },
          body: "action=delete&repo_name=closed&user_name=x",
        });
        expect([path, headers, answer.status]).toEqual([path, headers, 403]);
      }
    expect((await get("/ada/closed", { cookie: ada.cookie })).status).toBe(200);
  });

  test("a form that names another kind of content, or none, changes nothing without its proof either", async () => {
    for (const type of ["text/plain", "application/json", "multipart/form-data; boundary=x"]) {
      const answer = await call<unknown>(server, "POST", "/repo/create", {
        cookie: ada.cookie,
        headers: { "content-type": type, origin: "https://evil.example" },
        body: '{"repo_name":"forged"}',
      });
      expect(answer.status).toBe(403);
    }
  });

  test("GET and HEAD change nothing (H18): what a form does cannot be done by a link", async () => {
    const before = server.core.db.query<{ n: number }>("SELECT total_changes() AS n").get()?.n;
    for (const method of ["GET", "HEAD"])
      for (const path of [
        "/user/logout",
        "/repo/create?repo_name=by-link",
        "/user/settings/account/delete?password=correct+horse+battery",
        "/ada/closed/settings?action=delete&repo_name=closed",
        "/ada/closed/branches/delete?name=dev",
        "/user/settings/applications?name=x&scope-user=read:user",
        "/-/web-theme/apply?theme=dark",
      ]) {
        const answer = await call<unknown>(server, method, path, { cookie: ada.cookie });
        expect(answer.status).toBeLessThan(500);
      }
    expect(server.core.db.query<{ n: number }>("SELECT total_changes() AS n").get()?.n).toBe(before ?? -1);
    expect((await get("/user/settings", { cookie: ada.cookie })).status).toBe(200);
    expect(server.services.refs.find(closed.repo.id, "refs/heads/dev")).toBeDefined();
  });

  test("a method by header or field is no method", async () => {
    const disguises: CallOptions[] = [
      { headers: { ...form, "x-http-method-override": "DELETE" }, body: "_method=DELETE" },
      { headers: { "content-type": "application/json", "x-http-method": "DELETE" }, body: "{}" },
    ];
    for (const options of disguises)
      await call(server, "POST", "/api/v1/repos/ada/closed", { ...options, token: ada.token });
    expect((await get("/api/v1/repos/ada/closed?_method=DELETE", { token: ada.token })).status).toBe(200);
  });
});

test("H1: after signing in no one is led to another site", async () => {
  const tricks = [
    "https://evil.example",
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/%5Cevil.example",
    "/%5cevil.example",
    "/%255Cevil.example",
    "/%2F/evil.example",
    "/%2Fevil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/x/..//evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/%09/evil.example",
    "/%0d%0aLocation:%20https://evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "http:evil.example",
    "http:/evil.example",
    "https:evil.example",
    " https://evil.example",
    "@evil.example",
    "/@evil.example/..//evil.example",
    "\u0000/evil.example",
    "/\u2028/evil.example",
    "。evil.example",
    "/／evil.example",
    `${server.url}@evil.example`,
    `//${"127.0.0.1"}@evil.example/`,
  ];
  for (const [index, trick] of tricks.entries()) {
    for (const path of ["/user/login", "/user/sign_up"]) {
      const answer = await get(`${path}?redirect_to=${encodeURIComponent(trick)}`, { cookie: ada.cookie });
      const location = answer.headers.get("location") ?? "";
      const where = new URL(location, server.url);
      expect([index, trick, where.origin]).toEqual([index, trick, new URL(server.url).origin]);
      // Also for a browser that decodes once more, or takes a backslash for a slash.
      const again = new URL(decodeURIComponent(location.replace(/%(?![0-9a-f]{2})/gi, "%25")), server.url);
      expect([index, trick, again.origin]).toEqual([index, trick, new URL(server.url).origin]);
    }
    const page = await get(`/user/login?redirect_to=${encodeURIComponent(trick)}`);
    const [, kept = ""] = /name="redirect_to" value="([^"]*)"/.exec(page.text) ?? [];
    expect([index, trick, new URL(kept.replaceAll("&amp;", "&"), server.url).origin]).toEqual([
      index,
      trick,
      new URL(server.url).origin,
    ]);
  }
  const good = await get("/user/login?redirect_to=%2Fada%2Fclosed%3Fx%3D1%26y%3D%252F", { cookie: ada.cookie });
  expect(good.headers.get("location")).toBe("/ada/closed?x=1&y=%2F");
});

describe("H3, H4: the session cookie", () => {
  const signIn = (at: TestServer, options: CallOptions = {}, fields = "") =>
    call<unknown>(at, "POST", "/user/login", {
      ...options,
      headers: { ...form, ...options.headers },
      body: `user_name=ada&password=correct+horse+battery${fields}`,
    });

  test("is HttpOnly, SameSite=Lax and for the whole site; no one has one before signing in", async () => {
    for (const path of ["/", "/explore/repos", "/user/login", "/user/sign_up", "/ada", "/no/such"])
      expect((await get(path)).headers.getSetCookie()).toEqual([]);
    const [cookie = ""] = (await signIn(server)).headers.getSetCookie();
    expect(cookie).toMatch(/^hearth_session=[^;]{32,}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test("is Secure and __Host- where people come by https", async () => {
    await using safe = await aServer({ root_url: "https://git.example.org/" });
    await aPerson(safe, { login: "ada", password: "correct horse battery" });
    for (const fields of ["", "&remember=on"])
      for (const cookie of (await signIn(safe, {}, fields)).headers.getSetCookie()) {
        expect(cookie).toMatch(/^__Host-hearth_(session|remember)=/);
        expect(cookie).toContain("; Secure");
        expect(cookie).toContain("; Path=/;");
        expect(cookie).not.toContain("Domain");
      }
    // A name without the prefix, which another host of the domain could set, is not examined.
    const plain = await aSession(safe, (await aPerson(safe)).user);
    expect((await call(safe, "GET", "/user/settings", { cookie: plain })).status).toBe(303);
    expect((await call(safe, "GET", "/user/settings", { cookie: `__Host-${plain}` })).status).toBe(200);
  });

  test("is new at every sign-in, the one that was brought is dead, also one made up by someone else", async () => {
    const [, old = ""] = ada.cookie.split("=");
    const before = await aSession(server, ada.user);
    const signedIn = await signIn(server, { cookie: before });
    const fresh = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect(fresh).not.toBe(before);
    expect((await get("/user/settings", { cookie: before })).status).toBe(303);
    expect((await get("/user/settings", { cookie: fresh })).status).toBe(200);
    expect(old).not.toBe("");
    const planted = `hearth_session=${"a".repeat(40)}`;
    const other = (await signIn(server, { cookie: planted })).headers.getSetCookie()[0] ?? "";
    expect(other).not.toContain("a".repeat(40));
    expect((await get("/user/settings", { cookie: planted })).status).toBe(303);
  });

  test("E1, F13: strange values mean no one, never an error", async () => {
    for (const value of [
      "",
      "../../etc/passwd",
      "%00",
      "x".repeat(10_000),
      "__proto__",
      "'; DROP TABLE sessions; --",
      "{}",
    ]) {
      const answer = await get("/user/settings", { headers: { cookie: `hearth_session=${value}` } });
      expect([value.slice(0, 20), answer.status]).toEqual([value.slice(0, 20), 303]);
    }
  });

  test("the secret is not in the database, where only its hash is", async () => {
    const [, secret = ""] = (await aSession(server, ada.user)).split("=");
    const rows = server.core.db.query<Record<string, unknown>>("SELECT * FROM sessions").all();
    expect(JSON.stringify(rows)).not.toContain(secret);
    const tokens = server.core.db.query<Record<string, unknown>>("SELECT * FROM access_tokens").all();
    expect(JSON.stringify(tokens)).not.toContain(ada.token);
    const [user] = server.core.db.query<{ password_hash: string }>("SELECT * FROM users WHERE login = 'ada'").all();
    expect(user?.password_hash).toStartWith("$argon2id$");
  });
});

describe("H19, H21: guessing", () => {
  afterEach(() => {
    setSystemTime();
  });

  test("an empty or absent password never validates, for accounts without one either", async () => {
    // `bob` has no password at all.
    for (const name of ["bob", "ada", "ghost"])
      for (const password of name === "bob" ? ["", "null"] : [""]) {
        expect((await get("/api/v1/user", { basic: [name, password] })).status).toBe(401);
        const page = await call<unknown>(server, "POST", "/user/login", {
          headers: form,
          body: `user_name=${name}&password=${password}`,
        });
        expect(page.headers.getSetCookie().filter((line) => line.startsWith("hearth_session"))).toEqual([]);
      }
  });

  test("is slowed down on the API, on git and on the page together, for one account from one address only", async () => {
    await using small = await aServer();
    const eve = await aPerson(small, { login: "eve", password: "correct horse battery" });
    await aPerson(small, { login: "dan", password: "correct horse battery" });
    const git = "/eve/x/info/refs?service=git-upload-pack";
    // The first wait is a second, which a slow machine needs for the requests below.
    setSystemTime(new Date());
    for (let guess = 0; guess < 8; guess++) small.services.throttle.begin(guessedAccount(eve.user, "eve"), "127.0.0.1");
    const api = await call(small, "GET", "/api/v1/user", { basic: ["eve", "wrong"] });
    const byGit = await call<unknown>(small, "GET", git, { basic: ["eVE", "wrong"] });
    expect([api.status, byGit.status]).toEqual([401, 401]);
    const right = { basic: ["eve", "correct horse battery"] } as const;
    const page = await call<unknown>(small, "POST", "/user/login", {
      headers: form,
      body: "user_name=eve&password=correct+horse+battery",
    });
    expect([
      (await call(small, "GET", "/api/v1/user", right)).status,
      (await call<unknown>(small, "GET", git, right)).status,
      page.status,
    ]).toEqual([429, 429, 429]);
    // No one is locked out: by token, by session, and others from the same address.
    expect((await call(small, "GET", "/api/v1/user", { token: eve.token })).status).toBe(200);
    expect((await call(small, "GET", "/user/settings", { cookie: eve.cookie })).status).toBe(200);
    expect((await call(small, "GET", "/api/v1/user", { basic: ["dan", "correct horse battery"] })).status).toBe(200);
    expect(() => small.services.throttle.begin(guessedAccount(eve.user, "eve"), "192.0.2.1")).not.toThrow();
  });

  test("I: names as long as a header are not kept whole", () => {
    const throttle = new GuessThrottle(() => 0);
    const long = "x".repeat(10_000);
    const guess = (name: string) => throttle.begin(guessedAccount(undefined, name), "192.0.2.1");
    for (let number = 0; number < 10; number++) guess(`${long}${number}`);
    expect(() => guess(long)).toThrow("identity.too-many-attempts");
  });

  test("F6, F10: headers that claim an address or a user are not believed", async () => {
    for (const name of ["x-webauth-user", "x-forwarded-user", "remote-user", "x-remote-user", "x-webauth-email"])
      expect((await get("/api/v1/user", { headers: { [name]: "ada" } })).status).toBe(401);
    await using small = await aServer();
    const eve = await aPerson(small, { login: "eve", password: "correct horse battery" });
    for (let guess = 0; guess < 10; guess++)
      small.services.throttle.begin(guessedAccount(eve.user, eve.login), "127.0.0.1");
    for (const name of ["x-forwarded-for", "x-real-ip", "forwarded", "true-client-ip"]) {
      const headers = { [name]: "198.51.100.9" };
      const basic = ["eve", "wrong"] as const;
      expect((await call(small, "GET", "/api/v1/user", { basic, headers })).status).toBe(429);
    }
  });
});

describe("H22: the first account and registration", () => {
  const signUp = (at: TestServer, name: string, more = "") =>
    call<unknown>(at, "POST", `/user/sign_up${more}`, {
      headers: form,
      body: `user_name=${name}&email=${name}%40example.org&password=correct+horse+battery&retype=correct+horse+battery`,
    });
  const isAdmin = (at: TestServer, name: string) => at.services.identity.byLogin(name)?.isAdmin;

  test("needs the token from the console, whatever the setting; it is good once", async () => {
    for (const registration of ["open", "first", "closed"] as const) {
      await using fresh = await aServer({ registration });
      const token = fresh.services.setup.token();
      for (const wrong of [
        "",
        "?setup=",
        "?setup=x",
        `?setup=${token.slice(1)}`,
        `?setup=${"0".repeat(40)}`,
        `?token=${token}`,
      ])
        expect([registration, wrong, (await signUp(fresh, "first", wrong)).status]).toEqual([registration, wrong, 422]);
      expect(fresh.services.identity.hasAnyUser()).toBe(false);
      const both = await Promise.all(["first", "second"].map((name) => signUp(fresh, name, `?setup=${token}`)));
      const made = ["first", "second"].filter((name) => fresh.services.identity.byLogin(name));
      expect([registration, made.length, both.filter(({ status }) => status === 303).length]).toEqual([
        registration,
        1,
        1,
      ]);
      expect(isAdmin(fresh, made[0] ?? "")).toBe(true);
      const later = await signUp(fresh, "later", `?setup=${token}`);
      const isOpen = registration === "open";
      expect([registration, later.status]).toEqual([registration, isOpen ? 303 : 403]);
      expect(isAdmin(fresh, "later")).toBe(isOpen ? false : undefined);
    }
  });

  test("A25, H7: fields that are not asked for, or are sent twice, give nothing", async () => {
    const answer = await call<unknown>(server, "POST", "/user/sign_up", {
      headers: form,
      body:
        "user_name=mallory&email=mallory%40example.org&password=correct+horse+battery&retype=correct+horse+battery" +
        "&is_admin=on&admin=true&is_restricted=0&id=1&user_id=1&visibility=public&kind=bot&must_change_password=0",
    });
    expect(answer.status).toBe(303);
    expect(server.services.identity.byLogin("mallory")).toMatchObject({ isAdmin: false, kind: "individual" });
    const settings = await call(server, "PATCH", "/api/v1/user/settings", {
      token: bob.token,
      body: {
        is_admin: true,
        admin: true,
        login: "root",
        id: 1,
        email: "x@example.org",
        password: "1",
        restricted: true,
      },
    });
    expect(settings.status).toBe(200);
    expect(server.services.identity.byId(bob.user.id)).toMatchObject({ isAdmin: false, login: "bob" });
    const made = await call<{ owner: { login: string } }>(server, "POST", "/api/v1/user/repos", {
      token: bob.token,
      body: { name: "massed", owner: "ada", owner_id: ada.user.id, id: 1, archived: true },
    });
    expect(made.body.owner.login).toBe("bob");
  });
});

describe("A14, A16: levels", () => {
  test("an administering collaborator is not the owner: he neither deletes nor reaches beyond his level", async () => {
    const sample = await aSample(server, ada, { name: "shared" });
    const helper = await aPerson(server, { login: "helper" });
    server.services.collaborators.put(
      server.services.repos.see(asAccount(ada.user), "ada", "shared", () => ""),
      helper.user,
      "admin",
    );
    const at = "/api/v1/repos/ada/shared";
    expect((await call(server, "DELETE", at, { token: helper.token })).status).toBe(403);
    const deleted = await call<unknown>(server, "POST", "/ada/shared/settings", {
      cookie: helper.cookie,
      headers: form,
      body: "action=delete&repo_name=shared",
    });
    expect(deleted.status).toBe(404);
    for (const permission of ["owner", "none", "root", "", "__proto__"])
      expect(
        (await call(server, "PUT", `${at}/collaborators/bob`, { token: helper.token, body: { permission } })).status,
      ).toBe(422);
    expect(
      (await call(server, "PUT", `${at}/collaborators/ada`, { token: helper.token, body: { permission: "read" } }))
        .status,
    ).toBe(422);
    await call(server, "DELETE", `${at}/collaborators/ada`, { token: helper.token });
    expect((await get(at, { token: ada.token })).status).toBe(200);
    expect(server.services.repos.byId(sample.repo.id)).toBeDefined();
  });

  test("A15: an account named like something of the site's has no more rights for it", async () => {
    for (const name of ["admin", "api", "assets", "user", "-", "explore", "ghost", "gitea-actions"])
      expect(
        (
          await call(server, "POST", "/api/v1/admin/users", {
            token: admin.token,
            body: { username: name, email: `${name.replace("-", "d")}@example.org`, password: "correct horse" },
          })
        ).status,
      ).toBe(422);
  });
});

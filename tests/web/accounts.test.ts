import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount, operator } from "../../src/access/principal.ts";
import type { User } from "../../src/access/user.ts";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** What people change of their own account, and administrators of others'. */

const password = "correct horse battery";
let server: TestServer;
let admin: User;
let asAdmin: Visitor;

async function signedIn(user: User): Promise<Visitor> {
  return aPageOf(server, user);
}

beforeAll(async () => {
  server = await aServer();
  admin = (await aUser(server, { isAdmin: true })).user;
  asAdmin = await signedIn(admin);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

describe("one's own account", () => {
  test("the profile is saved whole or not at all, and shown", async () => {
    const { user } = await aUser(server);
    const visitor = await signedIn(user);
    const form = { name: user.login, full_name: "Ada <b>L.</b>", website: "https://ada.example", visibility: "1" };
    const bad = await visitor.post("/user/settings", { ...form, website: "javascript:alert(1)", location: "Turin" });
    expect([bad.status, bad.text.includes("Turin")]).toEqual([422, true]);
    const taken = await visitor.post("/user/settings", { ...form, name: admin.login });
    expect([taken.status, wordsOf(taken.text).includes("This name is taken.")]).toEqual([422, true]);
    expect(server.services.identity.byId(user.id)?.fullName).toBe("");
    expect((await visitor.post("/user/settings", form)).location).toBe("/user/settings");
    expect((await visitor.get(`/${user.login}`)).text).toContain("Ada &lt;b&gt;L.&lt;/b&gt;");
    // Limited: visitors who are not signed in see no one there.
    expect((await aPage(server).get(`/${user.login}`)).status).toBe(404);
  });

  test("the page opens with what its owner wrote of themselves, where the visitor may read it", async () => {
    const { user } = await aUser(server);
    const visitor = aPage(server);
    aRepo(server, user, { name: ".profile", files: { "README.md": "# Hello from me" } });
    const opened = (await visitor.get(`/${user.login}`)).text;
    expect(opened).toMatch(/Hello from me<.*<\/h1>/);
    expect(opened).toMatch(/aria-current="page"[^>]*>(?:<[^>]*>)*\s*Overview/);
    expect((await visitor.get(`/${user.login}?tab=repositories`)).text).not.toContain("Hello from me");
    const { user: shy } = await aUser(server);
    aRepo(server, shy, { name: ".profile", isPrivate: true, files: { "README.md": "# To myself" } });
    expect(wordsOf((await visitor.get(`/${shy.login}?tab=overview`)).text)).not.toMatch(/To myself|Overview/);
    expect((await (await signedIn(shy)).get(`/${shy.login}`)).text).toContain("To myself");
  });

  test("a new name leads on from the old one", async () => {
    const { user } = await aUser(server);
    const visitor = await signedIn(user);
    await visitor.post("/user/settings", { name: `${user.login}-new` });
    const old = await visitor.get(`/${user.login}?tab=activity`);
    expect([old.status, old.location]).toEqual([307, `/${user.login}-new?tab=activity`]);
  });

  test("the password changes only with the old one, and other sessions end", async () => {
    const { user } = await aUser(server, { password });
    const [visitor, elsewhere] = [await signedIn(user), await signedIn(user)];
    const page = "/user/settings/account";
    const form = { password: "another long one", retype: "another long one" };
    expect((await visitor.post(page, { ...form, old_password: "wrong" })).status).toBe(422);
    expect((await visitor.post(page, { ...form, old_password: password, retype: "x" })).status).toBe(422);
    expect((await elsewhere.get("/user/settings")).status).toBe(200);
    expect((await visitor.post(page, { ...form, old_password: password })).status).toBe(303);
    expect((await visitor.get("/user/settings")).status).toBe(200);
    expect((await elsewhere.get("/user/settings")).status).toBe(303);
  });

  test("a token's secret is shown once, in the page and nowhere else", async () => {
    const { user } = await aUser(server);
    const visitor = await signedIn(user);
    const page = "/user/settings/applications";
    expect((await visitor.post(page, { name: "none" })).status).toBe(422);
    const made = await visitor.post(page, { name: "laptop", "scope-repository": "read:repository" });
    expect([made.status, made.location]).toEqual([303, page]);
    const first = await visitor.get(page);
    const secret = /\b[0-9a-f]{40}\b/.exec(first.text)?.[0] ?? "";
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect((await call(server, "GET", "/api/v1/user/repos", { token: secret })).status).toBe(403);
    expect((await visitor.get(page)).text).not.toContain(secret);
    expect(wordsOf((await visitor.get(page)).text)).toContain("can read: Repositories");
    const [token] = server.services.tokens
      .list(operator, user, { page: 1, limit: 9, offset: 0 })
      .items.filter((one) => one.name === "laptop");
    // Another account cannot delete it by its number.
    const { user: other } = await aUser(server);
    expect((await (await signedIn(other)).post(`${page}/delete`, { id: String(token?.id) })).status).toBe(404);
    expect((await visitor.post(`${page}/delete`, { id: String(token?.id) })).status).toBe(303);
  });

  test("a token can be given packages; the administration is offered to administrators", async () => {
    const offered = async (user: TestUser) => {
      const { text } = await (await aPageOf(server, user.user)).get("/user/settings/applications");
      return ["package", "admin", "activitypub"].filter((scope) => text.includes(`name="scope-${scope}"`));
    };
    expect(await offered(await aUser(server))).toEqual(["package"]);
    expect(await offered(await aUser(server, { isAdmin: true }))).toEqual(["package", "admin"]);
  });

  test("the settings stand in the order people know", async () => {
    const page = await aPageOf(server, (await aUser(server)).user);
    const { text } = await page.get("/user/settings");
    const menu = [...text.matchAll(/class="menu-item" href="\/user\/settings([^"]*)"/g)].map(([, path]) => path);
    const known = ["", "/account", "/notifications", "/appearance", "/security", "/blocked_users", "/applications"];
    const rest = ["/keys", "/actions/general", "/packages", "/hooks", "/organization", "/repos"];
    expect([...new Set(menu)].filter((path) => [...known, ...rest].includes(path ?? "-"))).toEqual([...known, ...rest]);
  });

  test("a token ends when it was to, and is regenerated in its place by its owner", async () => {
    const { user } = await aUser(server);
    const visitor = await signedIn(user);
    const page = "/user/settings/applications";
    const fields = { name: "weekly", "scope-user": "read:user" };
    for (const expires of ["0", "99999"]) expect((await visitor.post(page, { ...fields, expires })).status).toBe(422);
    const made = async () => /\b[0-9a-f]{40}\b/.exec((await visitor.get(page)).text)?.[0] ?? "";
    const status = async (token: string) => (await call(server, "GET", "/api/v1/user", { token })).status;
    expect((await visitor.post(page, { ...fields, expires: "7" })).status).toBe(303);
    const first = await made();
    expect([await status(first), wordsOf((await visitor.get(page)).text).includes("expires")]).toEqual([200, true]);
    const [token] = server.services.tokens.list(operator, user, { page: 1, limit: 9, offset: 0 }).items.slice(0, 1);
    const id = { id: String(token?.id) };
    const { user: other } = await aUser(server);
    expect((await (await signedIn(other)).post(`${page}/regenerate`, id)).status).toBe(404);
    expect((await visitor.post(`${page}/regenerate`, id)).status).toBe(303);
    const second = await made();
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    // What it makes does not outlive it.
    const principal = { ...asAccount(user), via: "token", tokenId: token?.id } as const;
    const { token: child } = server.services.tokens.create(principal, user, "child", ["read:user"]);
    expect(child.expiresAt).toBe(token?.expiresAt);
    server.core.db.query("UPDATE access_tokens SET expires_at = 1 WHERE id = ?").run(token?.id ?? 0);
    expect(await status(second)).toBe(401);
    expect(wordsOf((await visitor.get(page)).text)).toContain("expired");
  });

  test("sessions are listed and ended, only one's own", async () => {
    const [{ user }, { user: other }] = [await aUser(server), await aUser(server)];
    const [visitor, elsewhere, stranger] = [await signedIn(user), await signedIn(user), await signedIn(other)];
    const page = "/user/settings/security";
    const [foreign] = server.services.sessions.list(operator, other.id);
    expect((await visitor.post(`${page}/sessions/revoke`, { id: foreign?.id ?? "" })).status).toBe(404);
    expect((await stranger.get("/user/settings")).status).toBe(200);
    expect((await visitor.post(`${page}/sessions/revoke`, { id: "others" })).status).toBe(303);
    expect((await visitor.get(page)).status).toBe(200);
    expect((await elsewhere.get(page)).status).toBe(303);
  });

  test("an account is deleted with its password, and not while it owns repositories", async () => {
    const { user } = await aUser(server, { password });
    const visitor = await signedIn(user);
    const page = "/user/settings/account/delete";
    const repo = aRepo(server, user);
    expect((await visitor.post(page, { password: "wrong" })).status).toBe(422);
    expect((await visitor.post(page, { password })).status).toBe(422);
    server.services.repoRemoval.remove(asAccount(user), repo);
    expect((await visitor.post(page, { password })).status).toBe(303);
    expect(server.services.identity.byId(user.id)).toBeUndefined();
  });

  test("a site administrator's account is deleted by another administrator only", async () => {
    const { user } = await aUser(server, { password, isAdmin: true });
    const refused = await (await signedIn(user)).post("/user/settings/account/delete", { password });
    expect([refused.status, refused.text.includes("Another administrator can.")]).toEqual([422, true]);
    expect(server.services.identity.byId(user.id)).toBeDefined();
  });

  test("a form of another site changes nothing", async () => {
    const { user } = await aUser(server);
    const visitor = await signedIn(user);
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const answer = await visitor.post("/user/settings", { name: user.login, full_name: "stolen" }, headers);
    expect([answer.status, server.services.identity.byId(user.id)?.fullName]).toEqual([403, ""]);
  });
});

describe("the administration", () => {
  const users = "/-/admin/users";

  test("is for administrators", async () => {
    const { user } = await aUser(server);
    const visitor = await signedIn(user);
    for (const path of ["/-/admin", users, `${users}/new`, `${users}/${user.id}/edit`]) {
      expect([path, (await asAdmin.get(path)).status]).toEqual([path, 200]);
      expect([path, (await visitor.get(path)).status]).toEqual([path, 403]);
      expect((await aPage(server).get(path)).location).toBe(`/user/login?redirect_to=${encodeURIComponent(path)}`);
    }
    expect((await visitor.post(`${users}/${user.id}/edit`, { admin: "on" })).status).toBe(403);
    expect((await asAdmin.get("/admin")).location).toBe("/-/admin");
  });

  test("makes, changes and deletes accounts", async () => {
    const form = { user_name: "newcomer", email: "newcomer@example.org", password, visibility: "0" };
    expect((await asAdmin.post(`${users}/new`, { ...form, password: "short" })).status).toBe(422);
    expect((await asAdmin.post(`${users}/new`, { ...form, must_change_password: "on" })).status).toBe(303);
    const made = server.services.identity.byLogin("newcomer");
    expect([made?.mustChangePassword, made?.isAdmin]).toEqual([true, false]);
    const edit = `${users}/${made?.id}/edit`;
    expect((await asAdmin.post(edit, { ...form, user_name: "explore", password: "" })).status).toBe(422);
    await asAdmin.post(edit, { ...form, user_name: "renamed", password: "", active: "on", prohibit_login: "on" });
    const changed = server.services.identity.byLogin("renamed");
    expect([changed?.prohibitLogin, changed?.isActive, changed?.mustChangePassword]).toEqual([true, true, false]);
    if (!changed) throw new Error("the account was not renamed");
    aRepo(server, changed);
    await asAdmin.post(`${users}/${changed.id}/delete`);
    expect(server.services.identity.byId(changed.id)).toBeDefined();
    expect((await asAdmin.post(`${users}/${changed.id}/delete`, { purge: "true" })).location).toBe(users);
    expect(server.services.identity.byId(changed.id)).toBeUndefined();
  });

  test("no one shuts himself out", async () => {
    await asAdmin.post(`${users}/${admin.id}/edit`, { user_name: admin.login, email: admin.email, visibility: "0" });
    await asAdmin.post(`${users}/${admin.id}/delete`, { purge: "true" });
    expect(server.services.identity.byId(admin.id)?.isAdmin).toBe(true);
    expect((await asAdmin.get(users)).status).toBe(200);
  });
});

describe("the site", () => {
  test("answers for browsers, programs and monitors", async () => {
    const visitor = aPage(server);
    for (const path of [
      "/",
      "/explore/repos",
      "/explore/users?sort=oldest",
      "/robots.txt",
      "/favicon.ico",
      "/assets/site-manifest.json",
    ])
      expect([path, (await visitor.get(path)).status, (await call(server, "HEAD", path)).text]).toEqual([
        path,
        200,
        "",
      ]);
    expect((await visitor.get("/explore/users?sort=bogus")).status).toBe(404);
    expect((await visitor.get("/explore/repos?sort=bogus&page=-1")).status).toBe(200);
    const plain = await call(server, "GET", "/nobody", { headers: { accept: "*/*" } });
    expect([plain.status, plain.text]).toEqual([404, "Not found.\n"]);
    expect((await visitor.get("/apple-touch-icon.png")).location).toMatch(/\/icon-512\.png$/);
    expect((await visitor.get("/.well-known/change-password")).location).toBe("/user/settings/account");
    expect((await call(server, "DELETE", "/explore/repos")).status).toBe(405);
  });

  test("a theme is kept in a cookie and leads back to the page of ours it was chosen on", async () => {
    const visitor = aPage(server);
    const referer = { referer: `${server.url}explore/repos?q=x` };
    expect((await visitor.post("/-/web-theme/apply", { theme: "dark" }, referer)).location).toBe("/explore/repos?q=x");
    expect((await visitor.get("/")).text).toContain('data-theme="dark"');
    const foreign = await visitor.post("/-/web-theme/apply", { theme: "x" }, { referer: "https://evil.example/x" });
    expect([foreign.location, foreign.headers.getSetCookie()]).toEqual(["/", []]);
  });

  test("a script is led on to where it was told to go, on this site alone", async () => {
    const visitor = aPage(server);
    const led = (to: string) => visitor.post(`/-/fetch-redirect?redirect=${encodeURIComponent(to)}`, {});
    for (const to of ["/explore/repos?q=x", `${server.url}explore/repos?q=x`]) {
      const { location, status } = await led(to);
      expect([to, status, location]).toEqual([to, 303, "/explore/repos?q=x"]);
    }
    for (const to of ["", "//evil.example", "/\\evil.example", "https://evil.example/x", "javascript:alert(1)"]) {
      const { status, text } = await led(to);
      expect([to, status, text]).toEqual([to, 400, "Bad Request\n"]);
    }
  });

  test("an identicon is a picture, the same for every letter case", async () => {
    const picture = async (name: string) => {
      const answer = await fetch(`${server.url}avatars/${name}`);
      return { type: answer.headers.get("content-type"), bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const [lower, upper] = [await picture("ada"), await picture("ADA")];
    expect([lower.type, lower.bytes.subarray(1, 4).toString()]).toEqual(["image/png", "PNG"]);
    expect(lower.bytes.equals(upper.bytes)).toBe(true);
  });
});

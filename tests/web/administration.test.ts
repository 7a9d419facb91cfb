import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aSession,
  aUser,
  type Json,
  type TestServer,
  type TestUser,
} from "../builders.ts";
import { aPage, aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** The administration's pages: overview, configuration, addresses, organizations, repositories, badges, notices. */

let server: TestServer;
let root: TestUser;
let bob: TestUser;
let asRoot: Visitor;
let asBob: Visitor;
const api = anApi(() => server);

const visitorOf = async (user: TestUser) => {
  return aPageOf(server, user.user);
};

beforeAll(async () => {
  server = await aServer();
  root = await aUser(server, { login: "root", isAdmin: true });
  bob = await aUser(server, { login: "bob", email: "bob@example.org" });
  [asRoot, asBob] = [await visitorOf(root), await visitorOf(bob)];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const words = async (path: string) => wordsOf((await asRoot.get(path)).text);

test("are the administrators' alone", async () => {
  for (const page of ["", "/config", "/emails", "/orgs", "/repos", "/badges", "/notices", "/monitor/cron", "/users"]) {
    expect([page, (await asRoot.get(`/-/admin${page}`)).status]).toEqual([page, 200]);
    expect([page, (await asBob.get(`/-/admin${page}`)).status]).toEqual([page, 403]);
    expect([page, (await aPage(server).get(`/-/admin${page}`)).status]).toEqual([page, 303]);
  }
});

test("the overview counts, and says when jobs failed", async () => {
  expect(await words("/-/admin")).toContain("All is well");
  server.core.db
    .query("INSERT INTO jobs (kind, payload, state, run_at, created_at) VALUES ('x', '{}', 'failed', 1, 1)")
    .run();
  expect(await words("/-/admin")).toContain("Needs attention");
  server.core.db.query("DELETE FROM jobs WHERE kind = 'x'").run();
});

test("the configuration is shown without secrets", async () => {
  const closed = await aServer({ "mail.password": "hunter2-secret" });
  const admin = await aUser(closed, { isAdmin: true });
  const [name = "", secret = ""] = (await aSession(closed, admin.user)).split("=");
  const { text } = await aPage(closed, new Map([[name, secret]])).get("/-/admin/config");
  expect(text).toContain("mail.password");
  expect(text).toContain("retention.notices_days");
  expect(text).not.toContain("hunter2-secret");
  await closed.close();
});

test("addresses are found, confirmed and removed, the primary one is not", async () => {
  await api("POST", "/user/emails", bob, { emails: ["second@example.org"] });
  const second = server.services.emails.list(asAccount(root.user), bob.user).at(-1);
  expect(await words("/-/admin/emails?q=second")).toContain("second@example.org");
  const form = { uid: String(bob.user.id), id: String(second?.id), from: "emails" };
  const confirmed = await asRoot.post("/-/admin/emails/activate", form);
  expect([confirmed.status, confirmed.headers.get("location")]).toEqual([303, "/-/admin/emails"]);
  const primary = server.services.emails.ofAccount(bob.user.id).find(({ isPrimary }) => isPrimary);
  await asRoot.post("/-/admin/emails/delete", { uid: String(bob.user.id), id: String(primary?.id) });
  await asRoot.post("/-/admin/emails/delete", form);
  expect(server.services.emails.ofAccount(bob.user.id).map(({ email }) => email)).toEqual(["bob@example.org"]);
});

test("organizations and repositories of every visibility are listed; a repository is deleted by its typed name", async () => {
  anOrganization(server, bob.user, { login: "hush", visibility: "private" });
  expect(await words("/-/admin/orgs?q=hush")).toContain("hush");
  const repo = aRepo(server, bob.user, { name: "vault", isPrivate: true });
  expect(await words("/-/admin/repos?q=vault")).toContain("bob/vault");
  const path = `/-/admin/repos/delete?id=${repo.id}`;
  await asRoot.post(path, { confirm_name: "vault" });
  expect(server.services.repos.byId(repo.id)).toBeDefined();
  expect((await asBob.post(path, { confirm_name: "bob/vault" })).status).toBe(403);
  await asRoot.post(path, { confirm_name: "bob/vault" });
  expect(server.services.repos.byId(repo.id)?.isBinned).toBe(true);
  expect((await asRoot.post("/-/admin/repos/delete?id=x", {})).status).toBe(404);
});

test("badges are made, given over REST and on the page, shown, and taken", async () => {
  await asRoot.post("/-/admin/badges", { slug: "early-bird", description: "Early bird", image_url: "" });
  expect((await asRoot.post("/-/admin/badges", { slug: "early-bird" })).status).toBe(422);
  const bad = await asRoot.post("/-/admin/badges", { slug: "No Way", description: "kept" });
  expect([bad.status, bad.text.includes('value="kept"')]).toEqual([422, true]);
  const path = `/admin/users/${bob.login}/badges`;
  const slugs = async () => (await api<Json[]>("GET", path, root)).body.map((badge) => badge["slug"]);
  expect((await api("POST", path, root, { badge_slugs: ["early-bird", "nope"] })).status).toBe(404);
  expect(await slugs()).toEqual([]);
  for (let i = 0; i < 2; i++) expect((await api("POST", path, root, { badge_slugs: ["early-bird"] })).status).toBe(204);
  expect(await slugs()).toEqual(["early-bird"]);
  expect(wordsOf((await aPage(server).get("/bob")).text)).toContain("Early bird");
  expect((await api("DELETE", path, root, { badge_slugs: ["early-bird", "nope"] })).status).toBe(204);
  expect(await slugs()).toEqual([]);
  await asRoot.post("/-/admin/badges/people", { slug: "early-bird", user_name: "bob", action: "give" });
  expect(await slugs()).toEqual(["early-bird"]);
  for (const method of ["GET", "POST", "DELETE"])
    expect((await api(method, path, bob, method === "GET" ? undefined : {})).status).toBe(403);
  expect((await api("GET", "/admin/users/no-such-user/badges", root)).status).toBe(404);
});

test("a job that failed for good is a notice until it is put away; what came since stays", async () => {
  const { notices } = server.services;
  notices.add("job-failed", { id: 1, kind: "some.job" });
  notices.add("job-failed", { id: 2, kind: "other.job" });
  expect(await words("/-/admin/notices")).toContain("The job other.job #2 failed for good.");
  const [newest, oldest] = notices.list(asAccount(root.user), { page: 1, limit: 9, offset: 0 }).items;
  await asRoot.post("/-/admin/notices/delete", { ids: String(newest?.id) });
  expect(await words("/-/admin/notices")).not.toContain("other.job");
  notices.add("job-failed", { id: 3, kind: "late.job" });
  await asRoot.post("/-/admin/notices/empty", { up_to: String(oldest?.id) });
  const left = await words("/-/admin/notices");
  expect([left.includes("some.job"), left.includes("late.job")]).toEqual([false, true]);
});

test("the list of users is narrowed by state, and every field is edited", async () => {
  const eve = await aUser(server, { login: "eve" });
  const form = {
    user_name: "eve",
    full_name: "Eve",
    email: eve.user.email,
    visibility: "0",
    active: "on",
    restricted: "on",
    max_repo_creation: "3",
    website: "https://eve.example",
    location: "Here",
    description: "Listens",
  };
  expect((await asRoot.post(`/-/admin/users/${eve.user.id}/edit`, form)).status).toBe(303);
  const seen = server.services.identity.byId(eve.user.id);
  expect([seen?.isRestricted, seen?.maxRepoCreation, seen?.allowCreateOrganization]).toEqual([true, 3, false]);
  expect([seen?.website, seen?.location, seen?.description]).toEqual(["https://eve.example", "Here", "Listens"]);
  for (const query of ["state=restricted", "status_filter[is_restricted]=1"]) {
    const list = await words(`/-/admin/users?${query}`);
    expect([list.includes(" eve "), list.includes(" bob ")]).toEqual([true, false]);
  }
  const refused = await asRoot.post(`/-/admin/users/${eve.user.id}/edit`, { ...form, website: "javascript:1" });
  expect([refused.status, refused.text.includes('value="javascript:1"')]).toEqual([422, true]);
});

test("old addresses lead here, tasks are started by name, and pictures of accounts are changed", async () => {
  for (const visitor of [asBob, aPage(server)])
    expect([(await visitor.get("/admin")).location, (await visitor.get("/admin/users?q=a")).location]).toEqual([
      "/-/admin",
      "/-/admin/users?q=a",
    ]);
  const ran = await asRoot.post("/-/admin", { op: "sync_external_users", from: "monitor" });
  expect([ran.status, ran.location]).toEqual([303, "/-/admin/monitor/cron"]);
  expect((await asRoot.post("/-/admin", { op: "nothing" })).status).toBe(404);
  expect((await asBob.post("/-/admin", { op: "sync_external_users" })).status).toBe(403);
  const place = `/-/admin/users/${bob.user.id}`;
  expect((await asRoot.get(`${place}/edit`)).text).toContain(`action="${place}/avatar"`);
  const removed = await asRoot.post(`${place}/avatar/delete`);
  expect([removed.status, removed.location]).toEqual([303, `${place}/edit`]);
  expect((await asBob.post(`${place}/avatar/delete`)).status).toBe(403);
});

test("sign-in sources are added, changed and deleted, and what is wrong is said beside its field", async () => {
  const list = "/-/admin/auths";
  const form = {
    type: "6",
    name: "Home ID",
    is_active: "on",
    provider: "openidConnect",
    key: "id",
    secret: "very secret",
    auto_discover_url: "https://id.example.org/.well-known/openid-configuration",
  };
  const refused = await asRoot.post(`${list}/new`, { ...form, auto_discover_url: "nowhere", group_team_map: "[" });
  expect([refused.status, refused.text.includes('id="f-auto_discover_url-error"')]).toEqual([422, true]);
  expect([refused.text.includes('value="nowhere"'), refused.text.includes("very secret")]).toEqual([true, false]);
  expect((await asRoot.post(`${list}/new`, form)).location).toBe(list);
  expect(await words(list)).toContain("Home ID");
  const [source] = server.services.sources.list(asAccount(root.user));
  const place = `${list}/${source?.id}`;
  const page = await asRoot.get(place);
  expect([page.text.includes('value="id"'), page.text.includes("very secret")]).toEqual([true, false]);
  expect((await asRoot.post(place, { ...form, key: "", secret: "" })).status).toBe(422);
  expect((await asRoot.post(place, { ...form, key: "other", secret: "", is_active: "" })).location).toBe(list);
  const [changed] = server.services.sources.list(asAccount(root.user));
  expect(changed).toMatchObject({ isActive: false, hasSecret: true, settings: { clientId: "other" } });
  for (const path of [list, `${list}/new`, place]) expect((await asBob.get(path)).status).toBe(403);
  expect((await asBob.post(`${place}/delete`, { source_name: "Home ID" })).status).toBe(403);
  expect((await asRoot.get(`${list}/99`)).status).toBe(404);
  expect((await asRoot.get("/-/admin/users/99999")).status).toBe(404);
  expect((await asRoot.get(`${list}/x`)).status).toBe(404);
  expect((await asRoot.post(`${list}/new`, { ...form, type: "9" })).status).toBe(404);
  expect((await asRoot.post(`${place}/delete`, { source_name: "no" })).location).toBe(place);
  // A form of another program asks for no name.
  expect((await asRoot.post(`${place}/delete`)).location).toBe(list);
  expect(server.services.sources.list(asAccount(root.user))).toEqual([]);
  expect(await words("/-/admin/security-log")).toContain("Sign-in source added: Home ID");
});

test("the settings have the own repositories, and a theme and language at addresses of their own", async () => {
  aRepo(server, bob.user, { name: "bobs-own" });
  expect(wordsOf((await asBob.get("/user/settings/repos")).text)).toContain("bobs-own");
  const theme = await asBob.post("/user/settings/appearance/theme", { theme: "dark" });
  expect([theme.location, server.services.identity.byId(bob.user.id)?.theme]).toEqual([
    "/user/settings/appearance",
    "dark",
  ]);
  const language = await asBob.post("/user/settings/appearance/language", { language: "de-DE" });
  expect([language.location, server.services.identity.byId(bob.user.id)?.language]).toEqual([
    "/user/settings/appearance",
    "de-DE",
  ]);
  for (const path of ["/user/login/openid", "/user/openid/connect"])
    expect((await aPage(server).get(path)).status).toBe(403);
});

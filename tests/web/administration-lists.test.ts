import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, anOrganization, aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { passcodeOf } from "../two-factor/passcode.ts";
import { aPageOf, type Visitor, wordsOf } from "./browser-calls.ts";

/** How the administration's lists are ordered and narrowed, and what it asks before it takes something away. */

let server: TestServer;
let root: TestUser;
let ann: TestUser;
let zed: TestUser;
let asRoot: Visitor;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "repository.bin_days": 9 });
  root = await aUser(server, { login: "root", isAdmin: true });
  zed = await aUser(server, { login: "zed", email: "a-first@example.org" });
  ann = await aUser(server, { login: "ann", email: "z-last@example.org" });
  asRoot = await aPageOf(server, root.user);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const words = async (path: string) => wordsOf((await asRoot.get(path)).text);

/** Which of the words stand on the page, in their order there. */
async function orderOf(path: string, ...wanted: string[]): Promise<string[]> {
  const text = await words(path);
  return wanted.filter((word) => text.includes(word)).toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
}

/** Turns passcodes on for an account, in a browser of its own. */
async function enrol(user: TestUser): Promise<void> {
  const page = await aPageOf(server, user.user);
  const place = "/user/settings/security/two_factor/enroll";
  const secret = /\b[A-Z2-7]{32}\b/.exec((await page.get(place)).text)?.[0] ?? "";
  expect((await page.post(place, { passcode: passcodeOf(secret) })).status).toBe(303);
}

test("who has a second factor is found, and who has none", async () => {
  await enrol(ann);
  for (const query of ["state=two-factor", "status_filter[is_2fa_enabled]=1"]) {
    const text = await words(`/-/admin/users?${query}`);
    expect([text.includes("z-last@"), text.includes("a-first@")]).toEqual([true, false]);
  }
  for (const query of ["state=no-two-factor", "status_filter[is_2fa_enabled]=0"]) {
    const text = await words(`/-/admin/users?${query}`);
    expect([text.includes("z-last@"), text.includes("a-first@")]).toEqual([false, true]);
  }
});

test("taking second factors away asks first", async () => {
  await enrol(zed);
  const place = `/-/admin/users/${zed.user.id}`;
  const { text } = await asRoot.get(`${place}/edit`);
  expect(text).toContain('href="#remove-two-factor"');
  expect(wordsOf(text)).toContain("Remove the second factors of zed?");
  await asRoot.post(`${place}/two_factor/remove`);
  expect((await asRoot.get(`${place}/edit`)).text).not.toContain("remove-two-factor");
});

test("addresses are ordered and narrowed, and one is removed after a question", async () => {
  const list = "/-/admin/emails";
  const [first, last, more] = ["a-first@example.org", "z-last@example.org", "more@example.org"];
  expect((await api("POST", "/user/emails", zed, { emails: [more] })).status).toBe(201);
  expect(await orderOf(list, first, last, more)).toEqual([first, last, more]);
  expect(await orderOf(`${list}?sort=newest`, first, last, more)).toEqual([more, last, first]);
  expect(await orderOf(`${list}?sort=address`, first, last, more)).toEqual([first, more, last]);
  expect(await orderOf(`${list}?sort=account`, first, last, more)).toEqual([last, first, more]);
  expect(await orderOf(`${list}?state=unconfirmed`, first, last, more)).toEqual([more]);
  expect(await orderOf(`${list}?state=confirmed`, first, last, more)).toEqual([first, last]);
  expect((await asRoot.get(`${list}?sort=nothing&state=nothing`)).status).toBe(200);
  expect(await words(list)).toContain(`Remove ${more}?`);
});

test("organizations are ordered by name or age", async () => {
  anOrganization(server, ann.user, { login: "older-mill" });
  anOrganization(server, ann.user, { login: "a-newer-mill" });
  const names = ["older-mill", "a-newer-mill"];
  expect(await orderOf("/-/admin/orgs", ...names)).toEqual(["a-newer-mill", "older-mill"]);
  expect(await orderOf("/-/admin/orgs?sort=oldest", ...names)).toEqual(["older-mill", "a-newer-mill"]);
});

test("repositories are narrowed by what they are, and their deletion says that they can be restored", async () => {
  aRepo(server, ann.user, { name: "vault", isPrivate: true });
  aRepo(server, ann.user, { name: "square" });
  expect(await orderOf("/-/admin/repos?private=1", "ann/vault", "ann/square")).toEqual(["ann/vault"]);
  expect(await words("/-/admin/repos")).toContain("It can be restored for 9 days.");
});

test("a repository limit can be lifted again, and what is no number is refused with the form as it was", async () => {
  const place = `/-/admin/users/${ann.user.id}/edit`;
  const form = { user_name: "ann", full_name: "Ann", email: ann.user.email, visibility: "0", active: "on" };
  const limit = () => server.services.identity.byId(ann.user.id)?.maxRepoCreation;
  expect((await asRoot.post(place, { ...form, max_repo_creation: "5" })).status).toBe(303);
  expect(limit()).toBe(5);
  for (const wrong of ["many", "-2", "1.5", ""]) {
    const refused = await asRoot.post(place, { ...form, restricted: "on", max_repo_creation: wrong });
    expect([wrong, refused.status]).toEqual([wrong, 422]);
    expect(refused.text).toContain('id="f-max_repo_creation-error"');
    expect(refused.text).toMatch(/name="restricted"[^>]* checked/);
    expect(refused.text).toContain(`value="${wrong}"`);
  }
  expect([limit(), server.services.identity.byId(ann.user.id)?.isRestricted]).toEqual([5, false]);
  expect((await asRoot.post(place, { ...form, max_repo_creation: "-1" })).status).toBe(303);
  expect(limit()).toBe(-1);
  expect((await asRoot.post(place, form)).status).toBe(303);
  expect(limit()).toBe(-1);
});

test("an account leads to its page, its addresses and what happened to it, and an entry to those of its account", async () => {
  const { text } = await asRoot.get(`/-/admin/users/${ann.user.id}/edit`);
  for (const href of ["/ann", "/-/admin/emails?q=ann", "/-/admin/security-log?account=ann"])
    expect(text).toContain(`href="${href}"`);
  expect((await asRoot.get("/-/admin/security-log")).text).toContain('href="/-/admin/security-log?account=ann"');
});

test("everything that is wrong with a new account is said at once, and it can have its full name", async () => {
  const place = "/-/admin/users/new";
  const wrong = await asRoot.post(place, {
    user_name: "api",
    full_name: "Kept Name",
    email: "nope",
    password: "short",
  });
  expect([wrong.status, wrong.text.includes('value="Kept Name"')]).toEqual([422, true]);
  for (const field of ["user_name", "email", "password"]) expect(wrong.text).toContain(`id="f-${field}-error"`);
  const password = "correct horse battery";
  const form = { user_name: "joy", full_name: "Joy", email: "joy@example.org", password };
  expect((await asRoot.post(place, form)).status).toBe(303);
  expect(server.services.identity.byLogin("joy")?.fullName).toBe("Joy");
});

test("states of jobs that need someone are counted", async () => {
  const insert = "INSERT INTO jobs (kind, payload, state, run_at, created_at) VALUES ('x', '{}', 'failed', 1, 1)";
  for (let i = 0; i < 3; i++) server.core.db.query(insert).run();
  expect((await words("/-/admin/background")).replace(/\s+/g, " ")).toContain("Failed 3 Cancelled");
  server.core.db.query("DELETE FROM jobs WHERE kind = 'x'").run();
});

test("the settings that were changed can be seen alone", async () => {
  const all = await words("/-/admin/config");
  const changed = await words("/-/admin/config?show=changed");
  for (const name of ["repository.bin_days", "retention.notices_days"]) expect(all).toContain(name);
  expect([changed.includes("repository.bin_days"), changed.includes("retention.notices_days")]).toEqual([true, false]);
});

test("a badge says who has it, and goes after a question", async () => {
  await asRoot.post("/-/admin/badges", { slug: "early-bird", description: "", image_url: "" });
  const text = await words("/-/admin/badges");
  expect([text.includes("Remove early-bird?"), text.includes(" ann ")]).toEqual([true, false]);
  await asRoot.post("/-/admin/badges/people", { slug: "early-bird", user_name: "ann", action: "give" });
  expect((await asRoot.get("/-/admin/badges")).text).toContain('<a href="/ann">ann</a>');
});

test("the overview says since when the process runs, however late someone looks", async () => {
  const shown = /Running since<\/t[hd]><td[^>]*><time datetime="([^"]+)"/.exec(
    (await asRoot.get("/-/admin")).text,
  )?.[1];
  expect(Date.parse(shown ?? "")).toBe(Math.trunc(performance.timeOrigin));
});

test("settings without spaces break inside their cell", async () => {
  const { text } = await asRoot.get("/-/admin/config");
  expect(text).toContain('<code class="wrap">');
  const sheet = /href="(\/assets\/[^"]+hearth\.css)"/.exec(text)?.[1] ?? "";
  expect((await asRoot.get(sheet)).text.replace(/\s/g, "")).toContain(".wrap{overflow-wrap:anywhere");
});

test("a face stays beside a long name: the rule is about the class that faces have", async () => {
  const { text } = await asRoot.get("/-/admin/users");
  const face = /<th scope="row"><div class="row"><(?:svg|img) class="([a-z]+) /.exec(text)?.[1] ?? "none";
  const sheet = /href="(\/assets\/[^"]+hearth\.css)"/.exec(text)?.[1] ?? "";
  expect((await asRoot.get(sheet)).text.replace(/\s/g, "")).toContain(`.row:has(>.${face}){`);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "../../../src/access/principal.ts";
import { randomHex } from "../../../src/kernel/ids.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aUser,
  call,
  type Json,
  settled,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** How much accounts may store (contract identity.md 14): rules, groups, what is used, and what is refused. */

interface Used {
  readonly repos: { readonly public: number; readonly private: number };
  readonly git: { readonly LFS: number };
  readonly assets: {
    readonly attachments: { readonly issues: number; readonly releases: number };
    readonly artifacts: number;
    readonly packages: { readonly all: number };
  };
}
interface Info {
  readonly used: { readonly size: Used };
  readonly groups: readonly { readonly name?: string; readonly rules: readonly Json[] }[];
}

let server: TestServer;
let root: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "quota.enabled": true });
  root = await aUser(server, { isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const unique = (name: string) => `${name}-${randomHex(4)}`;
const used = async (who: TestUser): Promise<Used> => (await api<Info>("GET", "/user/quota", who)).body.used.size;

/** The account's only repository, once maintenance has found out how large it is. */
async function aMeasuredRepo(who: TestUser): Promise<void> {
  aRepo(server, who.user, { name: "one", files: { "a.txt": "hello" } });
  const size = async () => (await used(who)).repos.public;
  while ((await size()) === 0) await settled(server);
}

/** Puts the account under one rule. */
async function limit(login: string, bytes: number, ...subjects: string[]): Promise<string> {
  const [group, rule] = [unique("group"), unique("rule")];
  const rules = [{ name: rule, limit: bytes, subjects }];
  expect((await api("POST", "/admin/quota/groups", root, { name: group, rules })).status).toBe(201);
  expect((await api("POST", `/admin/users/${login}/quota/groups`, root, { groups: [group] })).status).toBe(204);
  return rule;
}

const put = (who: TestUser, repo: string, path: string, text = "text") =>
  api("POST", `/repos/${who.login}/${repo}/contents/${path}`, who, { content: btoa(text) });

function upload(path: string, name: string, text: string, who: TestUser) {
  const form = new FormData();
  form.append("attachment", new File([text], name, { type: "text/plain" }));
  return fetch(`${server.url}api/v1${path}`, {
    method: "POST",
    headers: { authorization: `token ${who.token}` },
    body: form,
  });
}

test("rules are made, changed and deleted; what is no rule is refused", async () => {
  const name = unique("rule");
  const made = await api("POST", "/admin/quota/rules", root, { name, limit: 10, subjects: ["size:all", "size:all"] });
  expect([made.status, made.body]).toEqual([201, { name, limit: 10, subjects: ["size:all"] }]);
  const again = await api("POST", "/admin/quota/rules", root, { name, limit: 1, subjects: ["size:all"] });
  expect([again.status, again.body["message"]]).toEqual([409, `quota rule already exists [name: ${name}]`]);
  const edited = await api("PATCH", `/admin/quota/rules/${name}`, root, { limit: -1 });
  expect([edited.status, edited.body]).toEqual([200, { name, limit: -1, subjects: ["size:all"] }]);
  expect((await api<Json[]>("GET", "/admin/quota/rules", root)).body).toContainEqual(edited.body);
  const bad: [Json, string][] = [
    [{ limit: 1, subjects: ["size:all"] }, "[Name]: Required"],
    [{ name: "a/b", limit: 1, subjects: ["size:all"] }, "[Name]: AlphaDashDot"],
    [{ name: "x".repeat(101), limit: 1, subjects: ["size:all"] }, "[Name]: MaxSize"],
    [{ name: "other", subjects: ["size:all"] }, "[Limit]: Required"],
    [{ name: "other", limit: -2, subjects: ["size:all"] }, "[Limit]: In"],
    [{ name: "other", limit: 1 }, "[Subjects]: Required"],
    [{ name: "other", limit: 1, subjects: ["size:none"] }, "unknown quota subject: size:none"],
  ];
  for (const [body, message] of bad) {
    const answer = await api("POST", "/admin/quota/rules", root, body);
    expect([body, answer.status, answer.body["message"]]).toEqual([body, 422, message]);
  }
  expect((await api("DELETE", `/admin/quota/rules/${name}`, root)).status).toBe(204);
  for (const method of ["GET", "DELETE", "PATCH"])
    expect((await api(method, `/admin/quota/rules/${name}`, root, method === "PATCH" ? {} : undefined)).status).toBe(
      404,
    );
});

test("groups gather rules and accounts, and say what is there twice or not at all", async () => {
  const [group, rule, other] = [unique("group"), unique("rule"), unique("rule")];
  const bob = await aUser(server);
  const club = anOrganization(server, bob.user);
  const first = { name: rule, limit: 5, subjects: ["size:git:lfs"] };
  expect((await api("POST", "/admin/quota/groups", root, { name: group, rules: [first] })).body).toEqual({
    name: group,
    rules: [first],
  });
  expect((await api("POST", "/admin/quota/groups", root, { name: group })).status).toBe(409);
  expect((await api("POST", "/admin/quota/groups", root, {})).status).toBe(422);
  // A rule that is there may be named, but not be said to be another.
  const taken = { name: unique("group"), rules: [{ name: rule, limit: 6, subjects: ["size:all"] }] };
  expect((await api("POST", "/admin/quota/groups", root, taken)).status).toBe(409);
  expect((await api("GET", `/admin/quota/groups/${taken.name}`, root)).status).toBe(404);

  const at = `/admin/quota/groups/${group}`;
  expect((await api("PUT", `${at}/rules/${rule}`, root)).status).toBe(409);
  expect((await api("PUT", `${at}/rules/${other}`, root)).status).toBe(404);
  expect((await api("DELETE", `${at}/rules/${other}`, root)).status).toBe(404);
  for (const name of [bob.login, club.login]) expect((await api("PUT", `${at}/users/${name}`, root)).status).toBe(204);
  expect((await api("PUT", `${at}/users/${bob.login}`, root)).status).toBe(409);
  expect((await api("PUT", `${at}/users/nobody-here`, root)).status).toBe(404);
  const members = await api<{ login: string }[]>("GET", `${at}/users?limit=1&page=2`, root);
  expect([members.body.map(({ login }) => login), members.headers.get("x-total-count")]).toEqual([[club.login], "2"]);
  const own = await api<Info>("GET", "/user/quota", bob);
  expect(own.body.groups).toEqual([{ rules: [{ limit: 5, subjects: ["size:git:lfs"] }] }]);
  const shown = await api<Info>("GET", `/admin/users/${bob.login}/quota`, root);
  expect(shown.body.groups).toEqual([{ name: group, rules: [first] }]);
  expect((await api("DELETE", `${at}/users/${bob.login}`, root)).status).toBe(204);
  expect((await api("DELETE", `${at}/users/${bob.login}`, root)).status).toBe(404);
  expect((await api("DELETE", `${at}/rules/${rule}`, root)).status).toBe(204);
  expect((await api("DELETE", at, root)).status).toBe(204);
  expect((await api("GET", `${at}/users`, root)).status).toBe(404);
  const unknown = await api("POST", `/admin/users/${bob.login}/quota/groups`, root, { groups: [group] });
  expect([unknown.status, unknown.body["message"]]).toEqual([422, `quota group does not exist [name: ${group}]`]);
});

test("what is used follows every byte: privacy, owners, the bin, and what goes with a repository", async () => {
  const [ada, bob] = [await aUser(server), await aUser(server)];
  await aMeasuredRepo(ada);
  const first = await used(ada);
  expect(first.repos.public).toBeGreaterThan(0);
  expect(first.repos.private).toBe(0);

  const issue = await api<{ number: number }>("POST", `/repos/${ada.login}/one/issues`, ada, { title: "t" });
  expect(issue.status).toBe(201);
  expect((await upload(`/repos/${ada.login}/one/issues/1/assets`, "log.txt", "twelve bytes", ada)).status).toBe(201);
  const release = await api<{ id: number }>("POST", `/repos/${ada.login}/one/releases`, ada, { tag_name: "v1" });
  const assets = `/repos/${ada.login}/one/releases/${release.body.id}/assets`;
  expect((await upload(assets, "a.txt", "seven b", ada)).status).toBe(201);
  expect((await used(ada)).assets.attachments).toEqual({ issues: 12, releases: 7 });

  const held = await api<Json[]>("GET", "/user/quota/attachments", ada);
  expect(held.headers.get("x-total-count")).toBe("2");
  expect(held.body.map(({ name, size, contained_in }) => [name, size, contained_in])).toEqual([
    [
      "log.txt",
      12,
      {
        api_url: `${server.url}api/v1/repos/${ada.login}/one/issues/1`,
        html_url: `${server.url}${ada.login}/one/issues/1`,
      },
    ],
    [
      "a.txt",
      7,
      {
        api_url: `${server.url}api/v1/repos/${ada.login}/one/releases/${release.body.id}`,
        html_url: `${server.url}${ada.login}/one/releases/tag/v1`,
      },
    ],
  ]);
  for (const { api_url } of held.body)
    expect((await fetch(String(api_url), { headers: { authorization: `token ${ada.token}` } })).status).toBe(200);
  const second = await api<Json[]>("GET", "/user/quota/attachments?limit=1&page=2", ada);
  expect(second.body.map(({ name }) => name)).toEqual(["a.txt"]);

  await settled(server);
  const size = (await used(ada)).repos.public;
  expect((await api("PATCH", `/repos/${ada.login}/one`, ada, { private: true })).status).toBe(200);
  expect((await used(ada)).repos).toEqual({ public: 0, private: size });

  const club = anOrganization(server, ada.user);
  expect((await api("POST", `/repos/${ada.login}/one/transfer`, ada, { new_owner: club.login })).status).toBe(202);
  expect(await used(ada)).toEqual(await used(bob));
  const ofClub = await api<Info>("GET", `/orgs/${club.login}/quota`, ada);
  expect(ofClub.body.used.size.repos).toEqual({ public: 0, private: size });
  expect(ofClub.body.used.size.assets.attachments).toEqual({ issues: 12, releases: 7 });
  expect((await api("GET", `/orgs/${club.login}/quota`, bob)).status).toBe(403);

  expect((await api("DELETE", `/repos/${club.login}/one/releases/${release.body.id}`, ada)).status).toBe(204);
  const without = await api<Info>("GET", `/orgs/${club.login}/quota`, ada);
  expect(without.body.used.size.assets.attachments).toEqual({ issues: 12, releases: 0 });
  expect((await api("DELETE", `/repos/${club.login}/one`, ada)).status).toBe(204);
  expect((await api<Info>("GET", `/orgs/${club.login}/quota`, ada)).body.used.size).toEqual(await used(bob));
  const [binned] = server.services.bin.list(operator, undefined, { page: 1, limit: 10, offset: 0 }).items;
  server.services.bin.restore(operator, binned?.id ?? 0);
  const restored = await api<Info>("GET", `/orgs/${club.login}/quota`, ada);
  expect(restored.body.used.size.repos).toEqual({ public: 0, private: size });
  expect(restored.body.used.size.assets.attachments).toEqual({ issues: 12, releases: 0 });
});

test("a rule counts for what it is about and all that is part of it; one group that allows it is enough", async () => {
  const ada = await aUser(server);
  await aMeasuredRepo(ada);
  const may = async (subject: string) => (await api<boolean>("GET", `/user/quota/check?subject=${subject}`, ada)).body;
  await limit(ada.login, 1, "size:repos:all");
  expect(await Promise.all(["size:repos:all", "size:repos:private", "size:all"].map(may))).toEqual([
    false,
    false,
    true,
  ]);
  expect(await Promise.all(["size:git:lfs", "size:assets:attachments:issues", "none"].map(may))).toEqual([
    true,
    true,
    true,
  ]);
  const generous = unique("generous");
  await api("POST", "/admin/quota/groups", root, { name: generous });
  await api("PUT", `/admin/quota/groups/${generous}/users/${ada.login}`, root);
  expect(await may("size:repos:all")).toBe(true);
  const bad = await api("GET", "/user/quota/check?subject=size:nonsense", ada);
  expect([bad.status, bad.body["message"]]).toEqual([422, "unknown quota subject: size:nonsense"]);
});

test("whoever is over the limit is refused with their name, and nothing is left behind", async () => {
  const ada = await aUser(server);
  await aMeasuredRepo(ada);
  await api("POST", `/repos/${ada.login}/one/issues`, ada, { title: "t" });
  const release = await api<{ id: number }>("POST", `/repos/${ada.login}/one/releases`, ada, { tag_name: "v1" });
  const before = await used(ada);
  const rule = await limit(ada.login, 3, "size:all");
  const refused = { message: "quota exceeded", user_id: ada.user.id, username: ada.login };
  const attempts = [
    await put(ada, "one", "b.txt"),
    await api("POST", "/user/repos", ada, { name: "two" }),
    await api("POST", `/repos/${ada.login}/one/branches`, ada, { new_branch_name: "other" }),
    await api("POST", `/repos/${ada.login}/one/tags`, ada, { tag_name: "v2" }),
    await api("POST", `/repos/${ada.login}/one/releases`, ada, { tag_name: "v1" }),
    await api("POST", `/repos/${ada.login}/one/wiki/new`, ada, { title: "Home", content_base64: btoa("text") }),
  ];
  for (const { status, body } of attempts) expect([status, body]).toEqual([413, expect.objectContaining(refused)]);
  for (const path of ["issues/1", `releases/${release.body.id}`]) {
    const answer = await upload(`/repos/${ada.login}/one/${path}/assets`, "x.txt", "four", ada);
    expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining(refused)]);
  }
  await settled(server);
  expect(await used(ada)).toEqual(before);
  expect((await api("GET", `/repos/${ada.login}/two`, ada)).status).toBe(404);
  expect((await api("GET", `/repos/${ada.login}/one/contents/b.txt`, ada)).status).toBe(404);
  expect((await api("GET", `/repos/${ada.login}/one/wiki/pages`, ada)).status).toBe(404);
  // What frees room may always be done, and so may everything once there is room.
  expect((await api("DELETE", `/repos/${ada.login}/one/tags/v1`, ada)).status).toBeOneOf([204, 409]);
  await api("PATCH", `/admin/quota/rules/${rule}`, root, { limit: -1 });
  expect((await put(ada, "one", "b.txt")).status).toBe(201);
});

test("a file that would exceed what is left is refused, and its owner pays for what others bring", async () => {
  const [ada, bob] = [await aUser(server), await aUser(server)];
  aRepo(server, ada.user, { name: "one", files: { "a.txt": "hello" } });
  await limit(ada.login, 10, "size:assets:attachments:all");
  await api("POST", `/repos/${ada.login}/one/issues`, bob, { title: "t" });
  const assets = `/repos/${ada.login}/one/issues/1/assets`;
  expect((await upload(assets, "x.txt", "eleven byte", bob)).status).toBe(413);
  expect((await upload(assets, "x.txt", "ten  bytes", bob)).status).toBe(201);
  const full = await upload(assets, "x.txt", "1", bob);
  expect([full.status, await full.json()]).toEqual([413, expect.objectContaining({ username: ada.login })]);
});

test("a repository is not given to who has no room for it", async () => {
  const [ada, bob] = [await aUser(server), await aUser(server)];
  await aMeasuredRepo(ada);
  await limit(bob.login, 1, "size:repos:public");
  expect((await api("POST", `/repos/${ada.login}/one/transfer`, ada, { new_owner: bob.login })).status).toBe(201);
  const accepted = await api("POST", `/repos/${ada.login}/one/transfer/accept`, bob);
  expect([accepted.status, accepted.body["username"]]).toEqual([413, bob.login]);
  expect((await api("POST", `/repos/${ada.login}/one/forks`, bob, {})).status).toBe(413);
  expect((await api("GET", `/repos/${ada.login}/one`, ada)).status).toBe(200);
});

test("git is told, may delete branches, and pushes again once there is room", async () => {
  const ada = await aUser(server);
  await aMeasuredRepo(ada);
  const rule = await limit(ada.login, (await used(ada)).repos.public + 2000, "size:git:all");
  const dir = mkdtempSync(join(tmpdir(), "hearth-quota-"));
  const work = join(dir, "work");
  const url = `${server.url.replace("//", `//${ada.login}:${ada.token}@`)}${ada.login}/one.git`;
  const git = async (cwd: string, ...args: string[]) => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const child = Bun.spawn(["git", ...identity, ...args], {
      cwd,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const error = await new Response(child.stderr).text();
    return { code: await child.exited, error };
  };
  try {
    expect((await git(dir, "clone", "-q", url, work)).code).toBe(0);
    await git(work, "checkout", "-q", "-b", "side");
    expect((await git(work, "push", "-q", "origin", "side")).code).toBe(0);
    await Bun.write(join(work, "big"), crypto.getRandomValues(new Uint8Array(20_000)));
    await git(work, "add", "-A");
    await git(work, "commit", "-q", "-m", "big");
    const refused = await git(work, "push", "origin", "HEAD:main");
    await api("PATCH", `/admin/quota/rules/${rule}`, root, { limit: 1 });
    const atOnce = await git(work, "push", "origin", "HEAD:main");
    expect([atOnce.code === 0, atOnce.error]).toEqual([false, expect.stringContaining("quota exceeded")]);
    expect([refused.code === 0, refused.error.toLowerCase()]).toEqual([
      false,
      expect.stringContaining("quota exceeded"),
    ]);
    expect((await git(work, "push", "-q", "origin", ":side")).code).toBe(0);
    await api("PATCH", `/admin/quota/rules/${rule}`, root, { limit: 1_000_000 });
    expect((await git(work, "push", "-q", "origin", "HEAD:main")).code).toBe(0);
    expect((await used(ada)).repos.public).toBeGreaterThan(20_000);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test("where quotas are off none of it is there, and nothing is refused", async () => {
  await using off = await aServer();
  const boss = await aUser(off, { isAdmin: true });
  for (const path of ["/user/quota", "/admin/quota/rules", "/admin/quota/groups", `/admin/users/${boss.login}/quota`])
    for (const token of [undefined, boss.token])
      expect((await call(off, "GET", `/api/v1${path}`, { token })).status).toBe(404);
});

test("accounts without a group have the default, by name or in all", async () => {
  await using small = await aServer({
    "quota.enabled": true,
    "quota.default_total": "1K",
    "quota.default_groups": ["g"],
  });
  const [boss, ada] = [await aUser(small, { isAdmin: true }), await aUser(small)];
  const groups = async () => (await call<Info>(small, "GET", "/api/v1/user/quota", { token: ada.token })).body.groups;
  expect(await groups()).toEqual([{ rules: [{ limit: 1024, subjects: ["size:all"] }] }]);
  const body = { name: "g", rules: [{ name: "r", limit: 7, subjects: ["size:assets:all"] }] };
  await call(small, "POST", "/api/v1/admin/quota/groups", { token: boss.token, body });
  expect(await groups()).toEqual([{ rules: [{ limit: 7, subjects: ["size:assets:all"] }] }]);
});

test("what was counted wrong is put right by the nightly count, and what was right stays", async () => {
  const ada = await aUser(server);
  await aMeasuredRepo(ada);
  await api("POST", `/repos/${ada.login}/one/issues`, ada, { title: "t" });
  await upload(`/repos/${ada.login}/one/issues/1/assets`, "x.txt", "ten  bytes", ada);
  const before = await used(ada);
  const { db } = server.core;
  db.query("UPDATE repository_usage SET issue_attachments = 77, lfs = 5").run();
  db.query("UPDATE account_usage SET public_repos = 3, wiki = 9, packages = 4 WHERE user_id = ?").run(ada.user.id);
  expect((await used(ada)).repos.public).toBe(3);
  expect((await api("POST", "/admin/cron/check_repo_stats", root)).status).toBe(204);
  await settled(server);
  expect(await used(ada)).toEqual(before);
});

test("wikis count for themselves", async () => {
  const ada = await aUser(server);
  await aMeasuredRepo(ada);
  const page = (title: string) =>
    api("POST", `/repos/${ada.login}/one/wiki/new`, ada, { title, content_base64: btoa("text") });
  expect((await page("Home")).status).toBe(201);
  const { db } = server.core;
  const wiki = () =>
    db.query<{ wiki: number }>("SELECT wiki FROM account_usage WHERE user_id = ?").get(ada.user.id)?.wiki;
  while (wiki() === 0) await settled(server);
  await limit(ada.login, 1, "size:assets:wiki");
  expect((await page("Other")).status).toBe(413);
  expect((await put(ada, "one", "b.txt")).status).toBe(201);
  expect((await api("DELETE", `/repos/${ada.login}/one/wiki/page/Home`, ada)).status).toBe(204);
  await api("DELETE", `/repos/${ada.login}/one`, ada);
  expect(wiki()).toBe(0);
});

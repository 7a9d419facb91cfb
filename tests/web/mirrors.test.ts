import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Repo } from "../../src/repos/types.ts";
import { aForge } from "../api/imports/forge.ts";
import { aRepo, aServer, aSession, aUser, call, settled, type TestServer, type TestUser } from "../builders.ts";
import { untilHolds } from "../until.ts";

/** Pages of imports and mirrors: forms without a script, how far an import is, and what the settings say. */

let here: TestServer;
let there: TestServer;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let cookies: { ada: string; eve: string };
beforeAll(async () => {
  const settings = { "network.allow": ["loopback"] };
  [here, there] = await Promise.all([aServer(settings), aServer(settings)]);
  [ada, eve] = await Promise.all([aUser(here, { login: "ada" }), aUser(here, { login: "eve" })]);
  bob = await aUser(there, { login: "bob" });
  cookies = { ada: await aSession(here, ada.user), eve: await aSession(here, eve.user) };
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
});

const page = (path: string, cookie?: string) => call(here, "GET", path, cookie === undefined ? {} : { cookie });
const send = (path: string, fields: Record<string, string>, cookie = cookies.ada) =>
  call(here, "POST", path, {
    cookie,
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
const aSource = (more: Parameters<typeof aRepo>[2] = {}): Repo =>
  aRepo(there, bob.user, { files: { "a.txt": "a" }, ...more });
const urlOf = ({ name }: Repo) => `${there.url}bob/${name}.git`;
let count = 0;

async function anImport(fields: Record<string, string> = {}): Promise<string> {
  const repo_name = `m${++count}`;
  const answer = await send("/repo/migrate", { service: "git", clone_addr: urlOf(aSource()), repo_name, ...fields });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `/ada/${repo_name}`]);
  await untilHolds(() => here.services.imports.of(found(repo_name).id)?.import.failure !== "");
  return repo_name;
}

function found(name: string): Repo {
  const repo = here.services.repos.find(ada.user, name);
  if (!repo) throw new Error(`no ${name}`);
  return repo;
}

describe("importing by form", () => {
  test("asks for what is needed, of those who are signed in", async () => {
    const form = await page("/repo/migrate", cookies.ada);
    expect(form.status).toBe(200);
    for (const name of [
      "clone_addr",
      "service",
      "auth_token",
      "uid",
      "repo_name",
      "private",
      "wiki",
      "mirror_interval",
    ])
      expect(form.text).toContain(`name="${name}"`);
    expect((await page("/repo/create", cookies.ada)).text).toContain('href="/repo/migrate"');
    expect((await page("/repo/migrate")).status).toBe(303);
  });

  test("offers what each kind of server has", async () => {
    const offered = async (service: string) => {
      const { text } = await page(`/repo/migrate?service_type=${service}`, cookies.ada);
      expect(text).toContain(`name="service" value="${service}"`);
      const parts = ["wiki", "lfs", "labels", "milestones", "issues", "pull_requests", "releases"];
      return parts.filter((part) => text.includes(`name="${part}"`)).join(" ");
    };
    const all = "wiki lfs labels milestones issues pull_requests releases";
    expect(await offered("git")).toBe("wiki lfs");
    expect(await offered("gogs")).toBe(all.replace(" pull_requests", ""));
    for (const service of ["github", "gitlab", "gitea", "forgejo"]) expect(await offered(service)).toBe(all);
    const refused = await send("/repo/migrate", {
      ...{ service: "gitlab", clone_addr: "/etc", repo_name: "x", lfs: "on" },
      lfs_endpoint: "https://eve:Geheim-4@example.org/lfs",
    });
    expect([refused.status, refused.text.includes("Geheim")]).toEqual([422, false]);
    expect(refused.text).toContain("https://example.org/lfs");
  });

  test("says how much of each kind is here, and when it goes on", async () => {
    const source = aSource();
    let isOpen = false;
    using forge = aForge(there, source, (path, number, { query }) => {
      if (path === "" || number > 1) return path === "" ? {} : [];
      if (path === "/labels") return ["one", "two", "three"].map((name) => ({ name }));
      const isRead = !isOpen && path === "/issues" && query.get("direction") === "asc";
      return isRead ? new Response("{}", { status: 429, headers: { "retry-after": "3600" } }) : [];
    });
    const fields = {
      service: "github",
      clone_addr: `${forge.url.href}o/r.git`,
      labels: "on",
      issues: "on",
    };
    expect((await send("/repo/migrate", { ...fields, repo_name: "counted" })).status).toBe(303);
    await untilHolds(() => here.services.imports.of(found("counted").id)?.import.waitsUntil !== undefined);
    const home = await page("/ada/counted", cookies.ada);
    expect(home.text).toContain("wants no more requests for now");
    expect(/Labels <span class="count">3</.test(home.text)).toBe(true);
    expect(home.headers.get("refresh")).toBe("60");
    expect((await send("/ada/counted/settings/migrate/cancel", {})).status).toBe(303);
    expect((await page("/ada/counted", cookies.ada)).text).toContain("The import was cancelled.");
    isOpen = true;
    expect((await send("/ada/counted/settings/migrate/retry", {})).status).toBe(303);
    await untilHolds(() => here.services.imports.of(found("counted").id) === undefined);
  });

  test("leads to the repository, and to its files once they are there", async () => {
    const name = await anImport();
    expect((await page(`/ada/${name}`, cookies.ada)).text).toContain("a.txt");
    expect((await page(`/ada/${name}/-/migrate/status`, cookies.ada)).status).toBe(404);
  });

  test("says beside the field what is wrong, keeps what was typed but for secrets, and makes nothing", async () => {
    const before = here.services.repos.ownedBy(ada.user).length;
    const typed = { clone_addr: "/etc", repo_name: "kept-name", auth_password: "Geheim-1", auth_token: "Geheim-2" };
    const refused = await send("/repo/migrate", typed);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Folders of the server cannot be imported.");
    expect(refused.text).toContain('value="kept-name"');
    expect(refused.text).not.toContain("Geheim");
    const closed = await send("/repo/migrate", { ...typed, clone_addr: "http://x:Geheim-3@127.0.0.1:1/x.git" });
    expect(closed.status).toBe(422);
    expect(closed.text).toContain("127.0.0.1:1 could not be reached.");
    const taken = await send("/repo/migrate", { clone_addr: urlOf(aSource()), repo_name: aRepo(here, ada.user).name });
    expect(taken.status).toBe(422);
    expect(here.services.repos.ownedBy(ada.user).length).toBe(before + 1);
    const foreign = { clone_addr: urlOf(aSource()), repo_name: "foreign", uid: String(eve.user.id) };
    expect((await send("/repo/migrate", foreign)).status).toBe(422);
  });

  test("shows a failure with its reason, to be tried again or taken away by those who administer it", async () => {
    // It tells of a repository, and then gives nothing.
    let isBroken = true;
    const source = aSource();
    using gate = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const sent = request.method === "POST" ? new Uint8Array(await request.arrayBuffer()) : undefined;
        if (isBroken && sent && new TextDecoder().decode(sent).includes("command=fetch"))
          return new Response("no", { status: 403 });
        const target = new URL(request.url);
        const url = `${there.url}bob/${source.name}.git${target.pathname.replace("/x.git", "")}${target.search}`;
        const headers = new Headers(request.headers);
        headers.delete("host");
        return fetch(url, { method: request.method, headers, ...(sent ? { body: sent } : {}) });
      },
    });
    const name = await anImport({ clone_addr: `${gate.url.href}x.git` });
    const path = `/ada/${name}`;
    const home = await page(path, cookies.ada);
    expect(home.text).toContain("The import failed");
    expect(home.text).toContain(`${path}/settings/migrate/retry`);
    expect(home.headers.get("refresh")).toBeNull();
    const status = await page(`${path}/-/migrate/status`, cookies.ada);
    expect(status.status).toBe(200);
    const others = await page(path, cookies.eve);
    expect(others.text).toContain("The import failed");
    expect(others.text).not.toContain("settings/migrate");
    expect((await send(`${path}/settings/migrate/retry`, {}, cookies.eve)).status).toBe(404);
    isBroken = false;
    expect((await send(`${path}/settings/migrate/retry`, {})).status).toBe(303);
    await settled(here);
    await untilHolds(() => here.services.imports.of(found(name).id) === undefined);
    expect((await page(path, cookies.ada)).text).toContain("a.txt");
    expect((await send(`${path}/settings/migrate/cancel`, {})).status).toBe(404);
  });
});

describe("settings of mirrors", () => {
  test("of a mirror say where it comes from, change it, and make it a regular repository", async () => {
    const name = await anImport({ mirror: "on", mirror_interval: "1h" });
    const path = `/ada/${name}`;
    const home = await page(path, cookies.ada);
    expect(home.text).toContain(`mirror of ${there.url}bob/`);
    const settings = await page(`${path}/settings/mirrors`, cookies.ada);
    expect(settings.text).toContain('value="1h0m0s"');
    expect((await page(`${path}/settings/mirrors`, cookies.eve)).status).toBe(404);
    const { address } = here.services.pullMirrors.of(found(name).id) ?? { address: "" };
    const edit = {
      ...{ action: "mirror", mirror_address: address, mirror_username: "", mirror_interval: "2h" },
      mirror_lfs: "on",
    };
    expect((await send(`${path}/settings`, edit)).status).toBe(303);
    expect(here.services.pullMirrors.of(found(name).id)).toMatchObject({
      intervalMs: 7_200_000,
      prunes: false,
      hasLfs: true,
    });
    const { pullMirrors } = here.services;
    const lfs = { ...edit, mirror_lfs_endpoint: "https://files:Geheim-3@lfs.example/ada" };
    expect((await send(`${path}/settings`, lfs)).status).toBe(303);
    const sealed = () =>
      here.core.db
        .query<{ lfs_endpoint: string }>("SELECT lfs_endpoint FROM pull_mirrors WHERE repo_id = ?")
        .get(found(name).id)?.lfs_endpoint;
    const before = sealed();
    const shown = (await page(`${path}/settings/mirrors`, cookies.ada)).text;
    expect([shown.includes('value="https://lfs.example/ada"'), shown.includes("Geheim-3")]).toEqual([true, false]);
    // As it was shown, or not sent: it stays, with its password.
    const again = { ...edit, mirror_lfs_endpoint: "https://lfs.example/ada" };
    for (const form of [again, edit]) expect((await send(`${path}/settings`, form)).status).toBe(303);
    expect(sealed()).toBe(before);
    const bad = await send(`${path}/settings`, { ...edit, mirror_lfs_endpoint: "ftp://lfs.example" });
    expect([bad.status, bad.text.includes("ftp://lfs.example"), sealed()]).toEqual([422, true, before]);
    expect((await send(`${path}/settings`, { ...edit, mirror_lfs_endpoint: "" })).status).toBe(303);
    expect(pullMirrors.lfsEndpointOf(found(name).id)).toBe("");
    const short = await send(`${path}/settings`, { ...edit, mirror_interval: "1m" });
    expect([short.status, short.text.includes("The interval must be 10m0s or more.")]).toEqual([422, true]);
    expect((await send(`${path}/settings`, { action: "mirror-sync" })).status).toBe(303);
    await settled(here);
    expect((await page(path, cookies.ada)).text).toContain("brought up to date");
    expect((await send(`${path}/settings`, { action: "convert", repo_name: "wrong" })).status).toBe(422);
    expect((await send(`${path}/settings`, { action: "convert", repo_name: `ada/${name}` })).status).toBe(303);
    expect(found(name).isMirror).toBe(false);
    const gone = await send(`${path}/settings`, { action: "mirror-sync" });
    expect([gone.status, gone.text.includes("This is not a mirror.")]).toEqual([422, true]);
  });

  test("add, use and remove push mirrors, and show no password", async () => {
    const repo = aRepo(here, ada.user, { files: { "a.txt": "a" } });
    const to = aRepo(there, bob.user);
    const path = `/ada/${repo.name}/settings`;
    const add = {
      action: "push-mirror-add",
      push_mirror_address: urlOf(to),
      push_mirror_username: "bob",
      push_mirror_password: bob.token,
      push_mirror_interval: "8h",
    };
    const bad = await send(path, { ...add, push_mirror_address: "ssh://h/x" });
    expect([bad.status, bad.text.includes(bob.token)]).toEqual([422, false]);
    expect((await send(path, add)).status).toBe(303);
    const [mirror] = here.core.db.query<{ remote_name: string }>("SELECT remote_name FROM push_mirrors").all();
    const shown = await page(`${path}/mirrors`, cookies.ada);
    expect(shown.text).toContain(urlOf(to));
    expect(shown.text).not.toContain(bob.token);
    const named = { push_mirror_name: mirror?.remote_name ?? "" };
    expect((await send(path, { action: "push-mirror-sync", ...named })).status).toBe(303);
    await settled(here);
    expect(there.services.refs.list(to.id)).toEqual(here.services.refs.list(repo.id));
    expect((await send(path, { action: "push-mirror-update", push_mirror_interval: "1h", ...named })).status).toBe(303);
    expect((await send(path, { action: "push-mirror-remove", ...named }, cookies.eve)).status).toBe(404);
    expect((await send(path, { action: "push-mirror-remove", ...named })).status).toBe(303);
    expect((await page(`${path}/mirrors`, cookies.ada)).text).toContain("No push mirrors");
  });
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import type { Repo } from "../../../src/repos/types.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aUser,
  settled,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { untilHolds } from "../../until.ts";
import type { Shown, ShownActivity } from "../mirrors/shown.ts";

/** Repositories brought in from another server, by git alone. */

let here: TestServer;
let there: TestServer;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  const settings = { "network.allow": ["loopback"], "repository.bin_days": 0 };
  [here, there] = await Promise.all([aServer(settings), aServer(settings)]);
  ada = await aUser(here, { login: "ada" });
  bob = await aUser(there, { login: "bob" });
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
});

const ask = anApi(() => here);
const api = (method: string, path: string, who?: TestUser, body?: unknown) => ask<Shown>(method, path, who, body);
let count = 0;
const aSource = (more: Parameters<typeof aRepo>[2] = {}): Repo =>
  aRepo(there, bob.user, { files: { "a.txt": "a" }, ...more });
const urlOf = ({ name }: Repo) => `${there.url}bob/${name}.git`;
const migrate = (body: Record<string, unknown>, who = ada) =>
  api("POST", "/repos/migrate", who, { repo_name: `m${++count}`, ...body });
const says = ({ status, body }: { status: number; body: Shown }) => [status, body.message];

describe("an import by git", () => {
  test("brings refs, the default branch and the wiki, and tells of nothing but the repository", async () => {
    const source = aSource({ defaultBranch: "trunk" });
    const askThere = anApi(() => there);
    await askThere("POST", `/repos/bob/${source.name}/branches`, bob, { new_branch_name: "main" });
    await askThere("POST", `/repos/bob/${source.name}/wiki/new`, bob, { title: "Home", content_base64: btoa("hello") });
    const made = await migrate({ clone_addr: urlOf(source), wiki: true, description: "copied" });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      default_branch: "trunk",
      description: "copied",
      empty: false,
      mirror: false,
      original_url: urlOf(source),
      permissions: { admin: true, push: true, pull: true },
    });
    expect(here.services.refs.list(made.body.id)).toEqual(there.services.refs.list(source.id));
    const page = await api("GET", `/repos/ada/${made.body.name}/wiki/page/Home`, ada);
    expect(page.body.content_base64).toBe(btoa("hello"));
    await settled(here);
    const feed = (await ask<ShownActivity[]>("GET", `/repos/ada/${made.body.name}/activities/feeds`, ada)).body;
    expect(feed.map((entry) => entry.op_type)).toEqual(["create_repo"]);
    expect(here.services.imports.of(made.body.id)).toBeUndefined();
  });

  test("keeps the object format, and an empty source is an empty repository", async () => {
    const create = { name: "newer", object_format_name: "sha256", auto_init: true };
    await anApi(() => there)("POST", "/user/repos", bob, create);
    const made = await migrate({ clone_addr: `${there.url}bob/newer.git` });
    expect([made.status, made.body.object_format_name]).toEqual([201, "sha256"]);
    const empty = await migrate({ clone_addr: urlOf(aRepo(there, bob.user)) });
    expect([empty.status, empty.body.empty]).toEqual([201, true]);
  });

  test("of a private source takes credentials in three ways, and shows them in none", async () => {
    const source = aSource({ isPrivate: true });
    const host = there.url.replace("http://", "");
    for (const body of [
      { clone_addr: `http://bob:${bob.token}@${host}bob/${source.name}.git` },
      { clone_addr: urlOf(source), auth_username: "bob", auth_password: bob.token },
      { clone_addr: urlOf(source), auth_token: `${bob.token}, other` },
    ]) {
      const made = await migrate(body);
      expect([made.status, made.body.original_url]).toEqual([201, urlOf(source)]);
      expect(made.text).not.toContain(bob.token);
    }
    const wrong = await migrate({ clone_addr: urlOf(source), auth_username: "bob", auth_password: "Geheim-1" });
    expect(wrong.status).toBe(422);
    expect(wrong.body.message).toStartWith("Authentication failed: ");
    expect(wrong.text).not.toContain("Geheim");
    expect(here.errors).toEqual([]);
  });

  test("leaves nothing when it fails, before or after it began", async () => {
    const repos = () => here.services.repos.ownedBy(ada.user).length;
    const before = repos();
    const closed = await migrate({ clone_addr: "http://someone:Geheim-2@127.0.0.1:1/x.git" });
    expect(closed.status).toBe(422);
    expect(closed.body.message).toStartWith("Migration failed: ");
    expect(closed.text).not.toContain("Geheim");
    // A server that lists refs and has no pack for them.
    using liar = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
        if (request.method === "POST") return new Response("what?", { status: 403 });
        const refs = `${"1".repeat(40)} HEAD\0symref=HEAD:refs/heads/main object-format=sha1\n`;
        const body = `${line("# service=git-upload-pack\n")}0000${line(refs)}${line(`${"1".repeat(40)} refs/heads/main\n`)}0000`;
        return new Response(body, { headers: { "content-type": "application/x-git-upload-pack-advertisement" } });
      },
    });
    const lied = await migrate({ clone_addr: `${liar.url.href}x.git` });
    expect([lied.status, repos()]).toEqual([422, before]);
    await untilHolds(() => here.core.db.query("SELECT 1 FROM repository_imports").get() === null);
    const again = await migrate({ clone_addr: urlOf(aSource()), repo_name: `m${count}` });
    expect(again.status).toBe(201);
  });

  test("is refused for bad addresses and names, with nothing made", async () => {
    const local = "You are not allowed to import local repositories.";
    const invalid = "The provided URL is invalid.";
    for (const [clone_addr, message] of [
      ["/etc", local],
      ["file:///etc", local],
      ["../x", local],
      ["-oProxyCommand=x", local],
      ["ssh://git@host/x.git", invalid],
      ["git@host:x.git", invalid],
      ["git://127.0.0.1:1%0d%0aX/x.git", invalid],
      ["ext::sh -c id", invalid],
      ["http:foo/bar", invalid],
      ["http://[bad", invalid],
      [`http://127.0.0.1/${"x".repeat(5000)}`, invalid],
      [" ", "[CloneAddr]: Required"],
      ["http://10.0.0.1/x.git", "You can not import from disallowed hosts."],
      ["http://nowhere.invalid/x.git", "You can not import from disallowed hosts."],
    ] as const)
      expect([clone_addr, ...says(await migrate({ clone_addr }))]).toEqual([clone_addr, 422, message]);
    const clone_addr = urlOf(aSource());
    for (const [repo_name, message] of [
      ["", "[RepoName]: Required"],
      ["a b", "[RepoName]: AlphaDashDot"],
      ["x.git", "The pattern '*.git' is not allowed in a username."],
      ["a..b", "The username 'a..b' contains invalid characters."],
      ["-", "The username '-' is reserved."],
    ] as const)
      expect(says(await migrate({ clone_addr, repo_name }))).toEqual([422, message]);
    for (const mirror_interval of ["1m", "x"])
      expect((await migrate({ clone_addr, mirror: true, mirror_interval })).status).toBe(422);
    const lfs = { lfs: true, lfs_endpoint: "http://10.0.0.1/" };
    expect(says(await migrate({ clone_addr, ...lfs }))).toEqual([422, "You can not import from disallowed hosts."]);
    const { name } = aRepo(here, ada.user);
    expect(says(await migrate({ clone_addr, repo_name: name.toUpperCase() }))).toEqual([
      409,
      "The repository with the same name already exists.",
    ]);
  });

  test("is for oneself, for organizations one may create in, and within one's limits", async () => {
    const clone_addr = urlOf(aSource());
    const eve = await aUser(here, { login: "eve" });
    const org = anOrganization(here, ada.user);
    const hidden = anOrganization(here, ada.user, { visibility: "private" });
    expect(says(await migrate({ clone_addr, repo_owner: "ada" }, eve))).toEqual([
      403,
      "Given user is not an organization.",
    ]);
    expect(says(await migrate({ clone_addr, repo_owner: org.login }, eve))).toEqual([
      403,
      "Given user is not owner of organization.",
    ]);
    for (const repo_owner of [hidden.login, "nobody"])
      expect(says(await migrate({ clone_addr, repo_owner }, eve))).toEqual([
        422,
        `user does not exist [uid: 0, name: ${repo_owner}]`,
      ]);
    expect((await migrate({ clone_addr, repo_owner: org.login })).body.owner.login).toBe(org.login);
    expect((await migrate({ clone_addr, uid: eve.user.id }, eve)).body.owner.login).toBe("eve");
    const few = await aUser(here, { login: "few" });
    const root = await aUser(here, { login: "root", isAdmin: true });
    await api("PATCH", "/admin/users/few", root, { max_repo_creation: 0 });
    expect(says(await migrate({ clone_addr }, few))).toEqual([
      422,
      "You have already reached your limit of 0 repositories.",
    ]);
  });

  test("is refused where the site does not want it", async () => {
    await using server = await aServer({ "imports.enabled": false });
    const cyd = await aUser(server, { login: "cyd" });
    const body = { clone_addr: "https://example.org/x.git", repo_name: "x" };
    const answer = await anApi(() => server)<Shown>("POST", "/repos/migrate", cyd, body);
    expect(says(answer)).toEqual([403, "the site administrator has disabled migrations"]);
    expect((await anApi(() => server)<Shown>("GET", "/settings/repository")).body.migrations_disabled).toBe(true);
  });

  test("that nobody waits for stays when it fails, to be tried again, and nobody writes meanwhile", async () => {
    const { imports, repos } = here.services;
    const source = aSource();
    const principal = asAccount(ada.user);
    const request = {
      owner: ada.user,
      name: `m${++count}`,
      address: urlOf(source),
      service: "git" as const,
      username: "",
      password: "",
      token: "",
      description: "",
      isPrivate: false,
      parts: [],
      isMirror: false,
      interval: "",
      lfsEndpoint: "",
      isAwaited: false,
    };
    const made = await imports.begin(principal, request);
    const seen = repos.seeById(principal, made.id);
    if (!seen) throw new Error("the repository is not seen");
    imports.cancel(seen);
    await untilHolds(() => imports.of(made.id)?.import.failure !== "");
    expect(imports.of(made.id)?.import.failure).toContain("import.cancelled");
    const path = `/repos/ada/${made.name}`;
    const early = await api("POST", `${path}/contents/x`, ada, { content: "", message: "x" });
    expect(says(early)).toEqual([403, "Repository cannot be accessed, you could retry it later"]);
    const org = anOrganization(here, ada.user);
    const given = await api("POST", `${path}/transfer`, ada, { new_owner: org.login });
    expect(says(given)).toEqual([409, "Repository cannot be accessed, you could retry it later"]);
    imports.retry(seen);
    await settled(here);
    await untilHolds(() => imports.of(made.id) === undefined);
    expect(here.services.refs.list(made.id)).toEqual(there.services.refs.list(source.id));
    expect(() => imports.retry(seen)).toThrow("import.not-failed");
    expect(() => imports.cancel(seen)).toThrow("import.none");
  });
});

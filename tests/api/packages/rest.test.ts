import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { anonymous } from "../../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aUser,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { aName, aRegistry, generic, npm, type Publishing, terraform } from "./world.ts";

/** Packages over REST, and what publishing does with rows and bytes (contract packages.md 1 and 5). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const api = anApi(() => server);
const registry = aRegistry(() => server);
beforeAll(async () => {
  server = await aServer();
  [ada, bob] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "bob" })];
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const publish = async (type: string, { body, method, path }: Publishing, owner = ada, at = owner.login) =>
  (await registry(method, `${at}/${type}${path}`, owner, body)).status;
const versionsOf = async (owner: TestUser, query = "") =>
  (await api<readonly Json[]>("GET", `/packages/${owner.login}${query}`, owner)).body.map(
    ({ name, version }) => `${name} ${version}`,
  );
const bytesKept = () => server.core.db.query<{ n: number }>("SELECT count(*) AS n FROM package_blobs").get()?.n;

describe("lists", () => {
  test("every version, the newest first, by type and by a part of the name, in pages", async () => {
    const owner = await aUser(server);
    for (const version of ["1.0", "2.0"]) await publish("generic", generic("Kit_One", version), owner);
    await publish("npm", npm("kit-two"), owner);
    expect(await versionsOf(owner)).toEqual(["kit-two 1.0.0", "Kit_One 2.0", "Kit_One 1.0"]);
    expect(await versionsOf(owner, "?type=npm")).toEqual(["kit-two 1.0.0"]);
    expect(await versionsOf(owner, "?type=all")).toHaveLength(3);
    expect(await versionsOf(owner, "?type=nonsense")).toEqual([]);
    expect(await versionsOf(owner, "?q=kit_one")).toEqual(["Kit_One 2.0", "Kit_One 1.0"]);
    // What stands for anything in a query is a letter like others.
    expect(await versionsOf(owner, "?q=t_t")).toEqual([]);
    expect(await versionsOf(owner, "?q=%25")).toEqual([]);
    const { headers } = await api("GET", `/packages/${owner.login}?limit=1`, owner);
    expect([headers.get("x-total-count"), headers.get("link")]).toEqual(["3", expect.stringContaining('rel="last"')]);
    expect(await versionsOf(owner, "?limit=1&page=3")).toEqual(["Kit_One 1.0"]);
    const { body } = await api<readonly Json[]>("GET", `/packages/${owner.login}/generic/KIT_ONE`, owner);
    expect(body.map(({ version }) => version)).toEqual(["2.0", "1.0"]);
  });

  test("the latest is the one published last, however it is called", async () => {
    const name = aName();
    for (const version of ["2.0", "1.0"]) await publish("generic", generic(name, version));
    expect((await api("GET", `/packages/ada/generic/${name}/-/latest`, ada)).body["version"]).toBe("1.0");
    await api("DELETE", `/packages/ada/generic/${name}/1.0`, ada);
    expect((await api("GET", `/packages/ada/generic/${name}/-/latest`, ada)).body["version"]).toBe("2.0");
  });

  test("a version tells who published it, where its page is, and what its files are", async () => {
    const name = aName("@scope/kit");
    await publish("npm", npm(name));
    const at = `/packages/ada/npm/${encodeURIComponent(name)}/1.0.0`;
    const { body } = await api("GET", at, ada);
    expect(body).toMatchObject({ type: "npm", name, version: "1.0.0", repository: null, creator: { login: "ada" } });
    expect(body["html_url"]).toBe(
      `${server.services.links.rootUrl}ada/-/packages/npm/${encodeURIComponent(name)}/1.0.0`,
    );
    const empty = aName();
    await publish("generic", generic(empty, "1.0", "b", ""));
    await publish("generic", generic(empty, "1.0", "A", "a"));
    const files = await api<readonly Json[]>("GET", `/packages/ada/generic/${empty}/1.0/files`, ada);
    expect(files.body.map((file) => file["name"])).toEqual(["A", "b"]);
    expect(files.body[1]).toMatchObject({ size: 0, md5: "d41d8cd98f00b204e9800998ecf8427e" });
  });
});

describe("publishing", () => {
  test("a file once, more of them in the same version, and whatever the letter case", async () => {
    const name = aName();
    expect(await publish("generic", generic(name))).toBe(201);
    const again = await registry("PUT", `ada/generic/${name.toUpperCase()}/1.0/KIT.bin`, ada, "other");
    expect([again.status, again.text]).toEqual([409, "package file already exists\n"]);
    expect(await publish("generic", generic(name, "1.0", "more.bin"))).toBe(201);
    expect(await publish("npm", npm(name))).toBe(201);
    const version = await registry("PUT", `ada/npm/${name}`, ada, npm(name).body);
    expect([version.status, version.body]).toEqual([409, { error: "package version already exists" }]);
    const found = await registry<unknown>("GET", `ada/generic/${name}/1.0/kit.bin`);
    expect([found.status, found.text]).toEqual([200, "kit"]);
  });

  test("one content is kept once, and stays while anyone's file holds it", async () => {
    const [name, content] = [aName(), aName("the same bytes ")];
    const before = bytesKept() ?? 0;
    await publish("generic", generic(name, "1.0", "a", content));
    await publish("generic", generic(name, "1.0", "b", content));
    await publish("generic", generic(name, "1.0", "a", content), bob);
    expect(bytesKept()).toBe(before + 1);
    await registry("DELETE", `ada/generic/${name}/1.0`, ada);
    expect((await registry<unknown>("GET", `bob/generic/${name}/1.0/a`)).text).toBe(content);
  });

  test("what is refused leaves nothing", async () => {
    const rows = () =>
      ["packages", "package_versions", "package_files", "package_blobs"].map(
        (table) => server.core.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
      );
    const before = rows();
    const name = aName();
    expect((await registry("PUT", `ada/npm/${name}`, ada, { ...Object(npm(name).body), versions: {} })).status).toBe(
      400,
    );
    expect((await registry("PUT", "ada/go/upload", ada, "no zip")).status).toBe(400);
    expect((await registry("PUT", `ada/generic/${name}/1.0/..`, ada, "a")).status).toBeGreaterThanOrEqual(400);
    expect(rows()).toEqual(before);
  });

  test("two at once: one is published, the other is told that it is there", async () => {
    const name = aName();
    const answers = await Promise.all([1, 2, 3, 4].map(() => publish("npm", npm(name))));
    expect(answers.toSorted()).toEqual([201, 409, 409, 409]);
  });
});

describe("downloads", () => {
  test("are counted once each, and looking is none", async () => {
    const name = aName();
    await publish("generic", generic(name));
    const at = `ada/generic/${name}/1.0/kit.bin`;
    await registry("GET", at);
    await registry("GET", at);
    await registry("HEAD", at);
    // The rest of a download that was broken off.
    await registry("GET", at, undefined, undefined, { headers: { range: "bytes=1-" } });
    const { packages, packagesAccess } = server.services;
    const seen = packagesAccess.see(anonymous, "ada");
    if (!seen) throw new Error("everyone sees ada's packages");
    expect(packages.downloads(packages.version(seen, "generic", name, "1.0"))).toBe(2);
  });

  test("parts, conditions, and nothing a browser would run", async () => {
    const name = aName();
    await publish("generic", generic(name, "1.0", "a page.html", "<script>1</script>"));
    const at = `ada/generic/${name}/1.0/a%20page.html`;
    const whole = await registry<unknown>("GET", at);
    expect(whole.headers.get("content-type")).toBe("application/octet-stream");
    expect(whole.headers.get("content-disposition")).toStartWith("attachment");
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    expect(whole.headers.get("content-security-policy")).toContain("sandbox");
    const with_ = (headers: Record<string, string>) => registry<unknown>("GET", at, undefined, undefined, { headers });
    const part = await with_({ range: "bytes=0-7" });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "<script>", "bytes 0-7/18"]);
    expect((await with_({ range: "bytes=99-" })).status).toBe(416);
    expect((await with_({ "if-none-match": whole.headers.get("etag") ?? "" })).status).toBe(304);
    expect((await with_({ "if-modified-since": whole.headers.get("last-modified") ?? "" })).status).toBe(304);
  });
});

describe("deleting", () => {
  test("the last file takes the version along, the last version the package", async () => {
    const name = aName();
    await publish("generic", generic(name, "1.0", "a"));
    await publish("generic", generic(name, "1.0", "b", "b"));
    const remove = (file: string) => registry("DELETE", `ada/generic/${name}/1.0/${file}`, ada);
    expect((await remove("a")).status).toBe(204);
    expect((await api("GET", `/packages/ada/generic/${name}/1.0`, ada)).status).toBe(200);
    expect((await remove("b")).status).toBe(204);
    expect((await remove("b")).status).toBe(404);
    for (const at of ["", "/1.0", "/-/latest"])
      expect((await api("GET", `/packages/ada/generic/${name}${at}`, ada)).status).toBe(404);
  });

  test("a whole package, which may then be published again", async () => {
    const name = aName();
    for (const version of ["1.0.0", "2.0.0"]) await publish("npm", npm(name, version));
    expect((await api("DELETE", `/packages/ada/npm/${name}`, ada)).status).toBe(204);
    expect((await api("DELETE", `/packages/ada/npm/${name}`, ada)).status).toBe(404);
    expect(await publish("npm", npm(name))).toBe(201);
  });

  test("a state that is locked, and the newest version of one, stay", async () => {
    const name = aName();
    await publish("terraform", terraform(name, 1));
    await publish("terraform", terraform(name, 2));
    const remove = (version: string) => api("DELETE", `/packages/ada/terraform/${name}${version}`, ada);
    expect([(await remove("/2")).status, (await remove("/2")).body["message"]]).toEqual([
      422,
      "the latest version of a Terraform state cannot be deleted",
    ]);
    await registry("POST", `ada/terraform/state/${name}/lock`, ada, { ID: "one" });
    expect([(await remove("/1")).status, (await remove("")).status]).toEqual([422, 422]);
    await registry("DELETE", `ada/terraform/state/${name}/lock`, ada, { ID: "one" });
    expect([(await remove("/1")).status, (await remove("")).status]).toEqual([204, 204]);
  });

  test("an account that has packages stays until it has none, or until they go along", async () => {
    const root = await aUser(server, { isAdmin: true });
    const [kept, gone] = [await aUser(server), await aUser(server)];
    for (const owner of [kept, gone]) await publish("generic", generic("kit"), owner);
    expect((await api("DELETE", `/admin/users/${kept.login}`, root)).status).toBe(422);
    await api("DELETE", `/packages/${kept.login}/generic/kit`, kept);
    expect((await api("DELETE", `/admin/users/${kept.login}`, root)).status).toBe(204);
    expect((await api("DELETE", `/admin/users/${gone.login}?purge=true`, root)).status).toBe(204);
    const left = server.core.db.query<{ n: number }>("SELECT count(*) AS n FROM packages WHERE owner_id = ?");
    expect(left.get(gone.user.id)?.n).toBe(0);
  });
});

describe("links to repositories", () => {
  const link = (name: string, repo: string, who: TestUser, owner = "ada") =>
    api("POST", `/packages/${owner}/generic/${name}/-/link/${repo}`, who);
  const unlink = (name: string, who: TestUser) => api("POST", `/packages/ada/generic/${name}/-/unlink`, who);

  test("one at a time, of the same owner, by who may write to both", async () => {
    const [name, repo, other] = [aName(), aRepo(server, ada.user).name, aRepo(server, ada.user).name];
    await publish("generic", generic(name));
    expect((await link(name, "nothing", ada)).status).toBe(404);
    expect((await link(name, aRepo(server, bob.user).name, ada)).status).toBe(404);
    expect((await link(name, repo, bob)).status).toBe(403);
    expect((await link(aName(), repo, ada)).status).toBe(404);
    expect((await unlink(name, ada)).status).toBe(400);
    expect([(await link(name, repo, ada)).status, (await link(name, other, ada)).status]).toEqual([201, 400]);
    const { body } = await api("GET", `/packages/ada/generic/${name}/1.0`, bob);
    expect((body["repository"] as Json)["full_name"]).toBe(`ada/${repo}`);
    expect((await unlink(name, bob)).status).toBe(403);
    expect((await unlink(name, ada)).status).toBe(204);
    expect((await api("GET", `/packages/ada/generic/${name}/1.0`, bob)).body["repository"]).toBeNull();
  });

  test("the package stays when its repository goes, or goes to someone else", async () => {
    const [name, gone] = [aName(), aName()];
    const organization = anOrganization(server, ada.user);
    const [moving, deleted] = [aRepo(server, ada.user).name, aRepo(server, ada.user).name];
    for (const [of, repo] of [
      [name, moving],
      [gone, deleted],
    ] as const) {
      await publish("generic", generic(of));
      expect((await link(of, repo, ada)).status).toBe(201);
    }
    const transfer = await api("POST", `/repos/ada/${moving}/transfer`, ada, { new_owner: organization.login });
    expect(transfer.status).toBe(202);
    expect((await api("DELETE", `/repos/ada/${deleted}`, ada)).status).toBe(204);
    for (const of of [name, gone]) {
      const { body, status } = await api("GET", `/packages/ada/generic/${of}/1.0`, bob);
      expect([status, body["repository"]]).toEqual([200, null]);
    }
  });
});

test("a former name of the owner leads to the packages, whose addresses are those of the present one", async () => {
  const root = await aUser(server, { isAdmin: true });
  const owner = await aUser(server);
  await publish("npm", npm("kit"), owner);
  const now = `${owner.login}-now`;
  expect((await api("POST", `/admin/users/${owner.login}/rename`, root, { new_username: now })).status).toBe(204);
  const { body } = await registry<{ versions: Record<string, { dist: { tarball: string } }> }>("GET", `${now}/npm/kit`);
  expect(body.versions["1.0.0"]?.dist.tarball).toContain(`/api/packages/${now}/npm/kit/-/`);
  const page = await call(server, "GET", `/${owner.login}/-/packages`);
  expect([page.status, page.headers.get("location")]).toEqual([307, expect.stringContaining(`/${now}/-/packages`)]);
});

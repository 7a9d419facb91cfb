import { describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import { anApi, aRepo, aToken, call, type Json } from "../../builders.ts";
import { tgz } from "./archives.ts";
import { aName, aRegistry, type Bytes, hash, sharedWorld } from "./world.ts";

/** Recipes and binaries of Conan, by both versions of its protocol (contract packages.md 9.14). */

const world = sharedWorld();
const registry = aRegistry(() => world.server);
const api = anApi(() => world.server);

const RECIPE = `class One(ConanFile):
    name = "one"
    author = 'Ann'
    license = "MIT"
    url = "https://example.org/one.git"
    homepage = "javascript:alert(1)"
    description = "First of all"
    topics = ("a", 'b',
              "c")
`;
const INFO = `[settings]
    os=Linux
    arch=x86_64
[options]
    shared=False
[requires]
    other/1.0
[env]
    PATH=["a", "b"]
    ONE=1
[recipe_hash]
    abc
`;

const of = (rest: string) => `ada/conan${rest}`;
const get = <Body = Json>(rest: string) => registry<Body>("GET", of(rest));
const put = async (rest: string, body: Bytes, headers: Record<string, string> = {}) =>
  (await registry("PUT", of(rest), world.ada, body, { headers })).status;
const remove = async (rest: string, who = world.ada) => (await registry("DELETE", of(rest), who)).status;
const v2 = (reference: string, rest: string) => `/v2/conans/${reference}${rest}`;
const v1 = (reference: string, rest: string) => `/v1/conans/${reference}${rest}`;
const aReference = (of = "_/_") => `${aName("lib")}/1.0/${of}`;

async function aRecipe(reference: string, revision: string, text = RECIPE): Promise<void> {
  expect(await put(v2(reference, `/revisions/${revision}/files/conanfile.py`), text)).toBe(201);
  expect(await put(v2(reference, `/revisions/${revision}/files/conanmanifest.txt`), revision)).toBe(201);
}
async function aBinary(reference: string, path: string, info = INFO): Promise<void> {
  const [revision = "", binary = "", own = ""] = path.split("/");
  const at = `/revisions/${revision}/packages/${binary}/revisions/${own}/files`;
  expect(await put(v2(reference, `${at}/conaninfo.txt`), info)).toBe(201);
  expect(await put(v2(reference, `${at}/conan_package.tgz`), tgz([["one", own]]))).toBe(201);
}
const revisionsAt = async (at: string) =>
  (await get<{ revisions: { revision: string }[] }>(at)).body.revisions.map(({ revision }) => revision);

describe("clients with revisions", () => {
  test("what is uploaded last is the latest, of recipes and of binaries", async () => {
    const reference = aReference();
    for (const revision of ["r1", "r10", "r2"]) await aRecipe(reference, revision);
    for (const path of ["r2/p/b1", "r2/p/b2", "r1/p/b3"]) await aBinary(reference, path);
    // A binary of an older recipe makes that none newer.
    expect((await get(v2(reference, "/latest"))).body["revision"]).toBe("r2");
    expect(await revisionsAt(v2(reference, "/revisions"))).toEqual(["r2", "r10", "r1"]);
    const binary = v2(reference, "/revisions/r2/packages/p");
    expect((await get(`${binary}/latest`)).body["revision"]).toBe("b2");
    expect(await revisionsAt(`${binary}/revisions`)).toEqual(["b2", "b1"]);
    const { body, headers } = await get(v2(reference, "/revisions/r2/files"));
    expect([body, headers.get("content-type")]).toEqual([
      { files: { "conanfile.py": null, "conanmanifest.txt": null } },
      "application/json",
    ]);
    expect((await get(`${binary}/revisions/b1/files/conaninfo.txt`)).text).toBe(INFO);
    // Another content of the same file makes its revision the newest.
    expect(await put(v2(reference, "/revisions/r1/files/conanfile.py"), `${RECIPE}# newer\n`)).toBe(201);
    expect((await get(v2(reference, "/latest"))).body["revision"]).toBe("r1");
    const { time } = (await get<{ time: string }>(v2(reference, "/latest"))).body;
    expect(new Date(time).toISOString()).toBe(time);
    for (const rest of ["/latest", "/revisions", "/search", "/revisions/r1/search", "/revisions/r1/files"])
      expect([rest, (await get(v2(aReference(), rest))).status]).toEqual([rest, 404]);
    for (const rest of ["/revisions/r9/files", "/revisions/r9/search", "/revisions/r2/packages/q/latest"])
      expect([rest, (await get(v2(reference, rest))).status]).toEqual([rest, 404]);
  });

  test("binaries are described as their newest revision says", async () => {
    const reference = aReference();
    await aRecipe(reference, "r1");
    await aBinary(reference, "r1/p1/b1", "[settings]\nos=Old\n");
    await aBinary(reference, "r1/p1/b2");
    await aBinary(reference, "r1/p2/b1", "");
    const described = {
      settings: { os: "Linux", arch: "x86_64" },
      full_settings: {},
      requires: ["other/1.0"],
      full_requires: [],
      options: { shared: "False" },
      full_options: {},
      recipe_hash: "abc",
      environment: { PATH: ["a", "b"], ONE: ["1"] },
      content: INFO,
    };
    const empty = { settings: {}, requires: [], recipe_hash: "", environment: {}, content: "" };
    for (const at of [v2(reference, "/search"), v2(reference, "/revisions/r1/search"), v1(reference, "/search")]) {
      const { body, headers } = await get(at);
      expect(body).toEqual({ p1: described, p2: expect.objectContaining(empty) });
      expect(headers.get("content-type")).toBe("application/json");
    }
    expect((await get(v2(reference, "/search?list_only=True"))).body).toEqual({ p1: {}, p2: {} });
    await aRecipe(reference, "r2");
    expect((await get(v2(reference, "/search"))).body).toEqual({});
    expect(Object.keys((await get(v1(reference, "/search"))).body).sort()).toEqual(["p1", "p2"]);
  });

  test("deletions take what is named and what is below it; the version goes with its last file", async () => {
    const [reference, other] = [aReference(), aReference("team/stable")];
    const name = reference.split("/")[0] ?? "";
    const second = other.replace(/^\w+/, name);
    for (const revision of ["r1", "r10"]) {
      await aRecipe(reference, revision);
      for (const path of ["p1/b1", "p1/b2", "p2/b1"]) await aBinary(reference, `${revision}/${path}`);
    }
    await aRecipe(second, "r1");
    const at = (rest: string) => v2(reference, `/revisions/r1${rest}`);
    expect(await remove(at("/packages/p1/revisions/b1"), world.bob)).toBe(401);
    expect(await remove(at("/packages/p1/revisions/b1"))).toBe(200);
    expect(await revisionsAt(at("/packages/p1/revisions"))).toEqual(["b2"]);
    expect(await remove(at("/packages/p1"))).toBe(200);
    expect(await remove(at("/packages/p1"))).toBe(404);
    expect(await remove(at("/packages"))).toBe(200);
    expect((await get(at("/packages/p2/latest"))).status).toBe(404);
    expect((await get(at("/files"))).status).toBe(200);
    expect(await remove(at(""))).toBe(200);
    expect(await revisionsAt(v2(reference, "/revisions"))).toEqual(["r10"]);
    expect(await revisionsAt(v2(reference, "/revisions/r10/packages/p1/revisions"))).toEqual(["b2", "b1"]);
    expect(await remove(v2(reference, ""))).toBe(200);
    expect(await remove(v2(reference, ""))).toBe(404);
    expect(await revisionsAt(v2(second, "/revisions"))).toEqual(["r1"]);
    expect((await api("GET", `/packages/ada/conan/${name}/1.0`, world.ada)).status).toBe(200);
    expect(await remove(v2(second, ""))).toBe(200);
    expect((await api("GET", `/packages/ada/conan/${name}/1.0`, world.ada)).status).toBe(404);
  });

  test("what a recipe says is read again with each upload, and downloads of it are counted", async () => {
    const reference = aReference();
    const name = reference.split("/")[0] ?? "";
    const file = v2(reference, "/revisions/r1/files/conanfile.py");
    const found = () => {
      const { packages, packagesAccess } = world.server.services;
      const seen = packagesAccess.see(asAccount(world.ada.user), "ada");
      if (!seen) throw new Error("everyone sees their own packages");
      const version = packages.version(seen, "conan", name, "1.0");
      return { metadata: version.metadata && JSON.parse(version.metadata), downloads: packages.downloads(version) };
    };
    expect(await put(v2(reference, "/revisions/r1/files/conan_export.tgz"), tgz([["one", "1"]]))).toBe(201);
    expect(found().metadata).toBeUndefined();
    expect(await put(file, RECIPE)).toBe(201);
    expect(found().metadata).toEqual({
      author: "Ann",
      project_url: "",
      repository_url: "https://example.org/one.git",
      license: "MIT",
      description: "First of all",
      keywords: ["a", "b", "c"],
    });
    expect(await put(file, 'license = "BSD"\n')).toBe(201);
    expect(found().metadata).toMatchObject({ license: "BSD", author: "", keywords: [] });
    await get(file);
    await registry("HEAD", of(file));
    await get(v2(reference, "/revisions/r1/files/conan_export.tgz"));
    expect(found().downloads).toBe(1);
  });
});

describe("clients without revisions", () => {
  const ids = async (reference: string) => Object.keys((await get(v1(reference, "/search"))).body);

  test("they are told where to upload and download, and may take files back", async () => {
    const reference = aReference("team/stable");
    const post = (rest: string, body: object | string, who = world.ada) =>
      registry("POST", of(v1(reference, rest)), who, body, { headers: { "content-type": "application/json" } });
    const sizes = { "conanfile.py": 1, "conan_sources.tgz": 1, "evil.txt": 1, "../conanfile.py": 1 };
    const recipe = await post("/upload_urls", sizes);
    const at = `${world.server.url}api/packages/ada/conan/v1/files/${reference}/0`;
    const recipeUrls = {
      "conanfile.py": `${at}/recipe/conanfile.py`,
      "conan_sources.tgz": `${at}/recipe/conan_sources.tgz`,
    };
    expect([recipe.body, recipe.headers.get("content-type")]).toEqual([recipeUrls, "application/json"]);
    const binary = await post("/packages/p1/upload_urls", { "conaninfo.txt": 1, "conanfile.py": 1 });
    expect(binary.body).toEqual({ "conaninfo.txt": `${at}/package/p1/0/conaninfo.txt` });
    for (const [path, body] of [
      [`/v1/files/${reference}/0/recipe/conanfile.py`, RECIPE],
      [`/v1/files/${reference}/0/recipe/conan_sources.tgz`, "sources"],
      [`/v1/files/${reference}/0/recipe/conanmanifest.txt`, "manifest"],
      [`/v1/files/${reference}/0/package/p1/0/conaninfo.txt`, INFO],
      [`/v1/files/${reference}/0/package/p1/0/conanmanifest.txt`, "of a binary"],
      [`/v1/files/${reference}/0/package/p2/0/conaninfo.txt`, INFO],
    ] as const)
      expect([path, await put(path, body)]).toEqual([path, 201]);
    expect((await get(v1(reference, ""))).body).toEqual({
      "conan_sources.tgz": hash("md5", "sources"),
      "conanfile.py": hash("md5", RECIPE),
      "conanmanifest.txt": hash("md5", "manifest"),
    });
    expect((await get(v1(reference, "/packages/p1"))).body).toEqual({
      "conaninfo.txt": hash("md5", INFO),
      "conanmanifest.txt": hash("md5", "of a binary"),
    });
    expect((await get(v1(reference, "/digest"))).body).toEqual({
      "conanmanifest.txt": `${at}/recipe/conanmanifest.txt`,
    });
    expect((await get(v1(reference, "/packages/p1/digest"))).body).toEqual({
      "conanmanifest.txt": `${at}/package/p1/0/conanmanifest.txt`,
    });
    expect((await get(v1(reference, "/packages/p2/digest"))).status).toBe(404);
    const urls = (await get<Record<string, string>>(v1(reference, "/packages/p1/download_urls"))).body;
    expect(await (await fetch(urls["conaninfo.txt"] ?? "")).text()).toBe(INFO);
    expect((await get(v1(reference, "/packages/p9/download_urls"))).status).toBe(404);

    expect((await post("/remove_files", { files: ["conan_sources.tgz", "other"] })).status).toBe(200);
    expect((await post("/remove_files", { files: ["conan_sources.tgz"] })).status).toBe(404);
    expect(Object.keys((await get(v1(reference, "/download_urls"))).body)).toEqual([
      "conanfile.py",
      "conanmanifest.txt",
    ]);
    expect((await post("/packages/delete", { package_ids: ["p1"] }, world.bob)).status).toBe(401);
    expect((await post("/packages/delete", { package_ids: ["p1", "p9"] })).status).toBe(200);
    expect(await ids(reference)).toEqual(["p2"]);
    expect((await post("/packages/delete", { package_ids: ["p1"] })).status).toBe(404);
    for (const body of ["", "[]", "{", '{"package_ids":"p2"}', '{"package_ids":[2]}'])
      expect([body, (await post("/packages/delete", body)).status]).toEqual([body, 400]);
    expect((await post("/packages/delete", { package_ids: [] })).status).toBe(200);
    expect(await ids(reference)).toEqual([]);
    expect(await remove(v1(reference, ""))).toBe(200);
    for (const rest of ["", "/digest", "/download_urls", "/search", "/packages/p1"])
      expect([rest, (await get(v1(reference, rest))).status]).toEqual([rest, 404]);
  });

  test("of what others upload they get the newest revision", async () => {
    const reference = aReference();
    await aRecipe(reference, "r1");
    await aBinary(reference, "r1/p1/b1");
    await aBinary(reference, "r1/p1/b2");
    await aRecipe(reference, "r2", `${RECIPE}# newer\n`);
    expect((await get(v1(reference, ""))).body["conanfile.py"]).toBe(hash("md5", `${RECIPE}# newer\n`));
    const urls = (await get<Record<string, string>>(v1(reference, "/packages/p1/download_urls"))).body;
    expect(urls["conaninfo.txt"]).toEndWith(`/v1/files/${reference}/r1/package/p1/b2/conaninfo.txt`);
  });
});

test("search takes patterns of each part", async () => {
  const name = aName("Find");
  for (const rest of ["1.0/_/_", "1.0/team/stable", "2.0-RC/Team/stable"]) await aRecipe(`${name}/${rest}`, "r1");
  const all = [`${name}/1.0`, `${name}/1.0@team/stable`, `${name}/2.0-RC@Team/stable`];
  for (const api of ["v1", "v2"])
    for (const [query, found] of [
      [name, all],
      [name.toLowerCase(), all],
      [`${name}/*`, all],
      [`*${name.slice(2)}/2.0-rc`, all.slice(2)],
      [`${name}/1.0@`, all.slice(0, 2)],
      [`${name}/*@*/stable`, all.slice(1)],
      [`${name}/*@team/*`, all.slice(1, 2)],
      [`${name}/*@_/_`, all.slice(0, 1)],
      [`${name}/1.0@team/stable`, all.slice(1, 2)],
      [`${name}/3.0`, []],
      [name.slice(0, -1), []],
      [`${name}[`, []],
      [`%`, []],
      [`${name}*${"a*".repeat(2000)}`, []],
    ] as const) {
      const { body, status } = await get(`/${api}/conans/search?q=${encodeURIComponent(query)}`);
      expect([query, status, body]).toEqual([query, 200, { results: found }]);
    }
  for (const all of ["", "?q=", "?q=*"])
    expect((await get<{ results: string[] }>(`/v2/conans/search${all}`)).body.results).toContain(`${name}/1.0`);
});

test("a client asks what the server knows, and logs in for a token that may no more than it did", async () => {
  const { ada, server } = world;
  const scoped = (scope: string) => ({ token: aToken(server, ada.user, [scope]) });
  for (const version of ["v1", "v2"]) {
    const ping = await get(`/${version}/ping`);
    expect([ping.status, ping.headers.get("x-conan-server-capabilities")]).toEqual([200, "revisions"]);
    for (const what of ["authenticate", "check_credentials"]) {
      const path = `/${version}/users/${what}`;
      const visitor = await get(path);
      expect([visitor.status, visitor.headers.get("www-authenticate")]).toEqual([
        401,
        expect.stringMatching(/^Basic /),
      ]);
      expect((await registry("GET", of(path), scoped("read:issue"))).status).toBe(403);
      expect((await registry("GET", of(path), scoped("read:package"))).status).toBe(200);
    }
  }
  expect((await registry("GET", "nobody/conan/v1/ping")).status).toBe(404);
  const file = v2(aReference(), "/revisions/r1/files/conanfile.py");
  for (const [scope, status] of [
    ["read:package", 401],
    ["write:package", 201],
  ] as const) {
    const { headers, text } = await registry("GET", of("/v2/users/authenticate"), scoped(scope));
    expect(headers.get("content-type")).toStartWith("text/plain");
    const authorization = `Bearer ${text}`;
    const check = await call(server, "GET", `/api/packages/${of("/v2/users/check_credentials")}`, {
      headers: { authorization },
    });
    expect(check.status).toBe(200);
    const sent = await registry("PUT", of(file), undefined, RECIPE, { headers: { authorization } });
    expect([scope, sent.status]).toEqual([scope, status]);
  }
});

test("what is no reference and no file of one is refused in the words of the protocol", async () => {
  const file = "/revisions/r1/files/conanfile.py";
  for (const reference of [
    "a/1.0/_/_",
    "a%20b/1.0/_/_",
    `${"n".repeat(52)}/1.0/_/_`,
    "lib/%20/_/_",
    "lib/1%0A0/_/_",
    `lib/${"1".repeat(256)}/_/_`,
    "lib/1.0/team/_",
    "lib/1.0/_/stable",
    "lib/1.0/t%7Cm/stable",
    "..%2Flib/1.0/_/_",
  ])
    for (const method of ["GET", "PUT"] as const) {
      const { body, status } = await registry(
        method,
        of(v2(reference, file)),
        world.ada,
        method === "PUT" ? "x" : undefined,
      );
      expect([reference, status, body]).toEqual([
        reference,
        400,
        { message: "could not validate one or more reference fields" },
      ]);
    }
  const reference = aReference();
  const binary = "/revisions/r1/packages/p1/revisions/b1/files";
  const long = `metadata/${"l".repeat(600)}`;
  for (const rest of [
    "/revisions/r-1/files/conanfile.py",
    `/revisions/${"r".repeat(52)}/files/conanfile.py`,
    "/revisions/r1/packages/p_1/revisions/b1/files/conaninfo.txt",
    "/revisions/r1/files/evil.txt",
    "/revisions/r1/files/conaninfo.txt",
    "/revisions/r1/files/conanfile.py.txt",
    "/revisions/r1/files/metadata",
    "/revisions/r1/files/metadata/..%2Fx",
    "/revisions/r1/files/metadata/%2e%2e/x",
    `/revisions/r1/files/${long}`,
    `${binary}/conanfile.py`,
    `${binary}/conan_export.tgz`,
  ])
    expect([rest, await put(v2(reference, rest), "x")]).toEqual([rest, 400]);
  for (const info of ["os=Linux\n[settings]\n", new Uint8Array([0x5b, 0xff, 0x5d]), "[a]\n".repeat(300_000)])
    expect(await put(v2(reference, `${binary}/conaninfo.txt`), info)).toBe(400);
  expect((await get(v2(reference, "/revisions"))).status).toBe(404);
  for (const name of ["conan_sources.tzst", "conan_export.txz", "metadata/logs/build.log"])
    expect([name, await put(v2(reference, `/revisions/r1/files/${name}`), name)]).toEqual([name, 201]);
  expect((await get(v2(reference, "/revisions/r1/files/metadata/logs/build.log"))).text).toBe(
    "metadata/logs/build.log",
  );
  const files = await get<{ files: object }>(v2(reference, "/revisions/r1/files"));
  expect(Object.keys(files.body.files)).toContain("metadata/logs/build.log");
});

test("a checksum that is announced has to fit, and nothing is stored that was only announced", async () => {
  const at = v2(aReference(), "/revisions/r1/files/conanfile.py");
  expect(await put(at, RECIPE, { "x-checksum-sha1": hash("sha1", "other") })).toBe(400);
  expect(await put(at, "", { "x-checksum-deploy": "true", "x-checksum-sha1": hash("sha1", RECIPE) })).toBe(404);
  expect((await get(at)).status).toBe(404);
  expect(await put(at, RECIPE, { "x-checksum-sha1": hash("sha1", RECIPE).toUpperCase() })).toBe(201);
  // The same once more, and then another content.
  expect(await put(at, RECIPE, { "x-checksum-deploy": "true", "x-checksum-sha1": hash("sha1", RECIPE) })).toBe(404);
  for (const text of [RECIPE, `${RECIPE}\n`]) {
    expect(await put(at, text)).toBe(201);
    expect((await get(at)).text).toBe(text);
  }
});

test("recipes of a private repository are there for its readers only", async () => {
  const { ada, bob, server } = world;
  const repo = aRepo(server, ada.user, { isPrivate: true }).name;
  const [hidden, shown] = [aReference(), aReference()];
  for (const reference of [hidden, shown]) {
    await aRecipe(reference, "r1");
    await aBinary(reference, "r1/p1/b1");
  }
  const name = hidden.split("/")[0] ?? "";
  expect((await api("POST", `/packages/ada/conan/${name}/-/link/${repo}`, ada)).status).toBe(201);
  const paths = [
    v2(hidden, "/latest"),
    v2(hidden, "/revisions/r1/files/conanfile.py"),
    v2(hidden, "/revisions/r1/packages/p1/latest"),
    v2(hidden, "/search"),
    v1(hidden, "/download_urls"),
    v1(hidden, "/search"),
  ];
  for (const path of paths)
    for (const [who, status] of [
      [ada, 200],
      [bob, 404],
      [undefined, 401],
    ] as const)
      expect([path, (await registry("GET", of(path), who)).status]).toEqual([path, status]);
  for (const [who, found] of [
    [ada, true],
    [bob, false],
    [undefined, false],
  ] as const)
    for (const query of ["*", name]) {
      const { body } = await registry<{ results: string[] }>("GET", of(`/v2/conans/search?q=${query}`), who);
      expect(body.results.includes(`${name}/1.0`)).toBe(found);
    }
});

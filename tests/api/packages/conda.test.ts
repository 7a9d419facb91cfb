import { expect, test } from "bun:test";
import { bunzipped } from "../../../src/packages/registries/archives/bunzip.ts";
import { bzip2 } from "../../../src/packages/registries/archives/bzip2.ts";
import { anApi, aRepo, aUser, type Json } from "../../builders.ts";
import { type Entry, tar, zip } from "./archives.ts";
import { aPackage, infoOf, packed } from "./conda-package.ts";
import { aName, aRegistry, type Bytes, hash, sharedWorld } from "./world.ts";

/** Packages of Conda (contract packages.md 9.15). */

const world = sharedWorld();
const registry = aRegistry(() => world.server);
const api = anApi(() => world.server);

const put = async (path: string, content: Bytes, who = world.ada) =>
  (await registry("PUT", `${who.login}/conda/${path}`, who, content)).status;
const indexAt = async (path: string, owner = "ada") =>
  (
    await registry<{ info: Json; packages: Json; "packages.conda": Json; removed: unknown[] }>(
      "GET",
      `${owner}/conda/${path}`,
    )
  ).body;

test("a package is in the index of its platform with all that clients go by, and comes back", async () => {
  const owner = await aUser(world.server);
  const more = {
    license: "MIT",
    license_family: "Free",
    timestamp: 1_700_000_000_000,
    constrains: ["other <2"],
    track_features: "fast",
    noarch: "",
  };
  const { content, file } = aPackage("one", "1.0", more);
  expect(await put(file, content, owner)).toBe(201);
  const generic = aPackage("two", "1!2.0+local", { subdir: "noarch", noarch: true, depends: 7, build_number: "x" });
  expect(await put("anything.conda", generic.content, owner)).toBe(201);
  const entry = {
    name: "one",
    version: "1.0",
    subdir: "linux-64",
    timestamp: 1_700_000_000_000,
    build: "h1_0",
    build_number: 1,
    depends: ["python >=3"],
    license: "MIT",
    license_family: "Free",
    constrains: ["other <2"],
    track_features: "fast",
    md5: hash("md5", content),
    sha256: hash("sha256", content),
    size: content.length,
  };
  for (const name of ["repodata.json", "current_repodata.json"])
    expect(await indexAt(`linux-64/${name}`, owner.login)).toEqual({
      info: { subdir: "linux-64" },
      packages: {},
      "packages.conda": { [file]: entry },
      removed: [],
    });
  const { "packages.conda": found } = await indexAt("noarch/repodata.json", owner.login);
  expect(found).toEqual({
    [generic.file]: {
      name: "two",
      version: "1!2.0+local",
      noarch: "generic",
      subdir: "noarch",
      timestamp: 0,
      build: "h1_0",
      build_number: 0,
      depends: [],
      license: "",
      license_family: "",
      md5: hash("md5", generic.content),
      sha256: hash("sha256", generic.content),
      size: generic.content.length,
    },
  });
  const fetched = await fetch(`${world.server.url}api/packages/${owner.login}/conda//linux-64/${file}`);
  expect(hash("md5", new Uint8Array(await fetched.arrayBuffer()))).toBe(hash("md5", content));
  for (const missing of [
    `noarch/${file}`,
    `${file}`,
    "repodata.json",
    "linux-64/repodata.json.zst",
    "linux-64/one.txt",
  ])
    expect([missing, (await registry("GET", `${owner.login}/conda/${missing}`)).status]).toEqual([missing, 404]);
});

test("older packages are one archive, in a list of their own", async () => {
  const owner = await aUser(world.server);
  const index = { name: "one", version: "1.0", build: "0", build_number: 0, subdir: "win-64", depends: [] };
  const put = async (entries: readonly Entry[], packed: Bytes = bzip2(tar(entries))) =>
    (await registry("PUT", `${owner.login}/conda/one-1.0-0.tar.bz2`, owner, packed)).status;
  // What describes it may come last, or without much ado.
  expect(await put([["lib/one", "1".repeat(300_000)], ...infoOf(index, { home: "https://example.org/" })])).toBe(201);
  expect(
    await put([
      ["info/index.json", JSON.stringify({ ...index, version: "2.0" })],
      ["lib/one", "1"],
    ]),
  ).toBe(201);
  const { packages, "packages.conda": newer } = await indexAt("win-64/repodata.json", owner.login);
  expect([Object.keys(packages), newer]).toEqual([["one-1.0-0.tar.bz2", "one-2.0-0.tar.bz2"], {}]);
  expect(packages["one-1.0-0.tar.bz2"]).toMatchObject({ name: "one", subdir: "win-64" });
  expect((await registry("GET", `${owner.login}/conda/win-64/one-1.0-0.tar.bz2`)).status).toBe(200);
  expect(await put(infoOf(index, {}))).toBe(409);
  expect(await put([["lib/one", "1"]])).toBe(400);
  expect(await put([], new TextEncoder().encode("BZh9 is no more than a beginning"))).toBe(400);
  expect(await put([], aPackage("one").content)).toBe(400);
});

test("channels are apart, and a platform without packages has an empty index", async () => {
  const owner = await aUser(world.server);
  const { content, file } = aPackage("one");
  for (const channel of ["", "team/", "team/stable/"]) expect(await put(`${channel}${file}`, content, owner)).toBe(201);
  const other = aPackage("two", "1.0", { build: "a-b" });
  expect(await put(`team%2Fstable/${other.file}`, other.content, owner)).toBe(201);
  const empty = { info: { subdir: "noarch" }, packages: {}, "packages.conda": {}, removed: [] };
  for (const [at, files] of [
    ["", [file]],
    ["team/", [file]],
    ["team/stable/", [file, other.file]],
  ] as const) {
    const { "packages.conda": found } = await indexAt(`${at}linux-64/repodata.json`, owner.login);
    expect([at, Object.keys(found)]).toEqual([at, [...files]]);
    expect(await indexAt(`${at}noarch/repodata.json`, owner.login)).toEqual(empty);
  }
  expect((await registry("GET", `${owner.login}/conda/team/stable/linux-64/${other.file}`)).status).toBe(200);
  expect((await registry("GET", `${owner.login}/conda/team/linux-64/${other.file}`)).status).toBe(404);
  const name = encodeURIComponent("team/stable/one");
  expect((await api("GET", `/packages/${owner.login}/conda/${name}/1.0`, owner)).status).toBe(200);
  expect((await api("DELETE", `/packages/${owner.login}/conda/${name}`, owner)).status).toBe(204);
  const { "packages.conda": left } = await indexAt("team/stable/linux-64/repodata.json", owner.login);
  expect(Object.keys(left)).toEqual([other.file]);
});

test("an index comes packed as well, and only when it is another one", async () => {
  const owner = await aUser(world.server);
  const at = `${owner.login}/conda/linux-64/repodata.json`;
  const ask = (path: string, method = "GET", headers: Record<string, string> = {}) =>
    fetch(`${world.server.url}api/packages/${path}`, { method, headers });
  for (const name of ["one", "two"]) {
    const { content, file } = aPackage(name);
    expect(await put(file, content, owner)).toBe(201);
    const answer = await ask(`${at}.bz2`);
    expect(answer.headers.get("content-type")).toBe("application/x-bzip2");
    const chunks = await Array.fromAsync(bunzipped(new Blob([await answer.bytes()]).stream(), 1 << 20));
    expect(Buffer.concat(chunks).toString()).toBe(await (await ask(at)).text());
    const etag = answer.headers.get("etag") ?? "";
    for (const [path, method, status] of [
      [at, "GET", 304],
      [`${at}.bz2`, "GET", 304],
      [`${at}.bz2`, "HEAD", 304],
    ] as const)
      expect((await ask(path, method, { "if-none-match": etag })).status).toBe(status);
    const head = await ask(`${at}.bz2`, "HEAD");
    expect([head.status, head.headers.get("etag")]).toEqual([200, etag]);
  }
  expect((await ask(at, "GET", { "if-none-match": '"other"' })).status).toBe(200);
});

test("a build is there once, another one of the same version beside it", async () => {
  const name = aName();
  const { content, file } = aPackage(name);
  expect((await registry("PUT", `ada/conda/${file}`, world.bob, content)).status).toBe(401);
  expect(await put(file, content)).toBe(201);
  const again = await registry("PUT", `ada/conda/${file}`, world.ada, content);
  expect([again.status, again.body]).toEqual([409, { reason: "Conflict", message: "package file already exists" }]);
  for (const more of [{ build: "h2_1" }, { subdir: "noarch", noarch: "python" }] as Json[])
    expect(await put(file, aPackage(name, "1.0", more).content)).toBe(201);
  const files = await api<unknown[]>("GET", `/packages/ada/conda/${name}/1.0/files`, world.ada);
  expect(files.body).toHaveLength(3);
});

test("what is no package is refused", async () => {
  const index = { name: "one", version: "1.0", build: "h1_0", subdir: "linux-64" };
  const info = (given: object | string) => packed(infoOf(given, {}));
  const structure = "package structure is invalid";
  for (const [what, content, message] of [
    ["an upper-case name", info({ ...index, name: "One" }), "package name is invalid"],
    ["a name with a sign", info({ ...index, name: "o!e" }), "package name is invalid"],
    ["a name that goes elsewhere", info({ ...index, name: "../one" }), "package name is invalid"],
    ["no name", info({ ...index, name: 7 }), "package name is invalid"],
    ["a version with a dash", info({ ...index, version: "1-0" }), "package version is invalid"],
    ["a version with a blank", info({ ...index, version: "1 0" }), "package version is invalid"],
    ["no version", info({ ...index, version: "" }), "package version is invalid"],
    ["a build with a slash", info({ ...index, build: "../h" }), structure],
    ["a platform with a slash", info({ ...index, subdir: "linux/64" }), structure],
    ["no platform", info({ ...index, subdir: null }), structure],
    ["no object", info("[]"), structure],
    ["no JSON", info("{"), structure],
    ["no index", packed([["info/about.json", "{}"]]), structure],
    ["a zip without descriptions", zip([["metadata.json", "{}"]]), structure],
    ["descriptions that are not packed", zip([["info-one.tar.zst", tar(infoOf(index, {}))]]), undefined],
    ["a long index", info(`{"name":"one","x":"${"x".repeat(2 << 20)}"}`), undefined],
    ["half of it", info(index).subarray(0, 300), undefined],
    ["a text", "one", undefined],
    ["nothing", "", undefined],
  ] as const) {
    const { body, status } = await registry("PUT", "ada/conda/one.conda", world.ada, content);
    expect([what, status, body]).toEqual([
      what,
      400,
      { reason: "Bad Request", message: message ?? expect.any(String) },
    ]);
  }
  const { content } = aPackage(aName());
  for (const path of ["one.zip", "one", "%2e%2e%2Fa/one.conda", "a%0Ab/one.conda", `${"c".repeat(300)}/one.conda`])
    expect([path, await put(path, content)]).toEqual([path, 400]);
  expect(await put("broken.conda", aPackage(aName(), "1.0", {}, { home: ["https://example.org"] }).content)).toBe(201);
});

test("packages of a private repository are in the index of its readers only", async () => {
  const { ada, bob, server } = world;
  const repo = aRepo(server, ada.user, { isPrivate: true }).name;
  const { content, file } = aPackage(aName());
  expect(await put(`hidden/${file}`, content)).toBe(201);
  const name = encodeURIComponent(`hidden/${file.split("-")[0]}`);
  expect((await api("POST", `/packages/ada/conda/${name}/-/link/${repo}`, ada)).status).toBe(201);
  for (const [who, files, status] of [
    [ada, [file], 200],
    [bob, [], 404],
    [undefined, [], 401],
  ] as const) {
    const { body } = await registry<{ "packages.conda": Json }>("GET", "ada/conda/hidden/linux-64/repodata.json", who);
    expect(Object.keys(body["packages.conda"])).toEqual([...files]);
    expect((await registry("GET", `ada/conda/hidden/linux-64/${file}`, who)).status).toBe(status);
  }
});

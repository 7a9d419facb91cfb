import { beforeAll, expect, test } from "bun:test";
import { aUser, call, type TestUser } from "../../builders.ts";
import { type Entry, zip } from "./archives.ts";
import { sharedWorld } from "./world.ts";

/** Packages of .NET (contract packages.md 9.8). */

const world = sharedWorld();
beforeAll(async () => {
  await aUser(world.server, { login: "hidden", visibility: "private" });
});

const BASE = "/api/packages/ada/nuget";
const base = () => `${world.server.url.slice(0, -1)}${BASE}`;
const get = <Body>(path: string, token?: string) => call<Body>(world.server, "GET", `${BASE}${path}`, { token });
const push = (body: string | Uint8Array, path = "", who: TestUser = world.ada) =>
  call(world.server, "PUT", `${BASE}${path}`, { headers: { "x-nuget-apikey": who.token }, body });

const aNuspec = (id: string, version: string, more = "") =>
  `<?xml version="1.0" encoding="utf-8"?><package xmlns="x"><metadata minClientVersion="2.12"><id>${id}</id>
  <version>${version}</version><authors>An &amp; Author</authors><description>d</description>${more}</metadata></package>`;
const aPackage = (id: string, version: string, more = "", others: readonly Entry[] = []) =>
  zip([[`${id}.nuspec`, aNuspec(id, version, more)], ...others]);
const SYMBOLS = '<packageTypes><packageType name="SymbolsPackage"/></packageTypes>';

const GUID = Uint8Array.from({ length: 16 }, (_, at) => at + 1);
const KEY = "0403020106050807090a0b0c0d0e0f10";

/** A portable PDB that has nothing but its id. */
function aPdb(): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(0x424a5342, 0);
  head.writeUInt32LE(4, 12);
  const streams = Buffer.alloc(4 + 8 + 8);
  streams.writeUInt16LE(1, 2);
  streams.writeUInt32LE(40, 4);
  streams.write("#Pdb", 12);
  return new Uint8Array(Buffer.concat([head, Buffer.from("v1\0\0"), streams, GUID]));
}

test("what the services are is told to everyone, whatever credentials they send", async () => {
  const { body } = await get<{ resources: { "@id": string; "@type": string }[] }>("/index.json");
  const services = new Map(body.resources.map((each) => [each["@type"], each["@id"]]));
  expect(services.get("PackageBaseAddress/3.0.0")).toBe(`${base()}/package`);
  expect(services.get("SymbolPackagePublish/4.9.0")).toBe(`${base()}/symbolpackage`);
  for (const path of ["/index.json", "/", "/$metadata"]) {
    const wrong = await call(world.server, "GET", `/api/packages/hidden/nuget${path}`, { token: "wrong" });
    expect([path, wrong.status]).toEqual([path, 200]);
    expect((await call(world.server, "GET", `/api/packages/nobody/nuget${path}`)).status).toBe(404);
  }
  expect((await call(world.server, "GET", "/api/packages/hidden/nuget/query")).status).toBe(401);
});

test("a package is pushed, described and fetched in any letter case", async () => {
  const dependencies = `<dependencies><group targetFramework="net6.0"><dependency id="Other" version="2.0.0"/>
    <dependency id="Nothing"/></group></dependencies><projectUrl>javascript:x</projectUrl><readme>docs\\R.md</readme>`;
  const content = aPackage("My.Lib", "1.2", dependencies, [["docs/R.md", "# Hello"]]);
  expect((await push(content)).status).toBe(201);
  const again = await push(content);
  expect([again.status, again.body]).toEqual([409, { Message: "package version already exists" }]);
  expect((await get("/package/my.lib/index.json")).body).toEqual({ versions: ["1.2.0"] });
  const fetched = await fetch(`${base()}/package/my.lib/1.2.0/my.lib.1.2.0.nupkg`);
  expect(Buffer.from(await fetched.arrayBuffer())).toEqual(content);
  expect((await get("/package/my.lib/1.2.0/my.lib.nuspec")).text).toBe(aNuspec("My.Lib", "1.2", dependencies));
  const leaf = await get<{ catalogEntry: unknown }>("/registration/MY.LIB/1.2.json");
  expect(leaf.body.catalogEntry).toMatchObject({
    id: "My.Lib",
    version: "1.2.0",
    authors: "An & Author",
    projectUrl: "",
    dependencyGroups: [{ targetFramework: "net6.0", dependencies: [{ id: "Other", range: "2.0.0" }] }],
    packageContent: `${base()}/package/My.Lib/1.2.0/My.Lib.1.2.0.nupkg`,
  });
});

test.each([
  ["1", "1.0.0"],
  ["1.2.3.0", "1.2.3"],
  ["1.2.3.4", "1.2.3.4"],
  ["2.0.0-beta+build", "2.0.0-beta"],
])("the version %s is %s", async (sent, kept) => {
  expect((await push(aPackage("Versions", sent))).status).toBe(201);
  expect((await get(`/registration/versions/${kept}.json`)).status).toBe(200);
});

test("search and registration have versions in their order", async () => {
  for (const version of ["1.10.0", "1.9.0", "2.0.0-beta.1"]) await push(aPackage("Found.It", version));
  await push(aPackage("Found.Beta", "1.0.0-beta"));
  interface Result {
    readonly totalHits: number;
    readonly data: readonly { id: string; version: string; versions: readonly { version: string }[] }[];
  }
  const search = async (query: string) => {
    const { data, totalHits } = (await get<Result>(`/query?${query}`)).body;
    return [totalHits, data.map(({ id, version, versions }) => [id, version, versions.length])];
  };
  expect(await search("q=FOUND.")).toEqual([
    2,
    [
      ["Found.Beta", "1.0.0-beta", 1],
      ["Found.It", "2.0.0-beta.1", 3],
    ],
  ]);
  expect(await search("q=found.&prerelease=false")).toEqual([1, [["Found.It", "1.10.0", 2]]]);
  expect(await search("q=found.i&semVerLevel=1.0.0")).toEqual([1, [["Found.It", "1.10.0", 2]]]);
  expect(await search("q=found.&skip=1&take=1")).toEqual([2, [["Found.It", "2.0.0-beta.1", 3]]]);
  expect(await search("q=found.&skip=-1&take=x")).toEqual([2, expect.any(Array)]);
  const { body } = await get<{ items: unknown[] }>("/registration/found.it/index.json");
  expect(body.items).toEqual([expect.objectContaining({ lower: "1.9.0", upper: "2.0.0-beta.1", count: 3 })]);
});

test("the older protocol has entries and feeds with their pages", async () => {
  for (const version of ["1.0.0", "1.1.0"]) await push(aPackage("Old", version, "<tags>&lt;b&gt;</tags>"));
  const feed = await get("/FindPackagesById()?id='old'&$top=1");
  expect(feed.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  const content = `${base()}/package/Old/1.0.0/Old.1.0.0.nupkg`;
  expect(feed.text).toContain(`<content type="application/zip" src="${content}"/>`);
  const [, next = ""] = /rel="next" href="([^"]+)"/.exec(feed.text) ?? [];
  const second = await fetch(next.replaceAll("&amp;", "&"));
  expect(await second.text()).toContain("<d:NormalizedVersion>1.1.0</d:NormalizedVersion>");
  for (const [path, count] of [
    ["FindPackagesById()/$count?id='old'", "2"],
    ["Packages()/$count?$filter=tolower(Id) eq 'old'", "1"],
    ["Packages%28%29/%24count?$filter=Id eq 'ol'", "0"],
    ["Search()/$count?searchTerm='ol'", "1"],
  ])
    expect([path, (await get(`/${path}`)).text]).toEqual([path, count]);
  const entry = await get("/Packages(Id='Old',Version='1.0')");
  expect(entry.text).toContain("<d:Tags>&lt;b&gt;</d:Tags>");
  expect(entry.text).toContain('<d:PackageSize m:type="Edm.Int64">');
  for (const path of ["Packages(Id='Old',Version='9')", "Packages(Id='Old')", "Delete()", "Old/$other"])
    expect([path, (await get(`/${path}`)).status]).toEqual([path, 404]);
});

test("symbols belong to a version and are found by their build", async () => {
  const symbols = (pdb: Uint8Array = aPdb(), name = "lib/One.pdb") => aPackage("Sym", "1.0.0", SYMBOLS, [[name, pdb]]);
  const tell = async (body: Uint8Array) => {
    const { status, text } = await push(body, "/symbolpackage");
    return [status, text === "" ? "" : JSON.parse(text).Message];
  };
  expect(await tell(symbols())).toEqual([404, "package does not exist"]);
  await push(aPackage("Sym", "1.0.0"));
  expect(await tell(symbols(aPdb(), "lib/one.dll"))).toEqual([400, "package contains invalid files"]);
  expect(await tell(aPackage("Sym", "1.0.0", SYMBOLS))).toEqual([400, "package does not contain PDB files"]);
  expect(await tell(symbols(Buffer.from("Microsoft C/C++ MSF")))).toEqual([400, "invalid Portable PDB magic number"]);
  for (const length of [16, 22, 30, 37, 41])
    expect(await tell(symbols(aPdb().subarray(0, length)))).toEqual([400, "missing PDB stream"]);
  expect(await tell(aPackage("Sym", "1.0.0"))).toEqual([400, "unexpected package type"]);
  expect((await push(symbols())).status).toBe(400);
  expect(await tell(symbols())).toEqual([201, ""]);
  expect(await tell(symbols())).toEqual([409, "package file already exists"]);
  const found = await fetch(`${base()}/symbols/one.pdb/${KEY.toUpperCase()}FFFFFFFF/One.pdb`);
  expect(new Uint8Array(await found.arrayBuffer())).toEqual(aPdb());
  expect((await get(`/symbols/one.pdb/${KEY}ffffffff/two.pdb`)).status).toBe(400);
  expect((await get(`/symbols/two.pdb/${KEY}ffffffff/two.pdb`)).status).toBe(404);
  expect((await get("/symbols/one.pdb/none/one.pdb")).status).toBe(404);
});

test("a version is deleted by who may write", async () => {
  await push(aPackage("Gone", "1.0.0"));
  const remove = (who: TestUser) => call(world.server, "DELETE", `${BASE}/gone/1.0`, { token: who.token });
  expect((await remove(world.bob)).status).toBe(401);
  expect((await remove(world.ada)).status).toBe(204);
  expect((await remove(world.ada)).status).toBe(404);
  expect((await get("/package/gone/index.json")).status).toBe(404);
});

const bomb = `<!DOCTYPE a [<!ENTITY b "${"b".repeat(100)}">]>${aNuspec("bad", "1.0.0", "&b;")}`;

test.each([
  ["no archive", "plain text", "the archive could not be read"],
  ["a broken archive", aPackage("bad", "1.0.0").subarray(0, 90), "the archive could not be read"],
  ["no description at the root", zip([["lib/bad.nuspec", aNuspec("bad", "1.0.0")]]), "Nuspec file is missing"],
  ["a large description", zip([["bad.nuspec", " ".repeat((3 << 20) + 1)]]), "Nuspec file is too large"],
  ["no XML", zip([["bad.nuspec", "<package>"]]), "Nuspec file is invalid"],
  ["long XML that breaks off", zip([["bad.nuspec", "<a>".repeat(100_000)]]), "Nuspec file is invalid"],
  ["declared entities", zip([["bad.nuspec", bomb]]), "Nuspec file is invalid"],
  ["bytes that are no text", zip([["bad.nuspec", new Uint8Array([0xff, 0xfe])]]), "Nuspec file is invalid"],
  ["another document", zip([["bad.nuspec", "<a/>"]]), "Nuspec file contains an invalid id"],
  ["a wrong id", aPackage("b d", "1.0.0"), "Nuspec file contains an invalid id"],
  ["a wrong version", aPackage("bad", "one"), "Nuspec file contains an invalid version"],
  ["five numbers", aPackage("bad", "1.2.3.4.5"), "Nuspec file contains an invalid version"],
])("%s is refused, and nothing is left", async (_, content, message) => {
  const refused = await push(content);
  expect([refused.status, refused.body]).toEqual([400, { Message: message }]);
  expect((await get("/package/bad/index.json")).status).toBe(404);
});

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { tgz, zip } from "./archives.ts";

/** Packages of R (contract packages.md 9.21). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  server = await aServer({ "packages.max_file_sizes": ["cran=1 MiB"] });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const description = (name: string, version: string, more = "") =>
  `Package: ${name}\nVersion: ${version}\nTitle: T\nLicense: MIT\n${more}`;
const aSource = (name: string, version = "1.0", more = "") =>
  tgz([
    [`${name}/inst/old/DESCRIPTION`, description("other", "9.9")],
    [`${name}/DESCRIPTION`, description(name, version, more)],
  ]);
const aBinary = (name: string, version = "1.0") => zip([[`${name}/DESCRIPTION`, description(name, version)]]);

const base = (owner: TestUser) => `/api/packages/${owner.login}/cran`;
const put = (path: string, body: Uint8Array | string, who: TestUser | undefined = ada, owner = ada) =>
  call<unknown>(server, "PUT", `${base(owner)}${path}`, { token: who.token, body });
const get = (path: string, owner = ada, token?: string) =>
  call<unknown>(server, "GET", `${base(owner)}${path}`, { token });
const md5 = (content: Uint8Array) => createHash("md5").update(content).digest("hex");
const versionsIn = (index: string) => [...index.matchAll(/^Package: (.*)\nVersion: (.*)$/gm)].map(([, n, v]) => [n, v]);

test("the index says of a source package what R asks, and the file comes back", async () => {
  const owner = await aUser(server);
  const one = await aSource(
    "one",
    "1.0-1",
    [
      "Author: Ann Author [aut, cre] (<https://orcid.org/1>),",
      "  Bob (of (somewhere)), Cy",
      "Depends: R (>= 3.5),",
      "\tmethods",
      "Imports: two (>= 1.0), three",
      "LinkingTo: cpp",
      "Suggests: testthat",
      "NeedsCompilation: yes",
      "URL: ftp://example.org, https://example.org/one",
      "Description: A package\u0007 of",
      "  two lines.",
      "Version: 9.9",
      "",
    ].join("\r\n"),
  );
  const two = await aSource("Two", "0.1");
  for (const content of [two, one]) expect((await put("/src", content, owner, owner)).status).toBe(201);
  const { headers, text } = await get("/src/contrib/PACKAGES", owner);
  expect(headers.get("content-type")).toStartWith("text/plain");
  expect(text).toBe(`Package: one
Version: 1.0-1
License: MIT
Depends: R (>= 3.5), methods
Imports: two (>= 1.0), three
LinkingTo: cpp
Suggests: testthat
NeedsCompilation: yes
MD5sum: ${md5(one)}

Package: Two
Version: 0.1
License: MIT
NeedsCompilation: no
MD5sum: ${md5(two)}
`);
  const packed = await fetch(`${server.url.slice(0, -1)}${base(owner)}/src/contrib/PACKAGES.gz`);
  expect(packed.headers.get("content-type")).toBe("application/x-gzip");
  expect(Buffer.from(Bun.gunzipSync(await packed.arrayBuffer())).toString()).toBe(text);
  for (const path of ["one_1.0-1.tar.gz", "Archive/one/one_1.0-1.tar.gz"]) {
    const file = await fetch(`${server.url.slice(0, -1)}${base(owner)}/src/contrib/${path}`);
    expect([path, md5(new Uint8Array(await file.arrayBuffer()))]).toEqual([path, md5(one)]);
  }
  for (const path of [
    "PACKAGES.rds",
    "PACKAGES.xz",
    "one_1.0-1.zip",
    "one_1.0.tar.gz",
    "one",
    "Archive/two/one_1.0-1.tar.gz",
  ])
    expect([path, (await get(`/src/contrib/${path}`, owner)).status]).toEqual([path, 404]);
  const page = await call<unknown>(server, "GET", `/${owner.login}/-/packages/cran/one/1.0-1`);
  for (const said of ["A package of two lines.", "https://example.org/one", `install.packages(&quot;one&quot;)`])
    expect(page.text).toContain(said);
});

test("the index has the highest version of each package, the others are fetched by name", async () => {
  const owner = await aUser(server);
  expect((await get("/src/contrib/PACKAGES", owner)).status).toBe(404);
  for (const version of ["1.9", "1.10", "1.10-1", "1.2"])
    await put("/src", await aSource("one", version), owner, owner);
  expect(versionsIn((await get("/src/contrib/PACKAGES", owner)).text)).toEqual([["one", "1.10-1"]]);
  expect((await get("/src/contrib/Archive/one/one_1.2.tar.gz", owner)).status).toBe(200);
  const path = `/api/v1/packages/${owner.login}/cran/one/1.10-1`;
  expect((await call(server, "DELETE", path, { token: owner.token })).status).toBe(204);
  expect(versionsIn((await get("/src/contrib/PACKAGES", owner)).text)).toEqual([["one", "1.10"]]);
  expect((await get("/src/contrib/one_1.10-1.tar.gz", owner)).status).toBe(404);
});

test("binaries are of a platform and a version of R", async () => {
  const owner = await aUser(server);
  const windows = aBinary("one");
  const mac = tgz([["one/DESCRIPTION", description("one", "1.0")]]);
  await put("/src", await aSource("one", "1.1"), owner, owner);
  for (const query of [
    "",
    "?platform=windows",
    "?rversion=4.2",
    "?platform=a/../b&rversion=4.2",
    "?platform=w&rversion=4%0A",
  ])
    expect([query, (await put(`/bin${query}`, windows, owner, owner)).status]).toEqual([query, 400]);
  expect((await put("/bin?platform=windows&rversion=4.2", windows, owner, owner)).status).toBe(201);
  const arm = "macosx/big-sur-arm64";
  expect((await put(`/bin?platform=${encodeURIComponent(arm)}&rversion=4.2`, mac, owner, owner)).status).toBe(201);
  for (const [platform, file, content] of [
    ["windows", "one_1.0.zip", windows],
    [arm, "one_1.0.tgz", mac],
  ] as const) {
    const place = `/bin/${platform}/contrib/4.2`;
    const { text } = await get(`${place}/PACKAGES`, owner);
    // The newer version has no binary there.
    expect([versionsIn(text), text]).toEqual([[["one", "1.0"]], expect.stringContaining(`MD5sum: ${md5(content)}`)]);
    const fetched = await fetch(`${server.url.slice(0, -1)}${base(owner)}${place}/${file}`);
    expect(md5(new Uint8Array(await fetched.arrayBuffer()))).toBe(md5(content));
    expect((await get(`/bin/${platform}/contrib/4.3/PACKAGES`, owner)).status).toBe(404);
  }
  expect((await get("/bin/windows/contrib/4.2/one_1.0.tgz", owner)).status).toBe(404);
  expect((await get("/bin/windows", owner)).status).toBe(404);
  expect(versionsIn((await get("/src/contrib/PACKAGES", owner)).text)).toEqual([["one", "1.1"]]);
});

test("a file is published once, by whoever may", async () => {
  const source = await aSource("once");
  expect((await put("/src", source)).status).toBe(201);
  const again = await put("/src", source);
  expect([again.status, again.text]).toEqual([409, "package file already exists\n"]);
  const stranger = await put("/src", await aSource("once", "1.1"), bob);
  expect([stranger.status, stranger.text]).toEqual([401, "reqPackageAccess\n"]);
  expect((await put("/bin?platform=windows&rversion=4.2", aBinary("once"))).status).toBe(201);
  expect((await put("/bin?platform=windows&rversion=4.2", aBinary("once"))).status).toBe(409);
  expect((await put("/bin?platform=windows&rversion=4.3", aBinary("once"))).status).toBe(201);
});

test("a package of a private repository is shown to nobody who may not read that", async () => {
  await put("/src", await aSource("hidden"));
  await put("/src", await aSource("seen"));
  const { name } = aRepo(server, ada.user, { isPrivate: true });
  await call(server, "POST", `/api/v1/packages/ada/cran/hidden/-/link/${name}`, { token: ada.token });
  const index = async (token?: string) => (await get("/src/contrib/PACKAGES", ada, token)).text;
  for (const token of [bob.token, undefined]) {
    expect(await index(token)).toContain("Package: seen\n");
    expect(await index(token)).not.toContain("hidden");
  }
  expect(await index(ada.token)).toContain("Package: hidden\n");
  const file = "/src/contrib/hidden_1.0.tar.gz";
  const statuses = [bob.token, undefined, ada.token].map(async (token) => (await get(file, ada, token)).status);
  expect(await Promise.all(statuses)).toEqual([404, 401, 200]);
});

test.each<[string, () => Promise<Uint8Array | string> | Uint8Array, number, string]>([
  ["a name that begins with a number", () => aSource("1bad"), 400, "package name is invalid"],
  ["a name with a dash", () => aSource("b-ad"), 400, "package name is invalid"],
  ["a name of one letter", () => aSource("b"), 400, "package name is invalid"],
  ["a version of one number", () => aSource("bad", "1"), 400, "package version is invalid"],
  ["a version with letters", () => aSource("bad", "1.0a"), 400, "package version is invalid"],
  ["no description", () => tgz([["bad/README", "x"]]), 400, "DESCRIPTION file is missing"],
  [
    "a description too deep",
    () => zip([["bad/R/DESCRIPTION", description("bad", "1.0")]]),
    400,
    "DESCRIPTION file is missing",
  ],
  ["an empty description", () => zip([["DESCRIPTION", ""]]), 400, "package name is invalid"],
  ["no archive", async () => "plain text", 400, "the archive could not be read"],
  ["nothing", async () => "", 400, "the archive could not be read"],
  [
    "an archive that breaks off",
    async () => (await aSource("bad")).subarray(0, 60),
    400,
    "the archive could not be read",
  ],
  ["a zip that breaks off", () => aBinary("bad").subarray(0, 60), 400, "the archive could not be read"],
  ["what is too large", () => new Uint8Array(2 << 20), 403, "maximum allowed package type size exceeded"],
])("%s is refused, and nothing is left", async (_, content, status, said) => {
  const refused = await put("/src", await content());
  expect([refused.status, refused.text]).toEqual([status, `${said}\n`]);
  expect((await get("/src/contrib/PACKAGES")).text).not.toMatch(/^Package: b/m);
});

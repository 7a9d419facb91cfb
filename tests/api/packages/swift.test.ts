import { expect, test } from "bun:test";
import { call, type TestUser } from "../../builders.ts";
import { type Entry, zip } from "./archives.ts";
import { aForm } from "./forms.ts";
import { sharedWorld } from "./world.ts";

/** Packages of Swift (contract packages.md 9.22). */

const world = sharedWorld();

const BASE = "/api/packages/ada/swift";
const PLAIN = "// swift-tools-version:5.7\nimport PackageDescription\n";
const OLDER = "// swift-tools-version: 5.6\nimport PackageDescription // older\n";
const anArchive = (entries: readonly Entry[] = [["lib/Package.swift", PLAIN]]) => zip(entries);
const accept = (kind: string) => ({ accept: `application/vnd.swift.registry.v1+${kind}` });
const get = <Body>(path: string, kind: string, token?: string) =>
  call<Body>(world.server, "GET", `${BASE}${path}`, { token, headers: accept(kind) });

interface Sent {
  readonly archive?: string | Uint8Array;
  readonly metadata?: unknown;
  readonly who?: TestUser;
  /** Of the archive's part; undefined: it has none. */
  readonly file?: string;
}

function publish(path: string, { archive = anArchive(), file, metadata = {}, who = world.ada }: Sent = {}) {
  const { body, headers } = aForm([
    { name: "source-archive", content: archive, ...(file === undefined ? {} : { file }) },
    { name: "metadata", content: typeof metadata === "string" ? metadata : JSON.stringify(metadata) },
  ]);
  return call(world.server, "PUT", `${BASE}${path}`, {
    token: who.token,
    body,
    headers: { ...headers, ...accept("json") },
  });
}

test("a release is published as its client does, described and fetched", async () => {
  const archive = anArchive([
    ["lib/Package.swift", PLAIN],
    ["lib/bytes", new Uint8Array([0xff, 0xfe, 0])],
  ]);
  const metadata = {
    description: "d",
    keywords: ["one"],
    codeRepository: "https://example.org/lib",
    licenseURL: "javascript:alert(1)",
    author: { name: "Ann", familyName: 7 },
    repositoryURLs: ["https://example.org/lib.git"],
  };
  const sent = await publish("/acme/Lib/1.0.0", { archive, metadata });
  expect([sent.status, sent.headers.get("content-version")]).toEqual([201, "1"]);
  expect((await publish("/acme/Lib/1.1.0", { file: "lib.zip" })).status).toBe(201);
  expect((await publish("/acme/Lib/2.0.0-beta")).status).toBe(201);

  const at = `${world.server.url}api/packages/ada/swift/acme/Lib`;
  for (const path of ["/acme/Lib", "/ACME/lib.json"]) {
    const list = await get(path, "json");
    expect([list.body, list.headers.get("link")]).toEqual([
      {
        releases: {
          "1.0.0": { url: `${at}/1.0.0` },
          "1.1.0": { url: `${at}/1.1.0` },
          "2.0.0-beta": { url: `${at}/2.0.0-beta` },
        },
      },
      `<${at}/1.1.0>; rel="latest-version"`,
    ]);
  }
  const checksum = new Bun.CryptoHasher("sha256").update(archive).digest("hex");
  const release = await get("/acme/Lib/1.0.0.json", "json");
  expect(release.body).toEqual({
    id: "acme.Lib",
    version: "1.0.0",
    resources: [{ name: "source-archive", type: "application/zip", checksum }],
    metadata: {
      "@context": ["http://schema.org/"],
      "@type": "SoftwareSourceCode",
      name: "Lib",
      version: "1.0.0",
      description: "d",
      keywords: ["one"],
      codeRepository: "https://example.org/lib",
      author: { "@type": "Person", name: "Ann" },
      repositoryURLs: ["https://example.org/lib.git"],
      programmingLanguage: { "@type": "ComputerLanguage", name: "Swift", url: "https://swift.org" },
    },
    publishedAt: expect.any(String),
  });
  const fetched = await fetch(`${at}/1.0.0.zip`, { headers: accept("zip") });
  expect(Buffer.from(await fetched.arrayBuffer())).toEqual(archive);
  expect([fetched.headers.get("content-type"), fetched.headers.get("digest")]).toEqual([
    "application/zip",
    `sha256=${checksum}`,
  ]);
});

test("the manifest for a version of Swift is answered, or the way to the one for all", async () => {
  const archive = anArchive([
    ["lib/Tests/Fixture/Package.swift", "no"],
    ["lib/Package.swift", PLAIN],
    ["lib/Package@swift-5.6.0.swift", OLDER],
  ]);
  expect((await publish("/acme/variants/1.0.0", { archive })).status).toBe(201);
  const at = "/acme/variants/1.0.0/Package.swift";
  const main = await get(at, "swift");
  expect([main.text, main.headers.get("content-type")]).toEqual([PLAIN, "text/x-swift"]);
  const older = await get(`${at}?swift-version=5.6`, "swift");
  expect([older.text, older.headers.get("content-disposition")]).toEqual([
    OLDER,
    'attachment; filename="Package@swift-5.6.swift"',
  ]);
  for (const wanted of ["9", "toString", "%22"]) {
    const other = await get(`${at}?swift-version=${wanted}`, "swift");
    expect([other.status, other.headers.get("location")]).toEqual([
      303,
      `${world.server.url.slice(0, -1)}${BASE}${at}`,
    ]);
  }
});

test("the address of a repository leads to its packages", async () => {
  const url = "https://example.org/found?a=b";
  expect((await publish("/acme/found/1.0.0", { metadata: { repositoryURLs: [url] } })).status).toBe(201);
  const found = await get(`/identifiers?url=${encodeURIComponent(url)}`, "json");
  expect(found.body).toEqual({ identifiers: ["acme.found"] });
  // Also when a later release names none.
  expect((await publish("/acme/found/1.1.0", { metadata: {} })).status).toBe(201);
  expect((await get(`/identifiers?url=${encodeURIComponent(url)}`, "json")).body).toEqual(found.body);
  expect((await get("/identifiers?url=https://example.org/none", "json")).status).toBe(404);
  expect((await get("/identifiers", "json")).status).toBe(400);
});

test("a version is published once, by who may, and can be deleted", async () => {
  expect((await publish("/acme/once/1.0.0", { who: world.bob })).status).toBe(401);
  expect((await publish("/acme/once/1.0.0")).status).toBe(201);
  const again = await publish("/acme/once/1.0.0");
  expect([again.status, again.headers.get("content-type"), JSON.parse(again.text)]).toEqual([
    409,
    "application/problem+json",
    { status: 409, detail: "package version already exists" },
  ]);
  await call(world.server, "DELETE", "/api/v1/packages/ada/swift/acme.once/1.0.0", { token: world.ada.token });
  expect((await get("/acme/once", "json")).status).toBe(404);
});

test("credentials are told to be good or not", async () => {
  for (const path of ["", "/login"]) {
    expect((await call(world.server, "POST", `${BASE}${path}`, { token: world.ada.token })).status).toBe(200);
    const refused = await call(world.server, "POST", `${BASE}${path}`);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining("Basic")]);
  }
});

test.each([
  ["application/vnd.swift.registry.v2+json", 400],
  ["application/vnd.swift.registry.v1+zip", 400],
  ["text/html, application/vnd.swift.registry.v1+json;q=0.9", 404],
  ["*/*", 404],
])("who accepts %s gets %i", async (wanted, status) => {
  expect((await call(world.server, "GET", `${BASE}/acme/none`, { headers: { accept: wanted } })).status).toBe(status);
});

test.each<[string, string, Sent, string]>([
  ["a wrong scope", "/-acme/a/1.0.0", {}, "package name is invalid"],
  ["a wrong name", "/acme/a.b/1.0.0", {}, "package name is invalid"],
  ["a wrong version", "/acme/a/one", {}, "package version is invalid"],
  ["no archive", "/acme/a/1.0.0", { archive: "plain text" }, "the archive could not be read"],
  ["a broken archive", "/acme/a/1.0.0", { archive: anArchive().subarray(0, 60) }, "the archive could not be read"],
  ["no manifest", "/acme/a/1.0.0", { archive: anArchive([["a.swift", ""]]) }, "Package.swift file is missing"],
  [
    "a large manifest",
    "/acme/a/1.0.0",
    { archive: anArchive([["Package.swift", "x".repeat((128 << 10) + 1)]]) },
    "Package.swift file is too large",
  ],
  [
    "a manifest for no version",
    "/acme/a/1.0.0",
    {
      archive: anArchive([
        ["Package.swift", PLAIN],
        ["Package@swift-x.swift", PLAIN],
      ]),
    },
    "manifest version is invalid",
  ],
  ["metadata that is no JSON", "/acme/a/1.0.0", { metadata: "{" }, "metadata is invalid"],
  ["metadata that is a list", "/acme/a/1.0.0", { metadata: [] }, "metadata is invalid"],
])("%s is refused, and nothing is left", async (_, path, sent, detail) => {
  const refused = await publish(path, sent);
  expect([refused.status, JSON.parse(refused.text)]).toEqual([400, { status: 400, detail }]);
  expect((await get("/acme/a", "json")).status).toBe(404);
});

test("a form without an archive is refused", async () => {
  const { body, headers } = aForm([{ name: "metadata", content: "{}" }]);
  const refused = await call(world.server, "PUT", `${BASE}/acme/a/1.0.0`, { token: world.ada.token, body, headers });
  expect([refused.status, JSON.parse(refused.text).detail]).toEqual([400, "unable to read source-archive file"]);
});

test("SwiftPM, which waits forever when asked for Basic, is asked for another scheme; others are asked for Basic", async () => {
  const challenge = async (client: string) => {
    const headers = { ...accept("json"), "user-agent": client };
    const refused = await call(world.server, "PUT", `${BASE}/acme/a/1.0.0`, { body: "x", headers });
    return [refused.status, refused.text, refused.headers.get("www-authenticate")];
  };
  expect(await challenge("SwiftPackageManager/6.2.3")).toEqual([
    401,
    "reqPackageAccess\n",
    'Bearer realm="Gitea Package API"',
  ]);
  expect(await challenge("curl/8")).toEqual([401, "reqPackageAccess\n", 'Basic realm="Gitea Package API"']);
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { type ArchOptions, archPackage } from "./arch-package.ts";
import { tar } from "./archives.ts";
import { aName, aRegistry, fetched, hash } from "./world.ts";

/** Packages of Arch (contract packages.md 9.20). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const registry = aRegistry(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const put = async (repo: string, content: Uint8Array, who = ada) =>
  (await registry("PUT", `ada/arch${repo && `/${repo}`}`, who, content)).status;
const publish = (repo: string, name: string, version?: string, options?: ArchOptions) =>
  put(repo, archPackage(name, version, options));
const get = (at: string, who?: TestUser) => fetched(server, `ada/arch/${at}`, who);

/** The files of a database by their names. */
async function database(at: string, who?: TestUser): Promise<Record<string, string>> {
  const { bytes, status } = await get(at, who);
  if (status !== 200) return { status: String(status) };
  const files = await new Bun.Archive(gunzipSync(bytes)).files();
  return Object.fromEntries(
    await Promise.all([...files].map(async ([name, file]) => [name, await file.text()] as const)),
  );
}

test("a package is described in the database, in pacman's order, and comes back", async () => {
  const repo = aName();
  const content = archPackage("kit", "1:1.0+git-1", {
    more: "depend = libkit>=2\ndepend = sh\noptdepend = man: to read\nprovides = tool=1\nconflict = oldkit\nreplaces = oldkit\nmakedepend = make\ncheckdepend = check\ngroup = kits\n",
    files: [
      ["usr/bin/kit", "1\n"],
      ["etc/.hidden", "2\n"],
    ],
  });
  expect(await put(repo, content)).toBe(201);
  const found = await database(`${repo}/x86_64/${repo}.db`);
  expect(Object.keys(found)).toEqual(["kit-1:1.0+git-1/files", "kit-1:1.0+git-1/desc"]);
  expect(found["kit-1:1.0+git-1/files"]).toBe("%FILES%\nusr/bin/kit\n\n");
  const file = "kit-1:1.0+git-1-x86_64.pkg.tar.zst";
  const signature = await get(`${repo}/x86_64/${encodeURIComponent(file)}.sig`);
  const expected = [
    ["FILENAME", file],
    ["MD5SUM", new Bun.CryptoHasher("md5").update(content).digest("hex")],
    ["SHA256SUM", hash("sha256", content)],
    ["PGPSIG", signature.bytes.toString("base64")],
    ["CSIZE", String(content.length)],
    ["ISIZE", "12"],
    ["NAME", "kit"],
    ["BASE", "kit"],
    ["ARCH", "x86_64"],
    ["VERSION", "1:1.0+git-1"],
    ["DESC", "The kit kit"],
    ["URL", "https://example.org/kit"],
    ["LICENSE", "MIT\nApache-2.0"],
    ["GROUPS", "kits"],
    ["BUILDDATE", "1700000000"],
    ["PACKAGER", "Ada <ada@example.org>"],
    ["PROVIDES", "tool=1"],
    ["REPLACES", "oldkit"],
    ["CONFLICTS", "oldkit"],
    ["DEPENDS", "libkit>=2\nsh"],
    ["OPTDEPENDS", "man: to read"],
    ["MAKEDEPENDS", "make"],
    ["CHECKDEPENDS", "check"],
  ];
  expect(found["kit-1:1.0+git-1/desc"]).toBe(expected.map(([key, value]) => `%${key}%\n${value}\n\n`).join(""));
  // A plus is a plus, a colon may be escaped.
  for (const name of [file, file.replaceAll(":", "%3A"), encodeURIComponent(file)])
    expect((await get(`${repo}/x86_64/${name}`)).bytes).toEqual(content);
});

test("every name of a database is the same one, signed by the key that is public", async () => {
  const repo = `${aName()}/os`;
  expect(await publish(repo, "kit")).toBe(201);
  const names = ["os.db", "os.db.tar.gz", "any.files", "os.files.tar.gz"];
  const found = await Promise.all(names.map((name) => get(`${repo}/x86_64/${name}`)));
  expect(new Set(found.map(({ bytes }) => hash("sha256", bytes))).size).toBe(1);
  const key = await get("repository.key");
  expect([key.status, key.headers.get("content-type")]).toEqual([200, "application/pgp-keys"]);
  const openpgp = await import("openpgp");
  const verificationKeys = await openpgp.readKey({ armoredKey: key.bytes.toString() });
  for (const name of ["os.db", "os.files", "kit-1.0-1-x86_64.pkg.tar.zst"]) {
    const [signed, signature] = await Promise.all(["", ".sig"].map((ending) => get(`${repo}/x86_64/${name}${ending}`)));
    const { signatures } = await openpgp.verify({
      message: await openpgp.createMessage({ binary: new Uint8Array(signed?.bytes ?? []) }),
      signature: await openpgp.readSignature({ binarySignature: new Uint8Array(signature?.bytes ?? []) }),
      verificationKeys,
    });
    expect([name, await signatures[0]?.verified]).toEqual([name, true]);
  }
  const head = await registry("HEAD", `ada/arch/${repo}/x86_64/os.db`);
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(found[0]?.bytes.length)]);
});

test("of each package the newest by pacman's order is in the database, whatever came last", async () => {
  const repo = aName();
  for (const version of ["1.10-1", "1.9-1", "1.10rc1-1"]) expect(await publish(repo, "kit", version)).toBe(201);
  expect(Object.keys(await database(`${repo}/x86_64/${repo}.db`))).toEqual(["kit-1.10-1/files", "kit-1.10-1/desc"]);
  expect((await get(`${repo}/x86_64/kit-1.9-1-x86_64.pkg.tar.zst`)).status).toBe(200);
  expect((await registry("DELETE", `ada/arch/${repo}/kit/1.10-1/x86_64`, ada)).status).toBe(204);
  expect(Object.keys(await database(`${repo}/x86_64/${repo}.db`))).toEqual([
    "kit-1.10rc1-1/files",
    "kit-1.10rc1-1/desc",
  ]);
});

test("what is for any architecture is in every database of its repository", async () => {
  const [repo, other] = [aName(), aName()];
  expect(await publish(repo, "one")).toBe(201);
  expect(await publish(repo, "all", "1.0-1", { arch: "any" })).toBe(201);
  expect(await publish(other, "two")).toBe(201);
  const names = async (at: string) => Object.keys(await database(at)).filter((name) => name.endsWith("/desc"));
  expect(await names(`${repo}/x86_64/${repo}.db`)).toEqual(["all-1.0-1/desc", "one-1.0-1/desc"]);
  expect(await names(`${repo}/riscv64/${repo}.db`)).toEqual(["all-1.0-1/desc"]);
  expect(await names(`${other}/x86_64/${other}.db`)).toEqual(["two-1.0-1/desc"]);
  for (const arch of ["x86_64", "riscv64", "any"])
    for (const ending of ["", ".sig"])
      expect((await get(`${repo}/${arch}/all-1.0-1-any.pkg.tar.zst${ending}`)).status).toBe(200);
  expect((await get(`${other}/x86_64/all-1.0-1-any.pkg.tar.zst`)).status).toBe(404);
  expect((await registry("DELETE", `ada/arch/${repo}/all/1.0-1/any`, ada)).status).toBe(204);
  expect(await names(`${repo}/x86_64/${repo}.db`)).toEqual(["one-1.0-1/desc"]);
  expect((await get(`${repo}/riscv64/${repo}.db`)).status).toBe(404);
});

test("a package is there once, however it is packed, and goes for good", async () => {
  const repo = aName();
  expect(await publish(repo, "kit")).toBe(201);
  for (const packing of ["zst", "gz"] as const) expect(await publish(repo, "kit", "1.0-1", { packing })).toBe(409);
  expect((await get(`${repo}/x86_64/kit-1.0-1-x86_64.pkg.tar.gz`)).status).toBe(404);
  expect(await publish(repo, "kit", "1.0-1", { arch: "aarch64", packing: "gz" })).toBe(201);
  for (const who of [bob, undefined])
    expect((await registry("DELETE", `ada/arch/${repo}/kit/1.0-1/x86_64`, who)).status).toBe(401);
  expect((await registry("DELETE", `ada/arch/${repo}/kit/1.0-1/x86_64`, ada)).status).toBe(204);
  expect((await registry("DELETE", `ada/arch/${repo}/kit/1.0-1/x86_64`, ada)).status).toBe(404);
  expect((await get(`${repo}/x86_64/${repo}.db`)).status).toBe(404);
  expect((await get(`${repo}/aarch64/${repo}.db`)).status).toBe(200);
});

/** A package that names itself and nothing else, as `xz` packs it. */
const XZ =
  "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Af/AGhdABcUBWR8XEPzvMKvBiuN2X0cTRQuy9tqYiCTuC4zwSLjAqIz1pOmOXfBjQ6kF5vCwGRbJYDAxOna7AnFyFil5viEtHllb0gj2Bqdp0NFtQmhA0Px0jBdh+kUO4VQ9Z1As0x941KMJqcAAPmmZvpHFabNAAGEAYAQAADovmuKscRn+wIAAAAABFla";

test("packages of xz are read, and a repository may have no name", async () => {
  const packed = Buffer.from(XZ, "base64");
  expect(await put("", packed)).toBe(201);
  expect(Object.keys(await database("x86_64/core.db"))).toContain("xzkit-1.0-1/desc");
  expect((await get("x86_64/xzkit-1.0-1-x86_64.pkg.tar.xz")).bytes).toEqual(packed);
});

describe("what is no package", () => {
  const info = (text: string) => gzipSync(tar([[".PKGINFO", text]]));
  const cut = (packing: "gz" | "zst") => {
    const content = archPackage("kit", "1.0-1", { packing, files: [["usr/bin/kit", randomBytes(300_000)]] });
    return content.subarray(0, content.length - 100_000);
  };
  test.each([
    ["no archive", "plain text", "unsupported package container format"],
    ["nothing", "", "unsupported package container format"],
    ["an archive that breaks off", cut("zst"), "the archive could not be read"],
    ["another that breaks off", cut("gz"), "the archive could not be read"],
    ["no description", gzipSync(tar([["usr/bin/kit", "1"]])), ".PKGINFO file is missing"],
    ["a name with a space", info("pkgname = a b\npkgver = 1-1\narch = any\n"), "package name is invalid"],
    ["no name", info("pkgver = 1-1\narch = any\n"), "package name is invalid"],
    ["a version with a slash", info("pkgname = a\npkgver = 1/2-1\narch = any\n"), "package version is invalid"],
    ["no architecture", info("pkgname = a\npkgver = 1-1\narch = \n"), "package architecture is invalid"],
    ["a path for one", info("pkgname = a\npkgver = 1-1\narch = ../b\n"), "package architecture is invalid"],
    [
      "too many files",
      archPackage("kit", "1.0-1", { files: Array.from({ length: 100_001 }, (_, at) => [`f${at}`, ""] as const) }),
      "the package has too many files",
    ],
  ])("%s is refused", async (_, content, message) => {
    const refused = await registry("PUT", "ada/arch/bad", ada, content);
    expect([refused.status, refused.text]).toEqual([400, `${message}\n`]);
    expect((await get("bad/x86_64/bad.db")).status).toBe(404);
  });
  test.each(["...", "a%0Ab", "%7C", "a%2Fb", "a%20b"])("a repository %p is refused", async (repo) => {
    expect(await put(repo, archPackage("kit"))).toBe(400);
  });
});

test("values take one line of the database each", async () => {
  const repo = aName();
  expect(await publish(repo, "kit", "1.0-1", { more: "packager = Eve\r%NAME%\revil\n" })).toBe(201);
  const found = await database(`${repo}/x86_64/${repo}.db`);
  expect(found["kit-1.0-1/desc"]).toContain("%PACKAGER%\nEve %NAME% evil\n\n");
});

test("what is deleted elsewhere leaves the database", async () => {
  const repo = aName();
  const name = aName("api");
  expect(await publish(repo, name)).toBe(201);
  expect((await call(server, "DELETE", `/api/v1/packages/ada/arch/${name}/1.0-1`, { token: ada.token })).status).toBe(
    204,
  );
  expect((await get(`${repo}/x86_64/${repo}.db`)).status).toBe(404);
});

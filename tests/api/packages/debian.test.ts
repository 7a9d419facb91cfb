import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync, zstdCompressSync } from "node:zlib";
import { asAccount } from "../../../src/access/principal.ts";
import { xzipped } from "../../../src/packages/registries/archives/pack.ts";
import { unpacked } from "../../../src/packages/registries/archives/unpack.ts";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import { ar, controlOf, type DebOptions, deb, debOf } from "./debian-package.ts";
import { aName, aRegistry, type Bytes, fetched, hash } from "./world.ts";

/** Packages of Debian (contract packages.md 9.16). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const registry = aRegistry(() => server);
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "Ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const upload = (place: string, content: Bytes, who: TestUser | undefined = ada) =>
  registry("PUT", `ada/debian/pool/${place}/upload`, who, content);
async function publish(place: string, name: string, options?: DebOptions): Promise<void> {
  expect((await upload(place, deb(name, options))).status).toBe(201);
}
const erase = async (at: string, who: TestUser | undefined = ada) =>
  (await registry("DELETE", `ada/debian/pool/${at}`, who)).status;
const dists = (at: string, who?: TestUser) => fetched(server, `ada/debian/dists/${at}`, who);
async function text(at: string, who?: TestUser): Promise<string> {
  const { bytes, status } = await dists(at, who);
  return status === 200 ? bytes.toString() : `status ${status}`;
}

test("a package is an entry of its index, and comes back", async () => {
  const dist = aName();
  const content = deb("kit", {
    version: "1:1.0-1",
    more: "Depends: libc6 (>= 2), kit-data\nDescription: A kit\n of things\n",
  });
  expect((await upload(`${dist}/main`, content)).status).toBe(201);
  const file = "kit_1:1.0-1_amd64.deb";
  const control = controlOf("kit", {
    version: "1:1.0-1",
    more: "Depends: libc6 (>= 2), kit-data\nDescription: A kit\n of things\n",
  });
  expect(await text(`${dist}/main/binary-amd64/Packages`)).toBe(
    `${control}Filename: pool/${dist}/main/${file}
Size: ${content.length}
MD5sum: ${new Bun.CryptoHasher("md5").update(content).digest("hex")}
SHA1: ${hash("sha1", content)}
SHA256: ${hash("sha256", content)}
SHA512: ${hash("sha512", content)}

`,
  );
  for (const spelled of [file, encodeURIComponent(file)]) {
    const back = await fetched(server, `ada/debian/pool/${dist}/main/${spelled}`);
    expect(back.headers.get("content-type")).toBe("application/vnd.debian.binary-package");
    expect(back.bytes).toEqual(content);
  }
  const head = await registry("HEAD", `ada/debian/pool/${dist}/main/${file}`);
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(content.length)]);
  const version = await api("GET", "/packages/ada/debian/kit/1%3A1.0-1", ada);
  expect([version.status, version.body["name"], version.body["version"]]).toEqual([200, "kit", "1:1.0-1"]);
});

test("the index is packed in each way, and says the same", async () => {
  const dist = aName();
  await publish(`${dist}/main`, "kit");
  const plain = (await dists(`${dist}/main/binary-amd64/Packages`)).bytes;
  const gzip = (await dists(`${dist}/main/binary-amd64/Packages.gz`)).bytes;
  expect(gunzipSync(gzip).toString()).toBe(plain.toString());
  const packed = new Blob([new Uint8Array((await dists(`${dist}/main/binary-amd64/Packages.xz`)).bytes)]);
  const chunks: Uint8Array[] = [];
  for await (const chunk of unpacked(packed, "xz", undefined, server.services.pool)) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe(plain.toString());
});

test("Release names what there is, with hashes by which it can be had", async () => {
  const dist = aName();
  await publish(`${dist}/main`, "kit");
  await publish(`${dist}/extra`, "kit", { architecture: "all" });
  const release = await text(`${dist}/Release`);
  for (const line of [
    "Origin: Hearth",
    "Label: Hearth",
    `Suite: ${dist}`,
    `Codename: ${dist}`,
    "Components: extra main",
    "Architectures: all amd64",
    "Acquire-By-Hash: yes",
  ])
    expect(release.split("\n")).toContain(line);
  expect(release).toMatch(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d UTC$/m);
  const algorithms = { MD5Sum: "md5", SHA1: "sha1", SHA256: "sha256", SHA512: "sha512" } as const;
  for (const folder of ["main/binary-amd64", "extra/binary-all"])
    for (const file of ["Packages", "Packages.gz", "Packages.xz"]) {
      const { bytes } = await dists(`${dist}/${folder}/${file}`);
      for (const [title, algorithm] of Object.entries(algorithms)) {
        const sum = new Bun.CryptoHasher(algorithm).update(bytes).digest("hex");
        expect(release.slice(release.indexOf(`\n${title}:\n`))).toContain(
          ` ${sum} ${bytes.length} ${folder}/${file}\n`,
        );
        expect((await dists(`${dist}/${folder}/by-hash/${title}/${sum}`)).bytes).toEqual(bytes);
      }
    }
  expect((await dists(`${dist}/by-hash/SHA256/${hash("sha256", release)}`)).bytes.toString()).toBe(release);
  expect(await text(`${dist}/main/binary-amd64/by-hash/SHA256/${"0".repeat(64)}`)).toBe("status 404");
  expect(await text(`${dist}/main/binary-amd64/by-hash/CRC/${"0".repeat(8)}`)).toBe("status 404");
});

test("a client that has the index of a second ago is given the new one", async () => {
  const dist = aName();
  let since = "";
  for (const version of ["1.0", "1.1", "1.2", "1.3"]) {
    await publish(`${dist}/main`, "kit", { version });
    const answer = await registry("GET", `ada/debian/dists/${dist}/Release`, undefined, undefined, {
      headers: { "if-modified-since": since },
    });
    expect(answer.status).toBe(200);
    since = answer.headers.get("last-modified") ?? "";
  }
  const known = await registry("GET", `ada/debian/dists/${dist}/Release`, undefined, undefined, {
    headers: { "if-modified-since": since },
  });
  expect(known.status).toBe(304);
});

test("an index that was replaced can be had by its hash for a while", async () => {
  const dist = aName();
  await publish(`${dist}/main`, "kit");
  const first = await text(`${dist}/main/binary-amd64/Packages`);
  await publish(`${dist}/main`, "kit", { version: "1.1-1" });
  expect(await text(`${dist}/main/binary-amd64/Packages`)).not.toBe(first);
  const byHash = `${dist}/main/binary-amd64/by-hash/SHA256/${hash("sha256", first)}`;
  expect(await text(byHash)).toBe(first);
  server.core.db.query("UPDATE package_files SET created_at = 1 WHERE name LIKE '%@%'").run();
  await publish(`${dist}/main`, "kit", { version: "1.2-1" });
  expect(await text(byHash)).toBe("status 404");
});

test("signatures are of the key that is public, which many who ask at once get the same", async () => {
  const dist = aName();
  await publish(`${dist}/main`, "kit");
  const keys = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const { bytes, headers } = await fetched(server, "bob/debian/repository.key");
      return [headers.get("content-type"), bytes.toString()];
    }),
  );
  for (const key of keys) expect(key).toEqual(["application/pgp-keys", keys[0]?.[1] ?? ""]);
  const openpgp = await import("openpgp");
  const armoredKey = (await fetched(server, "ada/debian/repository.key")).bytes.toString();
  expect(armoredKey).not.toBe(keys[0]?.[1] ?? "");
  const verificationKeys = await openpgp.readKey({ armoredKey });
  expect(verificationKeys.getAlgorithmInfo()).toEqual({ algorithm: "rsaEncryptSign", bits: 4096 });
  const release = await text(`${dist}/Release`);
  const cleartextMessage = await text(`${dist}/InRelease`);
  const message = await openpgp.readCleartextMessage({ cleartextMessage });
  expect(message.getText()).toBe(release);
  const detached = await openpgp.readSignature({ armoredSignature: await text(`${dist}/Release.gpg`) });
  const binary = await openpgp.createMessage({ binary: Buffer.from(release) });
  for (const { signatures } of [
    await openpgp.verify({ message, verificationKeys }),
    await openpgp.verify({ message: binary, signature: detached, verificationKeys }),
  ])
    expect(await signatures[0]?.verified).toBe(true);
});

test("a private key is sealed, and goes with its account", async () => {
  const root = await aUser(server, { isAdmin: true });
  const gone = await aUser(server);
  await registry("PUT", `${gone.login}/debian/pool/sid/main/upload`, gone, deb("kit"));
  for (const key of ["debian/repository.key", "alpine/key", "rpm/repository.key", "arch/repository.key"])
    expect((await fetched(server, `${gone.login}/${key}`)).status).toBe(200);
  expect((await fetched(server, `${gone.login}/debian/dists/sid/InRelease`)).status).toBe(200);
  const keys = () =>
    server.core.db
      .query<{ purpose: string; sealed: string }>(
        "SELECT purpose, private_key AS sealed FROM package_keys WHERE owner_id = ? ORDER BY purpose",
      )
      .all(gone.user.id);
  expect(keys().map(({ purpose }) => purpose)).toEqual(["alpine", "arch", "debian", "rpm"]);
  for (const { sealed } of keys()) expect(sealed).toStartWith("v1.");
  expect((await api("DELETE", `/admin/users/${gone.login}?purge=true`, root)).status).toBe(204);
  expect(keys()).toEqual([]);
});

test("the same file comes once to a place, and again to another", async () => {
  const dist = aName();
  await publish(`${dist}/main`, "kit");
  const again = await upload(`${dist}/main`, deb("kit"));
  expect([again.status, again.text]).toEqual([409, "package file already exists\n"]);
  await publish(`${dist}/other`, "kit");
  await publish(`${dist}/main`, "kit", { architecture: "arm64" });
  await publish(`${aName()}/main`, "kit");
  expect(await text(`${dist}/main/binary-arm64/Packages`)).toContain("Architecture: arm64");
});

describe("what is deleted leaves the index", () => {
  test("by the registry", async () => {
    const dist = aName();
    for (const name of ["kit", "tool"]) await publish(`${dist}/main`, name);
    await publish(`${dist}/extra`, "kit");
    expect(await text(`${dist}/extra/binary-amd64/Packages`)).toContain("Package: kit");
    expect(await erase(`${dist}/main/kit/1.0-1/amd64`, bob)).toBe(401);
    expect(await erase(`${dist}/main/kit/1.0-1/arm64`)).toBe(404);
    expect(await erase(`${dist}/main/kit/1.0-1/amd64`)).toBe(204);
    expect(await erase(`${dist}/main/kit/1.0-1/amd64`)).toBe(404);
    expect(await text(`${dist}/main/binary-amd64/Packages`)).not.toContain("Package: kit");
    expect(await text(`${dist}/extra/binary-amd64/Packages`)).toContain("Package: kit");
    expect(await erase(`${dist}/main/tool/1.0-1/amd64`)).toBe(204);
    expect(await text(`${dist}/main/binary-amd64/Packages`)).toBe("status 404");
    expect((await text(`${dist}/Release`)).split("\n")).toContain("Components: extra");
    expect(await erase(`${dist}/extra/kit/1.0-1/amd64`)).toBe(204);
    for (const file of ["Release", "InRelease", "Release.gpg"])
      expect(await text(`${dist}/${file}`)).toBe("status 404");
  });

  test("by the API, and by a rule", async () => {
    const dist = aName();
    const name = aName("kit");
    for (const version of ["1.0", "1.1", "1.2"]) await publish(`${dist}/main`, name, { version });
    expect((await api("DELETE", `/packages/ada/debian/${name}/1.1`, ada)).status).toBe(204);
    const versions = async () => (await text(`${dist}/main/binary-amd64/Packages`)).match(/(?<=^Version: ).*/gm) ?? [];
    expect(await versions()).toEqual(["1.0", "1.2"]);
    const owner = await aUser(server);
    for (const version of ["1.0", "1.1"])
      await registry("PUT", `${owner.login}/debian/pool/sid/main/upload`, owner, deb("kit", { version }));
    const { packageCleanup, packageCleanupRules, packagesAccess } = server.services;
    const seen = packagesAccess.see(asAccount(owner.user), owner.login);
    expect(seen).toBeDefined();
    if (seen)
      await packageCleanupRules.create(seen, {
        isEnabled: true,
        type: "debian",
        keepCount: 1,
        keepPattern: "",
        removeDays: 0,
        removePattern: "",
        matchFullName: false,
      });
    packageCleanup.enqueue();
    await settled(server);
    const rest = await fetched(server, `${owner.login}/debian/dists/sid/main/binary-amd64/Packages`);
    expect(rest.bytes.toString().match(/^Version: .*/gm)).toEqual(["Version: 1.1"]);
  });
});

test("packages of a private repository are in the index of those who see it", async () => {
  const owner = await aUser(server);
  const reader = await aUser(server);
  aRepo(server, owner.user, { name: "hidden", isPrivate: true });
  const at = `${owner.login}/debian`;
  const put = (dist: string, name: string) => registry("PUT", `${at}/pool/${dist}/main/upload`, owner, deb(name));
  for (const name of ["kit", "secret"]) expect((await put("sid", name)).status).toBe(201);
  expect((await put("quiet", "secret")).status).toBe(201);
  const link = (action: string) => api("POST", `/packages/${owner.login}/debian/secret/-/${action}`, owner);
  expect((await link("link/hidden")).status).toBe(201);
  const names = async (who?: TestUser) => {
    const { bytes, status } = await fetched(server, `${at}/dists/sid/main/binary-amd64/Packages`, who);
    return status === 200
      ? bytes
          .toString()
          .match(/(?<=^Package: ).*/gm)
          ?.join(" ")
      : status;
  };
  const release = async (who?: TestUser) => (await fetched(server, `${at}/dists/quiet/Release`, who)).status;
  const download = async (who?: TestUser) =>
    (await fetched(server, `${at}/pool/sid/main/secret_1.0-1_amd64.deb`, who)).status;
  expect([await names(owner), await names(reader), await names()]).toEqual(["kit secret", "kit", "kit"]);
  expect([await release(owner), await release(reader), await release()]).toEqual([200, 404, 401]);
  expect([await download(owner), await download(reader), await download()]).toEqual([200, 404, 401]);
  const member = `/repos/${owner.login}/hidden/collaborators/${reader.login}`;
  expect((await api("PUT", member, owner, { permission: "read" })).status).toBe(204);
  expect([await names(reader), await release(reader), await download(reader)]).toEqual(["kit secret", 200, 200]);
  expect(await names(bob)).toBe("kit");
  // What comes meanwhile is in all of them.
  expect((await put("sid", "later")).status).toBe(201);
  expect([await names(reader), await names(bob)]).toEqual(["kit secret later", "kit later"]);
  await api("PATCH", `/repos/${owner.login}/hidden`, owner, { private: false });
  expect([await names(), await release()]).toEqual(["kit secret later", 200]);
  await api("PATCH", `/repos/${owner.login}/hidden`, owner, { private: true });
  expect([await names(), await names(owner)]).toEqual(["kit later", "kit secret later"]);
  expect((await link("unlink")).status).toBe(204);
  expect(await names()).toBe("kit secret later");
});

test("what the registry keeps is in no list and counted for no one", async () => {
  const owner = await aUser(server);
  const content = deb("kit");
  await registry("PUT", `${owner.login}/debian/pool/sid/main/upload`, owner, content);
  expect((await fetched(server, `${owner.login}/debian/dists/sid/Release`)).status).toBe(200);
  const list = await api<{ name: string }[]>("GET", `/packages/${owner.login}`, owner);
  expect([list.body.map(({ name }) => name), list.headers.get("x-total-count")]).toEqual([["kit"], "1"]);
  for (const at of ["_debian", "_debian/_repository", "_debian/_repository/files"])
    expect((await api("GET", `/packages/${owner.login}/debian/${at}`, owner)).status).toBe(404);
  expect((await api("DELETE", `/packages/${owner.login}/debian/_debian/_repository`, owner)).status).toBe(404);
  const used = server.core.db
    .query<{ bytes: number }>("SELECT packages AS bytes FROM account_usage WHERE user_id = ?")
    .get(owner.user.id);
  expect(used?.bytes).toBe(content.length);
});

describe("a control archive", () => {
  const xz = async (bytes: Uint8Array<ArrayBuffer>) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of xzipped(new Blob([bytes]), server.services.pool)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  test("may be packed in four ways", async () => {
    const dist = aName();
    const plain = debOf(controlOf("none"), "control.tar", (bytes) => bytes);
    const control = new Uint8Array(plain.subarray(plain.indexOf("./control"), plain.indexOf("data.tar")));
    const packed = await xz(control);
    for (const content of [
      plain,
      debOf(controlOf("gzip")),
      debOf(controlOf("zstd"), "control.tar.zst", (bytes) => zstdCompressSync(bytes)),
      debOf("", "control.tar.xz/", () => packed),
    ])
      expect((await upload(`${dist}/${aName()}`, content)).status).toBe(201);
    const other = await upload(`${dist}/main`, debOf(controlOf("kit"), "control.tar.bz2"));
    expect([other.status, other.text]).toEqual([400, "unsupported compression algorithm\n"]);
  });

  test("is read no further than 32 MiB", async () => {
    const huge = debOf(controlOf("kit", { more: `Description: ${"a".repeat(33 << 20)}\n` }));
    expect((await upload(`${aName()}/main`, huge)).status).toBe(400);
  });
});

test("nothing but its own entry comes into the index", async () => {
  const dist = aName();
  const more = [
    "Description: A kit\r",
    " goes on\u0085here",
    "SHA256: 0000",
    "Filename: pool/other.deb",
    "size: 1",
    "no field at all",
    "# Comment: none",
    "Homepage: javascript:alert(1)",
    "Package: twice",
    "",
    "Package: injected",
    "Version: 9",
    "Architecture: amd64",
    "",
  ];
  expect((await upload(`${dist}/main`, debOf(`\n${controlOf("kit", { more: more.join("\n") })}`))).status).toBe(201);
  const lines = (await text(`${dist}/main/binary-amd64/Packages`)).split("\n");
  expect(lines.slice(0, 7)).toEqual([
    "Package: kit",
    "Version: 1.0-1",
    "Architecture: amd64",
    "Maintainer: Ada <ada@example.org>",
    "Description: A kit",
    " goes onhere",
    "Homepage: javascript:alert(1)",
  ]);
  expect(lines.slice(7).map((line) => line.split(":")[0])).toEqual([
    "Filename",
    "Size",
    "MD5sum",
    "SHA1",
    "SHA256",
    "SHA512",
    "",
    "",
  ]);
});

describe("what is no package", () => {
  const whole = deb("kit");
  test.each([
    ["a text", "this is no package", "the archive could not be read"],
    ["nothing", "", "the archive could not be read"],
    ["an archive without files", "!<arch>\n", "control file is missing"],
    ["one that breaks off in a header", whole.subarray(0, 40), "the archive could not be read"],
    ["one that breaks off in its control files", whole.subarray(0, 150), "the archive could not be read"],
    [
      "a size that is none",
      Buffer.from(whole.toString("latin1").replace("4         `", "-4        `"), "latin1"),
      "the archive could not be read",
    ],
    [
      "control files that are not packed as they say",
      debOf(controlOf("kit"), "control.tar.xz"),
      "the archive could not be read",
    ],
    ["no control files", ar([["debian-binary", "2.0\n"]]), "control file is missing"],
    ["no control file among them", debOf("", "contro1.tar.gz"), "control file is missing"],
    ["no fields", debOf(""), "package name is invalid"],
    ["a name in capitals", deb("Kit"), "package name is invalid"],
    ["a name with a slash", deb("a/b"), "package name is invalid"],
    ["a version with a slash", deb("kit", { version: "1-a/b" }), "package version is invalid"],
    ["no version", deb("kit", { version: "" }), "package version is invalid"],
    ["no architecture", deb("kit", { architecture: "" }), "package architecture is invalid"],
    ["a path for an architecture", deb("kit", { architecture: "../x" }), "package architecture is invalid"],
  ])("%s is refused", async (_, content, message) => {
    const refused = await upload("bad/main", content);
    expect([refused.status, refused.text]).toEqual([400, `${message}\n`]);
    expect(await text("bad/Release")).toBe("status 404");
  });

  test.each(["-x/main", "sid/a%2Fb", "sid/a%7Cb", "s%0Aid/main", `${"a".repeat(101)}/main`])(
    "a place %p is refused",
    async (place) => {
      const refused = await upload(place, deb("kit"));
      expect([refused.status, refused.text]).toEqual([400, "invalid distribution or component\n"]);
    },
  );
});

test("who may not write is asked who they are", async () => {
  for (const who of [undefined, bob]) {
    const refused = await registry("PUT", "ada/debian/pool/sid/main/upload", who, deb("kit"));
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Gitea Package API"']);
  }
});

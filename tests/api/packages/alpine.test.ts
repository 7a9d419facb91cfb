import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { gzipMembers } from "../../../src/packages/registries/archives/gzip-members.ts";
import { tarEntries } from "../../../src/packages/registries/archives/tar.ts";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";
import { type ApkOptions, apk, apkOf, infoOf, member } from "./alpine-package.ts";
import { tgz } from "./archives.ts";
import { aName, aRegistry, type Bytes, fetched, hash } from "./world.ts";

/** Packages of Alpine (contract packages.md 9.18). */

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
  registry("PUT", `${who?.login === "bob" ? "ada" : (who?.login ?? "ada")}/alpine/${place}`, who, content);
async function publish(place: string, name: string, options?: ApkOptions, who: TestUser = ada): Promise<void> {
  expect((await upload(place, apk(name, options), who)).status).toBe(201);
}

/** An index as a client reads it: what signs it, and what it says. */
async function indexOf(place: string, who?: TestUser, owner = "ada") {
  const { bytes, status } = await fetched(server, `${owner}/alpine/${place}/APKINDEX.tar.gz`, who);
  if (status !== 200) return { status, signature: undefined, text: `status ${status}` };
  const members: { packed: Buffer; entries: Map<string, Buffer> }[] = [];
  for await (const { packed, unpacked } of gzipMembers(new Blob([new Uint8Array(bytes)]), 1 << 20)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of unpacked) chunks.push(chunk);
    const entries = new Map<string, Buffer>();
    const source = async function* () {
      yield Buffer.concat(chunks);
    };
    for await (const entry of tarEntries(source())) entries.set(entry.name, Buffer.from(await entry.read(1 << 20)));
    members.push({ packed: Buffer.from(await packed().arrayBuffer()), entries });
  }
  expect(members.length).toBe(2);
  const [first, second] = members;
  const [signature] = first?.entries ?? [];
  // The first archive has no end, so that readers go on with the second.
  expect(gunzipSync(first?.packed ?? new Uint8Array()).length).toBe(1024);
  return { status, signature, signed: second?.packed, text: second?.entries.get("APKINDEX")?.toString() ?? "" };
}
const names = async (place: string, who?: TestUser, owner?: string) =>
  (await indexOf(place, who, owner)).text.match(/(?<=^P:).*/gm)?.join(" ") ?? "none";

test("a package is a record of its index, and comes back", async () => {
  const branch = aName();
  const more = [
    "pkgdesc = A kit",
    "url = https://example.org/kit",
    "builddate = 1700000000",
    "size = 12",
    "license = MIT",
    "origin = kits",
    "commit = 0123",
    "maintainer = Ada <ada@example.org>",
    "install_if = a b",
    "provider_priority = 7",
    "depend = so:libc.so",
    "depend = tool>1",
    "provides = cmd:kit=1.0-r0",
    "provides = so:kit.so=1",
  ];
  const { checksum, content } = apkOf(infoOf("kit", { more: `${more.join("\n")}\n` }));
  expect((await upload(`${branch}/main`, content)).status).toBe(201);
  expect((await indexOf(`${branch}/main/x86_64`)).text).toBe(
    `C:${checksum}
P:kit
V:1.0-r0
A:x86_64
T:A kit
U:https://example.org/kit
L:MIT
S:${content.length}
I:12
o:kits
m:Ada <ada@example.org>
t:1700000000
c:0123
D:so:libc.so tool>1
p:cmd:kit=1.0-r0 so:kit.so=1
i:a b
k:7

`,
  );
  expect((await fetched(server, `ada/alpine/${branch}/main/x86_64/kit-1.0-r0.apk`)).bytes).toEqual(content);
  const head = await registry("HEAD", `ada/alpine/${branch}/main/x86_64/kit-1.0-r0.apk`);
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(content.length)]);
});

test("the index is signed by the key that is public", async () => {
  const branch = aName();
  await publish(`${branch}/main`, "kit");
  const key = await fetched(server, "ada/alpine/key");
  expect(key.headers.get("content-type")).toBe("application/x-pem-file");
  const pem = createPublicKey(key.bytes.toString());
  expect(pem.asymmetricKeyDetails?.modulusLength).toBe(4096);
  const file = `ada@${hash("sha256", pem.export({ type: "spki", format: "der" }))}.rsa.pub`;
  expect(key.headers.get("content-disposition")).toContain(`filename="${file}"`);
  const { signature, signed = Buffer.alloc(0) } = await indexOf(`${branch}/main/x86_64`);
  expect(signature?.[0]).toBe(`.SIGN.RSA.${file}`);
  expect(verify("sha1", signed, pem, signature?.[1] ?? Buffer.alloc(0))).toBe(true);
});

test("an owner who is renamed signs under the new name", async () => {
  const owner = await aUser(server);
  await publish("edge/main", "kit", {}, owner);
  const before = await indexOf("edge/main/x86_64", undefined, owner.login);
  const name = aName("renamed");
  const root = await aUser(server, { isAdmin: true });
  expect((await api("POST", `/admin/users/${owner.login}/rename`, root, { new_username: name })).status).toBe(204);
  const after = await indexOf("edge/main/x86_64", undefined, name);
  const title = (login: string) => `.SIGN.RSA.${login.toLowerCase()}@`;
  expect([before.signature?.[0], after.signature?.[0]]).toEqual([
    expect.stringContaining(title(owner.login)),
    expect.stringContaining(title(name)),
  ]);
});

test("packages for every architecture are in the index of each, as if for it", async () => {
  const branch = aName();
  await publish(`${branch}/main`, "kit");
  await publish(`${branch}/main`, "arm", { architecture: "aarch64" });
  await publish(`${branch}/main`, "any", { architecture: "noarch" });
  await publish(`${branch}/other`, "else");
  expect(await names(`${branch}/main/x86_64`)).toBe("kit any");
  expect(await names(`${branch}/main/aarch64`)).toBe("arm any");
  expect(await names(`${branch}/main/armv7`)).toBe("any");
  expect(await names(`${branch}/other/x86_64`)).toBe("else");
  const { text } = await indexOf(`${branch}/main/x86_64`);
  expect(text.match(/^A:.*/gm)).toEqual(["A:x86_64", "A:x86_64"]);
  for (const architecture of ["x86_64", "armv7", "noarch"])
    expect((await fetched(server, `ada/alpine/${branch}/main/${architecture}/any-1.0-r0.apk`)).status).toBe(200);
  expect((await fetched(server, `ada/alpine/${branch}/main/aarch64/kit-1.0-r0.apk`)).status).toBe(404);
  // Its own goes before that for every architecture.
  const own = apk("any", { more: "pkgdesc = Its own\n" });
  expect((await upload(`${branch}/main`, own)).status).toBe(201);
  expect((await fetched(server, `ada/alpine/${branch}/main/x86_64/any-1.0-r0.apk`)).bytes).toEqual(own);
  expect((await fetched(server, `ada/alpine/${branch}/main/armv7/any-1.0-r0.apk`)).bytes).not.toEqual(own);
});

test("a package is there once, and out of the index when it is deleted", async () => {
  const branch = aName();
  for (const name of ["kit", "tool"]) await publish(`${branch}/main`, name);
  const again = await upload(`${branch}/main`, apk("kit"));
  expect([again.status, again.text]).toEqual([409, "package file already exists\n"]);
  const erase = async (file: string, who: TestUser) =>
    (await registry("DELETE", `ada/alpine/${branch}/main/${file}`, who)).status;
  expect(await erase("x86_64/kit-1.0-r0.apk", bob)).toBe(401);
  expect(await erase("armv7/kit-1.0-r0.apk", ada)).toBe(404);
  expect(await erase("x86_64/kit-1.0-r0.apk", ada)).toBe(204);
  expect(await erase("x86_64/kit-1.0-r0.apk", ada)).toBe(404);
  expect(await names(`${branch}/main/x86_64`)).toBe("tool");
  const name = aName();
  await publish(`${branch}/main`, name);
  expect(await names(`${branch}/main/x86_64`)).toBe(`tool ${name}`);
  expect((await api("DELETE", `/packages/ada/alpine/${name}`, ada)).status).toBe(204);
  expect(await names(`${branch}/main/x86_64`)).toBe("tool");
  expect(await erase("x86_64/tool-1.0-r0.apk", ada)).toBe(204);
  expect((await indexOf(`${branch}/main/x86_64`)).status).toBe(404);
});

test("packages of a private repository are in the index of those who see it", async () => {
  const owner = await aUser(server);
  aRepo(server, owner.user, { name: "hidden", isPrivate: true });
  for (const [name, architecture] of [
    ["kit", "x86_64"],
    ["secret", "noarch"],
  ] as const)
    await publish("edge/main", name, { architecture }, owner);
  const link = await api("POST", `/packages/${owner.login}/alpine/secret/-/link/hidden`, owner);
  expect(link.status).toBe(201);
  const seen = async (who?: TestUser) => names("edge/main/x86_64", who, owner.login);
  expect([await seen(owner), await seen(bob), await seen()]).toEqual(["kit secret", "kit", "kit"]);
  const at = `${owner.login}/alpine/edge/main/x86_64/secret-1.0-r0.apk`;
  const statuses = [owner, bob, undefined].map(async (who) => (await fetched(server, at, who)).status);
  expect(await Promise.all(statuses)).toEqual([200, 404, 401]);
});

test("values are one line each", async () => {
  const branch = aName();
  const info = infoOf("kit", {
    more: "pkgdesc = A\rP:injected\u2028P:more\nlicense =\nlicense = MIT\nsize = -1\nurl = ftp://x\n",
  });
  expect((await upload(`${branch}/main`, apkOf(info).content)).status).toBe(201);
  const { text } = await indexOf(`${branch}/main/x86_64`);
  expect(text.split("\n").filter((line) => /^[PTLIU]:/.test(line))).toEqual([
    "P:kit",
    "T:A P:injected P:more",
    "L:MIT",
    "I:0",
  ]);
});

describe("what is no package", () => {
  const whole = apk("kit");
  const control = whole.indexOf(Buffer.from([0x1f, 0x8b]), 2);
  test.each([
    ["a text", "this is no package", "the archive could not be read"],
    ["nothing", "", "PKGINFO file is missing"],
    ["no control files", tgz([["usr/bin/kit", "kit"]]), "PKGINFO file is missing"],
    ["one that breaks off in its control files", whole.subarray(0, control + 40), "the archive could not be read"],
    ["one that breaks off in a header", whole.subarray(0, control + 5), "the archive could not be read"],
    ["no archive in it", Buffer.from(Bun.gzipSync(new Uint8Array(600).fill(65))), "the archive could not be read"],
    ["no fields", member([[".PKGINFO", "kit"]]), "package name is invalid"],
    ["a name with a slash", apk("a/b"), "package name is invalid"],
    ["no version", apk("kit", { version: "" }), "package version is invalid"],
    ["a version with a blank", apk("kit", { version: "1 0" }), "package version is invalid"],
    ["no architecture", apk("kit", { architecture: "" }), "package architecture is invalid"],
    ["a path for an architecture", apk("kit", { architecture: "../x" }), "package architecture is invalid"],
    ["the name of what the registry keeps", apk("_alpine"), "package name is invalid"],
  ])("%s is refused", async (_, content, message) => {
    const refused = await upload("bad/main", content);
    expect([refused.status, refused.text]).toEqual([400, `${message}\n`]);
    expect((await indexOf("bad/main/x86_64")).status).toBe(404);
  });

  test.each(["-x/main", "edge/a%2Fb", "edge/a%7Cb", "e%0A/main"])("a place %p is refused", async (place) => {
    const refused = await upload(place, apk("kit"));
    expect([refused.status, refused.text]).toEqual([400, "invalid branch or repository\n"]);
  });
});

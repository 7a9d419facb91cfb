import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { BadRequest } from "../../../src/kernel/errors.ts";
import { readHead, Section } from "../../../src/packages/registries/rpm/header.ts";
import { run } from "../../../src/packages/registries/rpm/read.job.ts";
import { aServer, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import { newSeed, random } from "../../random.ts";
import { type RpmOptions, rpm, section } from "./rpm-package.ts";
import { aName, aRegistry, fetched, hash } from "./world.ts";

/** Packages of RPM (contract packages.md 9.17). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
const registry = aRegistry(() => server);

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

const below = (group: string) => `ada/rpm${group && `/${group}`}`;
const upload = async (group: string, content: Uint8Array, who: TestUser | undefined = ada, query = "") =>
  (await registry("PUT", `${below(group)}/upload${query}`, who, content)).status;
const publish = (group: string, name: string, version?: string, options?: RpmOptions) =>
  upload(group, rpm(name, version, options));
const get = (at: string, who?: TestUser) => fetched(server, `ada/rpm/${at}`, who);
const document = async (group: string, kind: string) => {
  const { bytes, status } = await get(`${group && `${group}/`}repodata/${kind}.xml.gz`);
  return status === 200 ? gunzipSync(bytes).toString() : `status ${status}`;
};
const erase = async (at: string, who: TestUser | undefined = ada) =>
  (await registry("DELETE", `ada/rpm/${at}`, who)).status;

test("a package is described in each document, and comes back", async () => {
  const group = aName();
  const content = rpm("kit");
  expect(await upload(group, content)).toBe(201);
  const primary = await document(group, "primary");
  expect(primary).toStartWith(
    '<?xml version="1.0" encoding="UTF-8"?>\n<metadata xmlns="http://linux.duke.edu/metadata/common" xmlns:rpm="http://linux.duke.edu/metadata/rpm" packages="1">',
  );
  for (const part of [
    "<name>kit</name><arch>x86_64</arch>",
    '<version epoch="0" ver="1.0" rel="1"/>',
    `<checksum type="sha256" pkgid="YES">${hash("sha256", content)}</checksum>`,
    "<summary>The kit kit</summary><description>Does &amp; says &lt;things&gt;</description>",
    "<url>https://example.org/kit</url>",
    '<time file="1700000001" build="1700000000"/>',
    `<size package="${content.length}" installed="12" archive="64"/>`,
    '<location href="package/kit/1.0-1/x86_64/kit-1.0-1.x86_64.rpm"/>',
    "<rpm:license>MIT</rpm:license>",
    "<rpm:buildhost>build.example.org</rpm:buildhost>",
    "<rpm:sourcerpm>kit-1.0-1.src.rpm</rpm:sourcerpm>",
    '<rpm:provides><rpm:entry name="kit" flags="EQ" epoch="0" ver="1.0" rel="1"/><rpm:entry name="kit-api"/></rpm:provides>',
    '<rpm:requires><rpm:entry name="libkit" flags="GE" epoch="2" ver="1.2" rel="3"/><rpm:entry name="libkit"/></rpm:requires>',
    "<file>/usr/bin/kit</file>",
    "<file>/etc/kit.conf</file>",
  ])
    expect(primary).toContain(part);
  for (const absent of ["README", "rpmlib", "rpm:conflicts"]) expect(primary).not.toContain(absent);
  const opened = `<package pkgid="${hash("sha256", content)}" name="kit" arch="x86_64"><version epoch="0" ver="1.0" rel="1"/>`;
  const filelists = await document(group, "filelists");
  for (const part of [
    'xmlns="http://linux.duke.edu/metadata/filelists" packages="1"',
    opened,
    "<file>/usr/share/kit/README</file>",
    '<file type="dir">/usr/share/kit/doc</file>',
    '<file type="ghost">/usr/share/kit/kit.log</file>',
  ])
    expect(filelists).toContain(part);
  const other = await document(group, "other");
  for (const part of [
    'xmlns="http://linux.duke.edu/metadata/other" packages="1"',
    opened,
    '<changelog author="Ada &lt;ada@example.org&gt; - 1.0-1" date="1700000000">- first</changelog>',
  ])
    expect(other).toContain(part);
  for (const at of ["kit/1.0-1/x86_64", "kit/1.0-1/x86_64/kit-1.0-1.x86_64.rpm", "KIT/1.0-1/x86_64/any"])
    expect((await get(`${group}/package/${at}`)).bytes).toEqual(content);
  const head = await registry("HEAD", `${below(group)}/package/kit/1.0-1/x86_64`);
  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(content.length)]);
});

test("repomd.xml has the checksums of the documents, and its signature is of the key that is public", async () => {
  const group = aName();
  expect(await publish(group, "kit")).toBe(201);
  const repomd = await get(`${group}/repodata/repomd.xml`);
  const text = repomd.bytes.toString();
  expect(text).toStartWith(
    '<?xml version="1.0" encoding="UTF-8"?>\n<repomd xmlns="http://linux.duke.edu/metadata/repo"',
  );
  for (const kind of ["primary", "filelists", "other"]) {
    const { bytes } = await get(`${group}/repodata/${kind}.xml.gz`);
    const open = gunzipSync(bytes);
    const [part = ""] = new RegExp(`<data type="${kind}">.*?</data>`, "s").exec(text) ?? [];
    for (const said of [
      `<checksum type="sha256">${hash("sha256", bytes)}</checksum>`,
      `<open-checksum type="sha256">${hash("sha256", open)}</open-checksum>`,
      `<location href="repodata/${kind}.xml.gz"/>`,
      `<size>${bytes.length}</size>`,
      `<open-size>${open.length}</open-size>`,
    ])
      expect(part).toContain(said);
  }
  expect(text).not.toContain("updateinfo");
  const key = await get("repository.key");
  expect([key.status, key.headers.get("content-type")]).toEqual([200, "application/pgp-keys"]);
  // Where zypper looks for it that was given the address of the repository.
  expect((await get(`${group}/repodata/repomd.xml.key`)).bytes.equals(key.bytes)).toBe(true);
  const openpgp = await import("openpgp");
  const { signatures } = await openpgp.verify({
    message: await openpgp.createMessage({ binary: new Uint8Array(repomd.bytes) }),
    signature: await openpgp.readSignature({
      armoredSignature: (await get(`${group}/repodata/repomd.xml.asc`)).bytes.toString(),
    }),
    verificationKeys: await openpgp.readKey({ armoredKey: key.bytes.toString() }),
  });
  expect(await signatures[0]?.verified).toBe(true);
});

test("a client's configuration names owner, site, group and key", async () => {
  const base = `${server.url}api/packages/Ada/rpm`;
  expect((await fetched(server, "ada/rpm.repo")).bytes.toString()).toBe(
    `[gitea-ada]\nname=Ada - Hearth\nbaseurl=${base}\nenabled=1\ngpgcheck=1\ngpgkey=${base}/repository.key`,
  );
  expect((await get("centos/el9.repo")).bytes.toString()).toBe(
    `[gitea-ada-centos-el9]\nname=Ada - Hearth - centos - el9\nbaseurl=${base}/centos/el9\nenabled=1\ngpgcheck=1\ngpgkey=${base}/repository.key`,
  );
  for (const name of ["a%0Ab.repo", "a%5Db.repo", "..%2F.repo", ".repo"]) expect((await get(name)).status).toBe(404);
});

test("groups are apart, the one without a name too", async () => {
  const group = aName();
  const [one, two] = [aName("one"), aName("two")];
  expect(await publish("", one)).toBe(201);
  expect(await publish(group, two)).toBe(201);
  expect(await publish(`${group}/deep/er`, two)).toBe(201);
  expect(await document("", "primary")).not.toContain(two);
  expect(await document(group, "primary")).not.toContain(one);
  expect((await get(`${group}/package/${one}/1.0-1/x86_64`)).status).toBe(404);
  expect(await erase(`${group}/package/${two}/1.0-1/x86_64`)).toBe(204);
  expect(await document(group, "primary")).toBe("status 404");
  expect((await get(`${group}/repodata/repomd.xml`)).status).toBe(404);
  expect(await document(`${group}/deep/er`, "primary")).toContain(two);
  expect(await document("", "primary")).toContain(one);
});

test("a package is published once, and deleted by who may write", async () => {
  const group = aName();
  for (const arch of ["x86_64", "aarch64"]) expect(await publish(group, "kit", "1.0-1", { arch })).toBe(201);
  const again = await registry("PUT", `${below(group)}/upload`, ada, rpm("kit"));
  expect([again.status, again.text]).toEqual([409, "package file already exists\n"]);
  const at = `${group}/package/kit/1.0-1/x86_64`;
  expect([await upload(group, rpm("kit", "2.0-1"), bob), await erase(at, bob)]).toEqual([401, 401]);
  expect([await erase(at), await erase(at)]).toEqual([204, 404]);
  const primary = await document(group, "primary");
  expect([primary.includes("<arch>x86_64</arch>"), primary.includes("<arch>aarch64</arch>")]).toEqual([false, true]);
});

test("an epoch is part of the version, and what is for any architecture is found for each", async () => {
  const group = aName();
  const content = rpm("kit", "1.0+git~rc^1-1", { arch: "noarch", epoch: 2 });
  expect(await upload(group, content)).toBe(201);
  const [, href = ""] = /<location href="([^"]+)"/.exec(await document(group, "primary")) ?? [];
  expect(href).toBe("package/kit/2-1.0+git~rc%5E1-1/noarch/kit-2-1.0+git~rc%5E1-1.noarch.rpm");
  expect((await get(`${group}/${href}`)).bytes).toEqual(content);
  expect((await get(`${group}/package/kit/2-1.0%2Bgit~rc^1-1/x86_64`)).bytes).toEqual(content);
  // What is deleted is named as it is.
  expect(await erase(`${group}/package/kit/2-1.0+git~rc^1-1/x86_64`)).toBe(404);
});

describe("errata", () => {
  const erratum = {
    from: "ada@example.org",
    status: "stable",
    type: "security",
    version: "1",
    id: "FIX-1",
    title: "A fix",
    severity: "Important",
    description: "<all of it>",
    issued: { date: "2024-01-01 00:00:00" },
    references: [{ href: "https://example.org/1", id: "1", title: "One", type: "bugzilla" }],
    pkg_list: [
      {
        short: "s",
        packages: [
          { arch: "x86_64", name: "kit", release: "1", src: "kit-1.0-1.src.rpm", version: "1.0", filename: "kit.rpm" },
        ],
      },
    ],
  };
  const post = async (group: string, version: string, body: unknown, who: TestUser | undefined = ada) =>
    (await registry("POST", `${below(group)}/package/kit/${version}/errata`, who, body as object)).status;

  test("are in the update information, each once, those of several versions together", async () => {
    const group = aName();
    for (const version of ["1.0-1", "1.1-1"]) expect(await publish(group, "kit", version)).toBe(201);
    expect(await document(group, "updateinfo")).toBe("status 404");
    expect(await post(group, "1.0-1", [{ ...erratum, id: "FIX-2", issued: null }, null, erratum])).toBe(200);
    const first = await document(group, "updateinfo");
    expect(first).toStartWith('<?xml version="1.0" encoding="UTF-8"?>\n<updates>');
    expect(first.indexOf("<id>FIX-1</id>")).toBeLessThan(first.indexOf("<id>FIX-2</id>"));
    for (const part of [
      '<update from="ada@example.org" status="stable" type="security" version="1">',
      "<title>A fix</title><severity>Important</severity><description>&lt;all of it&gt;</description>",
      '<issued date="2024-01-01 00:00:00"/>',
      '<reference href="https://example.org/1" id="1" title="One" type="bugzilla"/>',
      '<collection short="s"><package arch="x86_64" name="kit" release="1" src="kit-1.0-1.src.rpm" version="1.0"><filename>kit.rpm</filename></package></collection>',
    ])
      expect(first).toContain(part);
    const [collection] = erratum.pkg_list;
    const more = { ...collection?.packages[0], version: "1.1", filename: "newer.rpm" };
    const changed = {
      ...erratum,
      title: "A better fix",
      references: [],
      pkg_list: [{ short: "s", packages: [more, collection?.packages[0]] }],
    };
    expect(await post(group, "1.0-1", [changed])).toBe(200);
    expect(await post(group, "1.1-1", [changed])).toBe(200);
    const second = await document(group, "updateinfo");
    expect(second.split("<id>FIX-1</id>").length).toBe(2);
    const [fix = ""] = /<id>FIX-1<\/id>.*?<\/update>/s.exec(second) ?? [];
    expect(fix).toContain("<title>A better fix</title>");
    expect(fix).toMatch(/<updated date="\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"\/>/);
    expect(fix).toContain('<issued date="2024-01-01 00:00:00"/>');
    expect(fix).not.toContain("<reference ");
    expect(fix.split("<collection").length).toBe(2);
    expect(fix.split("<filename>").length).toBe(3);
    expect((await get(`${group}/repodata/repomd.xml`)).bytes.toString()).toContain('<data type="updateinfo">');
    expect(await erase(`${group}/package/kit/1.0-1/x86_64`)).toBe(204);
    expect(await document(group, "updateinfo")).not.toContain("FIX-2");
  });

  test("are of a package that is there, and of their form", async () => {
    const group = aName();
    expect(await publish(group, "kit")).toBe(201);
    expect([await post(group, "9.0-1", [erratum]), await post("other", "1.0-1", [erratum])]).toEqual([404, 404]);
    expect(await post(group, "1.0-1", [erratum], bob)).toBe(401);
    for (const body of [
      {},
      "text",
      "",
      [7],
      [{ ...erratum, id: "" }],
      [{ ...erratum, title: 7 }],
      [{ ...erratum, references: {} }],
      [{ ...erratum, pkg_list: [{ packages: ["kit"] }] }],
      [{ ...erratum, issued: "2024" }],
    ])
      expect([body, await post(group, "1.0-1", body)]).toEqual([body, 400]);
    expect(await document(group, "updateinfo")).toBe("status 404");
  });
});

describe("what is no package", () => {
  const head = rpm("kit");
  const cut = (length: number) => head.subarray(0, length);
  const with32 = (at: number, value: number) => {
    const changed = Buffer.from(head);
    changed.writeUInt32BE(value, at);
    return changed;
  };
  const more = (...tags: (readonly [number, string | number[] | string[]])[]) => rpm("kit", "1.0-1", { more: tags });
  test.each([
    ["a text", "this is no package", "the archive could not be read"],
    ["nothing", "", "the archive could not be read"],
    ["a lead alone", cut(96), "the archive could not be read"],
    ["one that breaks off in its signatures", cut(130), "the archive could not be read"],
    ["one that breaks off in its header", cut(500), "the archive could not be read"],
    ["a section of four billion entries", with32(104, 0xffffffff), "the archive could not be read"],
    ["an entry that leads outside", with32(96 + 16 + 8, 0x7fffffff), "the archive could not be read"],
    ["a name with a slash", rpm("a/b"), "package name is invalid"],
    ["no name", rpm(""), "package name is invalid"],
    ["a version with a space", rpm("kit", "1 0-1"), "package version is invalid"],
    ["no release", rpm("kit", "1.0"), "package version is invalid"],
    ["a path for an architecture", rpm("kit", "1.0-1", { arch: "../x" }), "package architecture is invalid"],
    ["files in no directory", more([1116, [9, 9, 9, 9, 9]]), "the archive could not be read"],
  ])("%s is refused", async (_, content, message) => {
    const refused = await registry("PUT", `${below("bad")}/upload`, ada, content);
    expect([refused.status, refused.text]).toEqual([400, `${message}\n`]);
    expect(await document("bad", "primary")).toBe("status 404");
  });

  test.each(["...", "a%0Ab", "%7C", "a%2Fb", "-x"])("a group %p is refused", async (group) => {
    expect(await upload(group, rpm("kit"))).toBe(400);
  });

  test("whatever is changed in one, it is read or refused", async () => {
    const chance = random(newSeed());
    const below = (limit: number) => Math.floor(chance() * limit);
    for (let round = 0; round < 2000; round++) {
      const changed = Buffer.from(head);
      for (let changes = 1 + below(4); changes > 0; changes--)
        changed[96 + below(head.length - 96)] = chance() < 0.3 ? 0xff : below(256);
      const file = new Blob([new Uint8Array(changed.subarray(0, chance() < 0.1 ? below(head.length) : head.length))]);
      const read = await readHead(file).then(run, (error) => error);
      expect(read instanceof BadRequest || "invalid" in read || "facts" in read).toBe(true);
    }
  });

  test.each([
    ["files", [1117, Array.from({ length: 100_001 }, () => "")]],
    ["requirements", [1049, Array.from({ length: 200_001 }, () => "")]],
  ] as const)("too many %s are refused", async (_, tag) => {
    expect(await upload("bad", rpm("kit", "1.0-1", { more: [tag] }))).toBe(400);
  });

  test("values of other types than they have are none", async () => {
    const group = aName();
    const odd = more(
      [1080, "text"],
      [1030, "text"],
      [1047, [1, 2]],
      [1004, [7]],
      [1081, section([]).toString("latin1")],
    );
    expect(await upload(group, odd)).toBe(201);
    expect(await document(group, "primary")).toContain("<summary></summary>");
  });
});

test("what XML has no characters for is left out", async () => {
  const group = aName();
  expect(await publish(group, "kit", "1.0-1", { more: [[1004, "a\u0001\u001bb ]]> <c"]] })).toBe(201);
  expect(await document(group, "primary")).toContain("<summary>ab ]]&gt; &lt;c</summary>");
});

test("what is deleted elsewhere leaves the documents", async () => {
  const group = aName();
  const name = aName("api");
  for (const version of ["1.0-1", "1.1-1"]) expect(await publish(group, name, version)).toBe(201);
  const gone = await call(server, "DELETE", `/api/v1/packages/ada/rpm/${name}/1.0-1`, { token: ada.token });
  expect(gone.status).toBe(204);
  const primary = await document(group, "primary");
  expect([primary.includes('packages="1"'), primary.includes('ver="1.1"')]).toEqual([true, true]);
});

test("a package that is signed on its way in says so, with the owner's key", async () => {
  const group = aName();
  const content = rpm("kit");
  expect(await upload(group, content, ada, "?sign=true")).toBe(201);
  const { bytes } = await get(`${group}/package/kit/1.0-1/x86_64`);
  expect(await document(group, "primary")).toContain(hash("sha256", bytes));
  // The lead, and all behind the signatures, are as they came.
  expect(bytes.subarray(0, 96)).toEqual(content.subarray(0, 96));
  const headerAt = (of: Buffer) => of.indexOf(Buffer.from("8eade801", "hex"), 100);
  expect(bytes.subarray(headerAt(bytes))).toEqual(content.subarray(headerAt(content)));
  const openpgp = await import("openpgp");
  const verificationKeys = await openpgp.readKey({ armoredKey: (await get("repository.key")).bytes.toString() });
  const { header, headerStart, signatures } = await readHead(new Blob([new Uint8Array(bytes)]));
  const entries = new Map(new Section(signatures).entries().map(({ data, tag }) => [tag, data]));
  // The region, the digests that were there, and the two signatures.
  expect([...entries.keys()]).toEqual([62, 268, 269, 273, 1000, 1002, 1004, 1007]);
  for (const [tag, signed] of [
    [268, header],
    [1002, bytes.subarray(headerStart)],
  ] as const) {
    const { signatures: verified } = await openpgp.verify({
      message: await openpgp.createMessage({ binary: new Uint8Array(signed) }),
      signature: await openpgp.readSignature({ binarySignature: new Uint8Array(entries.get(tag) ?? []) }),
      verificationKeys,
    });
    expect([tag, await verified[0]?.verified]).toEqual([tag, true]);
  }
});

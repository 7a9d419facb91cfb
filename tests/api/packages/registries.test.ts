import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { aServer, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { tar, tgz, zip } from "./archives.ts";
import {
  aName,
  aRegistry,
  type Bytes,
  cargo,
  composer,
  form,
  gem,
  generic,
  go,
  hash,
  helm,
  maven,
  npm,
  type Publishing,
  pypi,
  terraform,
} from "./world.ts";

/** Each registry once: published, fetched and listed; and what is no package of its type (contract packages.md 9). */

let server: TestServer;
let ada: TestUser;
const registry = aRegistry(() => server);
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const publish = async (type: string, { body, method, path }: Publishing) =>
  (await registry(method, `ada/${type}${path}`, ada, body)).status;
const fetched = (at: string) => registry<unknown>("GET", `ada/${at}`);

/** What clients do: publish, look for it, and fetch it. */
const registries: readonly {
  readonly type: string;
  publish(name: string): Publishing;
  readonly status?: number;
  /** Below the registry: what names the package. */
  list(name: string): string;
  /** What was published, or a file of it. */
  file(name: string): string;
}[] = [
  { type: "generic", publish: (n) => generic(n), list: (n) => `/${n}/1.0/kit.bin`, file: (n) => `/${n}/1.0/kit.bin` },
  { type: "npm", publish: (n) => npm(n), list: (n) => `/${n}`, file: (n) => `/${n}/-/1.0.0/${n}-1.0.0.tgz` },
  {
    type: "pypi",
    publish: (n) => pypi(n),
    list: (n) => `/simple/${n}`,
    file: (n) => `/files/${n}/1.0.0/${n}-1.0.0.tar.gz`,
  },
  {
    type: "cargo",
    status: 200,
    publish: (n) => cargo(n),
    list: (n) => `/${n.slice(0, 2)}/${n.slice(2, 4)}/${n}`,
    file: (n) => `/api/v1/crates/${n}/1.0.0/download`,
  },
  {
    type: "go",
    publish: (n) => go(`example.org/${n}`),
    list: (n) => `/example.org/${n}/@v/list`,
    file: (n) => `/example.org/${n}/@v/v1.0.0.zip`,
  },
  { type: "helm", publish: (n) => helm(n), list: () => "/index.yaml", file: (n) => `/${n}-1.0.0.tgz` },
  {
    type: "composer",
    publish: (n) => composer(`kits/${n}`),
    list: (n) => `/p2/kits/${n}.json`,
    file: (n) => `/files/kits%2F${n}/1.0.0/kits-${n}.1.0.0.zip`,
  },
  { type: "rubygems", publish: (n) => gem(n), list: () => "/versions", file: (n) => `/gems/${n}-1.0.0.gem` },
  {
    type: "maven",
    publish: (n) => maven(n),
    list: (n) => `/org/kit/${n}/maven-metadata.xml`,
    file: (n) => `/org/kit/${n}/1.0/${n}-1.0.jar`,
  },
  {
    type: "terraform",
    publish: (n) => terraform(n),
    list: (n) => `/state/${n}`,
    file: (n) => `/state/${n}/versions/1`,
  },
];

describe("each registry", () => {
  for (const { file, list, publish: made, status = 201, type } of registries)
    test(`${type}: what is published is listed and fetched, and there once`, async () => {
      const name = aName();
      const publishing = made(name);
      expect(await publish(type, publishing)).toBe(status);
      if (type === "maven") expect(await publish(type, maven(name, "1.0", ".pom", pomOf(name, "1.0")))).toBe(201);
      const listed = await fetched(`${type}${list(name)}`);
      expect(listed.status).toBe(200);
      const isNamed = type === "generic" || type === "go" || type === "terraform" || listed.text.includes(name);
      expect([listed.text, isNamed]).toEqual([listed.text, true]);
      const found = await fetched(`${type}${file(name)}`);
      expect(found.status).toBe(200);
      expect(found.headers.get("x-content-type-options")).toBe("nosniff");
      // Charts take the place of those that are there.
      expect(await publish(type, made(name))).toBe(type === "helm" ? 201 : 409);
      for (const missing of [list(aName()), file(aName())])
        if (missing !== list(name))
          expect([missing, (await fetched(`${type}${missing}`)).status]).toEqual([missing, 404]);
    });
});

const pomOf = (artifact: string, version: string, more = "") =>
  `<?xml version="1.0"?>${more}<project><groupId>org.kit</groupId><artifactId>${artifact}</artifactId><version>${version}</version></project>`;

describe("what is no package", () => {
  const zeros = new Uint8Array(64 << 20);
  const long = "n".repeat(5000);
  const packed = (text: Bytes) => Bun.gzipSync(new Uint8Array(Buffer.from(text)));
  const yamlBomb = `a: &a [${"x,".repeat(50)}x]\n${[..."bcdefgh"]
    .map((letter, at) => `${letter}: &${letter} [${`*${"abcdefgh"[at]},`.repeat(20)}*${"abcdefgh"[at]}]`)
    .join("\n")}\n`;
  const chart = (text: Bytes) => ({ ...helm("kit"), body: tgz([["kit/Chart.yaml", text]]) });
  const inNpm = (change: (document: Json) => unknown): Publishing => {
    const made = npm(aName());
    return { ...made, body: change(made.body as Json) as object };
  };

  const hostile: Readonly<Record<string, readonly (readonly [what: string, Publishing])[]>> = {
    generic: [
      ["a name with a slash", generic("a%2Fb")],
      ["a name that goes up", generic("%2e%2e")],
      ["a name with a zero byte", generic("a%00b")],
      ["a long name", generic(long)],
      ["a file that goes up", generic(aName(), "1.0", "..%2F..%2Fetc%2Fpasswd")],
      ["a file with a line break", generic(aName(), "1.0", "a%0D%0Ab")],
      ["a version with a space before", generic(aName(), "%201")],
      ["a form without a file", { ...generic(aName()), body: form({ a: "b" }) }],
    ],
    npm: [
      ["no object", { ...npm("kit"), body: "[]" }],
      ["half of it", { ...npm("kit"), body: '{"name":"kit","_attachments":{"a":{"data":"QUFB' }],
      ["no versions", inNpm((document) => ({ ...document, versions: {} }))],
      ["versions of another type", inNpm((document) => ({ ...document, versions: "1.0.0" }))],
      ["attachments of another type", inNpm((document) => ({ ...document, _attachments: { a: { data: 1 } } }))],
      ["no base64", inNpm((document) => ({ ...document, _attachments: { a: { data: "***" } } }))],
      ["other bytes", inNpm((document) => ({ ...document, _attachments: { a: { data: "QUFBQQ==" } } }))],
      ["a name that goes up", npm("../kit")],
      ["a long name", npm(long)],
      ["a version that is none", npm(aName(), "one")],
      ["a tag that is a version", npm(aName(), "1.0.0", {}, "1.2.3")],
    ],
    pypi: [
      ["no form", { ...pypi("kit"), body: "bytes" }],
      ["another digest", pypi(aName(), "1.0.0", "a", { sha256_digest: hash("sha256", "b") })],
      ["a name that goes up", pypi("../kit")],
      ["a long name", pypi(long)],
      ["a version that is none", pypi(aName(), "one")],
    ],
    cargo: [
      ["nothing", { ...cargo("kit"), body: "" }],
      ["a length of more than there is", { ...cargo("kit"), body: Buffer.from([255, 255, 255, 127, 123]) }],
      ["no JSON", { ...cargo("kit"), body: Buffer.from([1, 0, 0, 0, 123, 0, 0, 0, 0]) }],
      ["a name that goes up", cargo("../kit")],
      ["a long name", cargo(long)],
      ["a version that is none", cargo(aName("kit"), "one")],
    ],
    go: [
      ["no zip", { ...go("kit"), body: "PK no zip" }],
      ["half of one", { ...go("kit"), body: zip([["kit@v1.0.0/go.mod", "module kit"]]).subarray(0, 60) }],
      [
        "entries of two modules",
        {
          ...go("kit"),
          body: zip([
            ["a@v1.0.0/a", "a"],
            ["b@v1.0.0/b", "b"],
          ]),
        },
      ],
      ["a name that goes up", go("example.org/../kit")],
      ["a version without its letter", go("example.org/kit", "1.0.0")],
      ["a long name", go(long)],
    ],
    helm: [
      ["no archive", { ...helm("kit"), body: "chart" }],
      ["no chart", { ...helm("kit"), body: tgz([["kit/values.yaml", "a: 1"]]) }],
      ["a bomb", { ...helm("kit"), body: packed(zeros) }],
      ["a large chart in a small archive", chart(zeros.subarray(0, 8 << 20))],
      ["YAML that grows without end", chart(yamlBomb)],
      ["YAML that is none", chart("a: [")],
      ["a name that goes up", helm("..%2Fkit", "1.0.0")],
      ["a long name", helm(long)],
    ],
    composer: [
      ["no archive", { ...composer("kits/kit"), body: "archive" }],
      ["no document", { ...composer("kits/kit"), body: zip([["a", "a"]]) }],
      ["a document that is no object", { ...composer("kits/kit"), body: zip([["composer.json", "[]"]]) }],
      ["a name that goes up", composer("../kit")],
      ["a long name", composer(`kits/${long}`)],
      ["a version that is none", composer("kits/kit", "one")],
    ],
    rubygems: [
      ["no archive", { ...gem("kit"), body: "gem" }],
      ["half of one", { ...gem("kit"), body: (gem("kit").body as Buffer).subarray(0, 600) }],
      ["no specification", { ...gem("kit"), body: tar([["data.tar.gz", "a"]]) }],
      ["one that is not packed", { ...gem("kit"), body: tar([["metadata.gz", "name: kit"]]) }],
      ["a bomb", gem("kit", "1.0.0", zeros)],
      ["YAML that grows without end", gem("kit", "1.0.0", yamlBomb)],
      ["a list", gem("kit", "1.0.0", "- name: kit")],
      ["a name that goes up", gem("../kit")],
      ["a long name", gem(long)],
    ],
    maven: [
      ["a path without a version", { ...maven("kit"), path: "/kit.jar" }],
      ["a path that goes up", maven("..%2F..%2Fkit")],
      ["a long name", maven(long)],
      ["a POM that is none", maven(aName(), "1.0", ".pom", "<project")],
      [
        "a POM with a document type",
        maven(aName(), "1.0", ".pom", pomOf("kit", "1.0", '<!DOCTYPE a [<!ENTITY b "c">]>')),
      ],
      ["a POM of megabytes", maven(aName(), "1.0", ".pom", `<project>${"<a>".repeat(5 << 20)}`)],
    ],
    terraform: [
      ["no JSON", { ...terraform("kit"), body: "{" }],
      ["no serial", { ...terraform("kit"), body: { lineage: "kit" } }],
      ["a name that goes up", terraform("%2e%2e")],
      ["a long name", terraform(long)],
    ],
  };
  for (const [type, cases] of Object.entries(hostile))
    test(`${type}: is refused in words, and nothing of it stays`, async () => {
      const before = await kept();
      const answers: string[] = [];
      for (const [what, { body, method, path }] of cases) {
        const { status, text } = await registry(method, `ada/${type}${path}`, ada, body);
        const isRefused = [400, 404, 413].includes(status) && text !== "";
        answers.push(`${what}: ${isRefused ? "refused" : `${status} ${text.slice(0, 200)}`}`);
      }
      expect(answers).toEqual(cases.map(([what]) => `${what}: refused`));
      expect(await kept()).toEqual(before);
    });

  const kept = async () =>
    ["packages", "package_files", "package_blobs", "blob_references"].map(
      (table) => server.core.db.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n,
    );
});

describe("npm", () => {
  test("tags move, and are no versions", async () => {
    const name = aName();
    for (const version of ["1.0.0", "2.0.0"]) await publish("npm", npm(name, version));
    const tags = `ada/npm/-/package/${name}/dist-tags`;
    const set = (tag: string, body: string) => registry("PUT", `${tags}/${tag}`, ada, body);
    expect((await set("beta", '"1.0.0"')).status).toBe(200);
    expect((await registry("GET", tags)).body).toEqual({ latest: "2.0.0", beta: "1.0.0" });
    expect([(await set("1.2", '"1.0.0"')).status, (await set("beta", '"9.9.9"')).status]).toEqual([400, 404]);
    expect((await set("beta", `"${"1".repeat(5000)}"`)).status).toBe(413);
    expect((await registry("DELETE", `${tags}/beta`, ada)).status).toBe(200);
    expect((await registry("GET", tags)).body).toEqual({ latest: "2.0.0" });
  });

  test("a scoped name is the same in each of its spellings", async () => {
    const name = aName("@scope/kit");
    await publish("npm", npm(name));
    const spelled = [name.replace("/", "%2f"), name, encodeURIComponent(name)];
    const [first, ...more] = await Promise.all(spelled.map((each) => fetched(`npm/${each}`)));
    expect(first?.status).toBe(200);
    for (const each of more) expect(each.text).toBe(first?.text ?? "");
  });
});

describe("maven", () => {
  test("checksums are told of each file, and those sent have to be right", async () => {
    const name = aName();
    await publish("maven", maven(name));
    const sums = await fetched(`maven/org/kit/${name}/1.0/${name}-1.0.jar.sha256`);
    expect([sums.status, sums.text]).toEqual([200, hash("sha256", "jar")]);
    expect(await publish("maven", maven(name, "1.0", ".jar.sha1", hash("sha1", "jar")))).toBe(200);
    expect(await publish("maven", maven(name, "1.0", ".jar.sha1", hash("sha1", "other")))).toBe(400);
  });
});

describe("composer", () => {
  test("a linked package says where its source is cloned from", async () => {
    const name = aName();
    await publish("composer", composer(`kits/${name}`));
    const made = { name, auto_init: false };
    const headers = { authorization: `token ${ada.token}`, "content-type": "application/json" };
    const ask = (path: string, body: object) =>
      fetch(`${server.url}api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect((await ask("/user/repos", made)).status).toBe(201);
    expect((await ask(`/packages/ada/composer/kits%2F${name}/-/link/${name}`, {})).status).toBe(201);
    const { body } = await registry<{ packages: Record<string, Json[]> }>("GET", `ada/composer/p2/kits/${name}.json`);
    expect(body.packages[`kits/${name}`]?.[0]?.["source"]).toEqual({
      url: `${server.services.links.rootUrl}ada/${name}.git`,
      type: "git",
      reference: "1.0.0",
    });
  });
});

describe("cargo", () => {
  test("what is yanked is told so, and one name has one spelling", async () => {
    const name = aName("kit-");
    await publish("cargo", cargo(name));
    const yank = (method: string, what: string) =>
      registry(method, `ada/cargo/api/v1/crates/${name}/1.0.0/${what}`, ada);
    const isYanked = async () => JSON.parse((await fetched(`cargo/ki/t-/${name}`)).text).yanked;
    expect(await isYanked()).toBe(false);
    expect((await yank("DELETE", "yank")).body).toEqual({ ok: true });
    expect(await isYanked()).toBe(true);
    await yank("PUT", "unyank");
    expect(await isYanked()).toBe(false);
    expect(await publish("cargo", cargo(name.replace("-", "_"), "2.0.0"))).toBe(400);
  });
});

describe("terraform", () => {
  test("a lock is one's own until it is given back or broken", async () => {
    const name = aName();
    const lock = (method: string, ID?: string) =>
      registry(method, `ada/terraform/state/${name}/lock`, ada, ID === undefined ? undefined : { ID });
    const post = (serial: number, id: string) =>
      registry("POST", `ada/terraform/state/${name}?ID=${id}`, ada, terraform(name, serial).body);
    expect((await lock("POST", "one")).status).toBe(200);
    const held = await lock("POST", "two");
    expect([held.status, held.body["ID"]]).toEqual([423, "one"]);
    expect([(await post(1, "two")).status, (await post(1, "one")).status]).toEqual([423, 201]);
    expect([(await lock("DELETE", "two")).status, (await lock("DELETE", "one")).status]).toEqual([423, 200]);
    expect([(await lock("POST", "three")).status, (await lock("DELETE")).status]).toEqual([200, 200]);
    expect((await registry("DELETE", `ada/terraform/state/${name}`, ada)).status).toBe(200);
    expect((await fetched(`terraform/state/${name}`)).status).toBe(404);
  });

  test("locks with Terraform's own methods, and refuses a state that arrived as another", async () => {
    const at = `ada/terraform/state/${aName()}`;
    const lock = (method: string, ID: string) => registry(method, `${at}/lock`, ada, { ID });
    expect((await lock("LOCK", "one")).status).toBe(200);
    const held = await lock("LOCK", "two");
    expect([held.status, held.body["ID"]]).toEqual([423, "one"]);
    expect([(await lock("UNLOCK", "two")).status, (await lock("UNLOCK", "one")).status]).toEqual([423, 200]);
    const state = JSON.stringify({ version: 4, serial: 1, lineage: "kit" });
    const post = (text: string) => {
      const digest = Buffer.from(hash("md5", text), "hex").toString("base64");
      return registry<unknown>("POST", at, ada, state, { headers: { "content-md5": digest } });
    };
    const torn = await post(`${state} `);
    expect([torn.status, torn.text]).toEqual([400, "hash mismatch\n"]);
    expect((await post(state)).status).toBe(201);
  });
});

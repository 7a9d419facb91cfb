import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { constants, createHash, createPrivateKey, privateEncrypt, sign } from "node:crypto";
import {
  type Answer,
  aRepo,
  aServer,
  aSession,
  aUser,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { tgz } from "./archives.ts";
import { aForm } from "./forms.ts";

/** Cookbooks of Chef, and requests that its clients sign (contract packages.md 9.19). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let root: TestUser;
/** Ada's own. */
let key: string;

const PAGE = "/user/settings/packages";
const REGENERATE = `${PAGE}/chef/regenerate_keypair`;
const BASE = "/api/packages/ada/chef/api/v1";

beforeAll(async () => {
  server = await aServer({ "packages.max_file_sizes": ["chef=1 MiB"] });
  ada = await aUser(server, { login: "ada", visibility: "limited" });
  bob = await aUser(server, { login: "bob" });
  root = await aUser(server, { login: "root", isAdmin: true });
  key = await aKey(ada);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function aKey({ user }: TestUser): Promise<string> {
  const answer = await call(server, "POST", REGENERATE, { cookie: await aSession(server, user) });
  expect(answer.status).toBe(200);
  return answer.text;
}

let names = 0;
const aName = () => `book${++names}`;

const metadata = (name: string, version: string, more: object = {}) =>
  JSON.stringify({ name, version, description: "d", maintainer: "Ann", license: "MIT", ...more });
const aCookbook = (name: string, version = "1.0.0", more: object = {}) =>
  tgz([
    [`${name}/recipes/metadata.json`, "{}"],
    [`${name}/metadata.json`, metadata(name, version, more)],
  ]);

const formOf = (tarball: Uint8Array | string, field = "tarball") =>
  aForm([
    { name: "cookbook", content: '{"category":"Other"}' },
    { name: field, file: "book.tgz", content: tarball },
  ]);

function publish(tarball: Uint8Array | string, field?: string): Promise<Answer<Json>> {
  return call(server, "POST", `${BASE}/cookbooks`, { token: ada.token, ...formOf(tarball, field) });
}
const get = <Body = Json>(path: string, token: string | undefined = ada.token) =>
  call<Body>(server, "GET", `${BASE}${path}`, { token });
const remove = (path: string, token: string | undefined = ada.token) =>
  call(server, "DELETE", `${BASE}${path}`, { token });

test("cookbooks are described as the clients read them, and come back", async () => {
  const name = aName();
  const book = await aCookbook(name, "1.2", {
    dependencies: { apt: ">= 1.0", bad: 7 },
    source_url: "https://example.org/book",
  });
  const sent = await publish(book);
  expect([sent.status, sent.body]).toEqual([201, {}]);
  expect((await publish(await aCookbook(name, "1.10.0"))).status).toBe(201);
  expect((await publish(await aCookbook(name, "1.9.0", { source_url: "javascript:alert(1)" }))).status).toBe(201);
  const site = `${server.url}api/packages/ada/chef/api/v1`;
  const at = (version: string) => `${site}/cookbooks/${name}/versions/${version}`;
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect((await get(`/cookbooks/${name.toUpperCase()}`)).body).toEqual({
    name,
    maintainer: "Ann",
    description: "d",
    category: "",
    latest_version: at("1.10.0"),
    source_url: "",
    created_at: time,
    updated_at: time,
    deprecated: false,
    versions: [at("1.2"), at("1.9.0"), at("1.10.0")],
  });
  expect((await get(`/cookbooks/${name}/versions/1_2`)).body).toEqual({
    version: "1.2",
    tarball_file_size: book.length,
    published_at: time,
    cookbook: `${site}/cookbooks/${name}`,
    file: `${at("1.2")}/download`,
    license: "MIT",
    dependencies: { apt: ">= 1.0" },
  });
  const universe = await get<Record<string, Json>>("/universe");
  expect(universe.body[name]?.["1.2"]).toEqual({
    location_type: "opscode",
    location_path: site,
    download_url: `${at("1.2")}/download`,
    dependencies: { apt: ">= 1.0" },
  });
  const file = await fetch(`${at("1_2")}/download`, { headers: { authorization: `token ${ada.token}` } });
  expect(file.headers.get("content-type")).toBe("application/octet-stream");
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(book);
});

test("lists are by name or by time, a part at a time", async () => {
  const owner = await aUser(server, { login: "lister" });
  const base = "/api/packages/lister/chef/api/v1";
  for (const name of ["beta", "alpha", "gamma"])
    await call(server, "POST", `${base}/cookbooks`, { token: owner.token, ...formOf(await aCookbook(name)) });
  const list = async (query: string) => {
    const { body } = await call<{ start: number; total: number; items: Json[] }>(server, "GET", `${base}/${query}`);
    return [body.start, body.total, body.items.map((item) => item["cookbook_name"])];
  };
  expect(await list("cookbooks")).toEqual([0, 3, ["alpha", "beta", "gamma"]]);
  expect(await list("cookbooks?start=1&items=1")).toEqual([1, 3, ["beta"]]);
  expect(await list("cookbooks?start=9&items=0")).toEqual([9, 3, []]);
  expect(await list("cookbooks?start=-1&items=x&order=rude")).toEqual([0, 3, ["alpha", "beta", "gamma"]]);
  for (const order of ["recently_updated", "recently_added"])
    expect(await list(`cookbooks?order=${order}`)).toEqual([0, 3, ["gamma", "alpha", "beta"]]);
  expect(await list("search?q=AM")).toEqual([0, 1, ["gamma"]]);
  expect(await list("search?q=%25")).toEqual([0, 0, []]);
  const { body } = await call<{ items: Json[] }>(server, "GET", `${base}/search?q=alpha`);
  expect(body.items).toEqual([
    {
      cookbook_name: "alpha",
      cookbook_maintainer: "Ann",
      cookbook_description: "d",
      cookbook: `${server.url}api/packages/lister/chef/api/v1/cookbooks/alpha`,
    },
  ]);
});

test("a version is published once, and goes alone or with its cookbook", async () => {
  const name = aName();
  for (const version of ["1.0.0", "1.1.0", "1.2.0"]) await publish(await aCookbook(name, version));
  const again = await publish(await aCookbook(name));
  expect([again.status, again.body]).toEqual([
    409,
    { error_messages: ["Version already exists", "package version already exists"] },
  ]);
  for (const token of [bob.token, undefined]) {
    const sent = formOf(await aCookbook(aName()));
    expect((await call(server, "POST", `${BASE}/cookbooks`, { token, ...sent })).status).toBe(401);
    expect((await call(server, "DELETE", `${BASE}/cookbooks/${name}`, { token })).status).toBe(401);
  }
  const gone = await remove(`/cookbooks/${name}/versions/1_0_0`);
  expect([gone.status, gone.text]).toEqual([200, ""]);
  expect((await remove(`/cookbooks/${name}/versions/1.0.0`)).status).toBe(404);
  expect((await get(`/cookbooks/${name}`)).body["versions"]).toHaveLength(2);
  expect((await remove(`/cookbooks/${name}`)).status).toBe(200);
  const missing = await remove(`/cookbooks/${name}`);
  expect([missing.status, missing.body]).toEqual([404, { error_messages: ["package does not exist"] }]);
  expect((await get(`/cookbooks/${name}/versions/1.1.0/download`)).status).toBe(404);
});

test("a cookbook of a private repository is shown to nobody who may not read that", async () => {
  const name = aName();
  await publish(await aCookbook(name));
  const repo = aRepo(server, ada.user, { isPrivate: true });
  const linked = await call(server, "POST", `/api/v1/packages/ada/chef/${name}/-/link/${repo.name}`, {
    token: ada.token,
  });
  expect(linked.status).toBe(201);
  for (const path of ["", "/versions/1.0.0", "/versions/1.0.0/download"]) {
    const at = `/cookbooks/${name}${path}`;
    const seen = await Promise.all([bob, ada, root].map(async ({ token }) => (await get(at, token)).status));
    expect([at, ...seen]).toEqual([at, 404, 200, 200]);
  }
  for (const path of ["/universe", "/cookbooks?items=100", `/search?q=${name}`]) {
    expect((await get(path, bob.token)).text).not.toContain(name);
    expect((await get(path)).text).toContain(name);
  }
});

test.each<[string, () => Promise<Uint8Array | string> | Uint8Array, number, string]>([
  ["a name with a blank", () => aCookbook("a b"), 400, "package name is invalid"],
  ["no name", () => tgz([["a/metadata.json", '{"version":"1.0"}']]), 400, "package name is invalid"],
  ["a version that is none", () => aCookbook("a", "one"), 400, "package version is invalid"],
  ["a version of one number", () => aCookbook("a", "1"), 400, "package version is invalid"],
  ["no metadata", () => tgz([["a/README", "x"]]), 400, "metadata.json file is missing"],
  ["metadata too deep", () => tgz([["a/b/metadata.json", metadata("a", "1.0")]]), 400, "metadata.json file is missing"],
  ["metadata that is no JSON", () => tgz([["a/metadata.json", "{"]]), 400, "the archive could not be read"],
  ["metadata that is a list", () => tgz([["a/metadata.json", "[]"]]), 400, "the archive could not be read"],
  ["no archive", async () => "plain text", 400, "the archive could not be read"],
  [
    "an archive that breaks off",
    async () => (await aCookbook("a")).subarray(0, 60),
    400,
    "the archive could not be read",
  ],
  ["a file that is too large", async () => new Uint8Array(2 << 20), 403, "maximum allowed package type size exceeded"],
])("%s is refused, and nothing is left", async (_, tarball, status, said) => {
  const refused = await publish(await tarball());
  expect([refused.status, refused.body]).toEqual([status, { error_messages: [said] }]);
  expect((await get("/cookbooks/a")).status).toBe(404);
});

test("the form needs its file", async () => {
  const refused = await publish(await aCookbook(aName()), "file");
  expect([refused.status, refused.body]).toEqual([400, { error_messages: ["the body has no file"] }]);
});

interface Signing {
  readonly method?: string;
  readonly path: string;
  readonly version: "1.0" | "1.1" | "1.2" | "1.3";
  readonly body?: Uint8Array;
  readonly user?: string;
  readonly key?: string;
  readonly at?: number;
  readonly apiVersion?: string;
}

const hashed = (algorithm: "sha1" | "sha256", content: string | Uint8Array) =>
  createHash(algorithm).update(content).digest("base64");

/** The headers of a request as clients of Chef sign it. */
function signed(request: Signing): Record<string, string> {
  const { at = Date.now(), body = new Uint8Array(), method = "GET", path, user = "ada", version } = request;
  const algorithm = version === "1.3" ? "sha256" : "sha1";
  const timestamp = `${new Date(at).toISOString().slice(0, 19)}Z`;
  const contentHash = hashed(algorithm, body);
  const shown = version === "1.0" || version === "1.3" ? user : hashed("sha1", user);
  const lines =
    version === "1.3"
      ? [
          `Method:${method}`,
          `Path:${path}`,
          `X-Ops-Content-Hash:${contentHash}`,
          "X-Ops-Sign:version=1.3",
          `X-Ops-Timestamp:${timestamp}`,
          `X-Ops-UserId:${shown}`,
          `X-Ops-Server-API-Version:${request.apiVersion ?? "0"}`,
        ]
      : [
          `Method:${method}`,
          `Hashed Path:${hashed("sha1", path)}`,
          `X-Ops-Content-Hash:${contentHash}`,
          `X-Ops-Timestamp:${timestamp}`,
          `X-Ops-UserId:${shown}`,
        ];
  const text = Buffer.from(lines.join("\n"));
  const privateKey = createPrivateKey(request.key ?? key);
  const signature =
    version === "1.0" || version === "1.1"
      ? privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, text)
      : sign(algorithm, text, privateKey);
  const parts = signature.toString("base64").match(/.{1,60}/g) ?? [];
  return {
    "x-ops-sign": `algorithm=${algorithm};version=${version};`,
    "x-ops-userid": user,
    "x-ops-timestamp": timestamp,
    "x-ops-content-hash": contentHash,
    ...(request.apiVersion === undefined ? {} : { "x-ops-server-api-version": request.apiVersion }),
    ...Object.fromEntries(parts.map((part, at) => [`x-ops-authorization-${at + 1}`, part])),
  };
}

async function publishSigned(tarball: Uint8Array, signing: Partial<Signing>, sent = tarball): Promise<Answer<Json>> {
  const { body, headers } = formOf(sent);
  const path = `${BASE}/cookbooks`;
  const signature = signed({ method: "POST", path, version: "1.3", body: tarball, ...signing });
  return call(server, "POST", path, { body, headers: { ...headers, ...signature } });
}

describe("signed requests", () => {
  test.each(["1.0", "1.1", "1.2", "1.3"] as const)("of version %s publish, read and delete", async (version) => {
    const name = aName();
    expect((await publishSigned(await aCookbook(name), { version, user: "Ada" })).status).toBe(201);
    const path = `${BASE}/cookbooks/${name}`;
    const asked = `${path.replace("/cookbooks", "//cookbooks")}/?x=1`;
    const read = await call(server, "GET", asked, { headers: signed({ path, version }) });
    expect([read.status, read.body["name"]]).toEqual([200, name]);
    const gone = await call(server, "DELETE", path, { headers: signed({ method: "DELETE", path, version }) });
    expect(gone.status).toBe(200);
  });

  test("of version 1.3 may name a version of the interface, or none", async () => {
    const path = `${BASE}/universe`;
    const statuses: number[] = [];
    for (const apiVersion of ["1", "", undefined]) {
      const headers = signed({ path, version: "1.3", ...(apiVersion === undefined ? {} : { apiVersion }) });
      statuses.push((await call(server, "GET", path, { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200]);
  });

  const path = `${BASE}/cookbooks`;
  const without = (name: string): Record<string, string> => {
    const { [name]: _, ...rest } = signed({ path, version: "1.0" });
    return rest;
  };
  test.each<[string, () => Record<string, string>]>([
    ["an old time", () => signed({ path, version: "1.0", at: Date.now() - 660_000 })],
    ["a time to come", () => signed({ path, version: "1.3", at: Date.now() + 660_000 })],
    ["another path", () => signed({ path: `${path}/x`, version: "1.0" })],
    ["another method", () => signed({ path, version: "1.1", method: "DELETE" })],
    ["the key of someone else", () => signed({ path, version: "1.2", user: "bob" })],
    ["an account that is not there", () => signed({ path, version: "1.0", user: "nobody" })],
    ["a version that is not known", () => ({ ...signed({ path, version: "1.3" }), "x-ops-sign": "version=1.4" })],
    [
      "the other algorithm",
      () => ({ ...signed({ path, version: "1.0" }), "x-ops-sign": "algorithm=sha256;version=1.0" }),
    ],
    ["the name of another", () => ({ ...signed({ path, version: "1.1" }), "x-ops-userid": "bob" })],
    ["another hash of the body", () => ({ ...signed({ path, version: "1.0" }), "x-ops-content-hash": "AAAA" })],
    ["a time that is none", () => ({ ...signed({ path, version: "1.0" }), "x-ops-timestamp": "today" })],
    ["a line less", () => without("x-ops-authorization-2")],
    ["no first line", () => without("x-ops-authorization-1")],
    ["no account", () => without("x-ops-userid")],
    ["no time", () => without("x-ops-timestamp")],
    ["no hash", () => without("x-ops-content-hash")],
    ["what is no base64", () => ({ ...signed({ path, version: "1.2" }), "x-ops-authorization-1": "%%%" })],
  ])("with %s do not count", async (_, headers) => {
    const asked: Answer<unknown> = await call(server, "GET", path, { headers: headers() });
    expect([asked.status, asked.text]).toEqual([401, "Failed to authenticate user\n"]);
    expect(asked.headers.get("www-authenticate")).toStartWith("Basic");
  });

  test("that do not hold are refused where everyone may read; a token beside them counts", async () => {
    const open = "/api/packages/bob/chef/api/v1/universe";
    const headers = signed({ path, version: "1.0" });
    expect((await call(server, "GET", open)).status).toBe(200);
    expect((await call(server, "GET", open, { headers })).status).toBe(401);
    expect((await call(server, "GET", open, { headers, token: ada.token })).status).toBe(200);
  });

  test("publish only the file that was signed", async () => {
    const name = aName();
    const refused = await publishSigned(await aCookbook(name), { version: "1.0" }, await aCookbook(name, "6.6.6"));
    expect(refused.status).toBe(401);
    expect((await get(`/cookbooks/${name}`)).status).toBe(404);
  });

  test("count in this registry alone", async () => {
    const other = "/api/packages/ada/generic/signed/1.0/file";
    const headers = signed({ method: "PUT", path: other, version: "1.3", body: Buffer.from("x") });
    expect((await call(server, "PUT", other, { headers, body: "x" })).status).toBe(401);
    const api = "/api/v1/user";
    expect((await call(server, "GET", api, { headers: signed({ path: api, version: "1.3" }) })).status).toBe(401);
  });

  test("of an account that is switched off do nothing", async () => {
    const off = await aUser(server, { login: "off" });
    const own = await aKey(off);
    const at = "/api/packages/off/chef/api/v1/universe";
    const ask = async () =>
      (await call(server, "GET", at, { headers: signed({ path: at, version: "1.0", user: "off", key: own }) })).status;
    expect(await ask()).toBe(200);
    await call(server, "PATCH", "/api/v1/admin/users/off", { token: root.token, body: { active: false } });
    expect(await ask()).toBe(401);
  });
});

describe("the key pair", () => {
  test("is made for whoever is signed in, once shown, and counts until the next", async () => {
    const eve = await aUser(server, { login: "eve" });
    const cookie = await aSession(server, eve.user);
    const page = async () => (await call<unknown>(server, "GET", PAGE, { cookie })).text;
    expect(await page()).toContain("You have no key yet.");
    const made: Answer<unknown> = await call(server, "POST", REGENERATE, { cookie });
    expect(made.headers.get("content-type")).toBe("application/x-pem-file");
    expect(made.headers.get("content-disposition")).toContain("eve.priv");
    expect(made.headers.get("cache-control")).toBe("no-store");
    expect(createPrivateKey(made.text).asymmetricKeyDetails?.modulusLength).toBe(4096);
    expect(await page()).not.toContain("You have no key yet.");
    const at = "/api/packages/eve/chef/api/v1/universe";
    const ask = async (own: string) =>
      (await call(server, "GET", at, { headers: signed({ path: at, version: "1.0", user: "eve", key: own }) })).status;
    const next = await aKey(eve);
    expect([await ask(made.text), await ask(next)]).toEqual([401, 200]);
    const log = await call<unknown>(server, "GET", "/user/settings/security/log", { cookie });
    expect(log.text).toContain("Key added: Chef");
  });

  test("is made for no one else", async () => {
    const visitor = await call<unknown>(server, "POST", REGENERATE);
    expect(visitor.status).toBe(303);
    const foreign = { cookie: await aSession(server, ada.user), headers: { "sec-fetch-site": "cross-site" } };
    expect((await call<unknown>(server, "POST", REGENERATE, foreign)).status).toBe(403);
    const path = `${BASE}/universe`;
    expect((await call(server, "GET", path, { headers: signed({ path, version: "1.3" }) })).status).toBe(200);
  });
});

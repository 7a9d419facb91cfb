import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { operator } from "../../../src/access/principal.ts";
import {
  anApi,
  aRepo,
  aServer,
  aToken,
  aUser,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { aName, type Bytes, digestOf, send } from "./world.ts";

/** Container images: tokens, uploads in pieces, manifests and tags (contract packages.md 9.3). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let root: TestUser;
const api = anApi(() => server);
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada", password: true });
  bob = await aUser(server, { login: "bob" });
  root = await aUser(server, { login: "root", isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** @param secret a token or password; absent: a visitor */
const tokenFor = (login = "", secret?: string) =>
  send(server, "GET", "/v2/token?service=container_registry&scope=*", undefined, undefined, {
    ...(secret === undefined ? {} : { basic: [login, secret] }),
  });

type Client = (
  method: string,
  path: string,
  body?: Bytes,
  headers?: Record<string, string>,
) => ReturnType<typeof send<Json>>;

/** What asks below `/v2` with a token of the registry. */
async function aClient(who?: TestUser, secret = who?.token): Promise<Client> {
  const { body, status } = await tokenFor(who?.login, secret);
  expect(status).toBe(200);
  const authorization = `Bearer ${body["token"]}`;
  return (method, path, sent, headers = {}) =>
    send(server, method, path.startsWith("/v2") ? path : `/v2${path}`, undefined, sent, {
      headers: { authorization, ...headers },
    });
}

const codeOf = ({ body, status }: { status: number; body: Json | undefined }) =>
  `${status} ${((body?.["errors"] as Json[] | undefined)?.[0]?.["code"] as string | undefined) ?? ""}`.trim();

const IMAGE = "application/vnd.oci.image.manifest.v1+json";
const INDEX = "application/vnd.oci.image.index.v1+json";

async function aBlob(client: Client, image: string, content: Bytes): Promise<string> {
  const digest = digestOf(content);
  expect((await client("POST", `/${image}/blobs/uploads/?digest=${digest}`, content)).status).toBe(201);
  return digest;
}

/** A manifest whose contents are there; it is not put yet. */
async function aManifest(client: Client, image: string, layer = aName("layer ")) {
  const config = JSON.stringify({ architecture: "amd64", os: "linux", made: aName() });
  const described = async (mediaType: string, content: string) => ({
    mediaType,
    digest: await aBlob(client, image, content),
    size: Buffer.byteLength(content),
  });
  return {
    schemaVersion: 2,
    mediaType: IMAGE,
    config: await described("application/vnd.oci.image.config.v1+json", config),
    layers: [await described("application/vnd.oci.image.layer.v1.tar+gzip", layer)],
  };
}
const put = (client: Client, image: string, reference: string, manifest: object | string, mediaType = IMAGE) =>
  client(
    "PUT",
    `/${image}/manifests/${reference}`,
    typeof manifest === "string" ? manifest : JSON.stringify(manifest),
    { "content-type": mediaType },
  );

async function anImage(client: Client, image: string, tag = "one") {
  const manifest = await aManifest(client, image);
  expect((await put(client, image, tag, manifest)).status).toBe(201);
  return { manifest, digest: digestOf(JSON.stringify(manifest)) };
}

describe("tokens", () => {
  test("clients are told where to get one, which visitors do, too", async () => {
    const challenged = await send(server, "GET", "/v2/", undefined);
    expect(codeOf(challenged)).toBe("401 UNAUTHORIZED");
    const { origin } = new URL(server.services.links.rootUrl);
    expect(challenged.headers.get("www-authenticate")).toBe(
      `Bearer realm="${origin}/v2/token",service="container_registry",scope="*"`,
    );
    const { body } = await tokenFor();
    expect(body).toMatchObject({ access_token: body["token"], expires_in: 86_400 });
    // The form of OAuth 2.0 is not there, which sends clients back to the way above.
    expect((await send(server, "POST", "/v2/token", undefined, "grant_type=password")).status).toBe(404);
    const visitor = await aClient();
    expect((await visitor("GET", "/")).status).toBe(200);
    const image = `ada/${aName()}`;
    await anImage(await aClient(ada), image);
    expect((await visitor("GET", `/${image}/manifests/one`)).status).toBe(200);
    expect((await visitor("POST", `/${image}/blobs/uploads/`)).status).toBe(401);
  });

  test("one can do no more than the token it was asked for with, and no longer", async () => {
    const image = `ada/${aName()}`;
    await anImage(await aClient(ada), image);
    const { secret: reads } = server.services.tokens.create(operator, ada.user, "reads", ["read:package"]);
    const reader = await aClient(ada, reads);
    expect((await reader("GET", `/${image}/manifests/one`)).status).toBe(200);
    expect((await reader("POST", `/${image}/blobs/uploads/`)).status).toBe(401);
    expect((await tokenFor("ada", aToken(server, ada.user, ["write:repository"]))).status).toBe(401);
    expect((await tokenFor("ada", "wrong")).status).toBe(401);
    expect((await tokenFor("ada", ada.password)).status).toBe(200);
    const withdrawn = await api("DELETE", "/users/ada/tokens/reads", undefined, undefined, {
      basic: ["ada", ada.password],
    });
    expect(withdrawn.status).toBe(204);
    expect((await reader("GET", `/${image}/manifests/one`)).status).toBe(401);
  });

  test("an account that may not be used gets none, and those it has do nothing", async () => {
    const gone = await aUser(server);
    const client = await aClient(gone);
    expect((await client("GET", "/_catalog")).status).toBe(200);
    const prohibited = { login_name: gone.login, source_id: 0, prohibit_login: true };
    expect((await api("PATCH", `/admin/users/${gone.login}`, root, prohibited)).status).toBe(200);
    expect((await tokenFor(gone.login, gone.token)).status).toBe(401);
    for (const path of ["/", "/_catalog", "/ada/kit/tags/list"]) expect((await client("GET", path)).status).toBe(401);
    const basic = { basic: [gone.login, gone.token] } as const;
    for (const path of ["/v2", "/v2/_catalog"])
      expect([path, (await send(server, "GET", path, undefined, undefined, basic)).status]).toEqual([path, 401]);
  });

  test("made up, or of another key, none is believed", async () => {
    const { body } = await tokenFor("ada", ada.token);
    const [head = "", claims = "", sign = ""] = String(body["token"]).split(".");
    const asRoot = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), UserID: root.user.id };
    const forged = Buffer.from(JSON.stringify(asRoot)).toString("base64url");
    const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
    for (const token of [`${head}.${forged}.${sign}`, `${unsigned}.${forged}.`, `${head}.${claims}.`, "a.b.c"]) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await send(server, "GET", "/v2/", undefined, undefined, { headers })).status).toBe(401);
    }
  });
});

describe("uploads", () => {
  const start = async (client: Client, image: string) => {
    const { headers, status } = await client("POST", `/${image}/blobs/uploads/`);
    expect(status).toBe(202);
    return headers.get("location") ?? "";
  };
  const piece = (client: Client, at: string, content: string, range?: string) =>
    client("PATCH", at, content, range === undefined ? {} : { "content-range": range });

  test("in pieces, each where the last one ended", async () => {
    const [client, image] = [await aClient(ada), `ada/${aName()}`];
    const at = await start(client, image);
    const first = await piece(client, at, "first", "0-4");
    expect([first.status, first.headers.get("range")]).toEqual([202, "0-4"]);
    expect(codeOf(await piece(client, at, "late", "9-12"))).toBe("416 BLOB_UPLOAD_INVALID");
    expect(codeOf(await piece(client, at, "first", "0-4"))).toBe("416 BLOB_UPLOAD_INVALID");
    expect(codeOf(await piece(client, at, "x", "five-six"))).toBe("400 BLOB_UPLOAD_INVALID");
    expect(codeOf(await piece(client, at, "short", "5-99"))).toBe("400 BLOB_UPLOAD_INVALID");
    expect(codeOf(await piece(client, at, "x"))).toBe("400 BLOB_UPLOAD_INVALID");
    const second = await piece(client, at, "second", "5-10");
    expect([second.status, second.headers.get("range")]).toEqual([202, "0-10"]);
    const state = await client("GET", at);
    expect([state.status, state.headers.get("range")]).toEqual([204, "0-10"]);

    expect(codeOf(await client("PUT", `${at}?digest=${digestOf("other")}`))).toBe("400 DIGEST_INVALID");
    expect(codeOf(await client("PUT", at))).toBe("400 DIGEST_INVALID");
    const digest = digestOf("firstsecond");
    const done = await client("PUT", `${at}?digest=${digest}`);
    expect([done.status, done.headers.get("docker-content-digest")]).toEqual([201, digest]);
    expect(codeOf(await client("GET", at))).toBe("404 BLOB_UPLOAD_UNKNOWN");
    const found = await client("GET", `/${image}/blobs/${digest}`);
    expect([found.status, found.text]).toEqual([200, "firstsecond"]);
  });

  test("the last piece may come with the end", async () => {
    const [client, image] = [await aClient(ada), `ada/${aName()}`];
    const at = await start(client, image);
    await piece(client, at, "first", "0-4");
    const digest = digestOf("firstlast");
    expect((await client("PUT", `${at}?digest=${digest}`, "last")).status).toBe(201);
    expect((await client("HEAD", `/${image}/blobs/${digest}`)).headers.get("content-length")).toBe("9");
  });

  test("one that is given up is gone with what came of it", async () => {
    const [client, image] = [await aClient(ada), `ada/${aName()}`];
    const at = await start(client, image);
    const content = aName("given up ");
    await piece(client, at, content);
    const pieces = () =>
      server.core.db
        .query<{ n: number }>("SELECT count(*) AS n FROM blob_references WHERE area = 'package-chunks'")
        .get()?.n;
    const before = pieces() ?? 0;
    expect((await client("DELETE", at)).status).toBe(204);
    expect(pieces()).toBe(before - 1);
    for (const [method, path] of [
      ["GET", at],
      ["DELETE", at],
      ["PATCH", at],
      ["PUT", `${at}?digest=${digestOf(content)}`],
    ] as const)
      expect([method, codeOf(await client(method, path, method === "GET" ? undefined : ""))]).toEqual([
        method,
        "404 BLOB_UPLOAD_UNKNOWN",
      ]);
    expect(codeOf(await client("GET", `/${image}/blobs/${digestOf(content)}`))).toBe("404 BLOB_UNKNOWN");
  });

  test("one belongs to its owner and image", async () => {
    const [client, image] = [await aClient(ada), `ada/${aName()}`];
    const id = (await start(client, image)).split("/").at(-1);
    expect(codeOf(await client("PATCH", `/ada/${aName()}/blobs/uploads/${id}`, "x"))).toBe("404 BLOB_UPLOAD_UNKNOWN");
    const other = await aClient(bob);
    expect(codeOf(await other("PATCH", `/bob/${image.slice(4)}/blobs/uploads/${id}`, "x"))).toBe(
      "404 BLOB_UPLOAD_UNKNOWN",
    );
    expect((await other("PATCH", `/${image}/blobs/uploads/${id}`, "x")).status).toBe(401);
  });

  test("a content is mounted from where its sender may read, and nowhere else", async () => {
    const [mine, theirs] = [await aClient(ada), await aClient(bob)];
    const [source, secret] = [`ada/${aName()}`, aName()];
    const content = aName("mounted ");
    const digest = await aBlob(mine, source, content);
    const mount = (to: string, from: string) => theirs("POST", `/${to}/blobs/uploads/?mount=${digest}&from=${from}`);
    // What no manifest names is in no image that others see; it is found by its digest all the same.
    const mounted = await mount(`bob/${aName()}`, source);
    expect(mounted.status).toBe(201);
    const repo = aRepo(server, ada.user, { isPrivate: true }).name;
    await anImage(mine, `ada/${secret}`);
    const hidden = await aBlob(mine, `ada/${secret}`, aName("hidden "));
    expect((await api("POST", `/packages/ada/container/${secret}/-/link/${repo}`, ada)).status).toBe(201);
    const refused = await theirs("POST", `/bob/kit/blobs/uploads/?mount=${hidden}&from=ada/${secret}`);
    expect(refused.status).toBe(202);
    expect(codeOf(await theirs("GET", `/bob/kit/blobs/${hidden}`))).toBe("404 BLOB_UNKNOWN");
  });
});

describe("manifests", () => {
  test("what one names has to be there, and of that size", async () => {
    const [client, image] = [await aClient(ada), `ada/${aName()}`];
    const manifest = await aManifest(client, image);
    const [layer] = manifest.layers;
    const bad = {
      "404 BLOB_UNKNOWN": { ...manifest, layers: [{ ...layer, digest: digestOf("nothing") }] },
      "400 SIZE_INVALID": { ...manifest, layers: [{ ...layer, size: 1 }] },
      "501 UNSUPPORTED": { ...manifest, schemaVersion: 1 },
      "400 MANIFEST_INVALID": { ...manifest, layers: "none" },
    };
    for (const [expected, sent] of Object.entries(bad))
      expect(codeOf(await put(client, image, "one", sent))).toBe(expected);
    for (const sent of ["", "[]", "1", "{", '{"schemaVersion":2,"config":[],"layers":[{}]}'])
      expect([sent, (await put(client, image, "one", sent)).status]).toEqual([
        sent,
        sent === "[]" || sent === "1" ? 501 : 400,
      ]);
    expect(codeOf(await put(client, image, "-bad", manifest))).toBe("400 MANIFEST_INVALID");
    expect(codeOf(await put(client, image, digestOf("other"), manifest))).toBe("400 DIGEST_INVALID");
    expect(codeOf(await put(client, image, "one", manifest, "text/plain"))).toBe("201");
    expect(codeOf(await put(client, image, "two", { ...manifest, mediaType: "text/plain" }, "text/plain"))).toBe(
      "400 MANIFEST_INVALID",
    );
    const large = `{"schemaVersion":2,"a":"${"a".repeat(10 << 20)}"}`;
    expect(codeOf(await put(client, image, "large", large))).toBe("413 MANIFEST_INVALID");
    expect(codeOf(await client("GET", "/ada/Upper/tags/list"))).toBe("400 NAME_INVALID");
    expect(codeOf(await client("GET", `/ada/${"a".repeat(300)}/tags/list`))).toBe("400 NAME_INVALID");
  });

  test("one is found by its tag and its digest; a tag moves; deleting the digest takes all tags along", async () => {
    const [client, image] = [await aClient(ada), `ada/${aName("group/kit")}`];
    const first = await anImage(client, image, "one");
    expect((await put(client, image, "two", first.manifest)).status).toBe(201);
    const byDigest = await client("HEAD", `/${image}/manifests/${first.digest}`);
    expect([
      byDigest.status,
      byDigest.headers.get("content-type"),
      byDigest.headers.get("docker-content-digest"),
    ]).toEqual([200, IMAGE, first.digest]);
    const second = await anImage(client, image, "one");
    const moved = await client("GET", `/${image}/manifests/one`);
    expect(moved.headers.get("docker-content-digest")).toBe(second.digest);
    await put(client, image, "three", second.manifest);
    const tags = await client("GET", `/${image}/tags/list?n=2`);
    expect([tags.body["tags"], tags.headers.get("link")]).toEqual([
      ["one", "three"],
      expect.stringContaining('rel="next"'),
    ]);
    expect((await client("GET", `/${image}/tags/list?n=2&last=three`)).body["tags"]).toEqual(["two"]);
    expect((await client("GET", `/${image}/tags/list?n=0`)).body["tags"]).toEqual([]);
    expect((await client("DELETE", `/${image}/manifests/${second.digest}`)).status).toBe(202);
    expect((await client("GET", `/${image}/tags/list`)).body["tags"]).toEqual(["two"]);
    expect(codeOf(await client("DELETE", `/${image}/manifests/one`))).toBe("404 MANIFEST_UNKNOWN");
  });

  test("an index names images that are there", async () => {
    const [client, image] = [await aClient(ada), `ada/${aName()}`];
    const { digest, manifest } = await anImage(client, image, "amd64");
    const size = JSON.stringify(manifest).length;
    const index = (of: string) => ({
      schemaVersion: 2,
      mediaType: INDEX,
      manifests: [{ mediaType: IMAGE, digest: of, size, platform: { os: "linux", architecture: "arm64" } }],
    });
    expect(codeOf(await put(client, image, "all", index(digestOf("nothing")), INDEX))).toBe(
      "404 MANIFEST_BLOB_UNKNOWN",
    );
    expect((await put(client, image, "all", index(digest), INDEX)).status).toBe(201);
    expect((await client("GET", `/${image}/manifests/all`)).headers.get("content-type")).toBe(INDEX);
    // Its page leads to that of each image.
    const at = `/ada/-/packages/container/${image.slice("ada/".length)}/all`;
    const page = (path: string) => call(server, "GET", path, { headers: { accept: "text/html" } });
    expect((await page(at)).text).toContain(`href="${at}/${digest}"`);
    const one = await page(`${at}/${digest}`);
    expect([one.status, one.text.includes("amd64")]).toEqual([200, true]);
    expect((await page(`${at}/${digestOf("nothing")}`)).status).toBe(404);
    expect((await page(at.replace(/all$/, `amd64/${digest}`))).status).toBe(404);
  });

  test("what says something about another is listed by it", async () => {
    const [client, image] = [await aClient(ada), `ada/${aName()}`];
    const { digest } = await anImage(client, image);
    const about = {
      ...(await aManifest(client, image)),
      artifactType: "text/kit",
      subject: { mediaType: IMAGE, digest, size: 1 },
    };
    const answer = await put(client, image, digestOf(JSON.stringify(about)), about);
    expect([answer.status, answer.headers.get("oci-subject")]).toEqual([201, digest]);
    const { body } = await client("GET", `/${image}/referrers/${digest}`);
    expect(body["manifests"]).toMatchObject([{ digest: digestOf(JSON.stringify(about)), artifactType: "text/kit" }]);
    expect((await client("GET", `/${image}/referrers/${digestOf("nothing")}`)).body["manifests"]).toEqual([]);
  });
});

test("the catalog names the images one sees, and an internal version is none", async () => {
  const client = await aClient(ada);
  const [open, secret] = [aName("catalog-"), aName("catalog-")];
  for (const name of [open, secret]) await anImage(client, `ada/${name}`);
  const repo = aRepo(server, ada.user, { isPrivate: true }).name;
  expect((await api("POST", `/packages/ada/container/${secret}/-/link/${repo}`, ada)).status).toBe(201);
  const seenBy = async (who?: TestUser) =>
    ((await (await aClient(who))("GET", "/_catalog")).body["repositories"] as string[]).filter((name) =>
      name.startsWith("ada/catalog-"),
    );
  expect(await seenBy()).toEqual([`ada/${open}`]);
  expect(await seenBy(bob)).toEqual([`ada/${open}`]);
  expect((await seenBy(ada)).toSorted()).toEqual([`ada/${open}`, `ada/${secret}`].toSorted());
  const stranger = await aClient(bob);
  for (const path of ["tags/list", "manifests/one"])
    expect((await stranger("GET", `/ada/${secret}/${path}`)).status).toBe(404);
  expect((await (await aClient())("GET", `/ada/${secret}/tags/list`)).status).toBe(401);
  expect((await api("GET", `/packages/ada/container/${open}/_upload`, ada)).status).toBe(404);
});

test("an owner's images go by the new name when it is renamed", async () => {
  const owner = await aUser(server);
  const image = aName();
  await anImage(await aClient(owner), `${owner.login}/${image}`);
  const now = `${owner.login}-now`;
  expect((await api("POST", `/admin/users/${owner.login}/rename`, root, { new_username: now })).status).toBe(204);
  const client = await aClient({ ...owner, login: now });
  expect((await client("GET", `/${now}/${image}/tags/list`)).body).toEqual({ name: `${now}/${image}`, tags: ["one"] });
  expect((await client("GET", "/_catalog?n=100")).body["repositories"]).toContain(`${now}/${image}`);
});

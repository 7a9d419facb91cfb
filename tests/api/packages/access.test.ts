import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aTeam,
  aToken,
  aUser,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { aName, aRegistry, composer, generic, go, helm, npm, pypi } from "./world.ts";

/** Who sees, publishes and deletes packages, and with which token (contract packages.md 2). */

let server: TestServer;
const people: Record<"ada" | "bob" | "eve" | "root" | "private" | "limited" | "reader" | "writer", TestUser> =
  {} as never;
const api = anApi(() => server);
const registry = aRegistry(() => server);

beforeAll(async () => {
  server = await aServer();
  for (const login of ["ada", "bob", "eve", "reader", "writer"] as const)
    people[login] = await aUser(server, { login, password: login === "ada" ? true : "" });
  people.root = await aUser(server, { login: "root", isAdmin: true });
  people.private = await aUser(server, { login: "private", visibility: "private" });
  people.limited = await aUser(server, { login: "limited", visibility: "limited" });
  const acme = anOrganization(server, people.ada.user, { login: "acme" });
  const closed = anOrganization(server, people.ada.user, { login: "closed", visibility: "private" });
  for (const organization of [acme, closed]) {
    aTeam(server, organization, { name: "readers", units: ["repo.packages"], members: [people.reader.user] });
    aTeam(server, organization, {
      name: "writers",
      unitsMap: { "repo.packages": "write" },
      members: [people.writer.user],
    });
  }
  for (const owner of ["ada", "private", "limited"] as const) await publish(owner, people[owner], "kit");
  for (const owner of ["acme", "closed"]) await publish(owner, people.ada, "kit");
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

type Who = Pick<TestUser, "token"> | undefined;

async function publish(owner: string, who: Who, name: string): Promise<number> {
  const { body, method, path } = generic(name, aName("v"));
  const { status } = await registry(method, `${owner}/generic${path}`, who, body);
  expect([owner, status]).toEqual([owner, 201]);
  return status;
}
const put = async (owner: string, who: Who) => {
  const { body, method, path } = generic(aName());
  return (await registry(method, `${owner}/generic${path}`, who, body)).status;
};
const see = async (owner: string, who: Who) => (await registry("GET", `${owner}/npm/-/ping`, who)).status;
const list = async (owner: string, who: Who) => (await api("GET", `/packages/${owner}`, who)).status;

describe("roles", () => {
  const owners = ["ada", "limited", "private", "acme", "closed"];
  const expected: Record<string, Record<string, string>> = {
    // r: reads; w: publishes as well
    anonymous: { ada: "r", limited: "", private: "", acme: "r", closed: "" },
    bob: { ada: "r", limited: "r", private: "", acme: "r", closed: "" },
    reader: { ada: "r", limited: "r", private: "", acme: "r", closed: "r" },
    writer: { ada: "r", limited: "r", private: "", acme: "w", closed: "w" },
    ada: { ada: "w", limited: "r", private: "", acme: "w", closed: "w" },
    private: { ada: "r", limited: "r", private: "w", acme: "r", closed: "" },
    root: { ada: "w", limited: "w", private: "w", acme: "w", closed: "w" },
  };
  for (const [name, rights] of Object.entries(expected))
    test(`what ${name} may do with the packages of each owner`, async () => {
      const who = name === "anonymous" ? undefined : people[name as keyof typeof people];
      const found: Record<string, string> = {};
      for (const owner of owners) {
        const [read, written] = [await see(owner, who), await put(owner, who)];
        expect([200, 401]).toContain(read);
        expect([201, 401]).toContain(written);
        found[owner] = written === 201 ? "w" : read === 200 ? "r" : "";
        if (written === 201) expect([owner, read]).toEqual([owner, 200]);
        // Over REST it is the same, for those who say who they are.
        expect([owner, await list(owner, who)]).toEqual([owner, who ? (read === 200 ? 200 : 403) : 401]);
      }
      expect(found).toEqual(rights);
    });

  test("deleting takes what publishing takes, by the registry and over REST", async () => {
    for (const [who, allowed] of [
      [people.bob, false],
      [people.reader, false],
      [people.writer, true],
      [people.root, true],
    ] as const) {
      const name = aName();
      const { body, method, path } = generic(name);
      await registry(method, `acme/generic${path}`, people.ada, body);
      await registry(method, `acme/generic${path.replace("/1.0/", "/2.0/")}`, people.ada, body);
      expect((await registry("DELETE", `acme/generic/${name}/1.0`, who)).status).toBe(allowed ? 204 : 401);
      expect((await api("DELETE", `/packages/acme/generic/${name}/2.0`, who)).status).toBe(allowed ? 204 : 403);
    }
  });

  test("an account that may not be used has none, though its token and password are right", async () => {
    const gone = await aUser(server, { password: true });
    expect(await see("ada", gone)).toBe(200);
    const prohibited = { login_name: gone.login, source_id: 0, prohibit_login: true };
    expect((await api("PATCH", `/admin/users/${gone.login}`, people.root, prohibited)).status).toBe(200);
    expect(await see("ada", gone)).toBe(401);
    expect(await put(gone.login, gone)).toBe(401);
    const basic = { basic: [gone.login, gone.password] } as const;
    expect((await registry("GET", "ada/npm/-/ping", undefined, undefined, basic)).status).toBe(401);
  });
});

describe("credentials", () => {
  test("what is refused is plain text with a challenge, whatever the registry", async () => {
    for (const type of [
      "npm/kit",
      "pypi/simple/kit",
      "composer/packages.json",
      "generic/kit/1/kit.bin",
      "go/kit/@latest",
    ]) {
      const { headers, status, text } = await registry("GET", `private/${type}`);
      expect([type, status, text]).toEqual([type, 401, "reqPackageAccess\n"]);
      expect(headers.get("www-authenticate")).toBe('Basic realm="Gitea Package API"');
    }
    const wrong = await registry("GET", "ada/npm/-/ping", { token: "0".repeat(40) });
    expect([wrong.status, wrong.text]).toEqual([401, "Failed to authenticate user\n"]);
    expect(wrong.headers.get("www-authenticate")).toBe('Basic realm="Gitea Package API"');
  });

  test("slashes that are doubled, or stand at the end, say nothing", async () => {
    const { body, method, path } = generic("slashed");
    expect((await registry(method, `ada//generic${path.replace("/1.0/", "//1.0//")}`, people.ada, body)).status).toBe(
      201,
    );
    for (const address of [path, `/${path}`, `${path}/`])
      expect([address, (await registry("GET", `ada/generic${address}?a=//b`)).status]).toEqual([address, 200]);
    expect((await registry("GET", "ada/npm//-///ping/")).status).toBe(200);
    expect((await call(server, "GET", "/v2//token", { basic: [people.ada.login, people.ada.password] })).status).toBe(
      200,
    );
  });

  test("a token, as itself or in place of the password, and the password; no session", async () => {
    const { login, password, token, user } = people.ada;
    const ways: Parameters<typeof registry>[4][] = [
      { token },
      { headers: { authorization: `Bearer ${token}` } },
      { basic: [login, password] },
      { basic: [login, token] },
      { basic: [token, ""] },
      { basic: [token, "x-oauth-basic"] },
    ];
    for (const way of ways) {
      const { body, method, path } = generic(aName());
      const answer = await registry(method, `ada/generic${path}`, undefined, body, way);
      expect([JSON.stringify(way).replaceAll(token, "T"), answer.status]).toEqual([
        JSON.stringify(way).replaceAll(token, "T"),
        201,
      ]);
    }
    const { secret } = await server.services.sessions.open(user.id, { address: "127.0.0.1", userAgent: "test" });
    const { body, method, path } = generic(aName());
    const cookie = `hearth_session=${secret}`;
    expect((await registry(method, `ada/generic${path}`, undefined, body, { cookie })).status).toBe(401);
  });

  test("the scope of a token counts", async () => {
    const withScopes = (...scopes: string[]) => ({ token: aToken(server, people.ada.user, scopes) });
    const [reads, writes, none] = [
      withScopes("read:package"),
      withScopes("write:package"),
      withScopes("write:repository"),
    ];
    expect([await see("ada", reads), await put("ada", reads)]).toEqual([200, 401]);
    expect([await see("ada", writes), await put("ada", writes)]).toEqual([200, 201]);
    expect([await see("ada", none), await put("ada", none)]).toEqual([401, 401]);
    expect([await list("ada", reads), await list("ada", none)]).toEqual([200, 403]);
    const refused = await api("DELETE", "/packages/ada/generic/kit", reads);
    expect([refused.status, refused.body["message"]]).toEqual([403, expect.stringContaining("required scope")]);
  });

  test("a public-only token knows public owners alone", async () => {
    const token = { token: aToken(server, people.bob.user, ["public-only", "all"]) };
    expect([await see("ada", token), await list("ada", token)]).toEqual([200, 200]);
    expect([await see("limited", token), await list("limited", token)]).toEqual([403, 403]);
    const { body } = await api("GET", "/packages/limited", token);
    expect(body["message"]).toBe("token scope is limited to public packages");
  });

  test("an owner that is missing, and one of a former name", async () => {
    const missing = await registry("GET", "nobody/npm/-/ping");
    expect([missing.status, missing.text]).toEqual([404, "Not found.\n"]);
    expect(await list("nobody", people.ada)).toBe(404);
    const before = await aUser(server);
    await api("POST", `/admin/users/${before.login}/rename`, people.root, { new_username: `${before.login}-now` });
    const moved = await registry("GET", `${before.login}/npm/-/ping`, people.bob);
    expect([moved.status, moved.headers.get("location")]).toEqual([
      307,
      expect.stringContaining(`/api/packages/${before.login}-now/npm/-/ping`),
    ]);
  });
});

describe("packages of a private repository", () => {
  let repo: string;
  const name = aName("secret");

  beforeAll(async () => {
    repo = aRepo(server, people.ada.user, { isPrivate: true }).name;
    for (const [type, publishing] of [
      ["generic", generic(name)],
      ["npm", npm(name)],
      ["pypi", pypi(name)],
      ["helm", helm(name)],
      ["composer", composer(`kits/${name}`)],
      ["go", go(`example.org/${name}`)],
    ] as const) {
      const { body, method, path } = publishing;
      expect((await registry(method, `ada/${type}${path}`, people.ada, body)).status).toBe(201);
      const of = type === "composer" ? `kits%2F${name}` : type === "go" ? `example.org%2F${name}` : name;
      const linked = await api("POST", `/packages/ada/${type}/${of}/-/link/${repo}`, people.ada);
      expect([type, linked.status]).toEqual([type, 201]);
    }
  });

  const documents = [
    `generic/${name}/1.0/kit.bin`,
    `npm/${name}`,
    `npm/-/package/${name}/dist-tags`,
    `pypi/simple/${name}`,
    `helm/${name}-1.0.0.tgz`,
    `composer/p2/kits/${name}.json`,
    `go/example.org/${name}/@v/list`,
  ];
  const lists = ["npm/-/v1/search?text=", "helm/index.yaml", "composer/list.json", "composer/search.json"];

  test("strangers find nothing of them, visitors are asked who they are, and lists leave them out", async () => {
    for (const at of documents) {
      const stranger = await registry<unknown>("GET", `ada/${at}`, people.bob);
      const nothing = await registry<unknown>("GET", `ada/${at.replaceAll(name, "nothing0")}`, people.bob);
      expect([at, stranger.status, stranger.text]).toEqual([
        at,
        nothing.status,
        nothing.text.replaceAll("nothing0", name),
      ]);
      expect([at, (await registry("GET", `ada/${at}`)).status]).toEqual([at, 401]);
    }
    for (const at of lists)
      for (const who of [undefined, people.bob]) {
        const { status, text } = await registry<unknown>("GET", `ada/${at}`, who);
        expect([at, status, text.includes(name)]).toEqual([at, 200, false]);
      }
    const { body, headers } = await api<readonly Json[]>("GET", "/packages/ada?limit=50", people.bob);
    expect(JSON.stringify(body)).not.toContain(name);
    expect(headers.get("x-total-count")).toBe(String(body.length));
    for (const at of [`npm/${name}`, `npm/${name}/1.0.0`, `npm/${name}/1.0.0/files`, `npm/${name}/-/latest`])
      expect([at, (await api("GET", `/packages/ada/${at}`, people.bob)).status]).toEqual([at, 404]);
    for (const path of [`/ada/-/packages/npm/${name}/1.0.0`, `/ada/-/packages/npm/${name}/versions`])
      expect((await call(server, "GET", path)).status).toBe(404);
    expect((await call(server, "GET", "/ada/-/packages")).text).not.toContain(name);
  });

  test("the owner, administrators and who may read the repository see them", async () => {
    await api("PUT", `/repos/ada/${repo}/collaborators/eve`, people.ada, { permission: "read" });
    for (const who of [people.ada, people.root, people.eve]) {
      for (const at of documents) expect([at, (await registry("GET", `ada/${at}`, who)).status]).toEqual([at, 200]);
      for (const at of lists) expect((await registry<unknown>("GET", `ada/${at}`, who)).text).toContain(name);
      const { body } = await api("GET", `/packages/ada/npm/${name}/1.0.0`, who);
      expect((body["repository"] as Json)["name"]).toBe(repo);
    }
  });

  test("a public-only token of the owner's finds nothing of them", async () => {
    const token = { token: aToken(server, people.ada.user, ["public-only", "all"]) };
    expect((await registry("GET", `ada/npm/${name}`, token)).status).toBe(404);
    expect(JSON.stringify((await api("GET", "/packages/ada?limit=50", token)).body)).not.toContain(name);
  });
});

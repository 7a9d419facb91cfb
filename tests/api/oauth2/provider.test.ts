import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { asAccount, operator } from "../../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aSession,
  aUser,
  call,
  type Json,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import {
  aClient,
  aCode,
  answerConsent,
  askTokens,
  authorize,
  CALLBACK,
  locationOf,
  pkce,
  postForm,
  redeem,
  refresh,
  signedIn,
  type TestClient,
  tokensOf,
} from "./client.ts";

/** The provider as its clients meet it: codes, tokens, and everything an attacker of RFC 9700 would try. */

let server: TestServer;
let owner: TestUser;
let client: TestClient;
const api = anApi(() => server);
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const whoIs = async (token: string) => (await call<Json>(server, "GET", "/api/v1/user", bearer(token))).status;

beforeAll(async () => {
  server = await aServer();
  owner = await aUser(server, { login: "owner" });
  client = aClient(server, owner);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const problem = ({ status, body }: { status: number; body: Json }) => [
  status,
  body["error"],
  body["error_description"],
];

describe("where people are sent back to", () => {
  test("tricks with the address lead nowhere", async () => {
    const cookie = await aSession(server, owner.user);
    const loopback = aClient(server, owner, { isConfidential: false, redirectUris: ["http://127.0.0.1/cb"] });
    const tricks: [TestClient, string][] = [
      [client, "https://client.example.com.evil.example/callback"],
      [client, "https://client.example.com@evil.example/callback"],
      [client, "https://evil.example/?https://client.example.com/callback"],
      [client, `${CALLBACK}/../evil`],
      [client, `${CALLBACK}//`],
      [client, `${CALLBACK}#x`],
      [client, `${CALLBACK}\\@evil.example`],
      [client, `${CALLBACK} `],
      [client, `${CALLBACK}\r\nSet-Cookie: x=1`],
      [client, "javascript:alert(1)"],
      [client, "//client.example.com/callback"],
      [client, "https://client.example.com:8443/callback"],
      [client, "http://client.example.com/callback"],
      [client, "x".repeat(5000)],
      [loopback, "http://127.0.0.1:99@evil.example/cb"],
      [loopback, "http://127.0.0.1:99.evil.example/cb"],
      [loopback, "http://127.0.0.1:999999/cb"],
      [loopback, "http://127.0.0.1:99/cb/more"],
      [loopback, "http://127.0.0.2:99/cb"],
      [loopback, "http://localhost:99/cb"],
      [loopback, "https://127.0.0.1:99/cb"],
      [loopback, "http://[::1]:99/cb"],
    ];
    for (const [who, redirect_uri] of tricks) {
      const answer = await authorize(server, cookie, who, { redirect_uri, ...pkce().challenge });
      expect([redirect_uri, answer.status, answer.headers.get("location")]).toEqual([redirect_uri, 400, null]);
    }
  });

  test("a client on someone's machine may listen on any port, a confidential one may not", async () => {
    const cookie = await aSession(server, owner.user);
    const uris = { redirectUris: ["http://127.0.0.1", "http://[::1]/cb"] };
    const open = aClient(server, owner, { ...uris, isConfidential: false });
    for (const redirect_uri of ["http://127.0.0.1:4567", "http://127.0.0.1:1/", "http://[::1]:65535/cb"])
      expect((await authorize(server, cookie, open, { redirect_uri, ...pkce().challenge })).status).toBe(200);
    const confidential = aClient(server, owner, uris);
    expect((await authorize(server, cookie, confidential, { redirect_uri: "http://127.0.0.1:4567" })).status).toBe(400);
  });

  test("a parameter that is given twice is refused: two readers would disagree", async () => {
    const cookie = await aSession(server, owner.user);
    const ask = (more: string) =>
      call(
        server,
        "GET",
        `/login/oauth/authorize?client_id=${client.id}&redirect_uri=${encodeURIComponent(CALLBACK)}&response_type=code&${more}`,
        { cookie },
      );
    const twice = await ask(`redirect_uri=${encodeURIComponent("https://evil.example")}`);
    expect([twice.status, twice.headers.get("location")]).toEqual([400, null]);
    const scope = locationOf(await ask("scope=a&scope=b"));
    expect([scope.origin, scope.searchParams.get("error")]).toEqual(["https://client.example.com", "invalid_request"]);
  });

  test("addresses that are none cannot be registered", async () => {
    for (const uri of [
      "javascript:alert(1)",
      "/callback",
      "https://user@client.example.com/",
      "https://client.example.com/#x",
      "https://client.example.com/a b",
      "https:\\\\client.example.com",
      "https:client.example.com",
      "com.example.app:/cb",
      `https://client.example.com/${"x".repeat(2000)}`,
    ]) {
      const refused = await api("POST", "/user/applications/oauth2", owner, { name: "x", redirect_uris: [uri] });
      expect([uri, refused.status]).toEqual([uri, 400]);
    }
    const names = ["", "x".repeat(256), 7, null, ["x"]];
    for (const name of names)
      expect((await api("POST", "/user/applications/oauth2", owner, { name, redirect_uris: [] })).status).toBe(422);
    for (const redirect_uris of ["x", [7], {}, Array.from({ length: 51 }, () => CALLBACK)])
      expect((await api("POST", "/user/applications/oauth2", owner, { name: "x", redirect_uris })).status).toBe(422);
    for (const id of ["0", "-1", "1e3", "x", "9".repeat(30)])
      expect((await api("GET", `/user/applications/oauth2/${id}`, owner)).status).toBe(404);
  });
});

describe("consent", () => {
  test("is given by who was asked, for what they were asked, once", async () => {
    const [ada, eve] = [await aUser(server), await aUser(server)];
    const [asAda, asEve] = [await aSession(server, ada.user), await aSession(server, eve.user)];
    expect((await authorize(server, asAda, client)).status).toBe(200);
    const wrong: [string, Record<string, string>][] = [
      [asEve, {}],
      [asAda, { state: "other" }],
      [asAda, { redirect_uri: "https://evil.example" }],
      [asAda, { client_id: aClient(server, eve).id }],
    ];
    for (const [cookie, fields] of wrong) {
      const answer = await answerConsent(server, cookie, client, fields);
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    }
    // The scope is the one that was shown, whatever the form says.
    const sent = await answerConsent(server, asAda, client, { scope: "read:user" });
    expect(sent.status).toBe(303);
    const code = locationOf(sent).searchParams.get("code") ?? "";
    const tokens = tokensOf(await redeem(server, client, code));
    expect((await call(server, "GET", "/api/v1/user/repos", bearer(tokens.access))).status).toBe(200);
    expect((await answerConsent(server, asAda, client)).status).toBe(400);
  });

  test("a form on another site is not heard", async () => {
    const ada = await aUser(server);
    const cookie = await aSession(server, ada.user);
    await authorize(server, cookie, client);
    const fields = { client_id: client.id, redirect_uri: CALLBACK, state: "a&b=1", granted: "true" };
    const answer = await postForm(server, "/login/oauth/grant", fields, { "sec-fetch-site": "cross-site" }, cookie);
    expect(answer.status).toBe(403);
    expect((await authorize(server, cookie, client)).status).toBe(200);
  });

  test("the page lets its form lead to the client's site and nowhere else", async () => {
    const answer = await authorize(server, await aSession(server, owner.user), aClient(server, owner));
    expect(answer.headers.get("content-security-policy")).toContain("form-action 'self' https://client.example.com;");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("a public client does not come to more than it was granted first", async () => {
    const ada = await aUser(server);
    const open = aClient(server, owner, { isConfidential: false });
    const cookie = await aSession(server, ada.user);
    const ask = async (scope: string) => {
      const fields = { scope, ...pkce().challenge };
      expect((await authorize(server, cookie, open, fields)).status).toBe(200);
      return locationOf(await answerConsent(server, cookie, open, fields)).searchParams;
    };
    expect((await ask("read:user openid")).get("code")).toStartWith("gta_");
    expect((await ask("openid  read:user")).get("code")).toStartWith("gta_");
    const wider = await ask("write:user");
    expect([wider.get("error"), wider.get("error_description")]).toEqual([
      "server_error",
      "a grant exists with different scope",
    ]);
  });
});

describe("codes", () => {
  test("one that comes twice ends what it was redeemed for", async () => {
    const ada = await aUser(server);
    const code = await aCode(server, ada, client);
    const tokens = tokensOf(await redeem(server, client, code));
    expect(await whoIs(tokens.access)).toBe(200);
    expect(problem(await redeem(server, client, code))).toEqual([
      400,
      "unauthorized_client",
      "client is not authorized",
    ]);
    expect(await whoIs(tokens.access)).toBe(401);
    expect((await refresh(server, client, tokens.refresh)).status).toBe(400);
  });

  test("of many who redeem one at once, at most one gets tokens", async () => {
    const code = await aCode(server, await aUser(server), client);
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(server, client, code)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  });

  test("one of another client is refused and stays good", async () => {
    const other = aClient(server, owner);
    const code = await aCode(server, await aUser(server), client);
    expect(problem(await redeem(server, other, code))).toEqual([400, "invalid_grant", "invalid grant"]);
    expect((await redeem(server, client, code)).status).toBe(200);
  });

  test("the address must be the one of the request, also where two are registered", async () => {
    const two = aClient(server, owner, { redirectUris: [CALLBACK, "https://client.example.com/other"] });
    const code = await aCode(server, await aUser(server), two);
    const differs = [400, "invalid_grant", "redirect_uri differs from the original authorization request"];
    for (const redirect_uri of ["https://client.example.com/other", ""])
      expect(problem(await redeem(server, two, code, { redirect_uri }))).toEqual(differs);
    expect((await redeem(server, two, code)).status).toBe(200);
  });

  test("a verifier where there was no challenge is someone else's code", async () => {
    const code = await aCode(server, await aUser(server), client);
    const refused = await redeem(server, client, code, { code_verifier: pkce().verifier });
    expect(problem(refused)).toEqual([400, "unauthorized_client", "failed PKCE code challenge"]);
  });
});

describe("refresh tokens", () => {
  test("are good once; one that comes again ends its family and no other", async () => {
    const ada = await aUser(server);
    const [mine, elsewhere] = [await signedIn(server, ada, client), await signedIn(server, ada, client)];
    const fresh = tokensOf(await refresh(server, client, mine.refresh));
    expect(await whoIs(fresh.access)).toBe(200);
    const used = [400, "unauthorized_client", "token was already used"];
    expect(problem(await refresh(server, client, mine.refresh))).toEqual(used);
    expect(await whoIs(fresh.access)).toBe(401);
    expect(problem(await refresh(server, client, fresh.refresh))).toEqual([
      400,
      "invalid_grant",
      "grant does not exist",
    ]);
    expect(await whoIs(elsewhere.access)).toBe(200);
  });

  test("of many at once, at most one is answered", async () => {
    const tokens = await signedIn(server, await aUser(server), client);
    const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(server, client, tokens.refresh)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
  });

  test("only a refresh token refreshes, and it is nothing else", async () => {
    const tokens = await signedIn(server, await aUser(server), client, "openid");
    const [head, body, signature = ""] = tokens.refresh.split(".");
    const forged = [tokens.access, tokens.id, `${head}.${body}.`, `${head}.${body}.${signature.slice(0, -8)}AAAAAAAA`];
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const token of [...forged, `${none}.${body}.`, "x".repeat(50_000), "a.b.c", ""])
      expect((await refresh(server, client, token)).status).toBe(400);
    for (const token of [tokens.refresh, tokens.id, ...forged.slice(2)]) expect(await whoIs(token)).toBe(401);
    expect(await whoIs(tokens.access)).toBe(200);
  });
});

describe("the end of a grant is heard at once", () => {
  test("revoked by its owner: the API, git and the refresh token", async () => {
    const ada = await aUser(server);
    const repo = aRepo(server, ada.user, { isPrivate: true, files: { "a.txt": "a" } });
    const tokens = await signedIn(server, ada, client);
    const git = () =>
      call(server, "GET", `/${ada.login}/${repo.name}/info/refs?service=git-upload-pack`, {
        basic: ["oauth2", tokens.access],
      });
    expect([(await git()).status, await whoIs(tokens.access)]).toEqual([200, 200]);
    const [grant] = server.services.oauth2Grants.list(
      { ...operator, user: ada.user, via: "session" },
      { page: 1, limit: 10, offset: 0 },
    ).items;
    const cookie = await aSession(server, ada.user);
    const eve = await aSession(server, (await aUser(server)).user);
    const path = `/user/settings/applications/oauth2/${client.application.id}/revoke/${grant?.id}`;
    expect((await postForm(server, path, {}, {}, eve)).status).toBe(404);
    expect(await whoIs(tokens.access)).toBe(200);
    expect((await postForm(server, path, {}, {}, cookie)).status).toBe(303);
    expect([(await git()).status, await whoIs(tokens.access)]).toEqual([401, 401]);
    expect((await refresh(server, client, tokens.refresh)).status).toBe(400);
  });

  test("revoked by the client, for its own tokens only", async () => {
    const tokens = await signedIn(server, await aUser(server), client);
    const other = aClient(server, owner);
    const revoke = ({ id, secret }: TestClient, token: string) =>
      postForm(server, "/login/oauth/revoke", { token, client_id: id, client_secret: secret });
    expect((await revoke(other, tokens.refresh)).status).toBe(200);
    expect(await whoIs(tokens.access)).toBe(200);
    expect((await revoke({ ...client, secret: "wrong" }, tokens.refresh)).status).toBe(401);
    expect((await revoke(client, "nonsense")).status).toBe(200);
    expect((await revoke(client, tokens.refresh)).status).toBe(200);
    expect(await whoIs(tokens.access)).toBe(401);
  });

  test("an account that may not be used gets no tokens, and those it has are refused", async () => {
    const ada = await aUser(server);
    const tokens = await signedIn(server, ada, client);
    const code = await aCode(server, ada, client);
    await server.services.identity.edit(operator, ada.user, { prohibitLogin: true });
    expect(await whoIs(tokens.access)).toBe(403);
    const refused = [400, "invalid_grant", "the account may not be used"];
    expect(problem(await refresh(server, client, tokens.refresh))).toEqual(refused);
    expect(problem(await redeem(server, client, code))).toEqual(refused);
  });
});

describe("what a token may do", () => {
  const scopes: [string, Record<string, number>][] = [
    ["openid profile email groups", { "/user": 200, "/user/repos": 200, "/user/emails": 200 }],
    ["no-such-scope", { "/user": 200, "/user/repos": 200 }],
    ["openid read:user", { "/user": 200, "/user/emails": 200, "/user/repos": 403 }],
    ["read:repository", { "/user": 403, "/repos/search": 200 }],
    ["read:user public-only", { "/user": 200, "/user/emails": 403 }],
  ];
  test.each(scopes)("with the scope %s", async (scope, expected) => {
    const tokens = await signedIn(server, await aUser(server), aClient(server, owner), scope);
    for (const [path, status] of Object.entries(expected))
      expect([path, (await call(server, "GET", `/api/v1${path}`, bearer(tokens.access))).status]).toEqual([
        path,
        status,
      ]);
  });

  test("it cannot write with read, however it is presented, nor over git", async () => {
    const ada = await aUser(server);
    const repo = aRepo(server, ada.user, { files: { "a.txt": "a" } });
    const { access } = await signedIn(server, ada, aClient(server, owner), "read:user read:repository");
    const ways = [
      bearer(access),
      { token: access },
      { basic: [access, ""] as const },
      { basic: ["x", access] as const },
    ];
    for (const way of ways) {
      expect((await call(server, "GET", "/api/v1/user", way)).status).toBe(200);
      expect((await call(server, "PATCH", "/api/v1/user/settings", { ...way, body: {} })).status).toBe(403);
    }
    const push = `/${ada.login}/${repo.name}/info/refs?service=git-receive-pack`;
    expect((await call(server, "GET", push, { basic: ["x", access] })).status).toBe(403);
  });

  test("it makes no token that outlives it, and is none of the list", async () => {
    const ada = await aUser(server);
    const { access } = await signedIn(server, ada, client);
    const made = await call(server, "POST", `/api/v1/users/${ada.login}/tokens`, {
      basic: ["x", access],
      body: { name: "forever", scopes: ["all"] },
    });
    expect(made.status).toBe(401);
    const current = await call(server, "GET", "/api/v1/token", bearer(access));
    expect(current).toMatchObject({ status: 404, body: { message: "access token not found" } });
  });
});

describe("devices", () => {
  const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";
  const begin = async (fields: Record<string, string> = {}) =>
    (
      await postForm(server, "/login/oauth/device_authorization", {
        client_id: "d57cb8c4-630c-4168-8324-ec79935e18d4",
        ...fields,
      })
    ).body;
  const tea = { id: "d57cb8c4-630c-4168-8324-ec79935e18d4", secret: "" };
  const poll = (device: Json) =>
    postForm(server, "/login/oauth/access_token", {
      client_id: tea.id,
      grant_type: DEVICE,
      device_code: String(device["device_code"]),
    });

  test("one is let in by whoever types its code, and is told once", async () => {
    const ada = await aUser(server);
    const cookie = await aSession(server, ada.user);
    const device = await begin({ scope: "read:user" });
    expect(device).toMatchObject({ verification_uri: `${server.url}login/device`, expires_in: 900, interval: 5 });
    expect(device["user_code"]).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect((await poll(device)).body["error"]).toBe("authorization_pending");
    expect((await poll(device)).body["error"]).toBe("slow_down");
    const typed = String(device["user_code"]).toLowerCase().replace("-", " ");
    const asked = await postForm(server, "/login/device", { user_code: typed }, {}, cookie);
    expect(asked.text).toContain("tea");
    const answered = await postForm(server, "/login/device/answer", { user_code: typed, granted: "true" }, {}, cookie);
    expect(answered.status).toBe(303);
    const told = await poll(device);
    expect(await whoIs(tokensOf(told).access)).toBe(200);
    expect(problem(await poll(device)).slice(0, 2)).toEqual([400, "invalid_grant"]);
    const again = await postForm(server, "/login/device", { user_code: typed }, {}, cookie);
    expect(again.status).toBe(422);
  });

  test("one that is turned away hears so, and another client does not get its answer", async () => {
    const cookie = await aSession(server, (await aUser(server)).user);
    const device = await begin();
    const fields = { user_code: String(device["user_code"]), granted: "false" };
    await postForm(server, "/login/device/answer", fields, {}, cookie);
    const asOther = await askTokens(server, client, { grant_type: DEVICE, device_code: String(device["device_code"]) });
    expect(asOther.body["error"]).toBe("invalid_grant");
    expect((await poll(device)).body["error"]).toBe("access_denied");
  });

  test("codes cannot be tried one after the other", async () => {
    const cookie = await aSession(server, (await aUser(server)).user);
    const statuses: number[] = [];
    for (let at = 0; at < 22; at++)
      statuses.push((await postForm(server, "/login/device", { user_code: "BBBB-BBBB" }, {}, cookie)).status);
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 422));
    expect(statuses.slice(20)).toEqual([429, 429]);
  });
});

test("groups are organizations and teams; a public-only token is told of what everyone sees", async () => {
  const ada = await aUser(server, { login: "grace" });
  anOrganization(server, ada.user, { login: "Open" });
  anOrganization(server, ada.user, { login: "Hidden", visibility: "private" });
  const { teams, organizations, members } = server.services;
  const open = server.services.identity.byLogin("open");
  if (!open) throw new Error("there is no organization");
  const groupsWith = async (scope: string) => {
    const { access, id } = await signedIn(server, ada, aClient(server, owner), scope);
    const info = await call<Json>(server, "GET", "/login/oauth/userinfo", bearer(access));
    const claims = JSON.parse(Buffer.from(id.split(".")[1] ?? "", "base64url").toString());
    return [info.body["groups"], claims.groups];
  };
  const all = ["hidden", "hidden:owners", "open", "open:owners"];
  expect(await groupsWith("openid groups")).toEqual([all, all]);
  const narrow = "openid groups read:user public-only";
  expect(await groupsWith(narrow)).toEqual([undefined, []]);
  members.setPublic(organizations.standingIn(asAccount(ada.user), open), ada.user, true);
  expect(await groupsWith(narrow)).toEqual([
    ["open", "open:owners"],
    ["open", "open:owners"],
  ]);
  expect(await groupsWith("openid")).toEqual([undefined, undefined]);
  expect(teams.groupsOf(owner.user, false)).toEqual([]);
});

test("every kind of key signs ID tokens that the published keys verify", async () => {
  for (const algorithm of ["RS256", "ES256", "EdDSA"] as const) {
    await using other = await aServer({ "oauth2.signing_algorithm": algorithm });
    const user = await aUser(other);
    const { id } = await signedIn(other, user, aClient(other, user), "openid");
    const [head = "", body = "", signature = ""] = id.split(".");
    const { alg, kid } = JSON.parse(Buffer.from(head, "base64url").toString());
    const { keys } = (
      await call<{ keys: (JsonWebKey & { kid: string; d?: string })[] }>(other, "GET", "/login/oauth/keys")
    ).body;
    const jwk = keys.find((key) => key.kid === kid);
    expect([alg, jwk?.d]).toEqual([algorithm, undefined]);
    const key = { key: createPublicKey({ key: jwk ?? {}, format: "jwk" }), dsaEncoding: "ieee-p1363" } as const;
    const hash = algorithm === "EdDSA" ? null : "sha256";
    expect(verify(hash, Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"))).toBe(true);
    // Nothing of the private key lies open in the database.
    const rows = other.core.db.query<{ private_key: string }>("SELECT private_key FROM oauth2_signing_keys").all();
    expect(rows.map(({ private_key }) => private_key.startsWith("v1."))).toEqual([true]);
  }
});

test("hostile bodies of the token endpoint are refused in its words", async () => {
  const bodies: [string, string][] = [
    ["application/json", "{"],
    ["application/json", "[]"],
    ["application/json", '{"grant_type":["authorization_code"]}'],
    ["application/x-www-form-urlencoded", "grant_type=a&grant_type=b"],
    ["application/x-www-form-urlencoded", `code=${"x".repeat(100_000)}`],
    ["text/plain", "grant_type=authorization_code"],
    ["", ""],
  ];
  for (const [type, body] of bodies) {
    const answer = await call<Json>(server, "POST", "/login/oauth/access_token", {
      headers: { "content-type": type },
      body,
    });
    expect([answer.status, typeof answer.body["error"]]).toEqual([400, "string"]);
  }
  const odd = { grant_type: "refresh_token", refresh_token: "x" };
  for (const authorization of ["Basic !", "Basic YWJj", "Basic JTp4", `Bearer ${owner.token}`]) {
    const answer = await postForm(server, "/login/oauth/access_token", odd, { authorization });
    expect(problem(answer)).toEqual([400, "invalid_request", "cannot parse basic auth header"]);
  }
});

test("where it is switched off nothing of it answers, and its tokens are none", async () => {
  await using closed = await aServer({ "oauth2.enabled": false });
  const user = await aUser(closed);
  const cookie = await aSession(closed, user.user);
  for (const path of [
    "/.well-known/openid-configuration",
    "/login/oauth/keys",
    "/login/oauth/authorize",
    "/login/device",
  ])
    expect([path, (await call(closed, "GET", path, { cookie })).status]).toEqual([path, 404]);
  expect((await call(closed, "GET", "/user/settings/applications", { cookie })).text).not.toContain("oauth2");
});

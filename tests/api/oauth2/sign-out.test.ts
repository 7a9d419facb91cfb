import { afterAll, beforeAll, expect, test } from "bun:test";
import { aServer, aSession, aUser, call, type TestServer, type TestUser } from "../../builders.ts";
import {
  aClient,
  aCode,
  CALLBACK,
  type Fields,
  locationOf,
  postForm,
  redeem,
  type TestClient,
  tokensOf,
} from "./client.ts";

/** Signing out as applications ask for it (OpenID Connect RP-Initiated Logout 1.0). */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let client: TestClient;
const HOME = "https://client.example.com/goodbye?from=hearth";

beforeAll(async () => {
  server = await aServer();
  [ada, bob] = [await aUser(server, { login: "ada" }), await aUser(server, { login: "bob" })];
  client = aClient(server, bob);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

function leave(fields: Fields, cookie?: string) {
  const path = `/login/oauth/logout?${new URLSearchParams(fields)}`;
  return call<string>(server, "GET", path, {
    headers: { accept: "text/html" },
    ...(cookie === undefined ? {} : { cookie }),
  });
}

const isSignedIn = async (cookie: string) => (await call(server, "GET", "/user/settings", { cookie })).status === 200;

async function anIdToken(user: TestUser): Promise<string> {
  const code = await aCode(server, user, client, { scope: "openid" });
  return tokensOf(await redeem(server, client, code)).id;
}

test("the discovery document says where", async () => {
  const { body } = await call<{ end_session_endpoint: string; issuer: string }>(
    server,
    "GET",
    "/.well-known/openid-configuration",
  );
  expect(body.end_session_endpoint).toBe(`${body.issuer}/login/oauth/logout`);
});

test("an ID token of whoever is signed in is answer enough, also when it has expired", async () => {
  const old = { aud: client.id, sub: String(ada.user.id), iat: 1_000_000_000, exp: 1_000_003_600 };
  for (const id_token_hint of [await anIdToken(ada), await server.services.oauth2Keys.sign(old)]) {
    const cookie = await aSession(server, ada.user);
    const answer = await leave({ id_token_hint, post_logout_redirect_uri: HOME, state: "a&b" }, cookie);
    expect(answer.status).toBe(303);
    expect(locationOf(answer).href).toBe(`${HOME}&state=a%26b`);
    expect(await isSignedIn(cookie)).toBe(false);
  }
});

test("anyone else is asked, and only their answer ends the session", async () => {
  const cookie = await aSession(server, ada.user);
  const requests: Fields[] = [
    {},
    { client_id: client.id },
    { id_token_hint: await anIdToken(bob) },
    { id_token_hint: "a.b.c" },
  ];
  for (const fields of requests) {
    const asked = await leave(fields, cookie);
    expect([asked.status, asked.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(asked.text).toContain('action="/login/oauth/logout/answer"');
    expect(await isSignedIn(cookie)).toBe(true);
  }
  const asked = await leave({ client_id: client.id, post_logout_redirect_uri: HOME, state: "s" }, cookie);
  expect(asked.headers.get("content-security-policy")).toContain("form-action 'self' https://client.example.com");
  const form = { client_id: client.id, post_logout_redirect_uri: HOME, state: "s" };
  const elsewhere = { origin: "https://evil.example.com" };
  expect((await postForm(server, "/login/oauth/logout/answer", form, elsewhere, cookie)).status).toBe(403);
  expect(await isSignedIn(cookie)).toBe(true);
  const left = await postForm(server, "/login/oauth/logout/answer", form, {}, cookie);
  expect([left.status, locationOf(left).href]).toEqual([303, `${HOME}&state=s`]);
  expect(await isSignedIn(cookie)).toBe(false);
});

test("who is not signed in goes on at once; without an address, to the start page", async () => {
  const on = await leave({ client_id: client.id, post_logout_redirect_uri: CALLBACK });
  expect([on.status, on.headers.get("location")]).toEqual([303, CALLBACK]);
  expect((await leave({})).headers.get("location")).toBe("/");
});

test("a form of another site leads here by a link, which brings the session along", async () => {
  const form = { client_id: client.id, post_logout_redirect_uri: HOME, state: "", more: "x" };
  const answer = await postForm(server, "/login/oauth/logout", form, { origin: "https://client.example.com" });
  expect(answer.status).toBe(303);
  const { pathname, searchParams } = locationOf(answer);
  expect([pathname, Object.fromEntries(searchParams)]).toEqual([
    "/login/oauth/logout",
    { client_id: client.id, post_logout_redirect_uri: HOME },
  ]);
});

test("a body that is no form is refused in the protocol's words", async () => {
  for (const [type, body] of [
    ["multipart/form-data", "x"],
    ["application/json", "{"],
    ["application/x-www-form-urlencoded", "state=a&state=b"],
  ] as const) {
    const answer = await fetch(new URL("/login/oauth/logout", server.url), {
      method: "POST",
      headers: { "content-type": type },
      body,
    });
    expect([type, answer.status, await answer.json()]).toEqual([
      type,
      400,
      { error: "invalid_request", error_description: expect.any(String) },
    ]);
  }
});

test("nobody is sent to an address that is not the client's, nor for a client that is unknown", async () => {
  const cookie = await aSession(server, ada.user);
  const other = aClient(server, bob, { name: "other", redirectUris: ["https://other.example.com/"] });
  const id_token_hint = await anIdToken(ada);
  const requests: Fields[] = [
    { post_logout_redirect_uri: HOME },
    { client_id: client.id, post_logout_redirect_uri: "https://evil.example.com/" },
    { client_id: client.id, post_logout_redirect_uri: "https://client.example.com@evil.example.com/" },
    { client_id: client.id, post_logout_redirect_uri: "https://a@client.example.com/" },
    { client_id: client.id, post_logout_redirect_uri: "http://client.example.com/" },
    { client_id: client.id, post_logout_redirect_uri: "https://client.example.com:8443/" },
    { client_id: client.id, post_logout_redirect_uri: "//client.example.com/" },
    { client_id: client.id, post_logout_redirect_uri: "javascript:alert(1)" },
    { client_id: "nobody" },
    { client_id: other.id, id_token_hint },
    { id_token_hint: `${id_token_hint}x`, post_logout_redirect_uri: HOME },
  ];
  for (const fields of requests) {
    const answer = await leave(fields, cookie);
    expect([fields, answer.status, answer.headers.get("location")]).toEqual([fields, 400, null]);
  }
  expect(await isSignedIn(cookie)).toBe(true);
});

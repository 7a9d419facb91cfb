import { createHash, randomBytes } from "node:crypto";
import { asAccount } from "../../../src/access/principal.ts";
import type { Application, ApplicationFields } from "../../../src/oauth2/types.ts";
import { type Answer, aSession, call, type Json, type TestServer, type TestUser } from "../../builders.ts";

/** A client of the provider, as the RFCs describe one, for tests. */

export const CALLBACK = "https://client.example.com/callback";

export interface TestClient {
  readonly application: Application;
  readonly id: string;
  readonly secret: string;
}

export function aClient(server: TestServer, owner: TestUser, fields: Partial<ApplicationFields> = {}): TestClient {
  const { application, secret } = server.services.oauth2Applications.create(asAccount(owner.user), "own", {
    name: "app",
    redirectUris: [CALLBACK],
    isConfidential: true,
    skipsLaterConsent: false,
    ...fields,
  });
  return { application, id: application.clientId, secret };
}

export type Fields = Readonly<Record<string, string>>;

export function authorizePath(client: { readonly id: string }, fields: Fields = {}): string {
  const query = { client_id: client.id, redirect_uri: CALLBACK, response_type: "code", state: "a&b=1", ...fields };
  return `/login/oauth/authorize?${new URLSearchParams(query)}`;
}

/** What a browser of that user's is answered. */
export async function authorize(server: TestServer, cookie: string, client: { readonly id: string }, fields?: Fields) {
  return call(server, "GET", authorizePath(client, fields), { cookie, headers: { accept: "text/html" } });
}

export function postForm(server: TestServer, path: string, fields: Fields, headers: Fields = {}, cookie?: string) {
  return call<Json>(server, "POST", path, {
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
    ...(cookie === undefined ? {} : { cookie }),
  });
}

/** Presses the button of the consent page. */
export function answerConsent(
  server: TestServer,
  cookie: string,
  client: { readonly id: string },
  fields: Fields = {},
  granted = "true",
) {
  const form = { client_id: client.id, redirect_uri: CALLBACK, state: "a&b=1", ...fields, granted };
  return postForm(server, "/login/oauth/grant", form, {}, cookie);
}

export function locationOf(answer: { readonly headers: Headers }): URL {
  return new URL(answer.headers.get("location") ?? "", "http://nowhere.invalid");
}

/** A user who let the client in: the code. */
export async function aCode(server: TestServer, user: TestUser, client: { readonly id: string }, fields: Fields = {}) {
  const cookie = await aSession(server, user.user);
  const asked = await authorize(server, cookie, client, fields);
  const sent = asked.status === 303 ? asked : await answerConsent(server, cookie, client, fields);
  return locationOf(sent).searchParams.get("code") ?? "";
}

export function askTokens(server: TestServer, client: TestClient, fields: Fields): Promise<Answer<Json>> {
  const all = { client_id: client.id, client_secret: client.secret, ...fields };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
  return postForm(server, "/login/oauth/access_token", given);
}

export function redeem(server: TestServer, client: TestClient, code: string, fields: Fields = {}) {
  return askTokens(server, client, { grant_type: "authorization_code", code, redirect_uri: CALLBACK, ...fields });
}

export function refresh(server: TestServer, client: TestClient, token: string) {
  return askTokens(server, client, { grant_type: "refresh_token", refresh_token: token });
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly id: string;
}

export function tokensOf({ body }: Answer<Json>): Tokens {
  const { access_token, id_token = "", refresh_token } = body;
  return { access: String(access_token), refresh: String(refresh_token), id: String(id_token) };
}

/** A user who let the client in: the tokens. */
export async function signedIn(server: TestServer, user: TestUser, client: TestClient, scope = ""): Promise<Tokens> {
  return tokensOf(await redeem(server, client, await aCode(server, user, client, scope === "" ? {} : { scope })));
}

export function pkce(): { verifier: string; challenge: Fields } {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return { verifier, challenge: { code_challenge: challenge, code_challenge_method: "S256" } };
}

import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** A provider of OpenID Connect and of plain OAuth2 for tests: says whatever the test has it say. */
export interface TestProvider {
  /** Without a slash at its end. */
  readonly url: string;
  /** Claims of the next ID token and of userinfo; also the profile of plain OAuth2. */
  claims: Record<string, unknown>;
  /** The list of addresses, for plain OAuth2. */
  emails: unknown;
  /** What is changed in the next ID token only: another issuer, nonce, audience. */
  forged: Record<string, unknown>;
  /** The next token is signed with a key that the provider does not publish. */
  signsWithAnotherKey: boolean;
  /** More of what it says of itself. */
  metadata: Record<string, unknown>;
  /** What came, by path. */
  readonly asked: string[];
  /** Approves what the browser was sent with: the address it is sent back to. */
  approve(location: string): string;
  close(): void;
}

export async function aProvider(): Promise<TestProvider> {
  const [own, other] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  const jwk = { ...(await exportJWK(own.publicKey)), kid: "one", use: "sig", alg: "RS256" };
  const codes = new Map<string, { nonce: string | null; challenge: string | null; returnTo: string; client: string }>();
  const asked: string[] = [];
  const answer = (value: unknown, status = 200) => Response.json(value, { status });

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      if (pathname === "/.well-known/openid-configuration")
        return answer({
          issuer: provider.url,
          authorization_endpoint: `${provider.url}/authorize`,
          token_endpoint: `${provider.url}/token`,
          userinfo_endpoint: `${provider.url}/userinfo`,
          jwks_uri: `${provider.url}/keys`,
          id_token_signing_alg_values_supported: ["RS256"],
          token_endpoint_auth_methods_supported: ["client_secret_post"],
          ...provider.metadata,
        });
      if (pathname === "/keys") return answer({ keys: [jwk] });
      if (pathname === "/token") return token(await request.formData());
      if (request.headers.get("authorization") !== "Bearer the-access-token") return answer({}, 401);
      if (pathname === "/userinfo" || pathname === "/profile") return answer(provider.claims);
      return pathname === "/emails" ? answer(provider.emails) : answer({}, 404);
    },
  });

  const token = async (form: FormData) => {
    const code = String(form.get("code"));
    const given = codes.get(code);
    codes.delete(code);
    const digest = new Bun.CryptoHasher("sha256").update(String(form.get("code_verifier"))).digest("base64url");
    if (!given || digest !== given.challenge || form.get("redirect_uri") !== given.returnTo)
      return answer({ error: "invalid_grant" }, 400);
    if (form.get("client_secret") !== "the secret") return answer({ error: "invalid_client" }, 401);
    const now = Math.floor(Date.now() / 1000);
    const said = {
      ...provider.claims,
      iss: provider.url,
      aud: given.client,
      nonce: given.nonce,
      iat: now,
      exp: now + 60,
    };
    const key = provider.signsWithAnotherKey ? other.privateKey : own.privateKey;
    const idToken = await new SignJWT({ ...said, ...provider.forged })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .sign(key);
    const isOpenId = given.nonce !== null;
    return answer({
      access_token: "the-access-token",
      token_type: "bearer",
      ...(isOpenId ? { id_token: idToken } : {}),
    });
  };

  const provider: TestProvider = {
    url: `http://127.0.0.1:${server.port}`,
    claims: {},
    emails: [],
    forged: {},
    signsWithAnotherKey: false,
    metadata: {},
    asked,
    approve: (location) => {
      const { searchParams: query } = new URL(location);
      const code = crypto.randomUUID();
      const returnTo = query.get("redirect_uri") ?? "";
      codes.set(code, {
        nonce: query.get("nonce"),
        challenge: query.get("code_challenge"),
        returnTo,
        client: query.get("client_id") ?? "",
      });
      const back = new URL(returnTo);
      back.search = new URLSearchParams({ code, state: query.get("state") ?? "" }).toString();
      return back.href;
    },
    close: () => server.stop(true),
  };
  return provider;
}

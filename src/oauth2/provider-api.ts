import { json, plain, redirect } from "../http/respond.ts";
import type { Call, Route } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { describesToken, protocol } from "./access.ts";
import { issuerOf } from "./claims.ts";
import {
  type ClientCredentials,
  type ClientRequest,
  clientCredentials,
  readClientRequest,
} from "./client-credentials.ts";
import { OAuthError } from "./oauth-error.ts";
import type { Application } from "./types.ts";

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** Responses with tokens must not be cached (RFC 6749 section 5.1). */
const SECRET_ANSWER = { "cache-control": "no-store", pragma: "no-cache" };

/** The provider's protocol endpoints (contract identity.md 6), which are neither pages nor part of the API. */
export function providerRoutes(services: Services): Route[] {
  const open = { surface: "open", access: protocol } as const;
  const isOn = services.config["oauth2.enabled"];
  const routes: Route[] = [
    { ...open, method: "GET", path: "/.well-known/openid-configuration", handle: () => discovery(services) },
    {
      ...open,
      method: "GET",
      path: "/login/oauth/keys",
      handle: async () => json(await services.oauth2Keys.published()),
    },
    { ...open, method: "POST", path: "/login/oauth/access_token", handle: (call) => giveTokens(services, call) },
    { ...open, method: "POST", path: "/login/oauth/introspect", handle: (call) => introspect(services, call) },
    { ...open, method: "POST", path: "/login/oauth/revoke", handle: (call) => revoke(services, call) },
    { ...open, method: "POST", path: "/login/oauth/device_authorization", handle: (call) => announce(services, call) },
    { ...open, method: "POST", path: "/login/oauth/logout", handle: askBySelf },
    ...(["GET", "POST"] as const).map(
      (method): Route => ({
        method,
        path: "/login/oauth/userinfo",
        surface: "api",
        access: describesToken,
        handle: (call) => userInfoOf(services, call),
      }),
    ),
  ];
  if (isOn) return routes;
  return routes.map((route) => ({
    ...route,
    handle: () => {
      throw new NotFound();
    },
  }));
}

/** OpenID Connect Discovery 1.0, section 3. */
function discovery({ links, oauth2Keys }: Services): Response {
  const issuer = issuerOf(links);
  const at = (path: string) => `${issuer}/login/oauth/${path}`;
  return json({
    issuer,
    authorization_endpoint: at("authorize"),
    token_endpoint: at("access_token"),
    userinfo_endpoint: at("userinfo"),
    jwks_uri: at("keys"),
    introspection_endpoint: at("introspect"),
    revocation_endpoint: at("revoke"),
    device_authorization_endpoint: at("device_authorization"),
    end_session_endpoint: at("logout"),
    response_types_supported: ["code", "id_token"],
    response_modes_supported: ["query"],
    id_token_signing_alg_values_supported: [oauth2Keys.algorithm],
    subject_types_supported: ["public"],
    scopes_supported: ["openid", "profile", "email", "groups"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    claims_supported: [
      "aud",
      "exp",
      "iat",
      "iss",
      "sub",
      "name",
      "preferred_username",
      "profile",
      "picture",
      "website",
      "locale",
      "updated_at",
      "email",
      "email_verified",
      "groups",
    ],
    code_challenge_methods_supported: ["plain", "S256"],
    grant_types_supported: ["authorization_code", "refresh_token"],
  });
}

const SIGN_OUT_FIELDS = ["client_id", "id_token_hint", "post_logout_redirect_uri", "state"] as const;

/** A form posted from another site carries no session cookie: the browser is sent back through a link, which does. */
function askBySelf(call: Call): Promise<Response> {
  return answered(async () => {
    const request = await readClientRequest(call);
    const given = SIGN_OUT_FIELDS.map((name) => [name, request.text(name)]).filter(([, value]) => value !== "");
    return redirect(`/login/oauth/logout?${new URLSearchParams(given)}`);
  });
}

/** Runs a client's request; refusals are answered with 400 in the protocol's terms. */
async function answered(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return json({ error: error.code, error_description: error.description }, 400, SECRET_ANSWER);
  }
}

function giveTokens(services: Services, call: Call): Promise<Response> {
  const { oauth2Devices: devices, oauth2Tokens: tokens } = services;
  return answered(async () => {
    const request = await readClientRequest(call);
    const credentials = clientCredentials(call, request);
    switch (request.text("grant_type")) {
      case "authorization_code": {
        const application = requireClient(services, credentials, "unauthorized_client");
        const redirectUri = request.text("redirect_uri");
        if (redirectUri !== "" && !services.oauth2Authorizations.mayReturnTo(application, redirectUri))
          throw new OAuthError("unauthorized_client", "unexpected redirect URI");
        const code = { code: request.text("code"), verifier: request.text("code_verifier"), redirectUri };
        return json(await tokens.redeem(application, code), 200, SECRET_ANSWER);
      }
      case "refresh_token": {
        const application = requireClient(services, credentials, "invalid_client");
        return json(await tokens.refresh(application, request.text("refresh_token")), 200, SECRET_ANSWER);
      }
      case DEVICE_GRANT: {
        const application = requireClient(services, credentials, "invalid_client");
        const grantId = devices.poll(application, request.text("device_code"));
        return json(await tokens.issue(application, grantId), 200, SECRET_ANSWER);
      }
      default:
        throw new OAuthError(
          "unsupported_grant_type",
          "Only refresh_token or authorization_code grant type is supported",
        );
    }
  });
}

/**
 * The authenticated client; public ones cannot authenticate.
 * @param code the error code for a wrong secret, which differs between the grants
 * @throws OAuthError
 */
function requireClient({ oauth2Applications }: Services, { clientId, secret }: ClientCredentials, code: string) {
  const application = oauth2Applications.byClientId(clientId);
  if (!application)
    throw new OAuthError("invalid_client", `cannot load client with client id: '${clientId.slice(0, 100)}'`);
  if (application.isConfidential && !oauth2Applications.hasSecret(application, secret))
    throw new OAuthError(code, secret === "" ? "invalid empty client secret" : "invalid client secret");
  return application;
}

/** RFC 7662. Only authenticated clients are answered, and other clients' tokens are reported as inactive. */
async function introspect(services: Services, call: Call): Promise<Response> {
  const { identity, links, oauth2Applications, oauth2Tokens } = services;
  const proven = await provenClient(call, ({ clientId, secret }) => {
    const application = oauth2Applications.byClientId(clientId);
    return application && oauth2Applications.hasSecret(application, secret) ? application : undefined;
  });
  if (!proven) return clientUnproven();
  const found = await oauth2Tokens.inspect(proven.application, proven.request.text("token"));
  const user = found && identity.byId(found.grant.userId);
  if (!found || !user) return json({ active: false }, 200, SECRET_ANSWER);
  const answer = {
    active: true,
    scope: found.grant.scope,
    client_id: proven.application.clientId,
    username: user.login,
    iss: issuerOf(links),
    aud: proven.application.clientId,
    sub: String(user.id),
    exp: found.expiresAt,
  };
  return json(answer, 200, SECRET_ANSWER);
}

/** RFC 7009: invalid tokens and those of other clients are also answered with 200. */
async function revoke(services: Services, call: Call): Promise<Response> {
  const proven = await provenClient(call, (credentials) => requireClient(services, credentials, "invalid_client"));
  if (!proven) return clientUnproven();
  await services.oauth2Tokens.revoke(proven.application, proven.request.text("token"));
  return new Response(null, { status: 200, headers: SECRET_ANSWER });
}

async function provenClient(
  call: Call,
  prove: (credentials: ClientCredentials) => Application | undefined,
): Promise<{ request: ClientRequest; application: Application } | undefined> {
  try {
    const request = await readClientRequest(call);
    const application = prove(clientCredentials(call, request));
    return application && { request, application };
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}

function clientUnproven(): Response {
  const answer = { error: "invalid_client", error_description: "client authentication failed" };
  return json(answer, 401, { ...SECRET_ANSWER, "www-authenticate": 'Basic realm="OAuth2 client"' });
}

/** RFC 8628 section 3.1. */
function announce(services: Services, call: Call): Promise<Response> {
  return answered(async () => {
    const request = await readClientRequest(call);
    const application = requireClient(services, clientCredentials(call, request), "invalid_client");
    const scope = request.text("scope");
    if (scope.length > 4_096) throw new OAuthError("invalid_scope", "the scope is too long");
    const device = services.oauth2Devices.begin(application, scope, call.address);
    const page = `${services.links.rootUrl}login/device`;
    const answer = {
      device_code: device.deviceCode,
      user_code: device.userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${device.userCode}`,
      expires_in: device.expiresInSeconds,
      interval: device.intervalSeconds,
    };
    return json(answer, 200, SECRET_ANSWER);
  });
}

/** OpenID Connect Core 1.0, section 5.3; personal access tokens are accepted too. */
function userInfoOf({ oauth2Claims }: Services, call: Call): Response {
  if (!call.principal.user)
    return plain("no valid authorization", 401, { "www-authenticate": 'Bearer realm="Gitea OAuth2"' });
  return json(oauth2Claims.userInfo(call.principal), 200, { "cache-control": "no-store" });
}

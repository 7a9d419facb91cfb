import { accountOf, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Unauthorised } from "../../kernel/errors.ts";
import { sha256Hex } from "../../kernel/ids.ts";
import type { ApplicationService } from "../applications/service.ts";
import type { GrantService } from "../grants/service.ts";
import { OAuthError } from "../oauth-error.ts";
import { randomCode } from "../random-codes.ts";
import { isRegistered, withParameters } from "../redirects.ts";
import type { Application, Grant } from "../types.ts";
import { type PendingRequest, PendingRequests } from "./pending.ts";
import { insertCode } from "./store.ts";

/** How long a client has to redeem a code. */
const CODE_MS = 10 * 60_000;
/** Longer than any client needs. */
const MAX_TEXT = 4_096;
/** RFC 7636 section 4.2; the plain verifier may be as long. */
const MAX_CHALLENGE = 128;

/** The result of a request: the browser is redirected to the client, or the user is asked for consent. */
export type Authorization =
  | { readonly sendTo: string }
  | { readonly ask: PendingRequest; readonly application: Application };

/** The authorization endpoint (RFC 6749 section 4.1, RFC 7636): asks for consent and issues authorization codes. */
export class AuthorizationService {
  private readonly pending: PendingRequests;

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly applications: ApplicationService,
    private readonly grants: GrantService,
  ) {
    this.pending = new PendingRequests();
  }

  /**
   * Handles an authorization request.
   * @param query as in the address
   * @throws BadRequest the client or the redirect address is not registered: nobody is redirected
   */
  begin(principal: Principal, query: URLSearchParams): Authorization {
    const session = sessionOf(principal);
    for (const name of ["client_id", "redirect_uri"])
      if (query.getAll(name).length > 1) throw new BadRequest("oauth.parameter-repeated", { params: { name } });
    const redirectUri = query.get("redirect_uri") ?? "";
    const application = this.client(query.get("client_id") ?? "", redirectUri);
    const state = query.get("state") ?? "";
    let request: PendingRequest;
    try {
      request = { ...readRequest(query, application), clientId: application.clientId, redirectUri, state };
    } catch (error) {
      return { sendTo: refusal(error, redirectUri, state) };
    }
    const grant = this.grants.of(accountOf(principal).id, application);
    if (grant && (application.isConfidential || application.skipsLaterConsent))
      return { sendTo: this.withCode(grant, request) };
    this.pending.add(session, request);
    return { ask: request, application };
  }

  /**
   * Handles the user's answer.
   * @returns the address to redirect to
   * @throws BadRequest this session was not asked for that
   */
  answer(
    principal: Principal,
    answer: Pick<PendingRequest, "clientId" | "redirectUri" | "state">,
    isGranted: boolean,
  ): string {
    const request = this.pending.take(sessionOf(principal), answer);
    if (!request) throw new BadRequest("oauth.request-over");
    const { redirectUri, state } = request;
    // The application may have been changed since the request.
    const application = this.client(request.clientId, redirectUri);
    try {
      if (!isGranted) throw new OAuthError("access_denied", "the request is denied");
      return this.withCode(this.grants.give(principal, application, request.scope), request);
    } catch (error) {
      return refusal(error, redirectUri, state);
    }
  }

  /** Whether a client may redirect there. */
  mayReturnTo(application: Application, redirectUri: string): boolean {
    return isRegistered(application, redirectUri);
  }

  /** @throws BadRequest */
  private client(clientId: string, redirectUri: string): Application {
    const application = this.applications.byClientId(clientId);
    if (!application) throw new BadRequest("oauth.client-unknown");
    if (!isRegistered(application, redirectUri)) throw new BadRequest("oauth.redirect-unregistered");
    return application;
  }

  private withCode(grant: Grant, request: PendingRequest): string {
    const code = randomCode("gta_");
    const { challenge, challengeMethod, nonce, redirectUri, state } = request;
    insertCode(this.db, {
      hash: sha256Hex(code),
      grantId: grant.id,
      redirectUri,
      nonce,
      challenge,
      challengeMethod,
      expiresAt: this.clock() + CODE_MS,
    });
    return withParameters(redirectUri, { code, state });
  }
}

/** @throws OAuthError */
function readRequest(
  query: URLSearchParams,
  { isConfidential }: Application,
): Pick<PendingRequest, "scope" | "nonce" | "challenge" | "challengeMethod"> {
  const one = (name: string): string => {
    const [value = "", ...more] = query.getAll(name);
    if (more.length > 0) throw new OAuthError("invalid_request", `${name} is given more than once`);
    if (value.length > MAX_TEXT) throw new OAuthError("invalid_request", `${name} is too long`);
    return value;
  };
  one("state");
  if (one("response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "Only code response type is supported.");
  const challenge = one("code_challenge");
  const method = one("code_challenge_method");
  if (method !== "" && method !== "S256" && method !== "plain")
    throw new OAuthError("invalid_request", "unsupported code challenge method");
  if (challenge === "" && !isConfidential)
    throw new OAuthError("invalid_request", "PKCE is required for public clients");
  if (challenge.length > MAX_CHALLENGE) throw new OAuthError("invalid_request", "code_challenge is too long");
  return {
    scope: one("scope"),
    nonce: one("nonce"),
    challenge,
    challengeMethod: method === "S256" ? "S256" : "plain",
  };
}

/** @throws anything that is not a refusal of the protocol */
function refusal(error: unknown, redirectUri: string, state: string): string {
  if (!(error instanceof OAuthError)) throw error;
  // A duplicated state is not sent back.
  return withParameters(redirectUri, { error: error.code, error_description: error.description, state });
}

/** Consent requires a browser session. @throws Unauthorised */
function sessionOf({ sessionId }: Principal): string {
  if (sessionId === undefined) throw new Unauthorised();
  return sessionId;
}

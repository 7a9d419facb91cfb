import type { Principal } from "../access/principal.ts";
import { BadRequest } from "../kernel/errors.ts";
import type { ApplicationService } from "./applications/service.ts";
import { isRegistered, sharesOrigin, withParameters } from "./redirects.ts";
import type { SigningKeys } from "./signing-keys/service.ts";
import type { Application } from "./types.ts";

/** An application's sign-out request, from the address or a form. */
export interface SignOutQuery {
  readonly clientId: string;
  readonly idTokenHint: string;
  readonly returnTo: string;
  readonly state: string;
}

export interface SignOutRequest {
  /** Absent: the request names no client. */
  readonly application: Application | undefined;
  /** Where to redirect, including the state; absent: nowhere. */
  readonly returnTo: string | undefined;
  /** A valid ID token of the current user was included: no confirmation is needed. */
  readonly isProven: boolean;
}

/** Lets applications end a user's session here (OpenID Connect RP-Initiated Logout 1.0). */
export class SignOutRequests {
  constructor(
    private readonly applications: ApplicationService,
    private readonly keys: SigningKeys,
  ) {}

  /**
   * @throws BadRequest the client is unknown or not the audience of the ID token, or the redirect address is not one
   * of its own: nobody is redirected
   */
  async read(principal: Principal, { clientId, idTokenHint, returnTo, state }: SignOutQuery): Promise<SignOutRequest> {
    const said = idTokenHint === "" ? undefined : await this.keys.signedHere(idTokenHint);
    const audience = typeof said?.aud === "string" ? said.aud : "";
    if (clientId !== "" && audience !== "" && clientId !== audience) throw new BadRequest("oauth.client-unknown");
    const application = this.applicationOf(clientId || audience);
    if (returnTo !== "" && !(application && mayReturnTo(application, returnTo)))
      throw new BadRequest("oauth.redirect-unregistered");
    return {
      application,
      returnTo: returnTo === "" ? undefined : withParameters(returnTo, { state }),
      isProven: audience !== "" && principal.user !== undefined && said?.sub === String(principal.user.id),
    };
  }

  private applicationOf(clientId: string): Application | undefined {
    if (clientId === "") return undefined;
    const application = this.applications.byClientId(clientId);
    if (!application) throw new BadRequest("oauth.client-unknown");
    return application;
  }
}

/** Sign-out addresses are not registered separately: those with the origin of a sign-in address are trusted. */
function mayReturnTo(application: Application, returnTo: string): boolean {
  return isRegistered(application, returnTo) || sharesOrigin(application, returnTo);
}

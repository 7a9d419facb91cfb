import type { Principal } from "../access/principal.ts";
import { BadRequest } from "../kernel/errors.ts";
import type { ApplicationService } from "./applications/service.ts";
import { isRegistered, sharesOrigin, withParameters } from "./redirects.ts";
import type { SigningKeys } from "./signing-keys/service.ts";
import type { Application } from "./types.ts";

/** What an application sent someone here with, as it stands in the address or a form. */
export interface SignOutQuery {
  readonly clientId: string;
  readonly idTokenHint: string;
  readonly returnTo: string;
  readonly state: string;
}

export interface SignOutRequest {
  /** Absent: nobody says who asks. */
  readonly application: Application | undefined;
  /** Where the browser goes on to, with the state; absent: it stays here. */
  readonly returnTo: string | undefined;
  /** An ID token of whoever is signed in came along: they are not asked. */
  readonly isProven: boolean;
}

/** Applications end the session that people have here (OpenID Connect RP-Initiated Logout 1.0). */
export class SignOutRequests {
  constructor(
    private readonly applications: ApplicationService,
    private readonly keys: SigningKeys,
  ) {}

  /**
   * @throws BadRequest the client is unknown or is not whom the ID token is for, or the address to go back to is none of
   * its own: no one is sent anywhere
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

/** Addresses of signing out are not registered by themselves: pages of the sites that sign-ins come back to are trusted. */
function mayReturnTo(application: Application, returnTo: string): boolean {
  return isRegistered(application, returnTo) || sharesOrigin(application, returnTo);
}

import type { Area } from "../area.ts";
import { ApplicationService } from "./applications/service.ts";
import { ClaimService } from "./claims.ts";
import { AuthorizationService } from "./codes/service.ts";
import { deleteCodesBefore } from "./codes/store.ts";
import { DeviceService } from "./devices/service.ts";
import { deleteDevicesBefore } from "./devices/store.ts";
import { oauth2ErrorWords } from "./error-words.ts";
import { GrantService } from "./grants/service.ts";
import { deleteExpiredFamilies } from "./grants/store.ts";
import { SignOutRequests } from "./sign-outs.ts";
import { SigningKeys } from "./signing-keys/service.ts";
import { OAuthTokens } from "./tokens/service.ts";

declare module "../services.ts" {
  interface Services {
    readonly oauth2Applications: ApplicationService;
    readonly oauth2Authorizations: AuthorizationService;
    readonly oauth2Claims: ClaimService;
    readonly oauth2Devices: DeviceService;
    readonly oauth2Grants: GrantService;
    readonly oauth2Keys: SigningKeys;
    readonly oauth2SignOuts: SignOutRequests;
    readonly oauth2Tokens: OAuthTokens;
  }
}

/** A code or device that is over is still told so for this long, instead of being unknown. */
const REMEMBER_MS = 60 * 60_000;

/** Other programs sign people in with their account here, or work for them (OAuth2, OpenID Connect). */
export const oauth2Area: Area = {
  name: "oauth2",
  errorWords: oauth2ErrorWords,
  routes: async () => (await import("./api.ts")).oauth2Routes,
  open: ({ clock, config, db, links, outbox, secrets }, { audit, authenticator, emails, identity }) => {
    const applications = new ApplicationService(db, clock, outbox, audit, {
      customSchemes: config["oauth2.custom_schemes"],
      builtInClients: config["oauth2.built_in_clients"],
    });
    const grants = new GrantService(db, clock, outbox, audit);
    const keys = new SigningKeys(db, clock, secrets, config["oauth2.signing_algorithm"]);
    const tokens = new OAuthTokens(
      { db, clock, outbox, identity, keys, idToken: (request) => claims.idToken(request) },
      {
        accessMs: config["oauth2.access_token_minutes"] * 60_000,
        refreshMs: config["oauth2.refresh_token_days"] * 86_400_000,
      },
    );
    const claims = new ClaimService({ identity, emails, links, keys, scopeOf: (id) => tokens.scopeOf(id) });
    if (config["oauth2.enabled"]) authenticator.addTokens(tokens);
    return {
      services: {
        oauth2Applications: applications,
        oauth2Authorizations: new AuthorizationService(db, clock, applications, grants),
        oauth2Claims: claims,
        oauth2Devices: new DeviceService(db, clock, applications, grants),
        oauth2Grants: grants,
        oauth2Keys: keys,
        oauth2SignOuts: new SignOutRequests(applications, keys),
        oauth2Tokens: tokens,
      },
      sweep: () => {
        const now = clock();
        deleteExpiredFamilies(db, now);
        deleteCodesBefore(db, now - REMEMBER_MS);
        deleteDevicesBefore(db, now - REMEMBER_MS);
      },
    };
  },
};

import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import { ApplicationService } from "./applications/service.ts";
import { ClaimService } from "./claims.ts";
import { AuthorizationService } from "./codes/service.ts";
import { DeviceService } from "./devices/service.ts";
import { GrantService } from "./grants/service.ts";
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

/** Constructs and wires the services of the provider. */
export function openOAuth2({ clock, config, db, links, outbox, secrets }: Core, { audit, emails, identity }: Services) {
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
  return {
    oauth2Applications: applications,
    oauth2Authorizations: new AuthorizationService(db, clock, applications, grants),
    oauth2Claims: claims,
    oauth2Devices: new DeviceService(db, clock, applications, grants),
    oauth2Grants: grants,
    oauth2Keys: keys,
    oauth2SignOuts: new SignOutRequests(applications, keys),
    oauth2Tokens: tokens,
  };
}

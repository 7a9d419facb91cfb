import { equalSecrets, hmacSha256 } from "../kernel/ids.ts";
import type { Services } from "../services.ts";

/**
 * The one-time link that makes the first visitor the site's administrator. It is good only while there is no account,
 * and stays the same over restarts: it is signed with the data folder's secret (security rule H22).
 */
export function setupToken(services: Pick<Services, "secret">): string {
  return hmacSha256(services.secret, "first administrator", "hex").slice(0, 40);
}

export function setupLink(services: Pick<Services, "secret" | "links">): string {
  return `${services.links.rootUrl}user/sign_up?setup=${setupToken(services)}`;
}

export function isSetupToken(services: Pick<Services, "secret">, given: string): boolean {
  return equalSecrets(given, setupToken(services));
}

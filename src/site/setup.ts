import { equalSecrets, hmacSha256 } from "../kernel/ids.ts";
import type { Links } from "../kernel/links.ts";

/**
 * The one-time link that makes the first visitor the site's administrator. It is valid only while there is no
 * account, and stays the same over restarts: it is signed with the data directory's secret (security rule H22).
 */
export class SetupLink {
  constructor(
    private readonly secret: string,
    private readonly links: Links,
  ) {}

  token(): string {
    return hmacSha256(this.secret, "first administrator", "hex").slice(0, 40);
  }

  href(): string {
    return `${this.links.rootUrl}user/sign_up?setup=${this.token()}`;
  }

  isToken(given: string): boolean {
    return equalSecrets(given, this.token());
  }
}

/**
 * What a client's request is refused with, in the protocol's own words (RFC 6749 sections 4.1.2.1 and 5.2): programs
 * read them, people do not.
 */
export class OAuthError extends Error {
  override name = "OAuthError";

  constructor(
    readonly code: string,
    readonly description: string,
  ) {
    super(`${code}: ${description}`);
  }
}

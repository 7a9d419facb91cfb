/**
 * A refusal of a client's request, in the protocol's terms (RFC 6749 sections 4.1.2.1 and 5.2): it is read by
 * programs, not people.
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

/**
 * Why a request to the outside did not end well:
 * bad-url: not an address we call; forbidden: `network.allow` does not name it; unresolved: no such host;
 * unreachable: no connection, or it broke; untrusted: its certificate is not valid for the host;
 * timeout: longer than the whole request may take; stalled: nothing moved for too long; too-large: the answer;
 * bad-redirect: to nowhere, too often, or with a body that cannot be sent again; aborted: by the caller.
 */
export type OutboundProblem =
  | "bad-url"
  | "forbidden"
  | "unresolved"
  | "unreachable"
  | "untrusted"
  | "timeout"
  | "stalled"
  | "too-large"
  | "bad-redirect"
  | "aborted";

/** A request to the outside failed. Names the host only: paths, queries and headers may hold secrets. */
export class OutboundFailed extends Error {
  override name = "OutboundFailed";
  /** `outbound.forbidden` and so on. */
  readonly code: `outbound.${OutboundProblem}`;

  /** @param detail the system's code (`ECONNREFUSED`), an address or a limit; never a part of the URL but its host */
  constructor(
    readonly problem: OutboundProblem,
    readonly host: string,
    readonly detail = "",
  ) {
    super(`outbound.${problem}: ${host}${detail === "" ? "" : ` (${detail})`}`);
    this.code = `outbound.${problem}`;
  }
}

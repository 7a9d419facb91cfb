/**
 * Why an outbound request failed: bad-url: not an address we call; forbidden: `network.allow` does not permit it;
 * unresolved: no such host; unreachable: no connection, or it broke; untrusted: its certificate is not valid for the
 * host; timeout: the total time limit; stalled: no progress for too long; too-large: the response; bad-redirect:
 * invalid, too many, or with a body that cannot be sent again; aborted: by the caller.
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

/** An outbound request failed. Names the host only: paths, queries and headers may hold secrets. */
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

/**
 * Why a repository on another server could not be reached, besides what the protocol itself tells (`RemoteProblem` of git/client):
 * credentials-needed: it wants to know who asks; bad-credentials: it does not take those given; forbidden: they are not
 * enough; not-found: it has no such repository, or hides it; bad-status: it answers with another error.
 */
export type RefusedProblem =
  | "credentials-needed"
  | "bad-credentials"
  | "forbidden"
  | "not-found"
  | "not-git"
  | "bad-status";

/** Another server answered, but not with what was asked for. Names its host only. */
export class RemoteRefused extends Error {
  override name = "RemoteRefused";

  constructor(
    readonly problem: RefusedProblem,
    readonly host: string,
    readonly detail = "",
  ) {
    super(`remote.${problem}: ${host}${detail === "" ? "" : ` (${detail})`}`);
  }
}

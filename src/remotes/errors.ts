/**
 * Why a repository on another server was refused, beyond the protocol's own problems (`RemoteProblem` of git/client):
 * credentials-needed: it requires authentication; bad-credentials: it rejects those given; forbidden: they are not
 * sufficient; not-found: it has no such repository, or hides it; bad-status: it answers with another error.
 */
export type RefusedProblem =
  | "credentials-needed"
  | "bad-credentials"
  | "forbidden"
  | "not-found"
  | "not-git"
  | "bad-status";

/** Another server answered, but not with what was requested. Names its host only. */
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

import type { Access } from "../http/route.ts";
import { signedInReader } from "../repos/access.ts";

/** Who may use stars and watches: one declaration each, for both REST and pages. */

/** The caller's star on a repository: requires the scopes of both the account and the repository. */
export const ownStar: Access = {
  ...signedInReader,
  signedInFirst: true,
  scopes: ["user", "repository"],
};
/** The caller's watch on a repository. */
export const ownWatch: Access = { ...signedInReader, forJobs: false };

/** Repositories the caller has starred. */
export const ownStars: Access = { who: "user", scopes: ["user", "repository"], publicOnly: "filtered" };
/** Repositories the caller watches. */
export const ownWatches: Access = { who: "user", scopes: ["user"], publicOnly: "filtered" };
/** Repositories another account has starred or watches. */
export const followsOf: Access = { who: "user", scopes: ["user"], publicOnly: "filtered" };

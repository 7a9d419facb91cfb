import type { Access } from "../http/route.ts";
import { signedInReader } from "../repos/access.ts";

/** Who may use stars and watches: one declaration for each, for REST and pages alike. */

/** One's own star on a repository: the account and the repository are both asked about. */
export const ownStar: Access = {
  ...signedInReader,
  signedInFirst: true,
  scopes: ["user", "repository"],
};
/** One's own watch on a repository. */
export const ownWatch: Access = { ...signedInReader, forJobs: false };

/** What one has starred. */
export const ownStars: Access = { who: "user", scopes: ["user", "repository"], publicOnly: "filtered" };
/** What one watches. */
export const ownWatches: Access = { who: "user", scopes: ["user"], publicOnly: "filtered" };
/** What another account has starred or watches. */
export const followsOf: Access = { who: "user", scopes: ["user"], publicOnly: "filtered" };

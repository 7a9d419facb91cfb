import type { Access } from "../http/route.ts";

/** Access declarations for everything about accounts, shared by REST and pages. Pages are requested without tokens. */

/** Everyone, as far as the site is open; the visibility of the account decides what is shown. */
export const looksUpAccounts: Access = { who: "anyone", scopes: ["user"], publicOnly: "filtered" };

/** The authenticated user. */
export const whoAmI: Access = { who: "user", scopes: ["user"], publicOnly: "filtered", forJobs: true };

/** The caller's own addresses, settings, picture and sessions. */
export const ownAccount: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };

/** The same, also allowed while a new password is due. */
export const ownUnfinishedAccount: Access = { ...ownAccount, unfinishedAccounts: true };

/** The same for setting up a second factor, also allowed to those who must have one and lack it. */
export const ownSecondFactor: Access = { ...ownAccount, setsUpTwoFactor: true };

/** An account's access tokens, for itself and site administrators: with a password, or a token given as one. */
export const managesTokens: Access = {
  who: "anyone",
  subject: { kind: "own-account" },
  scopes: ["user"],
  publicOnly: "filtered",
  basicOnly: true,
};

/** The token that authenticated the request, whatever its scopes. */
export const ownToken: Access = { who: "user", scopes: [], publicOnly: "filtered" };

/** What must work before signing in, on a closed site too. */
export const beforeSigningIn: Access = {
  who: "anyone",
  scopes: [],
  publicOnly: "filtered",
  beforeSignIn: true,
  unfinishedAccounts: true,
};

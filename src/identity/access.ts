import type { Access } from "../http/route.ts";

/** Who may use what concerns accounts: one declaration for each, for REST and pages alike. Pages come without tokens. */

/** Everyone, as far as the site is open; who is asked for decides what is shown. */
export const looksUpAccounts: Access = { who: "anyone", scopes: ["user"], publicOnly: "filtered" };

/** Who one is. */
export const whoAmI: Access = { who: "user", scopes: ["user"], publicOnly: "filtered", forJobs: true };

/** The own addresses, settings, picture, sessions. */
export const ownAccount: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };

/** The same while a new password is due. */
export const ownUnfinishedAccount: Access = { ...ownAccount, unfinishedAccounts: true };

/** The same where a second factor is set up: for whoever must have one and has none, too. */
export const ownSecondFactor: Access = { ...ownAccount, setsUpTwoFactor: true };

/** An account's access tokens, for itself and site administrators: with a password, or a token given as one. */
export const managesTokens: Access = {
  who: "anyone",
  subject: { kind: "own-account" },
  scopes: ["user"],
  publicOnly: "filtered",
  basicOnly: true,
};

/** The token a request comes with, whatever it may do. */
export const ownToken: Access = { who: "user", scopes: [], publicOnly: "filtered" };

/** What must work before anybody is signed in, on a closed site too. */
export const beforeSigningIn: Access = {
  who: "anyone",
  scopes: [],
  publicOnly: "filtered",
  beforeSignIn: true,
  unfinishedAccounts: true,
};

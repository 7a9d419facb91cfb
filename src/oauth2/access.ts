import type { Access } from "../http/route.ts";

/** What programs request before they act for anyone; works on a closed site too. */
export const protocol: Access = { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true };

/**
 * Describes the account behind a token. The service checks the scope, which is a reading one whatever the method, and
 * the handler reports a missing token the way the protocol requires.
 */
export const describesToken: Access = {
  who: "anyone",
  scopes: [],
  publicOnly: "filtered",
  sudo: false,
  beforeSignIn: true,
};

/** Authorizing programs: in a browser session, for oneself. */
export const letsIn: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };

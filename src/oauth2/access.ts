import type { Access } from "../http/route.ts";

/** What programs ask before they act for anyone: it works on a closed site too. */
export const protocol: Access = { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true };

/**
 * Who the account behind a token is. The service asks for the scope, which is to read whatever the method, and the handler
 * says that there is no token, as the protocol wants it.
 */
export const describesToken: Access = {
  who: "anyone",
  scopes: [],
  publicOnly: "filtered",
  sudo: false,
  beforeSignIn: true,
};

/** Letting programs in: in the browser, as oneself. */
export const letsIn: Access = { who: "user", scopes: ["user"], publicOnly: "refused" };

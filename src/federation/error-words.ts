import type { ErrorWords } from "../http/error-words.ts";

/** Contract identity.md 16. */
export const federationErrorWords: ErrorWords = {
  "federation.no-such-user": ({ id }) => `user does not exist [uid: ${id}]`,
  "federation.no-such-name": ({ name }) => `user does not exist [name: ${name}]`,
  "federation.no-such-repository": ({ id }) => `repository does not exist [id: ${id}]`,
  "federation.public-only": "token scope is limited to public activitypub",
  "federation.not-signed": "request signature verification failed",
  "federation.wrong-signature": "request signature verification failed",
  "federation.not-acceptable": "the activity is not one that this repository accepts",
  "federation.resource-malformed": "the resource is missing or is no address of this site",
};

import type { ErrorWords } from "../http/error-words.ts";

/** Words for what stands in the way of trying a password. */
export const signInErrorWords: ErrorWords = {
  "identity.too-many-attempts": "too many failed attempts, try again later",
  "identity.too-many-sign-ins": "too many people sign in right now, try again in a moment",
};

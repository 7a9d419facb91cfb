import type { ErrorWords } from "../http/error-words.ts";

export const signingErrorWords: ErrorWords = {
  "signing.no-key": "no signing key",
  "signing.other-format": ({ format }) => `signing key format is ${format}`,
};

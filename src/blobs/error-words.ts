import type { ErrorWords } from "../http/error-words.ts";

export const blobErrorWords: ErrorWords = {
  "blob.too-large": ({ maxBytes }) => `the file is larger than ${maxBytes} bytes`,
};

import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about archives (contract git-content.md 5.5). */
export const archiveErrorWords: ErrorWords = {
  "archive.unknown-format": ({ name }) => `unknown format: ${name}`,
  "archive.ref-missing": ({ ref }) => `unrecognized repository reference: ${ref}`,
  "archive.path-missing": "path doesn't exist or is invalid",
  "archive.paths-of-bundle": "cannot specify paths when requesting a bundle",
};

import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about releases (contract repositories.md 17). */
export const releaseErrorWords: ErrorWords = {
  "release.repository-empty": "repo is empty",
  "release.target-missing": "target not found",
  "release.no-such-tag": ({ tag }) => `tag does not exist [tag_name: ${tag}]`,
  "release.tag-taken": "Release is has no Tag",
  "release.tag-protected": ({ tag }) => `release tag name is protected [tag_name: ${tag}]`,
  "release.holds-tag": "a tag attached to a release cannot be deleted directly",
  "release.asset-unnamed": "Could not determine name of attachment.",
  "release.asset-type": "This file cannot be uploaded or modified due to a forbidden file extension or type.",
  "release.asset-too-large": ({ maxBytes }) => `attachment exceeds limit ${maxBytes}`,
};

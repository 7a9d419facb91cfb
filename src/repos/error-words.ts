import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about repositories (contract repositories.md). */
export const repoErrorWords: ErrorWords = {
  "repository.needs-read": "user should have specific read permission or be a repo admin or a site admin",
  "repository.needs-write": "user should have a permission to write to a repo",
  "repository.needs-admin": "user should be an owner or a collaborator with admin write of a repository",
  "repository.needs-owner": "user should be the owner of the repo",
  "repository.archived": "repo is archived",
  "repository.not-editable": "repo is not allowed to edit",
};

import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about transfers (contract repositories.md 8). */
export const transferErrorWords: ErrorWords = {
  "transfer.no-such-owner": "The new owner does not exist or cannot be found",
  "transfer.teams-need-organization": "Teams can only be added to organization-owned repositories",
  "transfer.no-such-team": ({ id }) => `team ${id} not found`,
  "transfer.foreign-team": ({ id, organization }) => `team ${id} belongs not to org ${organization}`,
  "transfer.pending": "repository is already being transferred [uname: , name: ]",
  "transfer.none": ({ id }) => `repository doesn't have a pending transfer [repo_id: ${id}]`,
  "transfer.not-yours": "permission denied",
  "transfer.limit-reached": "Repository limit has been reached",
};

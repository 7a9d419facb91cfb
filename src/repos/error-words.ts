import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about repositories (contract repositories.md). */
export const repoErrorWords: ErrorWords = {
  "adoption.unreadable": ({ reason }) => `the folder cannot be adopted: ${reason}`,
  "repository.needs-read": "user should have specific read permission or be a repo admin or a site admin",
  "repository.needs-write": "user should have a permission to write to a repo",
  "repository.no-git-hooks": "must be allowed to edit Git hooks",
  "repository.needs-admin": "user should be an owner or a collaborator with admin write of a repository",
  "repository.needs-owner": "user should be the owner of the repo",
  "repository.public-only": "token scope is limited to public repos",
  "repository.archived": "repo is archived",
  "repository.not-editable": "repo is not allowed to edit",
  "repository.limit-reached": ({ limit }) => `user has reached maximum limit of repositories [limit: ${limit}]`,
  "repository.name-taken": "The repository with the same name already exists.",
  "repository.must-stay-private": "cannot change private repository to public",
  "repository.rename-taken": ({ owner, name }) => `repository already exists [uname: ${owner}, name: ${name}]`,
  "search.bad-mode": "invalid search mode",
  "search.bad-sort": ({ sort }) => `Invalid sort mode: "${sort}"`,
  "search.bad-order": ({ order }) => `Invalid sort order: "${order}"`,
  "repository.bad-wiki-url": "Invalid external wiki URL",
  "repository.bad-tracker-url": "External tracker URL not valid",
  "repository.bad-tracker-format": "External tracker URL format not valid",
  "template.labels-missing": ({ name }) => `failed to load label template file '${name}': it does not exist`,
  "template.readme-missing": ({ available }) => `readme template does not exist, available templates: [${available}]`,
  "repository.unknown-object-format": ({ name }) => `object format ${name} is not supported, only sha1 and sha256`,
  "template.license-missing": ({ name }) => `license template ${name} does not exist`,
  "template.gitignore-missing": ({ name }) => `gitignore template ${name} does not exist`,
  "collaborator.others-hidden":
    "Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own",
  "collaborator.not-allowed": ({ name }) => `${name} cannot be a collaborator of this repository`,
  "collaborator.inactive": "collaborator's account is inactive",
  "repository.unknown-update-style": "default update style must be merge or rebase",
  "repository.no-update-style": "at least one pull request branch update style must be enabled",
  "push-rules.changed-meanwhile": "the rules of this repository were changed meanwhile, try again",
  "push-rules.too-large": ({ ref, what }) =>
    `${ref} changes too much at once to be checked against the rules of this repository (${what}); push it in smaller steps`,
  "repository.update-style-off": "default update style must be enabled",
};

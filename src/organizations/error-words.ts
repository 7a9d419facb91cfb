import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about organizations and teams (contract identity.md 12 and 13). */
export const organizationErrorWords: ErrorWords = {
  "organization.public-only": "token scope is limited to public orgs",
  "organization.needs-owner": "Must be an organization owner",
  "organization.needs-member": "Must be an organization member",
  "organization.others-membership": "Cannot change member visibility",
  "organization.creation-not-allowed": "not allowed to create org",
  "organization.no-repo-creation": "User is not allowed to create repositories in this organization.",
  "organization.owns-repositories": ({ id }) => `organization still has ownership of repositories [uid: ${id}]`,
  "organization.last-owner": ({ id }) => `user is the last member of owner team [uid: ${id}]`,
  "account.belongs-to-organizations": ({ id }) => `user still has membership of organizations [uid: ${id}]`,
  "account.still-belongs-to-organizations": "the account is still a member of organizations",
  "team.needs-member": "Must be a team member",
  "team.name-taken": ({ id, name }) => `team already exists [org_id: ${id}, name: ${name}]`,
  "team.missing": ({ id, name }) => `team does not exist [org_id ${id}, team_id 0, name: ${name}]`,
  "team.not-of-repository": "not found",
  "team.no-units": "units permission should not be empty",
  "team.unknown-unit": ({ name }) => `unknown unit ${name}`,
  "team.owners-stay": "the team of owners can be neither deleted, renamed nor given other rights",
  "team.member-not-allowed": ({ name }) => `${name} cannot be a member of a team`,
  "team.needs-repo-admin": "user is nor repo admin nor owner",
  "team.needs-admin-level": "Must have admin-level access to the repository",
  "team.repo-owner-is-no-organization": "repo is not owned by an organization",
  "team.has-repository": ({ name }) => `team '${name}' is already added to repo`,
  "team.lacks-repository": ({ name }) => `team '${name}' was not added to repo`,
  "team.has-every-repository": "the team has every repository of the organization",
};

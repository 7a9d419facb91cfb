import type { ErrorWords } from "../http/error-words.ts";

/** Messages about protections for the API and for pushers (contract git-content.md 4.6, 8, 9, 10 and 13.2). */
export const protectionErrorWords: ErrorWords = {
  "protection.name-missing": "both rule_name and branch_name are empty",
  "protection.exists": "Branch protection already exist",
  "protection.too-many": ({ max }) => `a repository has at most ${max} rules`,
  "protection.unknown-user": ({ name }) => `user does not exist [uid: 0, name: ${name}]`,
  "protection.unknown-team": ({ name }) => `team does not exist [org_id 0, team_id 0, name: ${name}]`,
  "protection.branch-protected": "branch protected",
  "protection.deletion-refused": ({ branch }) => `branch ${branch} is protected from deletion`,
  "protection.force-refused": ({ branch }) => `branch ${branch} is protected from force push`,
  "protection.unverified-commit": ({ branch, commit }) =>
    `branch ${branch} is protected from unverified commit ${commit}`,
  "protection.path-refused": ({ path }) => `path is protected and can not be changed [path: ${path}]`,
  "protection.file-refused": ({ branch, path }) => `branch ${branch} is protected from changing file ${path}`,
  "protection.force-push-refused": ({ branch }) => `Not allowed to force-push to protected branch ${branch}`,
  "protection.edit-refused": ({ user }) => `user cannot commit to repo [user: ${user}]`,
  "protection.push-refused": ({ branch }) => `Not allowed to push to protected branch ${branch}`,
  "protection.rename-refused": "Failed to rename branch due to branch protection rules.",
  "protection.rename-needs-admin": "User must be a repo or site admin to rename default or protected branches.",
  "protection.tag-pattern-missing": "name_pattern are empty",
  "protection.tag-lists-empty": "both whitelist_usernames and whitelist_teams are empty",
  "protection.tag-exists": "Tag protection already exist",
  "protection.tag-bad-pattern": ({ pattern }) => `${pattern} is neither a glob nor a regular expression`,
  "protection.tag-refused": ({ tag }) => `Tag ${tag} is protected`,
  "protection.tag-create-refused": "user not allowed to create protected tag",
  "push-limits.bad-pattern": ({ pattern }) => `${pattern} is not a regular expression`,
  "push-limits.file-too-large": ({ path, bytes, max }) =>
    `${path} has ${bytes} bytes; this repository takes files of at most ${max} bytes`,
  "push-limits.secret-found": ({ path, pattern }) =>
    `${path} holds what looks like a secret (${pattern}); take it out of every commit, and replace it where it is used`,
  "protection.tag-delete-refused": "user not allowed to delete protected tag",
};

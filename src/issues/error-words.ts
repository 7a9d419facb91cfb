import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about issues and what is said under them (contract issues.md). */
export const issueErrorWords: ErrorWords = {
  "issue.needs-write": "",
  "issue.labels-need-write": "write permission is required",
  "issue.deadline-needs-write": "Not repo writer",
  "issue.changed-meanwhile": "the issue is already changed",
  "issue.unknown-state": ({ state }) => `unknown state: ${state}`,
  "issue.has-open-dependencies": "cannot close this issue or pull request because it still has open dependencies",
  "issue.new-has-open-dependencies": "cannot close this issue because it still has open dependencies",
  "issue.due-date-required": "The due_date cannot be empty",
  "issue.bad-time": ({ given }) => `the time could not be read: ${given}`,
  "issue.unknown-milestone": ({ id, repo }) => `milestone does not exist [id: ${id}, repo_id: ${repo}]`,
  "issue.unknown-assignee": ({ name }) => `Assignee does not exist: [name: ${name}]`,
  "issue.assignee-without-access": ({ id, repo }) =>
    `user doesn't have access to repo [user_id: ${id}, repo_name: ${repo}]`,
  "issue.unknown-user": ({ name }) => `user does not exist [uid: 0, name: ${name}]`,
  "issue.assignee-is-organization": ({ name }) => `organizations can't be assigned: ${name}`,
  "issue.not-assignable": "permission denied",
  "issue.too-many-pins": ({ max }) => `there are ${max} pinned already`,
  "issue.bad-pin-position": "the position must be a number from 1",
  "issue.depends-on-itself": "an issue cannot depend on itself",
  "issue.circular-dependency": "the other issue depends on this one",
  "issue.too-many-dependencies": ({ max }) => `an issue has at most ${max} dependencies`,
  "issue.dependency-exists": "the dependency exists already",
  "issue.watch-of-another": ({ doer, name }) => `${doer} is not permitted to change subscriptions for ${name}`,
  "issue.labels-mixed": "labels should be an array of strings or integers",
  "issue.bad-label": "a label must be an integer or a string",
  "comment.item-locked": "You cannot comment on a locked issue.",
  "comment.not-yours": "",
  "comment.has-no-text": "",
  "comment.changed": "the comment is already changed",
};

import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about Actions (contract actions.md 8). */
export const actionsErrorWords: ErrorWords = {
  "actions.bad-name": "invalid variable or secret name",
  "actions.value-too-long": "data too long",
  "actions.too-many": ({ max }) => `there are ${max} of them here, and there can be no more`,
  // Clients know the brackets, and that nothing stands in them.
  "actions.no-such-secret": "secret was not found [name: ]",
  "actions.no-such-variable": "variable not found",
  "actions.no-such-runner": ({ id }) => `runner with id ${id}: resource does not exist`,
  "actions.runner-incomplete": "missing runner token, name",
  "actions.registration-token-unknown": "runner registration token not found",
  "actions.registration-token-reset": "runner registration token has been invalidated, please use the latest one",
  "actions.owner-gone": "owner of the token not found",
  "actions.repository-gone": "repository of the token not found",
  "actions.unregistered-runner": "unregistered runner",
  "actions.foreign-task": "invalid runner for task",
  "actions.log-closed": "log file has been archived",
  "actions.no-such-job": "workflow job not found",
  "actions.run-not-done": "this workflow run is not done",
  "actions.workflow-disabled": "workflow is disabled",
  "actions.nothing-failed": "this workflow run has no failed jobs to re-run",
  "actions.too-many-attempts": ({ max }) => `workflow run has reached the maximum of ${max} attempts`,
  "actions.bad-message": "the message could not be read",
  "actions.variable-exists": "variable name already exists",
  "actions.no-such-run": ({ id }) => `run with id ${id}: resource does not exist`,
  "actions.no-such-attempt": ({ attempt, id }) => `run attempt ${attempt} for run ${id}: resource does not exist`,
};

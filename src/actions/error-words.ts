import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about Actions (contract actions.md 8). */
export const actionsErrorWords: ErrorWords = {
  "actions.bad-name": "invalid variable or secret name",
  "actions.value-too-long": "data too long",
  "actions.too-many": ({ max }) => `there are ${max} of them here, and there can be no more`,
  // Clients know the brackets, and that nothing stands in them.
  "actions.no-such-secret": "secret was not found [name: ]",
  "actions.no-such-variable": "variable not found",
  "actions.variable-exists": "variable name already exists",
};

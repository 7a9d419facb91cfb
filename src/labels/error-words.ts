import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about labels (contract issues.md 13). */
export const labelErrorWords: ErrorWords = {
  "label.bad-color": ({ color }) => `invalid color: ${color}`,
  "label.bad-name": "[Name]: label names have no control characters",
  "label.missing": ({ id, repoId }) => `label does not exist [label_id: ${id}, repo_id: ${repoId}]`,
  "label.no-such-template": ({ name }) => `label template ${name} does not exist`,
  "label.too-many": ({ max }) => `there are ${max} labels already`,
};

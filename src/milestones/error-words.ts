import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about milestones (contract issues.md 14). */
export const milestoneErrorWords: ErrorWords = {
  "milestone.bad-title": "[Title]: titles have no control characters",
  "milestone.too-many": ({ max }) => `there are ${max} milestones already`,
};

import type { ErrorWords } from "../http/error-words.ts";

/** The API's words for what is refused about milestones (contract issues.md 14). */
export const milestoneErrorWords: ErrorWords = {
  "milestone.bad-due-date": "[DueOn]: not a time of RFC 3339",
  "milestone.bad-title": "[Title]: titles have no control characters",
  "milestone.too-many": ({ max }) => `there are ${max} milestones already`,
};

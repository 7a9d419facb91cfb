import type { ErrorWords } from "../http/error-words.ts";

/** API messages for errors about boards (contract issues.md 21). */
export const projectErrorWords: ErrorWords = {
  "project.bad-color": "[Color]: not a # and six hexadecimal digits",
  "project.bad-title": "[Title]: titles have no control characters",
  "project.default-column": "the default column cannot be deleted",
  "project.needs-write": "user should have a permission to write to projects",
  "project.no-such-card": "an issue is no card of this project",
  "project.no-such-column": "there is no such column in this project",
  "project.not-found": ({ id }) => `project ${id} not found`,
  "project.too-many": ({ max }) => `there are ${max} projects already`,
  "project.too-many-columns": ({ max }) => `a project has at most ${max} columns`,
};

import type { ErrorWords } from "../http/error-words.ts";

/** The API's messages for refusals about notifications (contract issues.md 20). */
export const notificationErrorWords: ErrorWords = {
  "notification.missing": ({ id }) => `notification does not exist [id: ${id}]`,
  "notification.foreign": ({ id }) => `only user itself and admin are allowed to read/change this thread ${id}`,
};

import type { Failure } from "../src/kernel/errors.ts";
import { terminalLanguage } from "./language.ts";

/**
 * In English the API's message, which scripts may match; in other languages that of the pages. Loaded only when needed.
 */
export async function refusalText(failure: Failure): Promise<string> {
  const language = terminalLanguage();
  if (language.name !== "en") {
    const { wordsOfFailure } = await import("../web/form-data.ts");
    const text = wordsOfFailure(language, failure);
    if (text !== undefined) return text;
  }
  const { errorMessages } = await import("../src/messages.ts");
  return errorMessages().of(failure);
}

import type { Failure } from "../src/kernel/errors.ts";
import { terminalLanguage } from "./language.ts";

/** In English the API's words, which scripts may match; elsewhere those of the pages. Loaded only when they are needed. */
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

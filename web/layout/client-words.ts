import type { Language } from "../../src/language/language.ts";
import { siteWords } from "../words/index.ts";

/**
 * Sentences for the client script, by the names it uses; they are sent as `data-…` attributes of the live region. The
 * script fills in each `{name}`.
 */
const CLIENT_WORDS = [
  "copied",
  "copy-refused",
  "failed",
  "close",
  "shortcuts",
  "next-row",
  "previous-row",
  "choose-row",
  "open-row",
  "next-file",
  "previous-file",
  "next-change",
  "previous-change",
  "comment-on-line",
  "mark-viewed",
  "line",
  "lines",
  "files",
  "pushing",
  "arrived",
] as const;

/** The sentences as attributes: `data-copied="Copied"`. */
export function clientWordAttributes(language: Language): Record<`data-${string}`, string> {
  return Object.fromEntries(
    CLIENT_WORDS.map((name) => [`data-${name}`, siteWords.form(language, `script-${name}`, undefined)]),
  );
}

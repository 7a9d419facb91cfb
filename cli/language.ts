import type { Translate } from "../src/language/catalogue.ts";
import { languageOfLocale } from "../src/language/choose.ts";
import type { en } from "./words/en.ts";
import { cliWords } from "./words/index.ts";

/** The language of the terminal's locale. */
export function terminalLanguage() {
  return languageOfLocale(process.env);
}

/** A message in that language. */
export const say: Translate<typeof en> = (key, ...params) => cliWords.in(terminalLanguage())(key, ...params);

import { AsyncLocalStorage } from "node:async_hooks";
import type { Language } from "../../src/language/language.ts";

/** The language of the page being rendered; `rendered()` sets it. */
export const pageLanguage = new AsyncLocalStorage<Language>();

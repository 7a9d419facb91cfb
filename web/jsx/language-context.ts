import { AsyncLocalStorage } from "node:async_hooks";
import type { Language } from "../../src/language/language.ts";

/** The language of the page that is being rendered: `rendered()` sets it around everything it renders. */
export const pageLanguage = new AsyncLocalStorage<Language>();

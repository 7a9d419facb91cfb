import { createContext } from "hono/jsx";
import type { Language } from "../../src/language/language.ts";

/** The language of the page that is being rendered: `page()` and `fragment()` set it around everything they render. */
export const LanguageContext = createContext<Language | undefined>(undefined);

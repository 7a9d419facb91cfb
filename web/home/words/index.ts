import { Catalogue } from "../../../src/language/catalogue.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";

export const homeWords = new Catalogue(en, { de });

import { Catalogue } from "../../../src/language/catalogue.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";

export const contentWords = new Catalogue(en, { de });

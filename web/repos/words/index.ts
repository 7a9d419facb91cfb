import { Catalogue } from "../../../src/language/catalogue.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";

export const reposWords = new Catalogue(en, { de });

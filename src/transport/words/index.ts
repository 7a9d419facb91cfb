import { Catalogue } from "../../language/catalogue.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { zhCN } from "./zh-CN.ts";

/** What a push says to the person who sent it. Reasons of single refs are git's own words and stay English. */
export const pushWords = new Catalogue(en, { de, es, fr, ja, "zh-CN": zhCN });

import { Catalogue } from "../../language/catalogue.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { zhCN } from "./zh-CN.ts";

/** Messages to the sender of a push. Reasons for single refs are git's own and stay English. */
export const pushWords = new Catalogue(en, { de, es, fr, ja, "zh-CN": zhCN });

import { Catalogue } from "../../../src/language/catalogue.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { zhCN } from "./zh-CN.ts";

export const packagesWords = new Catalogue(en, { de, es, fr, ja, "zh-CN": zhCN });

import { Catalogue } from "../../src/language/catalogue.ts";
import { en } from "./en.ts";

/**
 * Messages for people at the terminal. Output that programs read (tables, `--raw`, `hearth git`) is not translated.
 * A run uses one language and loads no other.
 */
export const cliWords = new Catalogue(en, {
  get de() {
    return (require("./de.ts") as typeof import("./de.ts")).de;
  },
  get es() {
    return (require("./es.ts") as typeof import("./es.ts")).es;
  },
  get fr() {
    return (require("./fr.ts") as typeof import("./fr.ts")).fr;
  },
  get ja() {
    return (require("./ja.ts") as typeof import("./ja.ts")).ja;
  },
  get "zh-CN"() {
    return (require("./zh-CN.ts") as typeof import("./zh-CN.ts")).zhCN;
  },
});

import { gzipSync } from "node:zlib";
import type { Attack } from "../attack.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Forms are read before anybody knows who sends them: what they cost must not depend on what they hold. */
export const formAttacks: readonly Attack[] = [
  {
    name: "300 bytes of gzip that unfold to one field 131,072 times",
    run: async ({ ask, scale }) => {
      const body = gzipSync("a&".repeat(131_072));
      for (let count = 0; count < scale; count++)
        await ask("/user/login", { body, headers: { ...FORM, "content-encoding": "gzip" } });
    },
  },
  {
    name: "a form of 200,000 different fields",
    run: async ({ ask }) => {
      const fields = Array.from({ length: 200_000 }, (_, at) => at.toString(36)).join("&");
      await ask("/user/login", { body: fields.slice(0, 1_000_000), headers: FORM });
    },
  },
];

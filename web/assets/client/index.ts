import behaviours from "./behaviours.client.js" with { type: "text" };
import code from "./code.client.js" with { type: "text" };
import keys from "./keys.client.js" with { type: "text" };
import live from "./live.client.js" with { type: "text" };

/** The site's own script: plain browser JavaScript, served as it is written, after htmx. */
export const clientScript = [behaviours, code, keys, live].join(";\n");

import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";

/** `hearth admin search rebuild`: the index of code goes, and is made again from the repositories. */
export const rebuildSearchCommand: Command = {
  name: "admin search rebuild",
  doc: "Make the index for code search again; a running server begins within a minute, another one when it starts",
  options: [],
  run: (options) =>
    withServices(options, ({ codeSearch }) => {
      codeSearch.discardIndex();
      console.log("The index for code search was deleted; the server makes it again.");
    }),
};

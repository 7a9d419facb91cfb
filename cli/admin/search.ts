import { withServices } from "../data.ts";
import type { Command } from "../dispatch.ts";
import { say } from "../language.ts";

/** `hearth admin search rebuild`: deletes the code index and rebuilds it from the repositories. */
export const rebuildSearchCommand: Command = {
  name: "admin search rebuild",
  doc: "help-search-rebuild",
  options: [],
  run: (options) =>
    withServices(options, ({ codeSearch }) => {
      codeSearch.discardIndex();
      console.log(say("searchIndexDeleted"));
    }),
};

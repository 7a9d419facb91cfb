import type { Area } from "../area.ts";
import { eachOnDemand } from "../kernel/on-demand.ts";
import { wikiErrorWords } from "./error-words.ts";

/** Wikis of repositories: pages in a separate git folder. */
export const wikiArea: Area = {
  name: "wiki",
  errorWords: wikiErrorWords,
  routes: async () => (await import("./api.ts")).wikiRoutes,
  open: (core, services) => {
    const { blocks, pushRules } = services;
    // Even if everyone may edit, people the owner blocks may not.
    pushRules.addFolderGuard(({ owner, principal }) => {
      if (principal.user) blocks.requireUnblocked(owner, principal.user);
    });
    const load = () => (require("./opening.ts") as typeof import("./opening.ts")).openWiki(core, services);
    return { services: eachOnDemand(load, { wikiEdits: true, wikis: true }) };
  },
};

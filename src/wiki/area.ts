import type { Area } from "../area.ts";
import { WikiEdits } from "./edits.ts";
import { wikiErrorWords } from "./error-words.ts";
import { WikiService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly wikis: WikiService;
    readonly wikiEdits: WikiEdits;
  }
}

/** Wikis of repositories: pages in a git folder of their own. */
export const wikiArea: Area = {
  name: "wiki",
  errorWords: wikiErrorWords,
  routes: async () => (await import("./api.ts")).wikiRoutes,
  open: (
    { caches, clock, config, db, links, outbox, pool },
    { blocks, files, folders, history, pushRules, refs, repos, signing, storage },
  ) => {
    const wikis = new WikiService({ caches, files, folders, history, pool, refs, storage });
    const defaultBranch = config["repository.default_branch"];
    const parts = { blocks, clock, db, folders, links, outbox, pushRules, refs, repos, signing, storage };
    // Where everyone may write, those whom the owner blocks may not.
    pushRules.addFolderGuard(({ owner, principal }) => {
      if (principal.user) blocks.requireUnblocked(owner, principal.user);
    });
    return { services: { wikis, wikiEdits: new WikiEdits({ ...parts, defaultBranch, wikis }) } };
  },
};

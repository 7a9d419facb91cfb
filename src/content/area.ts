import type { Area } from "../area.ts";
import { eachOnDemand } from "../kernel/on-demand.ts";
import { commitReferences } from "./commits/references.ts";
import { contentErrorWords } from "./error-words.ts";
import { excerptLines } from "./files/excerpts.ts";

/** The content of repositories: files, commits, branches, tags. */
export const contentArea: Area = {
  name: "content",
  errorWords: contentErrorWords,
  routes: async () => (await import("./api.ts")).contentRoutes,
  open: (core, services) => {
    const { markup, reachability, references, repos, storage } = services;
    const content = eachOnDemand(
      () => (require("./opening.ts") as typeof import("./opening.ts")).openContent(core, services),
      {
        blame: true,
        branches: true,
        commits: true,
        commitSigning: true,
        compare: true,
        edits: true,
        files: true,
        gitData: true,
        graph: true,
        history: true,
        refLists: true,
        replays: true,
        revisions: true,
        tags: true,
      },
    );
    references.register("commit", commitReferences(repos, storage, reachability));
    references.registerExcerpts(excerptLines(repos, content.revisions, content.files, markup));
    return { services: content };
  },
};

import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { generationErrorWords } from "./error-words.ts";
import type { GenerationService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly generation: GenerationService;
  }
}

/** Repositories made from templates. */
export const generationArea: Area = {
  name: "generation",
  errorWords: generationErrorWords,
  routes: async () => (await import("./api.ts")).generationRoutes,
  open: (
    { clock, crash, db, links, pool },
    { commits, folders, lfsSharing, refs, repoRegistration, repoRemoval, repos, signing, storage },
  ) => {
    const made = { clock, crash, db, links, pool };
    const parts = {
      ...made,
      commits,
      folders,
      lfsSharing,
      refs,
      repoRegistration,
      repoRemoval,
      repos,
      signing,
      storage,
    };
    return {
      services: {
        generation: onDemand(
          () => new (require("./service.ts") as typeof import("./service.ts")).GenerationService(parts),
        ),
      },
    };
  },
};

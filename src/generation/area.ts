import type { Area } from "../area.ts";
import { onDemand, whenMade } from "../kernel/on-demand.ts";
import { generationErrorWords } from "./error-words.ts";
import type { GenerationService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly generation: GenerationService;
  }
}

/** Repositories created from templates. */
export const generationArea: Area = {
  name: "generation",
  errorWords: generationErrorWords,
  routes: async () => (await import("./api.ts")).generationRoutes,
  open: ({ clock, crash, db, links, pool }, services) => {
    const { avatars, branchProtections, repos } = services;
    const parts = { ...services, clock, crash, db, links, pool };
    const generation = onDemand(
      () => new (require("./service.ts") as typeof import("./service.ts")).GenerationService(parts),
    );
    // Their areas are opened before this one.
    whenMade(generation, (service) => {
      service.addItem("avatar", ({ repo }, copy) => avatars.copyOfTemplate(repo, copy));
      service.addItem("protected_branch", (template, copy, principal) => {
        const seen = repos.seeById(principal, copy.id);
        if (seen) branchProtections.copy(template, seen);
      });
    });
    return { services: { generation } };
  },
};

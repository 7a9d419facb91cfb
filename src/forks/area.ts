import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { forkErrorWords } from "./error-words.ts";
import type { ForkService } from "./service.ts";
import { forkCount } from "./store.ts";
import type { ForkSync } from "./sync.ts";

declare module "../services.ts" {
  interface Services {
    readonly forks: ForkService;
    readonly forkSync: ForkSync;
  }
}

/** Forks of repositories. */
export const forksArea: Area = {
  name: "forks",
  errorWords: forkErrorWords,
  routes: async () => (await import("./api.ts")).forkRoutes,
  open: (
    core,
    { blocks, folders, history, lfsSharing, refs, repoRegistration, repoRemoval, repos, repoSearch, storage },
  ) => {
    const { access, clock, crash, db, links, outbox, pool } = core;
    repos.addCount("forks", forkCount);
    repoSearch.addOrder({ name: "forks", key: `(${forkCount("repositories.id")})` });
    const forks = onDemand(
      () =>
        new (require("./service.ts") as typeof import("./service.ts")).ForkService({
          access,
          blocks,
          crash,
          db,
          folders,
          lfsSharing,
          outbox,
          pool,
          refs,
          repoRegistration,
          repoRemoval,
          repos,
          storage,
        }),
    );
    const forkSync = onDemand(
      () =>
        new (require("./sync.ts") as typeof import("./sync.ts")).ForkSync({
          clock,
          history,
          lfsSharing,
          links,
          pool,
          refs,
          repos,
          storage,
        }),
    );
    return { services: { forks, forkSync } };
  },
};

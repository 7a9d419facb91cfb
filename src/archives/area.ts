import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { ArchiveCache } from "./cache.ts";
import { archiveErrorWords } from "./error-words.ts";
import type { ArchiveService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly archives: ArchiveService;
  }
}

declare module "../jobs/types.ts" {
  interface JobPayloads {
    /** Deletes every cached archive. */
    "archives.clear": Record<string, never>;
  }
}

/** Downloads of a commit's files: zip, tar, bundle. */
export const archivesArea: Area = {
  name: "archives",
  errorWords: archiveErrorWords,
  routes: async () => (await import("./api.ts")).archiveRoutes,
  open: ({ config, jobs, log, outbox, pool, schedules }, { files, refs, repos, revisions, storage }) => {
    const maxBytes = config["archives.cache_mib"] * 2 ** 20;
    const cache = new ArchiveCache(config.data, maxBytes, (repoId) => repos.byId(repoId) !== undefined, log);
    outbox.listen(({ kind, repoId }) => {
      if (kind !== "repo.deleted" || repoId === undefined) return;
      cache.removeAll(repoId).catch((error) => log.warn("archives of a repository could not be removed", { error }));
    });
    jobs.handle("archives.clear", { parse: () => ({}), run: () => cache.clear() });
    schedules.add({
      name: "delete_repo_archives",
      cron: "@yearly",
      kind: "archives.clear",
      payload: {},
      isManual: true,
    });
    return {
      services: {
        archives: onDemand(
          () =>
            new (require("./service.ts") as typeof import("./service.ts")).ArchiveService(
              config["archives.enabled"],
              cache,
              revisions,
              files,
              refs,
              storage,
              pool,
            ),
        ),
      },
      drain: () => cache.drain(),
    };
  },
};

import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import type { LfsAccess } from "./access.ts";
import { lfsErrorWords } from "./error-words.ts";
import type { LfsInspector } from "./inspection.ts";
import type { LfsLocks } from "./locks/service.ts";
import { cleanUpEveryNight } from "./pointers/cleanup.ts";
import type { LfsPointers } from "./pointers/service.ts";
import type { LfsRemote } from "./remote/service.ts";
import type { LfsObjects } from "./service.ts";
import type { LfsSharing } from "./sharing.ts";
import { lfsBytes } from "./store.ts";
import type { LfsUploads } from "./uploads.ts";

declare module "../services.ts" {
  interface Services {
    readonly lfs: LfsObjects;
    readonly lfsAccess: LfsAccess;
    readonly lfsInspector: LfsInspector;
    readonly lfsLocks: LfsLocks;
    readonly lfsPointers: LfsPointers;
    readonly lfsRemote: LfsRemote;
    readonly lfsSharing: LfsSharing;
    readonly lfsUploads: LfsUploads;
  }
}

/** Large files of repositories, stored outside their git directories (git LFS). */
export const lfsArea: Area = {
  name: "lfs",
  errorWords: lfsErrorWords,
  routes: async () => (await import("./api.ts")).lfsRoutes,
  open: (
    { clock, config, db, jobs, links, log, outbound, pool, schedules, secret },
    { authenticator, blobs, deployKeys, identity, quotas, refs, repoRegistration, repoSearch, repos, storage },
  ) => {
    const isEnabled = config["lfs.enabled"];
    const tokens = onDemand(
      () =>
        new (require("./tokens.ts") as typeof import("./tokens.ts")).LfsTokens({
          clock,
          deployKeys,
          identity,
          secret,
          lifeSeconds: config["lfs.token_hours"] * 3600,
        }),
    );
    if (isEnabled)
      authenticator.add(async ({ authorization, forLfs }) => (forLfs ? tokens.principalOf(authorization) : undefined));
    const access = onDemand(
      () => new (require("./access.ts") as typeof import("./access.ts")).LfsAccess(identity, repos, authenticator),
    );
    const objects = onDemand(
      () =>
        new (require("./service.ts") as typeof import("./service.ts")).LfsObjects(
          db,
          clock,
          blobs,
          tokens,
          links,
          isEnabled,
        ),
    );
    const maxBytes = config["lfs.max_object_mib"] * 2 ** 20;
    const uploads = onDemand(
      () =>
        new (require("./uploads.ts") as typeof import("./uploads.ts")).LfsUploads({
          access,
          blobs,
          clock,
          db,
          objects,
          quotas,
          maxBytes,
        }),
    );
    const pointers = onDemand(
      () =>
        new (require("./pointers/service.ts") as typeof import("./pointers/service.ts")).LfsPointers({
          clock,
          db,
          objects,
          pool,
          quotas,
          refs,
          repos,
          storage,
        }),
    );
    cleanUpEveryNight({ db, jobs, log, pointers, repos, schedules }, config["lfs.cleanup_days"]);
    repos.addCount("lfsBytes", lfsBytes);
    repoSearch.addOrder({ name: "lfs_size", key: `(${lfsBytes("repositories.id")})` });
    return {
      services: {
        lfs: objects,
        lfsAccess: access,
        lfsInspector: onDemand(
          () =>
            new (require("./inspection.ts") as typeof import("./inspection.ts")).LfsInspector(
              db,
              identity,
              objects,
              repos,
            ),
        ),
        lfsLocks: onDemand(
          () =>
            new (require("./locks/service.ts") as typeof import("./locks/service.ts")).LfsLocks(
              db,
              clock,
              config["lfs.locks_page"],
              isEnabled,
            ),
        ),
        lfsPointers: pointers,
        lfsRemote: onDemand(
          () =>
            new (require("./remote/service.ts") as typeof import("./remote/service.ts")).LfsRemote({
              blobs,
              db,
              objects,
              outbound,
              pointers,
              refs,
              uploads,
              maxBytes,
              limits: {
                timeoutMs: config["git.remote_timeout_minutes"] * 60_000,
                idleMs: config["git.remote_idle_seconds"] * 1_000,
              },
            }),
        ),
        lfsSharing: onDemand(
          () =>
            new (require("./sharing.ts") as typeof import("./sharing.ts")).LfsSharing({
              clock,
              db,
              identity,
              pool,
              quotas,
              repoRegistration,
              repos,
              storage,
            }),
        ),
        lfsUploads: uploads,
      },
    };
  },
};

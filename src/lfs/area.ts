import type { Area } from "../area.ts";
import { LfsAccess } from "./access.ts";
import { lfsErrorWords } from "./error-words.ts";
import { LfsLocks } from "./locks/service.ts";
import { cleanUpEveryNight } from "./pointers/cleanup.ts";
import { LfsPointers } from "./pointers/service.ts";
import { LfsObjects } from "./service.ts";
import { LfsSharing } from "./sharing.ts";
import { copyObjects, lfsBytes, objectTotals } from "./store.ts";
import { LfsTokens } from "./tokens.ts";
import { LfsUploads } from "./uploads.ts";

declare module "../services.ts" {
  interface Services {
    readonly lfs: LfsObjects;
    readonly lfsAccess: LfsAccess;
    readonly lfsLocks: LfsLocks;
    readonly lfsPointers: LfsPointers;
    readonly lfsSharing: LfsSharing;
    readonly lfsUploads: LfsUploads;
  }
}

/** Large files of repositories, kept beside their git folders (git LFS). */
export const lfsArea: Area = {
  name: "lfs",
  errorWords: lfsErrorWords,
  routes: async () => (await import("./api.ts")).lfsRoutes,
  open: (
    { clock, config, db, jobs, links, log, outbox, pool, schedules, secret },
    { authenticator, blobs, deployKeys, identity, quotas, refs, repoSearch, repos, storage },
  ) => {
    const isEnabled = config["lfs.enabled"];
    const tokens = new LfsTokens({
      clock,
      deployKeys,
      identity,
      secret,
      lifeSeconds: config["lfs.token_hours"] * 3600,
    });
    if (isEnabled)
      authenticator.add(async ({ authorization, forLfs }) => (forLfs ? tokens.principalOf(authorization) : undefined));
    const access = new LfsAccess(identity, repos, authenticator);
    const objects = new LfsObjects(db, clock, blobs, tokens, links, isEnabled);
    const maxBytes = config["lfs.max_object_mib"] * 2 ** 20;
    const uploads = new LfsUploads({ access, blobs, clock, db, objects, quotas, maxBytes });
    const pointers = new LfsPointers({ clock, db, objects, pool, quotas, refs, repos, storage });
    cleanUpEveryNight({ db, jobs, log, pointers, repos, schedules }, config["lfs.cleanup_days"]);
    repos.addCount("lfsBytes", lfsBytes);
    repoSearch.addOrder({ name: "lfs_size", key: `(${lfsBytes("repositories.id")})` });
    // A fork goes on when what it was forked from is gone.
    outbox.react("repo.forked", ({ repoId }, { forkId }) => {
      const fork = repos.byId(forkId);
      const owner = fork && identity.byId(fork.ownerId);
      if (repoId === undefined || !owner) return;
      quotas.require(owner, "size:git:lfs", objectTotals(db, repoId).bytes);
      copyObjects(db, repoId, forkId, clock());
    });
    return {
      services: {
        lfs: objects,
        lfsAccess: access,
        lfsLocks: new LfsLocks(db, clock, config["lfs.locks_page"], isEnabled),
        lfsPointers: pointers,
        lfsSharing: new LfsSharing({ clock, db, identity, pool, quotas, repos, storage }),
        lfsUploads: uploads,
      },
    };
  },
};

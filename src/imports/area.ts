import type { Area } from "../area.ts";
import { Conflict, Forbidden } from "../kernel/errors.ts";
import { perSeen } from "../repos/rules/per-seen.ts";
import type { PushRule } from "../repos/rules/types.ts";
import { findAuthors } from "./authors.ts";
import { importErrorWords } from "./error-words.ts";
import { ImportedPeople } from "./people.ts";
import { ImportService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    /** Repositories being imported. */
    readonly imports: ImportService;
  }
}

/**
 * An import may take this many times longer than a single conversation with the other server: it includes items and
 * files.
 */
const CONVERSATIONS = 6;

/** Imports of repositories from other servers. */
export const importsArea: Area = {
  name: "imports",
  errorWords: importErrorWords,
  routes: async () => (await import("./api.ts")).importRoutes,
  open: (core, services) => {
    const { clock, config, crash, db, jobs, log, outbound, outbox, secrets } = core;
    const { folders, identity, lfsRemote, outsideAccounts, pullImports, pullMirrors, pushRules, refs, remotes } =
      services;
    const { itemImportFiles, itemImports, labels, milestones, pins, releaseAssets, releases, topics } = services;
    const { repoRegistration, repoRemoval, repos, storage } = services;
    const imports = new ImportService({
      clock,
      crash,
      db,
      folders,
      identity,
      jobs,
      lfsRemote,
      log,
      pullMirrors,
      refs,
      remotes,
      repoRegistration,
      repoRemoval,
      repos,
      secrets,
      storage,
      items: async () => {
        const { ItemBringer } = await import("./items/bringer.ts");
        const planning = { db, labels, milestones, repos, topics };
        return new ItemBringer({
          ...planning,
          itemImportFiles,
          itemImports,
          pins,
          pullImports,
          releaseAssets,
          releases,
        });
      },
      forge: async (address, signal) => (await import("./forge/open.ts")).openForge(outbound, address, signal),
      peopleOf: (origin) => new ImportedPeople((id) => outsideAccounts.ofServer(origin, id)?.id),
      isEnabled: config["imports.enabled"],
      mayMirror: config["mirrors.enabled"] && config["mirrors.new_pull"],
      defaultBranch: config["repository.default_branch"],
      timeLimitMs: config["git.remote_timeout_minutes"] * 60_000 * CONVERSATIONS,
    });
    findAuthors(core, { itemImports, outsideAccounts });
    pushRules.add(notBefore(imports));
    outbox.react("repo.transferred", ({ repoId }) => {
      if (repoId !== undefined && imports.of(repoId)) throw new Conflict("import.under-way");
    });
    return { services: { imports }, sweep: () => imports.sweep() };
  },
};

/** Pushing to a repository is refused until its import is complete. */
function notBefore(imports: ImportService): PushRule {
  const isUnderWay = perSeen(({ repo }) => imports.of(repo.id) !== undefined);
  return {
    name: "imports",
    needs: ({ seen }) => (isUnderWay(seen) ? { facts: [] } : undefined),
    judge: () => ({ failure: new Forbidden("import.under-way") }),
  };
}

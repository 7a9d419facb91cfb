import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import type { Adoption } from "./adoption/service.ts";
import type { RepoBin } from "./bin/service.ts";
import { collaboratorGrants } from "./collaborators/grants.ts";
import type { CollaboratorService } from "./collaborators/service.ts";
import { RepoRegistration } from "./creation/registration.ts";
import type { RepoCreator } from "./creation/service.ts";
import { repoErrorWords } from "./error-words.ts";
import { GitFolders } from "./folders/service.ts";
import { wikiBranchList } from "./folders/store.ts";
import type { RepoInspector } from "./inspection.ts";
import { tellLists } from "./live.ts";
import { CommitGraphs } from "./maintenance/graphs.ts";
import { MissingFolders } from "./maintenance/missing.ts";
import { PackMaintenance } from "./maintenance/packing.ts";
import { MaintenanceService } from "./maintenance/service.ts";
import { Reachability } from "./refs/reachability.ts";
import { RefService } from "./refs/service.ts";
import { RepoRemoval } from "./removal.ts";
import { PushRules } from "./rules/service.ts";
import { RepoSearch } from "./search/service.ts";
import { RepoService } from "./service.ts";
import { RepoStorage } from "./storage.ts";
import { repositorySubject } from "./subject.ts";
import type { LabelSets } from "./templates/label-sets.ts";

declare module "../services.ts" {
  interface Services {
    readonly storage: RepoStorage;
    readonly folders: GitFolders;
    readonly adoption: Adoption;
    /** Deleted repositories that can be restored. */
    readonly bin: RepoBin;
    readonly refs: RefService;
    /** Areas' rules for ref changes. */
    readonly pushRules: PushRules;
    readonly reachability: Reachability;
    readonly repos: RepoService;
    readonly repoRegistration: RepoRegistration;
    readonly repoRemoval: RepoRemoval;
    readonly inspector: RepoInspector;
    readonly repoSearch: RepoSearch;
    readonly creator: RepoCreator;
    readonly labelSets: LabelSets;
    readonly collaborators: CollaboratorService;
    readonly packing: PackMaintenance;
    readonly commitGraphs: CommitGraphs;
    readonly maintenance: MaintenanceService;
  }
}

/** Repositories: lifecycle, collaborators, refs and folders on disk. */
export const reposArea: Area = {
  name: "repos",
  errorWords: repoErrorWords,
  routes: async () => (await import("./api.ts")).repoRoutes,
  open: (core, { blocks, identity, signing }) => {
    const {
      access,
      caches,
      clock,
      config,
      crash,
      db,
      jobs,
      links,
      live,
      log,
      outbox,
      pool,
      retention,
      schedules,
      subjects,
    } = core;
    access.addGrants(collaboratorGrants);
    const storage = new RepoStorage(config.data, caches, pool, (error) => db.stopWrites(error));
    const refs = new RefService(db, outbox, storage, pool, clock, log, crash, caches);
    const trashHours = config["repository.trash_hours"];
    const folders = new GitFolders(db, jobs, refs, storage, clock, log, crash, trashHours);
    const forcePrivate = config["repository.force_private"];
    const repos = new RepoService(db, outbox, folders, access, identity, refs, clock, crash, forcePrivate);
    repos.addList("wikiBranches", wikiBranchList);
    const parts = { clock, crash, db, folders, outbox, refs };
    const labelSets = onDemand(
      () =>
        new (require("./templates/label-sets.ts") as typeof import("./templates/label-sets.ts")).LabelSets(
          config.data,
          log,
        ),
    );
    const defaultBranch = config["repository.default_branch"];
    const binDays = config["repository.bin_days"];
    const repoRegistration = new RepoRegistration({ ...parts, storage }, { defaultBranch, forcePrivate });
    const repoRemoval = new RepoRemoval({ ...parts, jobs, repos, binDays });
    subjects.add("repository", repositorySubject(repos));
    const collaborators = onDemand(
      () =>
        new (require("./collaborators/service.ts") as typeof import("./collaborators/service.ts")).CollaboratorService(
          db,
          outbox,
          identity,
          blocks,
          clock,
        ),
    );
    outbox.react("account.blocked", ({ ownerId }, { userId }) => {
      const [owner, user] = [ownerId === undefined ? undefined : identity.byId(ownerId), identity.byId(userId)];
      if (owner && user) collaborators.removeFromOwner(owner, user);
    });
    const packing = new PackMaintenance({
      clock,
      crash,
      folders,
      jobs,
      log,
      pool,
      pruneDays: config["repository.prune_days"],
      refs,
      schedules,
      storage,
    });
    const graphs = new CommitGraphs(folders, refs, storage, pool, caches);
    const maintenance = new MaintenanceService({
      caches,
      db,
      folders,
      graphs,
      jobs,
      packing,
      pool,
      refs,
      repos,
      schedules,
      storage,
    });
    new MissingFolders({ folders, jobs, log, refs, repoRemoval, repos, schedules, storage });
    outbox.add(maintenance);
    tellLists({ live, outbox }, identity, repos);
    live.declareTopic("repo", (principal, id, unit) => repos.mayRead(principal, Number(id), unit));
    const logDays = config["retention.ref_log_days"];
    retention.add({
      name: "ref log",
      // Maintenance uses the log to tell which unreachable objects may be pruned.
      days: logDays && Math.max(logDays, config["repository.prune_days"] + 1),
      prune: (before, limit) => refs.pruneLog(before, limit),
    });
    const bin = onDemand(
      () =>
        new (require("./bin/service.ts") as typeof import("./bin/service.ts")).RepoBin({
          access,
          clock,
          db,
          identity,
          outbox,
          repoRegistration,
          repoRemoval,
          repos,
          days: binDays,
        }),
    );
    outbox.react("user.deleted", ({ ownerId }) => {
      if (ownerId !== undefined) bin.purgeOf(ownerId);
    });
    retention.add({
      name: "deleted repositories",
      days: binDays,
      prune: (before, limit) => bin.prune(before, Math.min(limit, 50)),
    });
    return {
      services: {
        adoption: onDemand(
          () =>
            new (require("./adoption/service.ts") as typeof import("./adoption/service.ts")).Adoption({
              crash,
              db,
              folders,
              identity,
              pool,
              refs,
              repoRegistration,
              repos,
              storage,
              dataDir: config.data,
              defaultBranch,
            }),
        ),
        bin,
        storage,
        folders,
        refs,
        pushRules: new PushRules(refs, storage, pool),
        reachability: new Reachability(refs, storage, pool),
        repos,
        repoRegistration,
        repoRemoval,
        inspector: onDemand(
          () => new (require("./inspection.ts") as typeof import("./inspection.ts")).RepoInspector(db, refs, storage),
        ),
        repoSearch: new RepoSearch(db, repos, access, caches),
        labelSets,
        creator: onDemand(
          () =>
            new (require("./creation/service.ts") as typeof import("./creation/service.ts")).RepoCreator(
              repoRegistration,
              links,
              clock,
              signing,
              labelSets,
            ),
        ),
        collaborators,
        commitGraphs: graphs,
        packing,
        maintenance,
      },
      recover: () => {
        repoRemoval.recover();
        folders.sweep();
        refs.reconcile();
      },
      sweep: () => folders.sweep(),
      drain: () => refs.projected(),
      close: () => {
        refs.close();
        storage.closeAll();
      },
    };
  },
};

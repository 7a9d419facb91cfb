import type { Area } from "../area.ts";
import { onDemand, whenMade } from "../kernel/on-demand.ts";
import { PackagesAccess, packagesSubject } from "./access.ts";
import { PackageCleanup } from "./cleanup.ts";
import type { PackageCleanupRules } from "./cleanup-rules.ts";
import type { PackageContents } from "./contents.ts";
import { DownloadCounter } from "./downloads.ts";
import { packageErrorWords } from "./error-words.ts";
import { heldPackages } from "./held.ts";
import { handleIndexJobs, IndexChanges } from "./indices/changes.ts";
import type { PackageIndices } from "./indices/service.ts";
import type { PackageInspector } from "./inspection.ts";
import type { KeyedFiles } from "./keyed-files.ts";
import { packageLimits } from "./limits.ts";
import type { OwnerKeys } from "./owner-keys.ts";
import type { PackagePublisher } from "./publishing.ts";
import type { ChefKeys } from "./registries/chef/keys.ts";
import { terraformDeletion } from "./registries/terraform/state.ts";
import type { PackageRepositories } from "./repositories.ts";
import type { PackageService } from "./service.ts";
import type { PackageTokens } from "./tokens.ts";
import type { PackageUploads } from "./uploads.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services {
    readonly packages: PackageService;
    readonly packageRepositories: PackageRepositories;
    readonly packagePublisher: PackagePublisher;
    readonly packageContents: PackageContents;
    readonly packageKeys: KeyedFiles;
    readonly packagesAccess: PackagesAccess;
    readonly packageTokens: PackageTokens;
    readonly packageUploads: PackageUploads;
    readonly packageCleanup: PackageCleanup;
    readonly packageCleanupRules: PackageCleanupRules;
    readonly packageInspector: PackageInspector;
    readonly packageIndices: PackageIndices;
    readonly packageOwnerKeys: OwnerKeys;
    readonly chefKeys: ChefKeys;
  }
}

/** Package registries: publishing packages, and serving them to clients of all kinds. */
export const packagesArea: Area = {
  name: "packages",
  errorWords: packageErrorWords,
  routes: async () => {
    const [{ packageRoutes }, { registryRoutes }] = await Promise.all([
      import("./api.ts"),
      import("./registries/all.ts"),
    ]);
    return (services) => [...packageRoutes(services), ...registryRoutes(services)];
  },
  open: (core, { audit, authenticator, blobs, heldFiles, identity, quotas, repos, teams }) => {
    const { access, clock, config, db, jobs, links, log, outbox, pool, schedules, secret, secrets, subjects } = core;
    const limits = packageLimits(
      config["packages.max_owner_versions"],
      config["packages.max_owner_size"],
      config["packages.max_file_sizes"],
    );
    const downloads = new DownloadCounter(db);
    const indexChanges = new IndexChanges(db, jobs);
    const packageContents = onDemand(
      () => new (require("./contents.ts") as typeof import("./contents.ts")).PackageContents(blobs, limits),
    );
    const packages = onDemand(
      () =>
        new (require("./service.ts") as typeof import("./service.ts")).PackageService({
          access,
          contents: packageContents,
          db,
          downloads,
          indexChanges,
          outbox,
        }),
    );
    const packageRepositories = onDemand(
      () => new (require("./repositories.ts") as typeof import("./repositories.ts")).PackageRepositories({ db, repos }),
    );
    const packagePublisher = onDemand(
      () =>
        new (require("./publishing.ts") as typeof import("./publishing.ts")).PackagePublisher({
          clock,
          contents: packageContents,
          db,
          indexChanges,
          limits,
          outbox,
          quotas,
        }),
    );
    const packagesAccess = new PackagesAccess({ access, identity, repos, teams, requireSignIn: config.require_signin });
    subjects.add("packages", packagesSubject(identity, packagesAccess));
    const packageTokens = onDemand(
      () =>
        new (require("./tokens.ts") as typeof import("./tokens.ts")).PackageTokens({
          authenticator,
          clock,
          identity,
          secret,
        }),
    );
    authenticator.add((credentials) => packageTokens.identify(credentials));
    const chefKeys = onDemand(
      () =>
        new (require("./registries/chef/keys.ts") as typeof import("./registries/chef/keys.ts")).ChefKeys({
          audit,
          clock,
          db,
          identity,
          rootUrl: links.rootUrl,
        }),
    );
    authenticator.add(async (credentials) =>
      credentials.forRegistry && credentials.signed ? chefKeys.identify(credentials) : undefined,
    );
    const packageUploads = onDemand(
      () =>
        new (require("./uploads.ts") as typeof import("./uploads.ts")).PackageUploads({
          blobs,
          clock,
          contents: packageContents,
          db,
          limits,
        }),
    );
    whenMade(packages, (made) => made.onDeletion("terraform", terraformDeletion(made)));
    const packageCleanupRules = onDemand(
      () =>
        new (require("./cleanup-rules.ts") as typeof import("./cleanup-rules.ts")).PackageCleanupRules({
          clock,
          db,
          identity,
          log,
          packages,
          pool,
        }),
    );
    const sealed = secrets.column({ table: "package_keys", column: "private_key", key: "public_key" });
    const packageOwnerKeys = onDemand(
      () => new (require("./owner-keys.ts") as typeof import("./owner-keys.ts")).OwnerKeys({ clock, db, pool, sealed }),
    );
    const packageIndices = onDemand(
      () =>
        new (require("./indices/service.ts") as typeof import("./indices/service.ts")).PackageIndices({
          clock,
          contents: packageContents,
          db,
          identity,
          packages,
          publisher: packagePublisher,
        }),
    );
    handleIndexJobs(jobs, packageIndices);
    whenMade(packageIndices, (made) => {
      const { AlpineIndex } = require("./registries/alpine/index.ts") as typeof import("./registries/alpine/index.ts");
      const { DebianIndex } = require("./registries/debian/index.ts") as typeof import("./registries/debian/index.ts");
      const { ArchIndex } = require("./registries/arch/index.ts") as typeof import("./registries/arch/index.ts");
      const { RpmIndex } = require("./registries/rpm/index.ts") as typeof import("./registries/rpm/index.ts");
      made.use("arch", new ArchIndex({ packageOwnerKeys, pool }));
      made.use("alpine", new AlpineIndex({ packageOwnerKeys }));
      made.use("debian", new DebianIndex({ clock, packageOwnerKeys, pool, siteName: config.name }));
      made.use("rpm", new RpmIndex({ packageOwnerKeys, pool }));
    });
    const packageCleanup = new PackageCleanup({
      clock,
      db,
      jobs,
      rules: packageCleanupRules,
      schedules,
      hours: config["packages.cleanup_hours"],
    });
    identity.addBelongings("packages.owned", (user) => packages.hasPackages(user));
    heldFiles.add("packages", heldPackages(db, links));
    // These indices contain the key's name.
    outbox.react("user.renamed", ({ ownerId }) => {
      if (ownerId !== undefined) indexChanges.noteAll(ownerId, "alpine");
    });
    outbox.react("repo.transferred", ({ repoId }) => {
      if (repoId !== undefined) packageRepositories.unlinkAll(repoId);
    });
    return {
      services: {
        packages,
        packagesAccess,
        packageRepositories,
        packagePublisher,
        packageContents,
        packageKeys: onDemand(
          () => new (require("./keyed-files.ts") as typeof import("./keyed-files.ts")).KeyedFiles(db, access),
        ),
        packageTokens,
        packageUploads,
        packageCleanup,
        packageCleanupRules,
        packageIndices,
        packageOwnerKeys,
        chefKeys,
        packageInspector: onDemand(
          () =>
            new (require("./inspection.ts") as typeof import("./inspection.ts")).PackageInspector(db, packageContents),
        ),
      },
      sweep: () => downloads.write(),
      drain: async () => downloads.write(),
    };
  },
};

import type { Principal } from "../access/principal.ts";
import { requireSiteAdmin } from "../access/requirements.ts";
import type { AccessControl } from "../access/service.ts";
import type { User } from "../access/user.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import { Failure, NotFound, Unauthorised, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { PackageContents } from "./contents.ts";
import type { DownloadCounter } from "./downloads.ts";
import * as files from "./files-store.ts";
import type { IndexChanges } from "./indices/changes.ts";
import { privateReposOf } from "./indices/store.ts";
import * as keys from "./keyed-files-store.ts";
import * as lists from "./lists-store.ts";
import { propertiesOf } from "./properties-store.ts";
import * as store from "./store.ts";
import type {
  Package,
  PackageFile,
  PackageType,
  PackageVersion,
  Property,
  PropertySubject,
  SeenPackages,
} from "./types.ts";
import { requireWrite, viewerOf } from "./viewer.ts";

export interface PackageParts {
  readonly access: AccessControl;
  readonly contents: PackageContents;
  readonly db: Database;
  readonly downloads: DownloadCounter;
  readonly indexChanges: IndexChanges;
  readonly outbox: Outbox;
}

/**
 * What a registry does when a version of its type is deleted, in the transaction and before it is gone.
 * @throws Failure if the version must stay
 */
export type DeletionRule = (seen: SeenPackages, version: PackageVersion, isWholePackage: boolean) => void;

/** Finds, lists and deletes packages as one principal may see them (contract packages.md 2, 5). */
export class PackageService {
  private readonly deletionRules = new Map<PackageType, DeletionRule>();

  constructor(private readonly parts: PackageParts) {}

  /** Registers a registry's deletion rule, during wiring. */
  onDeletion(type: PackageType, rule: DeletionRule): void {
    this.deletionRules.set(type, rule);
  }

  /** @throws NotFound; Unauthorised if a registry's anonymous caller might see it after signing in */
  find(seen: SeenPackages, type: PackageType, name: string): Package {
    const found = this.look(seen, type, name);
    if (!found) throw new NotFound("packages.missing");
    return found;
  }

  /** Like `find`, but undefined if there is no package with that name. @throws Unauthorised */
  look(seen: SeenPackages, type: PackageType, name: string): Package | undefined {
    return this.lookAny(seen, type, name, false);
  }

  /** Like `look`, but includes packages without versions that others may see. @throws Unauthorised */
  lookAny(seen: SeenPackages, type: PackageType, name: string, emptyOnes = true): Package | undefined {
    const found = store.findPackage(this.parts.db, seen.owner.id, type, name, viewerOf(this.parts.access, seen));
    if (!found || found.package.isInternal || !(found.hasVersions || emptyOnes)) return undefined;
    if (found.isVisible) return found.package;
    if (seen.challenges && !seen.principal.user) throw new Unauthorised("packages.needs-credentials");
    return undefined;
  }

  /** @throws NotFound, Unauthorised */
  version(seen: SeenPackages, type: PackageType, name: string, version: string): PackageVersion {
    const found = store.findVersion(this.parts.db, this.find(seen, type, name).id, version);
    if (!found || found.isInternal) throw new NotFound("packages.missing");
    return found;
  }

  /** A version of a package already found, including internal ones. */
  versionOf(found: Package, version: string): PackageVersion | undefined {
    return store.findVersion(this.parts.db, found.id, version);
  }

  /** The most recently published version. @throws NotFound, Unauthorised */
  latest(seen: SeenPackages, type: PackageType, name: string): PackageVersion {
    const found = store.latestOf(this.parts.db, this.find(seen, type, name).id);
    if (!found) throw new NotFound("packages.missing");
    return found;
  }

  /** In the order they were published. */
  versions(found: Package): PackageVersion[] {
    return store.versionsOf(this.parts.db, found.id);
  }

  /** The same for several packages at once, keyed by package. */
  versionsOfEach(found: readonly Package[]): Map<number, PackageVersion[]> {
    return store.versionsOfEach(
      this.parts.db,
      found.map(({ id }) => id),
    );
  }

  /** The version strings of several packages, keyed by package. */
  versionNumbersOfEach(found: readonly Package[]): Map<number, string[]> {
    return store.versionNumbersOfEach(
      this.parts.db,
      found.map(({ id }) => id),
    );
  }

  /** All packages of a type that the principal may see, by name. */
  ofType(seen: SeenPackages, type: PackageType): Package[] {
    return lists.packagesOfType(this.parts.db, seen.owner.id, type, viewerOf(this.parts.access, seen));
  }

  pageOfVersions(found: Package, filter: store.VersionFilter, paging: Pick<Paging, "limit" | "offset">) {
    return store.pageOfVersions(this.parts.db, found.id, filter, paging);
  }

  /** Every version of every package, the newest first. */
  list(seen: SeenPackages, filter: lists.PackageFilter, paging: Paging): Slice<PackageVersion> {
    return lists.versionsOfOwner(this.parts.db, seen.owner.id, viewerOf(this.parts.access, seen), filter, paging);
  }

  /** The latest version of each package. */
  latestOfEach(
    seen: SeenPackages,
    filter: lists.PackageFilter,
    paging: Pick<Paging, "limit" | "offset">,
    order: lists.PackageOrder = "published",
  ): Slice<PackageVersion> {
    return lists.latestVersions(this.parts.db, seen.owner.id, viewerOf(this.parts.access, seen), filter, paging, order);
  }

  /** The packages of a repository, last published first; readers of the repository see all of them. */
  ofRepo(
    { principal, repo }: SeenRepo,
    filter: lists.PackageFilter,
    paging: Pick<Paging, "limit" | "offset">,
  ): Slice<PackageVersion> {
    const viewer = viewerOf(this.parts.access, { principal, level: "read" });
    return lists.latestVersions(this.parts.db, undefined, viewer, { ...filter, repoId: repo.id }, paging);
  }

  /** The packages of all owners, and their total size. @throws Forbidden if the caller is no site administrator */
  everyones(
    principal: Principal,
    filter: lists.PackageFilter,
    paging: Pick<Paging, "limit" | "offset">,
  ): Slice<PackageVersion> & { readonly sizeBytes: number } {
    requireSiteAdmin(principal);
    const { db } = this.parts;
    const viewer = viewerOf(this.parts.access, { principal, level: "owner" });
    const found = lists.latestVersions(db, undefined, viewer, filter, paging);
    return { ...found, sizeBytes: files.bytesOfAll(db) };
  }

  /** Private repositories with packages of a type, as far as the principal may see them. */
  privateReposSeen(seen: SeenPackages, type: PackageType): number[] {
    return privateReposOf(this.parts.db, seen.owner.id, type, viewerOf(this.parts.access, seen));
  }

  typesInUse({ owner }: SeenPackages): PackageType[] {
    return lists.typesInUse(this.parts.db, owner.id);
  }

  byId(versionId: number): PackageVersion | undefined {
    return store.versionById(this.parts.db, versionId);
  }

  /** In the order the API lists them. */
  filesOf({ id }: PackageVersion): PackageFile[] {
    return files.filesOf(this.parts.db, id);
  }

  filesOfEach(versions: readonly PackageVersion[]): Map<number, PackageFile[]> {
    return files.filesOfEach(
      this.parts.db,
      versions.map(({ id }) => id),
    );
  }

  /** @throws NotFound */
  file({ id }: PackageVersion, name: string, compositeKey = ""): PackageFile {
    const found = files.findFile(this.parts.db, id, name, compositeKey);
    if (!found) throw new NotFound("packages.file-missing");
    return found;
  }

  /** @throws NotFound */
  fileById({ id }: PackageVersion, fileId: number): PackageFile {
    const found = files.fileById(this.parts.db, id, fileId);
    if (!found) throw new NotFound("packages.file-missing");
    return found;
  }

  /** Files of a package with the given name, in any version. */
  filesNamed(found: Package, name: string): PackageFile[] {
    return files.filesNamed(this.parts.db, found.id, name);
  }

  /** Files of a package that hold a content, in any version. */
  filesHolding(found: Package, sha256: string): PackageFile[] {
    return files.filesHolding(this.parts.db, found.id, sha256);
  }

  /** Files of a type with the given property, regardless of who may see their packages. */
  filesWithProperty({ owner }: SeenPackages, type: PackageType, { name, value }: Property): PackageFile[] {
    return files.filesWithProperty(this.parts.db, { ownerId: owner.id, type, name, value });
  }

  versionsWithProperty(found: Package, name: string, value: string): PackageVersion[] {
    return store.versionsWithProperty(this.parts.db, found.id, name, value);
  }

  /** Images of all owners that the principal may see, as `owner/image`, in order. */
  catalog(principal: Principal, after: string, limit: number): string[] {
    const { access, db } = this.parts;
    const isOwnerVisible = access.accountCondition("package_owners");
    const viewer = { ...viewerOf(this.parts.access, { principal, level: "read" }), isOwnerVisible };
    return lists.catalogOf(db, "container", viewer, after, limit);
  }

  propertiesOf(subject: PropertySubject, ids: readonly number[]): Map<number, Property[]> {
    return propertiesOf(this.parts.db, subject, ids);
  }

  /** Downloads so far, including those not written yet. */
  downloads({ downloadCount, id }: PackageVersion): number {
    return downloadCount + this.parts.downloads.pending(id);
  }

  /**
   * The bytes of a file.
   * @param counts whether this is a download, counted for lead files
   * @throws NotFound if they are missing
   */
  open(file: PackageFile, counts: boolean): Bun.BunFile {
    const opened = this.parts.contents.open(file.sha256);
    if (!opened) throw new NotFound("packages.file-missing");
    if (counts && file.isLead) this.parts.downloads.add(file.versionId);
    return opened;
  }

  /** Replaces the metadata of a version. @throws Forbidden */
  setMetadata(seen: SeenPackages, version: PackageVersion, metadata: object): void {
    const { db, indexChanges } = this.parts;
    requireWrite(seen, version.package);
    db.transaction(() => {
      store.setMetadata(db, version.id, JSON.stringify(metadata));
      indexChanges.note(version.package, files.filesOf(db, version.id));
    });
  }

  /** Deletes a version with its files. @throws Forbidden; the registry's deletion rule may refuse */
  deleteVersion(seen: SeenPackages, version: PackageVersion): void {
    requireWrite(seen, version.package);
    this.parts.db.transaction(() => this.remove(seen, version));
  }

  /** Deletes all versions of a package. @throws as above */
  deletePackage(seen: SeenPackages, found: Package): void {
    requireWrite(seen, found);
    this.parts.db.transaction(() => {
      for (const version of this.versions(found)) this.remove(seen, version, true);
    });
  }

  /** Deletes a package if the caller typed its name to confirm. @throws ValidationFailed for another name; as above */
  deleteNamed(seen: SeenPackages, found: Package, typed: string): void {
    if (typed !== found.name) throw new ValidationFailed("packages.name-not-confirmed", { field: "package_name" });
    this.deletePackage(seen, found);
  }

  /** Deletes a file, and its version with the last one. @throws as `deletePackage` */
  deleteFile(seen: SeenPackages, version: PackageVersion, file: PackageFile): void {
    this.deleteFilesOf(seen, version, [file]);
  }

  /** Deletes files of a version, and the version with the last one. @throws as above */
  deleteFilesOf(seen: SeenPackages, version: PackageVersion, gone: readonly PackageFile[]): void {
    requireWrite(seen, version.package);
    const { db, indexChanges } = this.parts;
    db.transaction(() => {
      if (files.countFiles(db, version.id) === gone.length) {
        this.remove(seen, version);
        return;
      }
      for (const { id } of gone) files.deleteFile(db, id);
      indexChanges.note(version.package, gone);
    });
  }

  /** Deletes several versions of a package. @throws as above */
  deleteVersions(seen: SeenPackages, versions: readonly PackageVersion[]): void {
    requireWrite(seen, ...versions.map((version) => version.package));
    this.parts.db.transaction(() => {
      for (const version of versions) this.remove(seen, version);
    });
  }

  /**
   * Deletes several versions, except those their registry keeps. Joins the running transaction, or starts one.
   * @throws Forbidden
   */
  deleteWherePossible(seen: SeenPackages, versions: readonly PackageVersion[]): void {
    requireWrite(seen, ...versions.map((version) => version.package));
    const { db } = this.parts;
    db.transaction(() => {
      for (const version of versions)
        try {
          db.savepoint(() => this.remove(seen, version));
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
        }
    });
  }

  /** Deletes files, whatever remains of their versions. Joins the running transaction, or is one. @throws Forbidden */
  deleteFiles(seen: SeenPackages, gone: readonly PackageFile[]): void {
    const { db } = this.parts;
    const versions = [...new Set(gone.map(({ versionId }) => versionId))].flatMap(
      (id) => store.versionById(db, id) ?? [],
    );
    requireWrite(seen, ...versions.map((version) => version.package));
    db.transaction(() => {
      for (const { id } of gone) files.deleteFile(db, id);
    });
  }

  /**
   * Deletes files by composite key: those whose key is one of these or begins with one and `|`; for a key ending with
   * `|`, only the latter. Their version is deleted with the last file.
   * @throws NotFound if there are none; as above
   */
  deleteFilesUnder(seen: SeenPackages, version: PackageVersion, under: readonly string[]): void {
    requireWrite(seen, version.package);
    const { db } = this.parts;
    db.transaction(() => {
      let count = 0;
      for (const key of under) count += keys.deleteFilesUnder(db, version.id, key);
      if (count === 0) throw new NotFound("packages.missing");
      if (files.countFiles(db, version.id) === 0) this.remove(seen, version);
    });
  }

  private remove(
    seen: SeenPackages,
    { id, package: { name, repoId, type }, version }: PackageVersion,
    isWhole = false,
  ): void {
    const { db, indexChanges, outbox } = this.parts;
    // Read it again: the transaction may have changed it.
    const present = store.versionById(db, id);
    if (!present) return;
    this.deletionRules.get(type)?.(seen, present, isWhole);
    outbox.append(
      "package.deleted",
      {
        principal: storedPrincipal(seen.principal),
        ownerId: seen.owner.id,
        unit: "packages",
        ...(repoId === undefined ? {} : { repoId }),
      },
      { versionId: id, type, name, version },
    );
    indexChanges.note(present.package, files.filesOf(db, id));
    store.deleteVersion(db, id);
  }

  hasPackages(owner: User): boolean {
    return store.hasPackages(this.parts.db, owner.id);
  }

  /** Deletes everything an account owns here. Joins the running transaction. */
  deleteAllOf(owner: User): void {
    store.deleteAllOf(this.parts.db, owner.id);
  }
}

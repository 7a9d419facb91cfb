import { isSiteAdmin } from "../access/principal.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Conflict, Forbidden } from "../kernel/errors.ts";
import type { QuotaService } from "../quotas/service.ts";
import type { PackageContents } from "./contents.ts";
import * as files from "./files-store.ts";
import { type IndexChanges, isIndexed } from "./indices/changes.ts";
import { fileTooLarge, maxFileBytes, type PackageLimits } from "./limits.ts";
import { addProperties, removeProperties } from "./properties-store.ts";
import { setRepo } from "./repositories-store.ts";
import * as store from "./store.ts";
import type { ContentHashes, Package, PackageType, PackageVersion, Property, SeenPackages } from "./types.ts";
import { repoOfNew, requireWrite } from "./viewer.ts";

/** A version as parsed by its registry. */
export interface NewVersion {
  readonly type: PackageType;
  readonly name: string;
  readonly version: string;
  /** Holds the registry's own data: in no list, and not counted. */
  readonly isInternal?: boolean;
  /** The whole package holds the registry's own data. */
  readonly packageIsInternal?: boolean;
  /** Stored as JSON; undefined if there is none. */
  readonly metadata?: object | undefined;
  /** Added when the package, or the version, is new. */
  readonly packageProperties?: readonly Property[];
  readonly properties?: readonly Property[];
  /** Carried over from the version it replaces. */
  readonly downloadCount?: number;
}

export interface NewFile {
  readonly name: string;
  /** Distinguishes files with the same name; empty if absent. */
  readonly compositeKey?: string;
  /** Whether its downloads are counted. */
  readonly isLead?: boolean;
  readonly content: ContentHashes;
  readonly properties?: readonly Property[];
  /** Replaces an existing file, which is refused otherwise. */
  readonly overwrites?: boolean;
}

export interface Publication {
  readonly version: NewVersion;
  readonly files: readonly NewFile[];
  /** Refuses an existing version; otherwise files are added to it. */
  readonly createsVersion?: boolean;
  /** Replaces the metadata of an existing version. */
  readonly refreshesMetadata?: boolean;
  /** Writes other rows that belong to it. Runs in the transaction. */
  also?(version: PackageVersion, isNew: boolean): void;
}

export interface Published {
  readonly version: PackageVersion;
  readonly isNew: boolean;
}

export interface PublishingParts {
  readonly clock: Clock;
  readonly contents: PackageContents;
  readonly db: Database;
  readonly indexChanges: IndexChanges;
  readonly limits: PackageLimits;
  readonly outbox: Outbox;
  readonly quotas: QuotaService;
}

/** Publishes atomically: all versions, files and the event are stored, or nothing is (contract packages.md 1.5). */
export class PackagePublisher {
  constructor(private readonly parts: PublishingParts) {}

  /**
   * @throws Conflict if the version or file exists; Forbidden, TooLarge if over quota; BadRequest for a reserved name
   */
  publish(seen: SeenPackages, publication: Publication): Published {
    return this.parts.db.transaction(() => this.put(seen, publication));
  }

  /** Like `publish`, but replaces any existing version, keeping its download count: it gets a new ID and event. */
  replace(seen: SeenPackages, publication: Publication): Published {
    const { db } = this.parts;
    const { name, type, version } = publication.version;
    return db.transaction(() => {
      const known = store.findVersionNamed(db, seen.owner.id, type, name, version);
      if (known) store.deleteVersion(db, known.id);
      const given = { ...publication.version, downloadCount: known?.downloadCount ?? 0 };
      return this.put(seen, { ...publication, version: given });
    });
  }

  private put(seen: SeenPackages, publication: Publication): Published {
    const { db, indexChanges } = this.parts;
    const { createsVersion = false, refreshesMetadata = false, version: given } = publication;
    const { isInternal = false, name, packageIsInternal = false, type } = given;
    // The name of the package that holds the registry's index.
    if (!packageIsInternal && isIndexed(type) && name.toLowerCase() === `_${type}`)
      throw new BadRequest("packages.invalid-name");
    const { id: packageId, isNew: packageIsNew } = this.putPackage(seen, type, name, packageIsInternal);
    if (packageIsNew) addProperties(db, "package", packageId, given.packageProperties ?? []);
    const known = store.findVersion(db, packageId, given.version);
    if (known && (createsVersion || known.isInternal !== isInternal)) throw new Conflict("packages.version-exists");
    const metadata = given.metadata === undefined ? undefined : JSON.stringify(given.metadata);
    if (known && refreshesMetadata && metadata !== undefined) store.setMetadata(db, known.id, metadata);
    const versionId = known?.id ?? this.insert(seen, packageId, given, metadata);
    if (!known && !isInternal) this.requireRoomForVersion(seen);
    for (const file of publication.files) this.putFile(seen, versionId, given, file);
    const version = store.versionById(db, versionId);
    if (!version) throw new Error("a published version is there");
    indexChanges.note(
      version.package,
      publication.files.map(({ compositeKey = "" }) => ({ compositeKey })),
    );
    publication.also?.(version, !known);
    // The publication may have linked it to a repository, whose webhooks are then notified too.
    const told = store.versionById(db, versionId) ?? version;
    if (!known && !isInternal) this.tell(seen, told);
    return { version: told, isNew: !known };
  }

  /** The package with that name, created if missing. @throws Forbidden if the principal may not change it */
  private putPackage(
    seen: SeenPackages,
    type: PackageType,
    name: string,
    isInternal = false,
  ): { readonly id: number; readonly isNew: boolean } {
    const { clock, db } = this.parts;
    const put = store.putPackage(db, { ownerId: seen.owner.id, type, name, isInternal }, clock());
    const repoId = repoOfNew(seen);
    if (put.isNew && repoId !== undefined) setRepo(db, put.id, repoId);
    const found = put.isNew ? undefined : store.packageById(db, put.id);
    if (found) requireWrite(seen, found);
    return put;
  }

  private insert(seen: SeenPackages, packageId: number, given: NewVersion, metadata: string | undefined): number {
    const { clock, db } = this.parts;
    const { downloadCount = 0, isInternal = false, properties = [], version } = given;
    const id = store.insertVersion(
      db,
      {
        packageId,
        ownerId: seen.owner.id,
        creatorId: seen.principal.user?.id ?? null,
        version,
        isInternal,
        metadata: metadata ?? null,
        downloadCount,
      },
      clock(),
    );
    addProperties(db, "version", id, properties);
    return id;
  }

  private putFile(seen: SeenPackages, versionId: number, version: NewVersion, file: NewFile): void {
    const { clock, contents, db } = this.parts;
    const { compositeKey = "", content, isLead = false, name, overwrites = false, properties = [] } = file;
    const isCounted = version.isInternal !== true;
    const before = files.findFile(db, versionId, name, compositeKey);
    if (before && !overwrites) throw new Conflict("packages.file-exists");
    if (before?.sha256 === content.sha256) return;
    if (isCounted)
      this.requireRoom(seen, version.type, content.sizeBytes - (before?.sizeBytes ?? 0), content.sizeBytes);
    if (before) files.deleteFile(db, before.id);
    files.putBlob(db, content, clock());
    contents.refer(content);
    const { sha256, sizeBytes } = content;
    const id = files.insertFile(
      db,
      { versionId, ownerId: seen.owner.id, name, compositeKey, isLead, sha256, sizeBytes, isCounted },
      clock(),
    );
    addProperties(db, "file", id, properties);
  }

  /** @throws Forbidden */
  private requireRoomForVersion({ owner, principal }: SeenPackages): void {
    const { db, limits } = this.parts;
    if (!Number.isFinite(limits.ownerVersions) || isSiteAdmin(principal)) return;
    if (store.countVersions(db, owner.id) > limits.ownerVersions) throw new Forbidden("packages.too-many-versions");
  }

  /** @throws Forbidden, TooLarge */
  requireRoom({ owner, principal }: SeenPackages, type: PackageType, moreBytes: number, fileBytes: number): void {
    const { db, limits, quotas } = this.parts;
    if (fileBytes > maxFileBytes(limits, principal, type)) throw fileTooLarge();
    if (isSiteAdmin(principal)) return;
    if (Number.isFinite(limits.ownerBytes) && files.bytesOfOwner(db, owner.id) + moreBytes > limits.ownerBytes)
      throw new Forbidden("packages.owner-too-large");
    quotas.require(owner, "size:assets:packages:all", moreBytes);
  }

  /** Notifies webhooks and workflows, even if nothing is new, as for an image that was pushed again. */
  tell({ owner, principal }: SeenPackages, { id, package: { name, repoId, type }, version }: PackageVersion): void {
    this.parts.outbox.append(
      "package.published",
      {
        principal: storedPrincipal(principal),
        ownerId: owner.id,
        unit: "packages",
        ...(repoId === undefined ? {} : { repoId }),
      },
      { versionId: id, type, name, version },
    );
  }

  /** Creates the package if missing; it may have no versions. */
  ensurePackage(seen: SeenPackages, type: PackageType, name: string): Package {
    const { db } = this.parts;
    return db.transaction(() => {
      const { id } = this.putPackage(seen, type, name);
      const found = store.packageById(db, id);
      if (!found) throw new Error("a package that was put is there");
      return found;
    });
  }

  /** Replaces the properties with that name. Joins the running transaction, or starts one. @throws Forbidden */
  setProperties(seen: SeenPackages, of: Package | PackageVersion, name: string, values: readonly string[]): void {
    const { db } = this.parts;
    const [subject, found] = "package" in of ? (["version", of.package] as const) : (["package", of] as const);
    requireWrite(seen, found);
    db.transaction(() => {
      removeProperties(db, subject, of.id, name);
      addProperties(
        db,
        subject,
        of.id,
        values.map((value) => ({ name, value })),
      );
    });
  }
}

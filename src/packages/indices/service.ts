import { operator } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound, Unauthorised } from "../../kernel/errors.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { PackageContents } from "../contents.ts";
import { deleteFile, filesOf, findFile } from "../files-store.ts";
import type { PackagePublisher } from "../publishing.ts";
import type { PackageService } from "../service.ts";
import { findVersionNamed, setMetadata } from "../store.ts";
import type { PackageFile, PackageVersion, SeenPackages } from "../types.ts";
import { EVERY_PART, type IndexedType } from "./changes.ts";
import { IndexDraft } from "./draft.ts";
import * as store from "./store.ts";

/** How a registry builds its index. */
export interface IndexBuilder {
  /** Whether a file of the present index must be rebuilt or deleted when these parts have changed. */
  covers(compositeKey: string, parts: readonly string[]): boolean;
  /** Adds the files of these parts to the draft; none for a part that no longer has packages. */
  build(draft: IndexDraft, parts: readonly string[]): Promise<void>;
  /** Whether replaced files stay available by hash for a day. */
  readonly keepsReplaced?: boolean;
}

export interface PackageIndexParts {
  readonly clock: Clock;
  readonly contents: PackageContents;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly packages: PackageService;
  readonly publisher: PackagePublisher;
}

const DAY_MS = 24 * 3_600_000;
/** A name no index uses, for files available only by hash. */
const retiredName = ({ name, sha256 }: PackageFile) => `${name}@${sha256}`;
const RETIRED = "*@*";

/** A class of readers: the owner, the type, and the private repositories whose packages their index contains. */
interface Reader {
  readonly owner: User;
  readonly type: IndexedType;
  readonly repoIds: readonly number[];
}

/**
 * Indices that registries generate and store as internal versions of a dedicated package, such as `_debian` (contract
 * packages.md 1.4): `_repository` holds what everyone may see, `_repository:7` also the packages of private repository
 * 7, for those who may see it and no other. Each change is recorded where it happens; readers of an outdated index wait
 * for the rebuild.
 */
export class PackageIndices {
  private readonly builders = new Map<IndexedType, IndexBuilder>();
  private readonly building = new InFlight<string, void>();

  constructor(private readonly parts: PackageIndexParts) {}

  /** Registers a registry's builder, during wiring. */
  use(type: IndexedType, builder: IndexBuilder): void {
    this.builders.set(type, builder);
  }

  /**
   * A generated file, brought up to date.
   * @throws NotFound; Unauthorised if an anonymous caller might see it after signing in
   */
  async file(seen: SeenPackages, type: IndexedType, compositeKey: string, name: string): Promise<PackageFile> {
    const found = await this.find(seen, type, compositeKey, name);
    if (!found) throw this.missing(seen, type);
    return found;
  }

  /** Like `file`, but undefined if there is none. */
  async find(
    seen: SeenPackages,
    type: IndexedType,
    compositeKey: string,
    name: string,
  ): Promise<PackageFile | undefined> {
    const index = await this.current(seen, type);
    return index && findFile(this.parts.db, index.id, name, compositeKey);
  }

  /** A generated file by its hash, including replaced ones for a day. @throws as `file` */
  async fileByHash(
    seen: SeenPackages,
    type: IndexedType,
    compositeKey: string,
    algorithm: "md5" | "sha1" | "sha256" | "sha512",
    hash: string,
  ): Promise<PackageFile> {
    const index = await this.current(seen, type);
    const found = index && store.fileByHash(this.parts.db, index.id, compositeKey, algorithm, hash);
    if (!found) throw this.missing(seen, type);
    return found;
  }

  /** Rebuilds the public index of a type. */
  async build(ownerId: number, type: IndexedType): Promise<void> {
    const owner = this.parts.identity.byIds([ownerId]).get(ownerId);
    if (owner) await this.upToDate({ owner, type, repoIds: [] });
  }

  private async current(seen: SeenPackages, type: IndexedType): Promise<PackageVersion | undefined> {
    const repoIds = this.parts.packages.privateReposSeen(seen, type);
    return this.upToDate({ owner: seen.owner, type, repoIds });
  }

  private async upToDate(reader: Reader): Promise<PackageVersion | undefined> {
    const key = `${reader.owner.id} ${reader.type} ${nameOf(reader)}`;
    // The first build may have begun before the last change.
    for (let round = 0; round < 2 && this.isBehind(reader); round++)
      await this.building.once(key, () => this.make(reader));
    return this.versionOf(reader);
  }

  private isBehind(reader: Reader): boolean {
    return this.changedSince(reader, this.versionOf(reader)).length > 0;
  }

  private changedSince({ owner, type }: Reader, version: PackageVersion | undefined) {
    return store.changesSince(this.parts.db, { ownerId: owner.id, type }, upToOf(version));
  }

  private async make(reader: Reader): Promise<void> {
    const { contents, db } = this.parts;
    const { owner, repoIds, type } = reader;
    const builder = this.builders.get(type);
    if (!builder) throw new Error(`${type} has no index`);
    const present = this.versionOf(reader);
    const changes = this.changedSince(reader, present);
    const isWhole = !present || changes.some(({ part }) => part === EVERY_PART);
    const indexed = { ownerId: owner.id, type, repoIds };
    const parts = isWhole ? store.partsOf(db, indexed) : changes.map(({ part }) => part);
    const files = present ? filesOf(db, present.id) : [];
    const isRetired = ({ name }: PackageFile) => name.includes("@");
    const replaced = files.filter((file) => !isRetired(file) && (isWhole || builder.covers(file.compositeKey, parts)));
    const staying = files.filter((file) => !isRetired(file) && !replaced.includes(file));
    using draft = new IndexDraft(db, contents, indexed, owner, staying);
    await builder.build(draft, parts);
    this.put(reader, draft, { present, replaced, upTo: changes.at(-1)?.id ?? upToOf(present) });
  }

  /** Replaces the given files with those of the draft, in one transaction. */
  private put(
    reader: Reader,
    draft: IndexDraft,
    {
      present,
      replaced,
      upTo,
    }: {
      readonly present: PackageVersion | undefined;
      readonly replaced: readonly PackageFile[];
      readonly upTo: number;
    },
  ): void {
    const { clock, db, identity, publisher } = this.parts;
    const { owner, type } = reader;
    const keeps = this.builders.get(type)?.keepsReplaced === true;
    db.transaction(() => {
      if (!identity.byIds([owner.id]).has(owner.id)) return;
      // The cleanup may have deleted the index that the draft only updates.
      if (this.versionOf(reader)?.id !== present?.id) return;
      const isSame = (file: PackageFile) =>
        draft.files.some(
          ({ compositeKey, content, name }) =>
            name === file.name && compositeKey === file.compositeKey && content.sha256 === file.sha256,
        );
      const going = replaced.filter((file) => !isSame(file));
      for (const file of going) {
        const known = present && keeps && findFile(db, present.id, retiredName(file), file.compositeKey);
        if (known) deleteFile(db, known.id);
        if (keeps) store.retireFile(db, file, retiredName(file), clock());
        else deleteFile(db, file.id);
      }
      const { version } = publisher.publish(
        { principal: operator, owner, level: "owner", challenges: false },
        {
          version: { type, name: `_${type}`, version: nameOf(reader), isInternal: true, packageIsInternal: true },
          files: draft.files.map((file) => ({ ...file, overwrites: true })),
        },
      );
      // Clients ask for files newer than theirs, to the second.
      for (const { compositeKey, createdAt, name } of going) {
        const next = Math.floor(createdAt / 1000) * 1000 + 1000;
        if (next > clock()) store.setFileTime(db, version.id, { compositeKey, name }, next);
      }
      store.deleteRetired(db, version.id, RETIRED, clock() - DAY_MS);
      setMetadata(db, version.id, JSON.stringify({ upTo }));
    });
  }

  private versionOf(reader: Reader): PackageVersion | undefined {
    const { owner, type } = reader;
    const found = findVersionNamed(this.parts.db, owner.id, type, `_${type}`, nameOf(reader));
    return found?.isInternal ? found : undefined;
  }

  /** The error for a missing generated file. */
  missing(seen: SeenPackages, type: IndexedType): NotFound | Unauthorised {
    const isAsked = seen.challenges && !seen.principal.user && store.hasPrivate(this.parts.db, seen.owner.id, type);
    return isAsked ? new Unauthorised("packages.needs-credentials") : new NotFound("packages.file-missing");
  }
}

const nameOf = ({ repoIds }: Reader) => (repoIds.length === 0 ? "_repository" : `_repository:${repoIds.join(",")}`);

/** The last change that an index includes. */
function upToOf(version: PackageVersion | undefined): number {
  return version?.metadata === undefined ? 0 : (JSON.parse(version.metadata) as { upTo: number }).upTo;
}

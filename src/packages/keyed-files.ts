import type { AccessControl } from "../access/service.ts";
import type { Database } from "../db/database.ts";
import * as keys from "./keyed-files-store.ts";
import type { PackageFile, PackageType, PackageVersion, SeenPackages } from "./types.ts";
import { viewerOf } from "./viewer.ts";

export type { FilePlace, KeyTime, ListedFile } from "./keyed-files-store.ts";

/** Files grouped by composite keys: platforms, revisions. */
export class KeyedFiles {
  constructor(
    private readonly db: Database,
    private readonly access: AccessControl,
  ) {}

  /** Files with one key, sorted by name. */
  filesWithKey({ id }: PackageVersion, compositeKey: string): PackageFile[] {
    return keys.filesWithKey(this.db, id, compositeKey);
  }

  /** Files with one name, under several keys. */
  filesWithKeys({ id }: PackageVersion, name: string, compositeKeys: readonly string[]): PackageFile[] {
    return keys.filesWithKeys(this.db, id, name, compositeKeys);
  }

  /** Composite keys of a version that begin with the given one and `|`, in order. */
  keysBelow({ id }: PackageVersion, key: string): keys.KeyTime[] {
    return keys.keysBelow(this.db, id, key);
  }

  /** Where a file is found, in packages of a type that the principal may see. @param wanted a package name, or all */
  placesOfFile(
    seen: SeenPackages,
    type: PackageType,
    wanted: { readonly file: string; readonly name: string | undefined },
  ): keys.FilePlace[] {
    return keys.placesOfFile(this.db, seen.owner.id, type, wanted, viewerOf(this.access, seen));
  }

  /** Files with that composite key in packages whose names have the prefix and no slash after it, by package. */
  filesInFolder(
    seen: SeenPackages,
    type: PackageType,
    folder: { readonly prefix: string; readonly compositeKey: string },
  ): keys.ListedFile[] {
    return keys.filesInFolder(this.db, seen.owner.id, type, folder, viewerOf(this.access, seen));
  }
}

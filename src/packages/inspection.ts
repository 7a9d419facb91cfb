import type { Database } from "../db/database.ts";
import { versionPath } from "./addresses.ts";
import type { PackageContents } from "./contents.ts";
import { blobsAfter, countBlobs, holdersOf } from "./files-store.ts";

/** A file of a package that cannot be fetched. */
export interface PackageProblem {
  /** The version and the file. */
  readonly subject: string;
  readonly code: string;
  readonly canFix: false;
}

const BATCH = 500;
/** Files reported per content: many may hold it. */
const MAX_NAMED = 20;

/** Checks for `hearth doctor` that the contents of package files exist. */
export class PackageInspector {
  constructor(
    private readonly db: Database,
    private readonly contents: PackageContents,
  ) {}

  /** @returns how many contents there are, and the files whose bytes are missing */
  inspect(): { readonly contents: number; readonly problems: PackageProblem[] } {
    const problems: PackageProblem[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const digests: string[] = blobsAfter(this.db, after, BATCH);
      for (const digest of digests)
        if (!this.contents.open(digest))
          for (const { file, login, version } of holdersOf(this.db, digest, MAX_NAMED))
            problems.push({
              subject: `${versionPath(login, version)} ${file}`,
              code: "packages.content-missing",
              canFix: false,
            });
      after = digests.length < BATCH ? undefined : digests.at(-1);
    }
    return { contents: countBlobs(this.db), problems };
  }
}

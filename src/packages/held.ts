import type { Database } from "../db/database.ts";
import type { Links } from "../kernel/links.ts";
import type { HeldFileSource } from "../quotas/held-files.ts";
import { versionPath } from "./addresses.ts";
import { versionsWithSizes } from "./held-store.ts";
import { countVersions } from "./store.ts";

/** The package versions that count towards an account's storage. */
export function heldPackages(db: Database, { rootUrl }: Links): HeldFileSource {
  return {
    count: ({ id }) => countVersions(db, id),
    list: ({ id, login }, limit, offset) =>
      versionsWithSizes(db, id, { limit, offset }).map(({ sizeBytes, version }) => ({
        name: version.package.name,
        sizeBytes,
        url: rootUrl + versionPath(login, version),
        package: { type: version.package.type, version: version.version },
      })),
  };
}

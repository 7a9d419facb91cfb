import type { PackageType } from "./types.ts";

/** Events of packages. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** A new version, or an image that was pushed again. */
    "package.published": { versionId: number; type: PackageType; name: string; version: string };
    /** Sent while it still exists. */
    "package.deleted": { versionId: number; type: PackageType; name: string; version: string };
  }
}

import type { PackageType } from "./types.ts";

/** What happens to packages. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** A version that was not there before, or an image that was pushed again. */
    "package.published": { versionId: number; type: PackageType; name: string; version: string };
    /** Told while it is still there. */
    "package.deleted": { versionId: number; type: PackageType; name: string; version: string };
  }
}

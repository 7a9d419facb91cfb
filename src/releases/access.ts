import type { Access } from "../http/route.ts";

/** Who may come in at the routes of releases; drafts are for writers, which `ReleaseService` decides. */

const onReleases = (who: Access["who"], level: "read" | "write", state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", unit: "releases", level, ...(state ? { state } : {}) },
  scopes: ["repository"],
  publicOnly: "filtered",
});

export const readsReleases = onReleases("anyone", "read");
export const changesReleases = onReleases("user", "write", "unarchived");
/** The bytes of files, outside the API: no one acts as another there. */
export const readsReleaseFiles: Access = { ...readsReleases, sudo: false };

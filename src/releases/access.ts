import type { Access } from "../http/route.ts";

/** Who may use release routes; `ReleaseService` restricts drafts to people with write access. */

const onReleases = (who: Access["who"], level: "read" | "write", state?: "unarchived"): Access => ({
  who,
  subject: { kind: "repository", unit: "releases", level, ...(state ? { state } : {}) },
  scopes: ["repository"],
  publicOnly: "filtered",
});

export const readsReleases = onReleases("anyone", "read");
export const changesReleases = onReleases("user", "write", "unarchived");
/** File contents, outside the API: no sudo there. */
export const readsReleaseFiles: Access = { ...readsReleases, sudo: false };

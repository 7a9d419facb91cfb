import type { ImportPart } from "../../src/imports/types.ts";

/** The label of each part. */
export const partLabels = {
  wiki: "wiki",
  lfs: "lfs",
  labels: "labels",
  milestones: "milestones",
  issues: "issues",
  pull_requests: "pulls",
  releases: "releases",
} as const satisfies Record<ImportPart, string>;

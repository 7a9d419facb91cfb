import type { ImportPart } from "../../src/imports/types.ts";

/** The word for each. */
export const partLabels = {
  wiki: "wiki",
  labels: "labels",
  milestones: "milestones",
  issues: "issues",
  releases: "releases",
} as const satisfies Record<ImportPart, string>;
